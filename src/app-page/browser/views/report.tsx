import { useContext } from 'preact/hooks';
import { type Address, changed } from '../address.ts';
import { OneReportDocument } from '../documents/documents.generated.ts';
import { FILTERS } from '../filters.ts';
import { AsRequest } from '../parts/as-request.tsx';
import { Copy } from '../parts/copy.tsx';
import { Link } from '../parts/link.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { Fields } from '../parts/value.tsx';
import type { ReportTypeView } from '../report-types.ts';
import { SessionContext, useAnswer } from '../use-answer.ts';

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
        <h1>{view.label} report</h1>
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

/** The fields of a report by which others like it are found. */
const SIMILAR: Readonly<Record<string, string>> = {
  directive: 'effectiveDirective',
  hash: 'subresourceHashes',
};

function Like({ fields, view, address }: { fields: object; view: ReportTypeView; address: Address }) {
  const found = Object.entries(fields).flatMap(([field, value]) => {
    const param = SIMILAR[field] ?? field;
    const isText =
      (typeof value === 'string' && value !== '' && value.length < 300) || typeof value === 'boolean';
    return FILTERS[param] && view.columns.includes(field) && isText ? [{ param, value: String(value) }] : [];
  });
  if (found.length === 0) return null;
  return (
    <section class="panel wide" aria-label="Others like it">
      <h2>Others like it</h2>
      <ul class="like">
        {found.map(({ param, value }) => (
          <li key={param}>
            {FILTERS[param]} <bdi class="wrap">{value}</bdi>{' '}
            <Link
              to={changed({ ...address, path: [view.type] }, { [param]: value })}
              label={`Only ${FILTERS[param]} ${value}`}
            >
              only such
            </Link>{' '}
            <Link
              to={changed({ ...address, path: [view.type] }, { [`not.${param}`]: value })}
              label={`Without ${FILTERS[param]} ${value}`}
            >
              without such
            </Link>
          </li>
        ))}
      </ul>
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
