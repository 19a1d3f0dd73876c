import { useContext } from 'preact/hooks';
import { Copy } from '../../../browser/copy.tsx';
import { type Address, changed, urlOf } from '../address.ts';
import { answering } from '../answering.tsx';
import {
  OneReportDocument,
  type OneReportQuery,
  ReportsDocument,
  type ReportsQuery,
  type ReportTypeName,
} from '../documents/documents.generated.ts';
import { FILTERS, filtersOf } from '../filters.ts';
import { addressIn, count, revealed } from '../format.ts';
import { Link } from '../parts/link.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Fields } from '../parts/value.tsx';
import { type ReportTypeView, viewOf } from '../report-types.ts';
import { type Answer, questionText, SessionContext } from '../use-answer.ts';
import { inWords } from '../words.ts';
import { reportsAsked, sortedRows } from './reports.tsx';

interface Variables {
  account: string;
  type: ReportTypeName;
  id: string;
}

/** The type of the report of an address, which the frame has looked up before. */
const typeAt = ({ path }: Address): ReportTypeView => viewOf(path[0])!;

/** One report with every field, and as it came. */
export const Report = answering<OneReportQuery, Variables>({
  document: OneReportDocument,
  ask: (address, account) => ({ account, type: typeAt(address).type, id: address.path[2]! }),
  Head,
  Show,
});

function Head({ address }: { address: Address }) {
  const view = typeAt(address);
  return (
    <header class="view">
      <h1>{view.one ?? view.label} report</h1>
      <p class="actions-row">
        <Link to={{ ...address, path: [view.type, 'reports'] }}>Back to the reports</Link>
        <Beside view={view} address={address} />
      </p>
    </header>
  );
}

/** The reports beside this one in the list that it was opened from. */
function Beside({ view, address }: { view: ReportTypeView; address: Address }) {
  const { account, answers } = useContext(SessionContext);
  const list = answers.get(questionText(ReportsDocument, reportsAsked(address, account)));
  const rows = list
    ? sortedRows((list.data as ReportsQuery).account?.reports?.reports ?? [], view, address)
    : [];
  const at = rows.findIndex(({ recordId }) => recordId === address.path[2]);
  if (at < 0) return null;
  const to = (row: { recordId: string } | undefined, label: string) =>
    row && <Link to={{ ...address, path: [view.type, 'reports', row.recordId] }}>{label}</Link>;
  return (
    <>
      {to(rows[at - 1], '‹ Report before')}
      {to(rows[at + 1], 'Next report ›')}
      <span class="quiet">
        {count(at + 1)} of {count(rows.length)}
      </span>
    </>
  );
}

function Show({ data: { account }, address }: Answer<OneReportQuery, Variables>) {
  const view = typeAt(address);
  const report = account?.report;
  if (!report)
    return (
      <Empty>There is no such report in this account, or it is older than the plan keeps reports.</Empty>
    );
  const { raw, ...told } = report;
  const fields = withFlags(told);
  return (
    <>
      <p class="actions-row">
        <Copy text={urlOf(address)} label="Copy a link to this report" />
      </p>
      {revealed(raw) !== raw && (
        <p class="notice">
          This report holds characters that are not seen, or that turn the direction of text. They stand here
          as <code>⟨U+202E⟩</code>.
        </p>
      )}
      <section class="panel wide" aria-label="Fields">
        <Fields record={fields} />
      </section>
      <Like fields={fields} view={view} address={address} />
      <section class="panel wide" aria-label="As it came">
        <h2>As it came</h2>
        <pre tabIndex={0}>{revealed(pretty(raw))}</pre>
      </section>
    </>
  );
}

/** Threats of a report are 0 and 1, which stand for no and yes. Those with no come last, since they say least. */
function withFlags(record: object): Record<string, unknown> {
  const all = Object.entries(record).map(([name, value]) => [name, FLAGS.test(name) ? value === 1 : value]);
  const isNone = (value: unknown) => value === false || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries([
    ...all.filter(([, value]) => !isNone(value)),
    ...all.filter(([, value]) => isNone(value)),
  ]);
}

const FLAGS =
  /^(generatedDomain|indicatorOfCompromise|recentlyRegisteredDomain|lowReputationDomain|suspicious)$/;

interface Similar {
  param: string;
  value: string;
}

/** The filters that find reports like this one: by its texts, and by the hosts and paths of its addresses. */
function similarTo(fields: Readonly<Record<string, unknown>>, view: ReportTypeView): Similar[] {
  const known = new Set(filtersOf(view));
  return Object.entries(fields)
    .flatMap(([field, value]) => [
      ...(ADDRESSES[field] ? partsOf(value, ADDRESSES[field]) : byItself(field, value)),
    ])
    .filter(({ param, value }) => known.has(param) && value !== '' && value.length < LONGEST);
}

const LONGEST = 300;
/** Nothing else has these, or they say too little. */
const ALONE = new Set(['id', 'recordId', 'message']);
/** Fields whose filters have another name. */
const NAMES: Readonly<Record<string, string>> = {
  directive: 'effectiveDirective',
  hash: 'subresourceHashes',
  indicatorOfCompromise: 'ioc',
  recentlyRegisteredDomain: 'newlyRegisteredDomain',
  headerFrom: 'hostnames',
  commonName: 'hostnames',
};
/** Fields that are addresses, with the filters of their host and their path. */
const ADDRESSES: Readonly<Record<string, readonly [host: string, path: string]>> = {
  uri: ['hostnames', 'paths'],
  blockedUri: ['blockedHostnames', 'blockedPaths'],
  subresourceUri: ['subresourceHostnames', 'subresourcePaths'],
};

function byItself(field: string, value: unknown): Similar[] {
  const isTold = typeof value === 'string' || value === true;
  return isTold && !ALONE.has(field) ? [{ param: NAMES[field] ?? field, value: String(value) }] : [];
}

function partsOf(value: unknown, [host, path]: readonly [string, string]): Similar[] {
  const url = addressIn(String(value));
  if (!url?.hostname) return [];
  return [
    { param: host, value: url.hostname },
    { param: path, value: url.pathname },
  ];
}

function Like({
  fields,
  view,
  address,
}: {
  fields: Record<string, unknown>;
  view: ReportTypeView;
  address: Address;
}) {
  const found = similarTo(fields, view);
  if (found.length === 0) return null;
  const to = { ...address, path: [view.type] };
  return (
    <section class="panel wide" aria-label="Others like it">
      <h2>Others like it</h2>
      <Table label="By what others are found" class="like">
        {found.map(({ param, value }) => (
          <tr key={param}>
            <th scope="row">{FILTERS[param]}</th>
            <td class="wide-cell">
              <bdi class="wrap">{value === 'true' ? 'yes' : inWords(param, value)}</bdi>
            </td>
            <td class="actions">
              <Link to={changed(to, { [param]: value })} label={`Only ${FILTERS[param]} ${value}`}>
                only
              </Link>
              <Link
                to={changed(to, { [`not.${param}`]: value })}
                label={`Without ${FILTERS[param]} ${value}`}
              >
                without
              </Link>
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

/** Indented where it is JSON. */
function pretty(raw: string): string {
  try {
    return JSON.stringify(JSON.parse(raw), null, 2);
  } catch {
    return raw;
  }
}
