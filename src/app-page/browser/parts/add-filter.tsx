import { useState } from 'preact/hooks';
import { type Address, changed, goTo } from '../address.ts';
import { FILTERS, filtersOf, kindOf } from '../filters.ts';
import type { ReportTypeView } from '../report-types.ts';

const SCORE = '[1-9]?[0-9]|100';

/** A filter that is typed: for what stands in no group. */
export function AddFilter({ view, address }: { view: ReportTypeView; address: Address }) {
  const names = filtersOf(view);
  const [name, setName] = useState(names[0]!);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields = new FormData(form);
    const value = String(fields.get('value')).trim();
    if (value === '') return;
    const param = fields.get('how') === 'without' ? `not.${name}` : name;
    goTo(changed(address, { [param]: [...new Set([...address.params.getAll(param), value])] }));
    form.reset();
  };
  return (
    <details class="add-filter">
      <summary>Add a filter</summary>
      <form onSubmit={submit}>
        <select name="how" aria-label="Only such, or without such">
          <option value="only">only</option>
          <option value="without">without</option>
        </select>
        <select
          name="name"
          aria-label="What to filter by"
          value={name}
          onChange={event => setName(event.currentTarget.value)}
        >
          {names.map(one => (
            <option key={one} value={one}>
              {FILTERS[one]}
            </option>
          ))}
        </select>
        {kindOf(name) === 'yesNo' ? (
          <select name="value" aria-label="Value">
            <option value="true">yes</option>
            <option value="false">no</option>
          </select>
        ) : (
          <input
            name="value"
            aria-label="Value"
            pattern={kindOf(name) === 'number' ? SCORE : undefined}
            title={kindOf(name) === 'number' ? 'A number from 0 to 100' : undefined}
            required
            autocomplete="off"
            spellcheck={false}
          />
        )}
        <button type="submit">Add</button>
      </form>
    </details>
  );
}
