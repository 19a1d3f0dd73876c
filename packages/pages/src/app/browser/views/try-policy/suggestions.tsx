import { useLayoutEffect, useState } from 'preact/hooks';
import { type Address, changed, goOnFromHere } from '../../address.ts';
import type { TryPolicyQuery } from '../../documents/documents.generated.ts';
import { count, plural, revealed } from '../../format.ts';
import { Empty } from '../../parts/states.tsx';
import { NumberCell, numbers, Table } from '../../parts/table.tsx';
import { type Added, addedIn, nameOf } from './added.ts';

type Account = NonNullable<TryPolicyQuery['account']>;
type Suggested = NonNullable<Account['policySuggestion']>['suggestions'];

interface SuggestionsProps {
  suggestions: Suggested;
  others: number;
  address: Address;
}

/** Sources that would end reports, each with a tick that adds it. */
export function Suggestions({ suggestions, others, address }: SuggestionsProps) {
  const added = new Set(addedIn(address).map(nameOf));
  if (suggestions.length === 0)
    return <Empty>Nothing that this policy blocks could be allowed by a source.</Empty>;
  // A next tick can come before the answer to the last one.
  const tick = (one: Added, isTicked: boolean) =>
    goOnFromHere(present => {
      const names = new Set(addedIn(present).map(nameOf));
      if (isTicked) names.add(nameOf(one));
      else names.delete(nameOf(one));
      return changed(present, { add: [...names] });
    });
  return (
    <section class="panel wide" aria-label="Sources to allow">
      <h2>Sources to allow</h2>
      <p class="quiet">
        Those on most pages first. Allow what you know: a report can be forged, and what is reported can be an
        attack.
      </p>
      <Table
        label="Suggested sources"
        columns={['Allow', numbers('Pages'), numbers('Days'), numbers('Reports')]}
      >
        {suggestions.map(one => (
          <tr key={nameOf(one)}>
            <th scope="row" class="wide-cell">
              <Tick
                name={nameOf(one)}
                isAdded={added.has(nameOf(one))}
                onTick={isTicked => tick(one, isTicked)}
              />
              {one.covers.length > 1 && <span class="quiet"> for {one.covers.map(revealed).join(', ')}</span>}
              {one.opens && <span class="warn"> It lets in {one.opens}.</span>}
            </th>
            <NumberCell of="Pages">{count(one.pages)}</NumberCell>
            <NumberCell of="Days">{count(one.days)}</NumberCell>
            <NumberCell of="Reports">{count(one.count)}</NumberCell>
          </tr>
        ))}
      </Table>
      {others > 0 && <p class="quiet">{plural(others, 'more source')} of less reach.</p>}
    </section>
  );
}

interface TickProps {
  name: string;
  isAdded: boolean;
  onTick(isTicked: boolean): void;
}

/** It shows at once what the visitor wants, and later what the answer is of. */
function Tick({ name, isAdded, onTick }: TickProps) {
  const [isTicked, setTicked] = useState(isAdded);
  // Before the picture: nobody sees an answer with the tick of another one.
  useLayoutEffect(() => setTicked(isAdded), [isAdded]);
  const change = (wanted: boolean) => {
    setTicked(wanted);
    onTick(wanted);
  };
  return (
    <label>
      <input type="checkbox" checked={isTicked} onChange={event => change(event.currentTarget.checked)} />{' '}
      <code class="wrap">{revealed(name)}</code>
    </label>
  );
}
