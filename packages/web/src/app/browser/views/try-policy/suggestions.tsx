import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { type Address, goOnFromHere, withParams } from '../../address.ts';
import type { TryPolicyQuery } from '../../documents/documents.generated.ts';
import { count, moment, plural, revealControlCharacters } from '../../format.ts';
import { Empty } from '../../parts/states.tsx';
import { NumberCell, numbers, Table } from '../../parts/table.tsx';
import { type AddedSource, getName, readAddedSources } from './added.ts';

type Account = NonNullable<TryPolicyQuery['account']>;
type Suggestions = NonNullable<Account['policySuggestion']>['suggestions'];
type Suggestion = Suggestions[number];

interface SuggestionsProps {
  suggestions: Suggestions;
  others: number;
  address: Address;
}

/** Sources that would prevent reports, each with a checkbox that adds it to the policy. */
export function Suggestions({ suggestions, others, address }: SuggestionsProps) {
  const added = new Set(readAddedSources(address).map(getName));
  if (suggestions.length === 0)
    return <Empty>No additional source would allow anything that this policy blocks.</Empty>;
  // Starts from the current address, because the visitor can tick a source before the previous result has loaded.
  const tick = (one: AddedSource, isTicked: boolean) =>
    goOnFromHere(present => {
      const names = new Set(readAddedSources(present).map(getName));
      if (isTicked) names.add(getName(one));
      else names.delete(getName(one));
      return withParams(present, { add: [...names] });
    });
  const [sound, doubtful] = [suggestions.filter(isSound), suggestions.filter(one => !isSound(one))];
  const createRow = (one: Suggestion) => (
    <Row key={getName(one)} suggestion={one} isAdded={added.has(getName(one))} onTick={is => tick(one, is)} />
  );
  return (
    <section class="panel wide" aria-label="Sources to allow">
      <h2>Sources to allow</h2>
      <p class="quiet">
        Sorted by days, browsers and pages. Allow only what you know: reports can be forged, and a reported
        resource can be an attack.
      </p>
      {sound.length === 0 ? (
        <p>No source was reported by several browsers, on several pages and days.</p>
      ) : (
        <SourceTable label="Suggested sources">{sound.slice(0, AT_ONCE).map(createRow)}</SourceTable>
      )}
      {sound.length > AT_ONCE && (
        <details>
          <summary>{plural(sound.length - AT_ONCE, 'more source')}</summary>
          <SourceTable label="More suggested sources">{sound.slice(AT_ONCE).map(createRow)}</SourceTable>
        </details>
      )}
      {doubtful.length > 0 && (
        <details>
          <summary>{plural(doubtful.length, 'source')} to review first</summary>
          <p class="quiet">
            These were rarely reported, are new, or are flagged by threat intelligence. Allow one only if you
            know it.
          </p>
          <SourceTable label="Sources to review first">{doubtful.map(createRow)}</SourceTable>
        </details>
      )}
      {others > 0 && <p class="quiet">{plural(others, 'more source')} with less reach.</p>}
    </section>
  );
}

/** Number of rows that are shown before the list is expanded. */
const AT_ONCE = 20;

const isSound = ({ doubts }: Suggestion) => doubts.length === 0;

const DOUBTS: Record<Suggestion['doubts'][number], string> = {
  THREAT: 'flagged by threat intelligence',
  NEW: 'new this week',
  ONE_BROWSER: 'one kind of browser',
  ONE_PAGE: 'one page',
  ONE_DAY: 'one day',
};

function SourceTable({ label, children }: { label: string; children: ComponentChildren }) {
  const columns = [
    'Allow',
    'First seen',
    ...['Browsers', 'Pages', 'Days', 'Reports'].map(name => numbers(name)),
  ];
  return (
    <Table label={label} columns={columns}>
      {children}
    </Table>
  );
}

interface RowProps {
  suggestion: Suggestion;
  isAdded: boolean;
  onTick(isTicked: boolean): void;
}

function Row({ suggestion, isAdded, onTick }: RowProps) {
  const { covers, opens, doubts, firstSeen, browsers, pages, days } = suggestion;
  return (
    <tr>
      <th scope="row" class="wide-cell">
        <Tick name={getName(suggestion)} isAdded={isAdded} onTick={onTick} />
        {covers.length > 1 && (
          <span class="quiet"> for {covers.map(revealControlCharacters).join(', ')}</span>
        )}
        {opens && <span class="warn"> It allows {opens}.</span>}
        {doubts.length > 0 && <span class="warn"> {doubts.map(doubt => DOUBTS[doubt]).join(', ')}</span>}
      </th>
      <td data-label="First seen">{firstSeen ? moment(firstSeen) : ''}</td>
      <NumberCell of="Browsers">{browsers === null ? '–' : count(browsers)}</NumberCell>
      <NumberCell of="Pages">{count(pages)}</NumberCell>
      <NumberCell of="Days">{count(days)}</NumberCell>
      <NumberCell of="Reports">{count(suggestion.count)}</NumberCell>
    </tr>
  );
}

interface TickProps {
  name: string;
  isAdded: boolean;
  onTick(isTicked: boolean): void;
}

/** A checkbox that shows the visitor's choice immediately, and the state of the result once it has loaded. */
function Tick({ name, isAdded, onTick }: TickProps) {
  const [isTicked, setTicked] = useState(isAdded);
  // A layout effect runs before paint, so that a result never appears with an outdated checkbox.
  useLayoutEffect(() => setTicked(isAdded), [isAdded]);
  const change = (wanted: boolean) => {
    setTicked(wanted);
    onTick(wanted);
  };
  return (
    <label>
      <input type="checkbox" checked={isTicked} onChange={event => change(event.currentTarget.checked)} />{' '}
      <code class="wrap">{revealControlCharacters(name)}</code>
    </label>
  );
}
