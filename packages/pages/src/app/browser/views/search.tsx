import { type Address, changed, elsewhere, goTo } from '../address.ts';
import { answering } from '../answering.tsx';
import {
  type GroupReachFragment,
  SearchAddressesDocument,
  SearchHashesDocument,
  SearchPagesDocument,
  SearchReportsDocument,
  SearchResourcesDocument,
  type TypedDocumentString,
} from '../documents/documents.generated.ts';
import { FILTERS } from '../filters.ts';
import { dayBefore, hostIn, plural, revealed } from '../format.ts';
import { HostList } from '../parts/host-list.tsx';
import { Link } from '../parts/link.tsx';
import { Empty } from '../parts/states.tsx';
import { ViewHead } from '../parts/view-head.tsx';
import { viewOf } from '../report-types.ts';

/** Days whose reports are looked at: those that the groups of type views have by default. */
const DAYS = 30;

/** Finds a host, an address, a hash or a report among the reports of all types. */
export function Search({ address }: { address: Address }) {
  const text = textIn(address);
  return (
    <>
      <ViewHead title="Search">
        Hosts, addresses, hashes and report ids, among the reports of {DAYS} days of all types.
      </ViewHead>
      <Question key={text} text={text} address={address} />
      {text ? (
        <Found address={address} />
      ) : (
        <div aria-busy={false}>
          <Empty>A part of a host is enough; `*` stands for any characters.</Empty>
        </div>
      )}
    </>
  );
}

const textIn = ({ params }: Address) => params.get('q')?.trim() ?? '';

function Question({ text, address }: { text: string; address: Address }) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const q = String(new FormData(event.currentTarget as HTMLFormElement).get('q')).trim();
    goTo(changed(address, { q: q || undefined }));
  };
  return (
    <search>
      <form class="find" onSubmit={submit}>
        <input name="q" type="search" aria-label="Search for" maxLength={2000} defaultValue={text} />
        <button type="submit">Search</button>
      </form>
    </search>
  );
}

/** Groups by their filter and type: `hostnames_csp`. */
type Results = { account: Record<string, GroupReachFragment | null> | null };

/**
 * A view of what one query finds of a text.
 * @param nothing is said where it finds nothing
 */
function finds<Variables>(
  document: TypedDocumentString<Results, Variables>,
  nothing: string,
  ask: (text: string) => Omit<Variables, 'account' | 'from'>,
) {
  return answering<Results, Variables>({
    document,
    ask: (address, account) =>
      ({ account, from: dayBefore(DAYS - 1), ...ask(textIn(address)) }) as unknown as Variables,
    Show: ({ data: { account }, address }) => (
      <Places found={account ?? {}} nothing={nothing} address={address} />
    ),
    nameOf: textIn,
  });
}

function hostsIn(text: string): string[] {
  const host = hostIn(text) ?? text;
  return [host.includes('*') ? host : `*${host}*`];
}

const Resources = finds(SearchResourcesDocument, 'Nothing of such a host was blocked.', text => ({
  blocked: { blockedHostnames: hostsIn(text) },
  resource: { subresourceHostnames: hostsIn(text) },
}));

const Pages = finds(SearchPagesDocument, 'No report is of such a host.', text => ({
  page: { hostnames: hostsIn(text) },
}));

/** Texts that are no part of a host, by their form. */
const FORMS = [
  {
    form: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
    View: finds(SearchReportsDocument, 'No report has this id.', text => ({
      report: { id: text.toLowerCase() },
    })),
  },
  {
    form: /^sha(256|384|512)-[\w+/=-]+$/,
    View: finds(SearchHashesDocument, 'No report has this hash.', text => ({
      hash: { subresourceHashes: [text] },
    })),
  },
  {
    form: /^(\d{1,3}(\.\d{1,3}){3}|[\da-f.]*:[\da-f:.]*:[\da-f:.]*)$/i,
    View: finds(SearchAddressesDocument, 'No report has this address.', text => ({
      source: { sourceIp: text },
      server: { serverIp: text },
    })),
  },
];

function Found({ address }: { address: Address }) {
  const View = FORMS.find(({ form }) => form.test(textIn(address)))?.View;
  if (View) return <View address={address} />;
  return (
    <>
      <Resources address={address} />
      <Pages address={address} />
    </>
  );
}

interface PlacesProps {
  found: NonNullable<Results['account']>;
  nothing: string;
  address: Address;
}

function Places({ found, nothing, address }: PlacesProps) {
  const places = Object.entries(found).filter(([, groups]) => groups && groups.groups.length > 0);
  if (places.length === 0) return <Empty>{nothing}</Empty>;
  return (
    <div class="panels narrow">
      {places.map(([name, groups]) => (
        <Place key={name} name={name} groups={groups!} address={address} />
      ))}
    </div>
  );
}

interface PlaceProps {
  /** The filter and the type: `hostnames_csp`. */
  name: string;
  groups: GroupReachFragment;
  address: Address;
}

function Place({ name, groups: { groups, otherGroups }, address }: PlaceProps) {
  const [filter = '', ...rest] = name.split('_');
  const view = viewOf(rest.join('_'))!;
  const title = `${view.label}, ${FILTERS[filter]}`;
  return (
    <section class="panel" aria-label={title}>
      <h2>
        {view.label} <span class="quiet">{FILTERS[filter]}</span>
      </h2>
      {filter === 'id' ? (
        <Link to={elsewhere(address, [view.type, 'reports', textIn(address).toLowerCase()])}>
          {revealed(textIn(address))}
        </Link>
      ) : (
        <HostList rows={groups} address={address} param={filter} type={view.type} />
      )}
      {otherGroups > 0 && <p class="quiet">{plural(otherGroups, 'more')} like it.</p>}
    </section>
  );
}
