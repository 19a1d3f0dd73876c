import { type Address, goTo, withParams } from '../address.ts';
import { AuditDocument, type AuditQuery } from '../documents/documents.generated.ts';
import { revealControlCharacters } from '../format.ts';
import { Downloads } from '../parts/downloads.tsx';
import { Link } from '../parts/link.tsx';
import { Long } from '../parts/long.tsx';
import { Moment } from '../parts/moment.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { ViewHead } from '../parts/view-head.tsx';
import { createQueryView } from '../query-view.tsx';
import type { QueryAnswer } from '../use-answer.ts';

/** The filters of the audit trail, by address parameter. */
const FILTERS = { event: 'event', actor: 'by' } as const;

/** Converts a displayed event, `Login failed`, to its name in the API, `loginFailed`. */
const eventName = (text: string) =>
  text
    .replace(/^\w/, letter => letter.toLowerCase())
    .replace(/\s+(\w)/g, (_, letter) => letter.toUpperCase());

const MEANT = { event: eventName, actor: (text: string) => text };

type Filters = Record<string, string | null>;

interface Variables {
  account: string;
  cursor: string | null;
  event: string | null;
  actor: string | null;
}

/** The audit trail, newest first. Changing a filter returns to the first page. */
export const Audit = createQueryView<AuditQuery, Variables>({
  document: AuditDocument,
  ask: ({ params }, account) => ({
    account,
    cursor: params.get('cursor'),
    event: params.get('event'),
    actor: params.get('actor'),
  }),
  Head,
  Show,
});

function Head({ address, data }: { address: Address; data: AuditQuery | undefined }) {
  const filters: Filters = Object.fromEntries(
    Object.keys(FILTERS).map(name => [name, address.params.get(name)] as const),
  );
  return (
    <>
      <ViewHead title="Audit">Who changed what in this account, newest first.</ViewHead>
      <Find address={address} events={data?.account?.auditLog?.events ?? []} />
      <Narrowed address={address} filters={filters} />
    </>
  );
}

function Show({ data: { account }, variables: { cursor }, address }: QueryAnswer<AuditQuery, Variables>) {
  const events = account?.auditLog?.events ?? [];
  const next = account?.auditLog?.nextCursor;
  if (events.length === 0)
    return <Empty>There are no such events, or they are older than the plan's retention.</Empty>;
  return (
    <>
      <Events events={events} address={address} />
      <p class="pages">
        {cursor && <Link to={withParams(address, { cursor: undefined })}>Newest</Link>}
        {next && <Link to={withParams(address, { cursor: next })}>Older</Link>}
      </p>
      <Downloads path="audit-log" about="Download the whole audit log:" />
    </>
  );
}

type Event = NonNullable<NonNullable<AuditQuery['account']>['auditLog']>['events'][number];

function Events({ events, address }: { events: readonly Event[]; address: Address }) {
  return (
    <Table
      label="Events"
      isPanel
      columns={[
        { children: 'When (UTC)', 'aria-sort': 'descending' },
        'Event',
        'What happened',
        'By',
        'From',
      ]}
    >
      {events.map(({ eventId, timestamp, event, message, loggedByEmail, requestIp }) => (
        <tr key={eventId}>
          <td>
            <Moment at={timestamp} />
          </td>
          <td>
            <Link to={withParams(address, { event, cursor: undefined })} title="Show only these events">
              <code>{event}</code>
            </Link>
          </td>
          <td class="wide-cell">
            <Long text={revealControlCharacters(message)} />
          </td>
          <td>
            <Link
              to={withParams(address, { actor: loggedByEmail, cursor: undefined })}
              title="Show only events by this actor"
            >
              <bdi>{revealControlCharacters(loggedByEmail)}</bdi>
            </Link>
          </td>
          <td data-label="From">{requestIp || 'background job'}</td>
        </tr>
      ))}
    </Table>
  );
}

/** A form for the filters, because the links in the table offer only the values on this page. */
function Find({ address, events }: { address: Address; events: readonly { event: string }[] }) {
  const submit = (submitted: SubmitEvent) => {
    submitted.preventDefault();
    const form = submitted.currentTarget as HTMLFormElement;
    const fields = new FormData(form);
    const given = (Object.keys(FILTERS) as (keyof typeof FILTERS)[])
      .map(name => [name, MEANT[name](String(fields.get(name)).trim())] as const)
      .filter(([, value]) => value !== '');
    goTo(withParams(address, { ...Object.fromEntries(given), cursor: undefined }));
    form.reset();
  };
  return (
    <form class="find" onSubmit={submit}>
      <label>
        Event <input name="event" list="events" autocomplete="off" spellcheck={false} />
      </label>
      <datalist id="events">
        {[...new Set(events.map(({ event }) => event))].sort().map(event => (
          <option key={event} value={event} />
        ))}
      </datalist>
      <label>
        By <input name="actor" inputmode="email" autocomplete="off" spellcheck={false} />
      </label>
      <button type="submit">Filter</button>
    </form>
  );
}

function Narrowed({ address, filters }: { address: Address; filters: Filters }) {
  const given = Object.entries(FILTERS).filter(([name]) => filters[name]);
  if (given.length === 0) return null;
  return (
    <ul class="chips" aria-label="Filters">
      {given.map(([name, label]) => (
        <li key={name}>
          {label} <bdi>{revealControlCharacters(filters[name]!)}</bdi>
          <Link
            to={withParams(address, { [name]: undefined, cursor: undefined })}
            label={`Remove filter: ${label} ${revealControlCharacters(filters[name]!)}`}
          >
            ×
          </Link>
        </li>
      ))}
    </ul>
  );
}
