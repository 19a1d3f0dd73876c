import { type Address, changed, goTo } from '../address.ts';
import { answering } from '../answering.tsx';
import { AuditDocument, type AuditQuery } from '../documents/documents.generated.ts';
import { revealed } from '../format.ts';
import { Downloads } from '../parts/downloads.tsx';
import { Link } from '../parts/link.tsx';
import { Long } from '../parts/long.tsx';
import { Moment } from '../parts/moment.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { ViewHead } from '../parts/view-head.tsx';
import type { Answer } from '../use-answer.ts';

/** The filters of the trail, by parameter of the address. */
const FILTERS = { event: 'event', actor: 'by' } as const;

/** `Login failed` as the event is called: `loginFailed`. */
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

/** The audit trail, newest first; another filter begins with the newest. */
export const Audit = answering<AuditQuery, Variables>({
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

function Show({ data: { account }, variables: { cursor }, address }: Answer<AuditQuery, Variables>) {
  const events = account?.auditLog?.events ?? [];
  const next = account?.auditLog?.nextCursor;
  if (events.length === 0)
    return <Empty>Nothing of that has happened yet, or it is older than the plan keeps events.</Empty>;
  return (
    <>
      <Events events={events} address={address} />
      <p class="pages">
        {cursor && <Link to={changed(address, { cursor: undefined })}>Newest</Link>}
        {next && <Link to={changed(address, { cursor: next })}>Older</Link>}
      </p>
      <Downloads path="audit-log" about="The whole trail as a file:" />
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
            <Link to={changed(address, { event, cursor: undefined })} title="Only such events">
              <code>{event}</code>
            </Link>
          </td>
          <td class="wide-cell">
            <Long text={revealed(message)} />
          </td>
          <td>
            <Link to={changed(address, { actor: loggedByEmail, cursor: undefined })} title="Only by this one">
              <bdi>{revealed(loggedByEmail)}</bdi>
            </Link>
          </td>
          <td data-label="From">{requestIp || 'background job'}</td>
        </tr>
      ))}
    </Table>
  );
}

/** A filter that is typed: the links in the table have only what is on this page. */
function Find({ address, events }: { address: Address; events: readonly { event: string }[] }) {
  const submit = (submitted: SubmitEvent) => {
    submitted.preventDefault();
    const form = submitted.currentTarget as HTMLFormElement;
    const fields = new FormData(form);
    const given = (Object.keys(FILTERS) as (keyof typeof FILTERS)[])
      .map(name => [name, MEANT[name](String(fields.get(name)).trim())] as const)
      .filter(([, value]) => value !== '');
    goTo(changed(address, { ...Object.fromEntries(given), cursor: undefined }));
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
          {label} <bdi>{revealed(filters[name]!)}</bdi>
          <Link
            to={changed(address, { [name]: undefined, cursor: undefined })}
            label={`Remove filter: ${label} ${filters[name]}`}
          >
            ×
          </Link>
        </li>
      ))}
    </ul>
  );
}
