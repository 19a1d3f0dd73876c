import { useContext } from 'preact/hooks';
import { Copy } from '../../../pages/browser/copy.tsx';
import { type Address, changed } from '../address.ts';
import { OneReportDocument } from '../documents/documents.generated.ts';
import { FILTERS, filtersOf } from '../filters.ts';
import { addressIn } from '../format.ts';
import { AsRequest } from '../parts/as-request.tsx';
import { Link } from '../parts/link.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { Fields } from '../parts/value.tsx';
import type { ReportTypeView } from '../report-types.ts';
import { SessionContext, useAnswer } from '../use-answer.ts';
import { inWords } from '../words.ts';

interface Props {
  view: ReportTypeView;
  id: string;
  address: Address;
}

/** One report with every field, and as it came. */
export function Report({ view, id, address }: Props) {
  const { account } = useContext(SessionContext);
  const variables = { account, type: view.type, id };
  const asked = useAnswer(OneReportDocument, variables);
  return (
    <>
      <header class="view">
        <h1>{view.one ?? view.label} report</h1>
        <p>
          <Link to={{ ...address, path: [view.type, 'reports'] }}>Back to the reports</Link>
        </p>
      </header>
      <Answered asked={asked}>
        {({ account }) => {
          const report = account?.report;
          if (!report)
            return (
              <Empty>
                There is no such report in this account, or it is older than the plan keeps reports.
              </Empty>
            );
          const { raw, ...told } = report;
          const fields = withFlags(told);
          return (
            <>
              <p class="actions-row">
                <Copy text={location.href} label="Copy a link to this report" />
              </p>
              <section class="panel wide" aria-label="Fields">
                <Fields record={fields} />
              </section>
              <Like fields={fields} view={view} address={address} />
              <section class="panel wide" aria-label="As it came">
                <h2>As it came</h2>
                <pre tabIndex={0}>{pretty(raw)}</pre>
              </section>
              <AsRequest document={OneReportDocument} variables={variables} />
            </>
          );
        }}
      </Answered>
    </>
  );
}

/** Of threats a report has 0 and 1, which stand for no and yes. */
function withFlags(record: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, FLAGS.test(name) ? value === 1 : value]),
  );
}

const FLAGS =
  /^(generatedDomain|indicatorOfCompromise|recentlyRegisteredDomain|lowReputationDomain|suspicious)$/;

interface Similar {
  param: string;
  value: string;
}

/** By what others like a report are found: its own texts, and the hosts and paths of its addresses. */
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
      <section class="scroll" tabIndex={0} aria-label="By what others are found">
        <table class="stack like">
          <tbody>
            {found.map(({ param, value }) => (
              <tr key={param}>
                <th scope="row">{FILTERS[param]}</th>
                <td class="wide-cell">
                  <bdi class="wrap">{value === 'true' ? 'yes' : inWords(param, value)}</bdi>
                </td>
                <td class="actions">
                  <Link to={changed(to, { [param]: value })} label={`Only such: ${FILTERS[param]} ${value}`}>
                    only such
                  </Link>
                  <Link
                    to={changed(to, { [`not.${param}`]: value })}
                    label={`Without such: ${FILTERS[param]} ${value}`}
                  >
                    without such
                  </Link>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
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
