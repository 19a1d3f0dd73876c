import { useContext } from 'preact/hooks';
import { Copy } from '../../../browser/copy.tsx';
import { type Address, toUrl, withParams } from '../address.ts';
import {
  OneReportDocument,
  type OneReportQuery,
  ReportsDocument,
  type ReportsQuery,
  type ReportTypeName,
} from '../documents/documents.generated.ts';
import { FILTERS, listFilters } from '../filters.ts';
import { addressIn, count, revealControlCharacters } from '../format.ts';
import { IconLink } from '../parts/icons.tsx';
import { Link } from '../parts/link.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Fields } from '../parts/value.tsx';
import { createQueryView } from '../query-view.tsx';
import { findView, type ReportTypeView } from '../report-types.ts';
import { type QueryAnswer, questionText, SessionContext } from '../use-answer.ts';
import { inWords } from '../words.ts';
import { reportsAsked, sortRows } from './reports.tsx';

interface Variables {
  account: string;
  type: ReportTypeName;
  id: string;
}

/** Returns the report type of an address. The frame has already checked that it exists. */
const typeAt = ({ path }: Address): ReportTypeView => findView(path[0])!;

/** A view of a single report with all its fields and its original text. */
export const Report = createQueryView<OneReportQuery, Variables>({
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
        <Related view={view} address={address} />
      </p>
    </header>
  );
}

/** Links to the previous and next report of the list from which this one was opened. */
function Related({ view, address }: { view: ReportTypeView; address: Address }) {
  const { account, answers } = useContext(SessionContext);
  const list = answers.get(questionText(ReportsDocument, reportsAsked(address, account)));
  const rows = list
    ? sortRows((list.data as ReportsQuery).account?.reports?.reports ?? [], view, address)
    : [];
  const at = rows.findIndex(({ recordId }) => recordId === address.path[2]);
  if (at < 0) return null;
  const to = (row: { recordId: string } | undefined, label: string) =>
    row && <Link to={{ ...address, path: [view.type, 'reports', row.recordId] }}>{label}</Link>;
  return (
    <>
      {to(rows[at - 1], '‹ Previous report')}
      {to(rows[at + 1], 'Next report ›')}
      <span class="quiet">
        {count(at + 1)} of {count(rows.length)}
      </span>
    </>
  );
}

function Show({ data: { account }, address }: QueryAnswer<OneReportQuery, Variables>) {
  const view = typeAt(address);
  const report = account?.report;
  if (!report)
    return <Empty>There is no such report in this account, or it is older than the plan's retention.</Empty>;
  const { raw, ...shown } = report;
  const fields = withFlags(shown);
  return (
    <>
      <p class="actions-row">
        <Copy text={toUrl(address)} label="Copy a link to this report" />
      </p>
      {revealControlCharacters(raw) !== raw && (
        <p class="notice">
          This report contains characters that are invisible or that change the direction of text. They are
          shown as <code>⟨U+202E⟩</code>.
        </p>
      )}
      <section class="panel wide" aria-label="Fields">
        <Fields record={fields} />
      </section>
      <Like fields={fields} view={view} address={address} />
      <section class="panel wide" aria-label="Raw report">
        <h2>Raw report</h2>
        <pre tabIndex={0}>{revealControlCharacters(pretty(raw))}</pre>
      </section>
    </>
  );
}

/** Converts the threat flags of a record from 0 and 1 to booleans, and moves false ones to the end. */
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

/** Returns filters that select similar reports: by texts of the report, and by the hosts and paths of its URLs. */
function similarTo(fields: Readonly<Record<string, unknown>>, view: ReportTypeView): Similar[] {
  const existing = new Set(listFilters(view));
  return Object.entries(fields)
    .flatMap(([field, value]) => [
      ...(ADDRESSES[field] ? splitParts(value, ADDRESSES[field]) : byItself(field, value)),
    ])
    .filter(({ param, value }) => existing.has(param) && value !== '' && value.length < LONGEST);
}

const LONGEST = 300;
/** Fields that are not useful for similar reports, because their values are unique or too general. */
const ALONE = new Set(['id', 'recordId', 'message']);
/** Filter names of fields whose filter has another name. */
const NAMES: Readonly<Record<string, string>> = {
  directive: 'effectiveDirective',
  hash: 'subresourceHashes',
  indicatorOfCompromise: 'ioc',
  recentlyRegisteredDomain: 'newlyRegisteredDomain',
  headerFrom: 'hostnames',
  commonName: 'hostnames',
};
/** Fields that contain URLs, with the filters for host and path. */
const ADDRESSES: Readonly<Record<string, readonly [host: string, path: string]>> = {
  uri: ['hostnames', 'paths'],
  blockedUri: ['blockedHostnames', 'blockedPaths'],
  subresourceUri: ['subresourceHostnames', 'subresourcePaths'],
};

function byItself(field: string, value: unknown): Similar[] {
  const isShown = typeof value === 'string' || value === true;
  return isShown && !ALONE.has(field) ? [{ param: NAMES[field] ?? field, value: String(value) }] : [];
}

function splitParts(value: unknown, [host, path]: readonly [string, string]): Similar[] {
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
    <section class="panel wide" aria-label="Similar reports">
      <h2>Similar reports</h2>
      <Table label="Values that similar reports share" class="like">
        {found.map(({ param, value }) => (
          <tr key={param}>
            <th scope="row">{FILTERS[param]}</th>
            <td class="wide-cell">
              <bdi class="wrap">{value === 'true' ? 'yes' : inWords(param, value)}</bdi>
            </td>
            <td class="icons">
              <IconLink
                icon="filter"
                to={withParams(to, { [param]: value })}
                label={`Filter by ${FILTERS[param]} ${value}`}
              />
              <IconLink
                icon="exclude"
                to={withParams(to, { [`not.${param}`]: value })}
                label={`Exclude ${FILTERS[param]} ${value}`}
              />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

/** Indents the text if it is JSON. */
function pretty(raw: string): string {
  try {
    return JSON.stringify(JSON.parse(raw), null, 2);
  } catch {
    return raw;
  }
}
