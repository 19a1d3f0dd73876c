import { type Address, atPath, goTo, withParams } from '../address.ts';
import {
  type GroupReachFragment,
  SearchAddressesDocument,
  SearchHashesDocument,
  SearchNamesDocument,
  SearchPagesDocument,
  SearchPathsDocument,
  SearchReportsDocument,
  SearchResourcesDocument,
  type TypedDocumentString,
} from '../documents/documents.generated.ts';
import { FILTERS } from '../filters.ts';
import { count, dayBefore, hostIn, revealControlCharacters } from '../format.ts';
import { HostList } from '../parts/host-list.tsx';
import { Link } from '../parts/link.tsx';
import { Empty } from '../parts/states.tsx';
import { ViewHead } from '../parts/view-head.tsx';
import { createQueryView } from '../query-view.tsx';
import { findView } from '../report-types.ts';

/** Number of days that are searched: the default period of the type views. */
const DAYS = 30;

/** Searches the reports of all types for a host, a URL, a hash or a report id. */
export function Search({ address }: { address: Address }) {
  const text = textIn(address);
  return (
    <>
      <ViewHead title="Search">
        Find hosts, paths, addresses, hashes, senders, networks, issuers, features and report ids in the
        reports of all types from the last {DAYS} days.
      </ViewHead>
      <Question key={text} text={text} address={address} />
      {text ? (
        <Found address={address} />
      ) : (
        <div aria-busy={false}>
          <Empty>
            Enter a host, a name, or a part of one. `*` matches any characters. A path begins with `/`.
          </Empty>
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
    goTo(withParams(address, { q: q || undefined }));
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

/** Groups by filter and type, such as `hostnames_csp`. */
type Results = { account: Record<string, GroupReachFragment | null> | null };

/**
 * Creates a view for the results of a search query.
 * @param nothing the text if there are no results
 */
function createSearchView<Variables>(
  document: TypedDocumentString<Results, Variables>,
  nothing: string,
  ask: (text: string) => Omit<Variables, 'account' | 'from'>,
) {
  return createQueryView<Results, Variables>({
    document,
    ask: (address, account) =>
      ({ account, from: dayBefore(DAYS - 1), ...ask(textIn(address)) }) as unknown as Variables,
    Show: ({ data: { account }, address }) => (
      <Places found={account ?? {}} nothing={nothing} address={address} />
    ),
    getName: textIn,
  });
}

function hostsIn(text: string): string[] {
  const host = hostIn(text) ?? text;
  return [host.includes('*') ? host : `*${host}*`];
}

const Resources = createSearchView(
  SearchResourcesDocument,
  'No blocked or loaded resource is from this host.',
  text => ({
    blocked: { blockedHostnames: hostsIn(text) },
    resource: { subresourceHostnames: hostsIn(text) },
  }),
);

const Pages = createSearchView(SearchPagesDocument, 'No report is about this host.', text => ({
  page: { hostnames: hostsIn(text) },
}));

const Names = createSearchView(
  SearchNamesDocument,
  'No sender, network, issuer or feature has this name.',
  text => ({
    network: { organisation: text },
    issuer: { issuer: text },
    message: { message: text },
    feature: { featureId: text },
    property: { property: text },
    reason: { reason: text },
  }),
);

const Ids = createSearchView(SearchReportsDocument, 'No report has this id.', text => ({
  report: { id: text },
}));

/** Checks whether a text is searched as a name, because neither hosts nor ids contain spaces. */
const isName = (text: string) => /\s/.test(text);

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Formats of search texts that are not part of a host. */
const FORMS = [
  {
    form: UUID,
    View: Ids,
  },
  {
    form: /^\//,
    View: createSearchView(SearchPathsDocument, 'No page has this path.', text => ({
      path: { paths: [text.includes('*') ? text : `${text}*`] },
    })),
  },
  {
    form: /^sha(256|384|512)-[\w+/=-]+$/,
    View: createSearchView(SearchHashesDocument, 'No report has this hash.', text => ({
      hash: { subresourceHashes: [text] },
    })),
  },
  {
    form: /^(\d{1,3}(\.\d{1,3}){3}|[\da-f.]*:[\da-f:.]*:[\da-f:.]*)$/i,
    View: createSearchView(SearchAddressesDocument, 'No report has this address.', text => ({
      source: { sourceIp: text },
      server: { serverIp: text },
    })),
  },
];

function Found({ address }: { address: Address }) {
  const View = FORMS.find(({ form }) => form.test(textIn(address)))?.View;
  if (View) return <View address={address} />;
  if (isName(textIn(address))) return <Names address={address} />;
  return (
    <>
      <Resources address={address} />
      <Pages address={address} />
      <Names address={address} />
      <Ids address={address} />
    </>
  );
}

/** Converts a UUID to lower case, as the service formats it. Other ids are left unchanged. */
const toId = (text: string) => (UUID.test(text) ? text.toLowerCase() : text);

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
  /** The filter and the type, such as `hostnames_csp`. */
  name: string;
  groups: GroupReachFragment;
  address: Address;
}

function Place({ name, groups: { groups, otherGroups }, address }: PlaceProps) {
  const [filter = '', ...rest] = name.split('_');
  const view = findView(rest.join('_'))!;
  const title = `${view.label}, ${FILTERS[filter]}`;
  return (
    <section class="panel" aria-label={title}>
      <h2>
        {view.label} <span class="quiet">{FILTERS[filter]}</span>
      </h2>
      {filter === 'id' ? (
        <Link to={atPath(address, [view.type, 'reports', toId(textIn(address))])}>
          {revealControlCharacters(textIn(address))}
        </Link>
      ) : (
        <HostList rows={groups} address={address} param={filter} type={view.type} />
      )}
      {otherGroups > 0 && <p class="quiet">{count(otherGroups)} more.</p>}
    </section>
  );
}
