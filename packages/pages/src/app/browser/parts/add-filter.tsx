import { useRef, useState } from 'preact/hooks';
import { type Address, changed, goTo } from '../address.ts';
import { FILTERS, filtersOf, kindOf, valuesOf, wrongIn } from '../filters.ts';
import { count, hostIn } from '../format.ts';
import type { ReportTypeView } from '../report-types.ts';
import { valueName } from './filters.tsx';
import { closeOnEscape } from './period-picker.tsx';

interface Props {
  view: ReportTypeView;
  address: Address;
  /** Values that there are reports of, by filter, with their counts. */
  known: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** Filters that take patterns. */
const PATTERNS = /^(hostnames|paths|blocked|subresource)/;
const HOSTS = /ostnames$/;

/** A filter that is typed: for what stands in no group. */
export function AddFilter({ view, address, known }: Props) {
  const names = filtersOf(view);
  const [name, setName] = useState(names[0]!);
  const [problem, setProblem] = useState('');
  const details = useRef<HTMLDetailsElement>(null);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields = new FormData(form);
    const value = meant(name, String(fields.get('value')).trim(), known.get(name));
    if (value === '') return;
    const param = fields.get('how') === 'without' ? `not.${name}` : name;
    const next = changed(address, { [param]: [...new Set([...address.params.getAll(param), value])] });
    const [wrong] = wrongIn(next, view).filter(one => one.name === param);
    setProblem(wrong ? `It takes ${wrong.expected}.` : '');
    if (wrong) return;
    goTo(next);
    form.reset();
  };
  return (
    <details class="add-filter" ref={details} onKeyDown={closeOnEscape}>
      <summary>Add a filter</summary>
      <form onSubmit={submit}>
        <select name="how" aria-label="Only or without">
          <option value="only">only</option>
          <option value="without">without</option>
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
        <ValueField key={name} name={name} view={view} known={known.get(name)} />
        <button type="submit">Add</button>
        {PATTERNS.test(name) && <span class="quiet">* stands for anything</span>}
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
  known: ReadonlyMap<string, number> | undefined;
}

/** Another filter has a field of its own: a browser keeps what one was checked by. */
function ValueField({ name, view, known }: FieldProps) {
  const values = valuesOf(name, view.type);
  const named = (value: string) => {
    const reports = known?.get(value);
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
  if (kindOf(name) === 'number')
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
        {[...(known ?? [])].map(([value]) => (
          <option key={value} value={valueName(name, value)}>
            {named(value)}
          </option>
        ))}
      </datalist>
    </>
  );
}

/** The value that is meant by a pasted address, or by a word of the page. */
function meant(name: string, text: string, known: ReadonlyMap<string, number> | undefined): string {
  const host = HOSTS.test(name) ? hostIn(text) : undefined;
  if (host) return host;
  return [...(known?.keys() ?? [])].find(value => valueName(name, value) === text) ?? text;
}
