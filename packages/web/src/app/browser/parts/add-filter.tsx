import { useRef, useState } from 'preact/hooks';
import { type Address, goTo, withParams } from '../address.ts';
import { classify, FILTERS, listFilters, listValues, wrongIn } from '../filters.ts';
import { count, hostIn } from '../format.ts';
import type { ReportTypeView } from '../report-types.ts';
import { valueName } from './filters.tsx';
import { closeOnEscape } from './period-picker.tsx';

interface Props {
  view: ReportTypeView;
  address: Address;
  /** Values that occur in the reports and their counts, by filter. */
  existing: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** Matches the filters that accept patterns. */
const PATTERNS = /^(hostnames|paths|blocked|subresource)/;
const HOSTS = /ostnames$/;

/** A form that adds a filter, also for values that the tables do not list. */
export function AddFilter({ view, address, existing }: Props) {
  const names = listFilters(view);
  const [name, setName] = useState(names[0]!);
  const [problem, setProblem] = useState('');
  const details = useRef<HTMLDetailsElement>(null);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields = new FormData(form);
    const value = toFilterValue(name, String(fields.get('value')).trim(), existing.get(name));
    if (value === '') return;
    const param = fields.get('how') === 'without' ? `not.${name}` : name;
    const next = withParams(address, { [param]: [...new Set([...address.params.getAll(param), value])] });
    const [wrong] = wrongIn(next, view).filter(one => one.name === param);
    setProblem(wrong ? `Expected: ${wrong.expected}.` : '');
    if (wrong) return;
    goTo(next);
    form.reset();
  };
  return (
    <details class="add-filter" ref={details} onKeyDown={closeOnEscape}>
      <summary>Add a filter</summary>
      <form onSubmit={submit}>
        <select name="how" aria-label="Filter or exclude">
          <option value="only">Filter</option>
          <option value="without">Exclude</option>
        </select>
        <select
          name="name"
          aria-label="What to filter by"
          value={name}
          onChange={event => {
            setName(event.currentTarget.value);
            setProblem('');
          }}
        >
          {names.map(one => (
            <option key={one} value={one}>
              {FILTERS[one]}
            </option>
          ))}
        </select>
        <ValueField key={name} name={name} view={view} existing={existing.get(name)} />
        <button type="submit">Add</button>
        {PATTERNS.test(name) && <span class="quiet">* matches any characters</span>}
        <span class="warn" role="status">
          {problem}
        </span>
      </form>
    </details>
  );
}

interface FieldProps {
  name: string;
  view: ReportTypeView;
  existing: ReadonlyMap<string, number> | undefined;
}

/**
 * The input of the filter's value. Each filter gets a new element, because browsers keep the validation state of an
 * element.
 */
function ValueField({ name, view, existing }: FieldProps) {
  const values = listValues(name, view.type);
  const named = (value: string) => {
    const reports = existing?.get(value);
    return `${valueName(name, value)}${reports === undefined ? '' : ` (${count(reports)})`}`;
  };
  if (values)
    return (
      <select name="value" aria-label="Value">
        {values.map(value => (
          <option key={value} value={value}>
            {named(value)}
          </option>
        ))}
      </select>
    );
  if (classify(name) === 'number')
    return <input name="value" aria-label="Value" type="number" min="0" max="100" step="1" required />;
  return (
    <>
      <input
        name="value"
        aria-label="Value"
        list="known-values"
        required
        autocomplete="off"
        spellcheck={false}
      />
      <datalist id="known-values">
        {[...(existing ?? [])].map(([value]) => (
          <option key={value} value={valueName(name, value)}>
            {named(value)}
          </option>
        ))}
      </datalist>
    </>
  );
}

/** Converts the visitor's input to a filter value: a URL to its host, and a label to the value that it stands for. */
function toFilterValue(
  name: string,
  text: string,
  existing: ReadonlyMap<string, number> | undefined,
): string {
  const host = HOSTS.test(name) ? hostIn(text) : undefined;
  if (host) return host;
  return [...(existing?.keys() ?? [])].find(value => valueName(name, value) === text) ?? text;
}
