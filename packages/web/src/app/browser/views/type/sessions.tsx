import type { Address } from '../../address.ts';
import { SessionsDocument, type SessionsQuery } from '../../documents/documents.generated.ts';
import { toQuestion } from '../../filters.ts';
import { beginsAt, count, dayName, plural, revealControlCharacters, share } from '../../format.ts';
import { BarChart } from '../../parts/bar-chart.tsx';
import { NumberCell, numbers, Table } from '../../parts/table.tsx';
import { barInstant, barNames, periodIn, toBars } from '../../period.ts';
import type { ReportTypeView } from '../../report-types.ts';
import { useAnswer } from '../../use-answer.ts';

type Report = NonNullable<NonNullable<SessionsQuery['account']>['reports']>['reports'][number];

interface Sessions {
  succeeded: number;
  failed: number;
}

/** The totals of TLS-RPT, whose reports count sessions that used TLS and sessions that failed. */
export function SessionsPanel({
  accountId,
  view,
  address,
}: {
  accountId: string;
  view: ReportTypeView;
  address: Address;
}) {
  const { notNoise: _, ...question } = toQuestion(address, view);
  const { answer, isCurrent } = useAnswer(SessionsDocument, { account: accountId, ...question }, address);
  const list = isCurrent ? answer?.data.account?.reports : undefined;
  if (!list) return null;
  const period = periodIn(address);
  const length = { MINUTE: 16, HOUR: 13, DAY: 10 }[toBars(period)];
  const byTime = sumBy(list.reports, ({ date }) => date.slice(0, length));
  const names = barNames(period, [...byTime.keys()]);
  const { succeeded, failed } = sumBy(list.reports, () => '').get('') ?? NONE;
  return (
    <section class="panel wide" aria-label="Sessions">
      <h2>
        {plural(succeeded + failed, 'session')}{' '}
        <span class={failed > 0.01 * (succeeded + failed) ? 'warn' : 'quiet'}>
          {share(failed, succeeded + failed)} failed
        </span>
      </h2>
      {list.truncated && (
        <p class="warn">Only the sessions of the newest {count(list.reports.length)} reports are shown.</p>
      )}
      <BarChart
        title="Sessions, failed and successful"
        bars={names.map(name => {
          const at = barInstant(name);
          const isDay = length === 10;
          const label = isDay ? dayName(at).replace(/^\w+,? /, '') : name.slice(11);
          return { label, name: isDay ? dayName(at) : name, local: beginsAt(at) };
        })}
        series={[
          { name: 'successful', color: 'good', values: names.map(name => byTime.get(name)?.succeeded ?? 0) },
          { name: 'failed', color: 'bad', values: names.map(name => byTime.get(name)?.failed ?? 0) },
        ]}
      />
      <SessionTable
        label="Sessions by domain"
        column="Domain"
        sums={sumBy(list.reports, ({ domain }) => domain)}
      />
      <SessionTable
        label="Sessions by sending service"
        column="Sending service"
        sums={sumBy(list.reports, ({ reporter }) => reporter)}
      />
      <Exchangers reports={list.reports} />
    </section>
  );
}

interface SessionTableProps {
  label: string;
  column: string;
  sums: ReadonlyMap<string, Sessions>;
}

/** A table of sessions by domain or by sending service, those with the most failures first. */
function SessionTable({ label, column, sums }: SessionTableProps) {
  return (
    <Table
      label={label}
      class="pairs"
      columns={[column, numbers('Successful'), numbers('Failed'), numbers('Share failed')]}
    >
      {[...sums]
        .sort(([, one], [, other]) => other.failed - one.failed)
        .map(([name, { succeeded, failed }]) => (
          <tr key={name}>
            <th scope="row">
              <bdi>{revealControlCharacters(name) || 'unknown'}</bdi>
            </th>
            <NumberCell of="Successful">{count(succeeded)}</NumberCell>
            <NumberCell of="Failed">{count(failed)}</NumberCell>
            <NumberCell of="Share failed">{share(failed, succeeded + failed)}</NumberCell>
          </tr>
        ))}
    </Table>
  );
}

/** A table of failed sessions by receiving server, which reports name only for failures. */
function Exchangers({ reports }: { reports: readonly Report[] }) {
  const failed = new Map<string, number>();
  for (const report of reports)
    for (const detail of 'failureDetails' in report ? report.failureDetails : [])
      failed.set(
        detail.receivingMxHostname,
        (failed.get(detail.receivingMxHostname) ?? 0) + (detail.failedSessions ?? 0),
      );
  if (failed.size === 0) return null;
  return (
    <Table label="Failed sessions by MX" class="pairs" columns={['MX', numbers('Failed')]}>
      {[...failed]
        .sort(([, one], [, other]) => other - one)
        .map(([name, sessions]) => (
          <tr key={name}>
            <th scope="row">
              <bdi>{revealControlCharacters(name) || 'unknown'}</bdi>
            </th>
            <NumberCell of="Failed">{count(sessions)}</NumberCell>
          </tr>
        ))}
    </Table>
  );
}

const NONE: Sessions = { succeeded: 0, failed: 0 };

function sumBy(
  reports: readonly Report[],
  keyOf: (report: { date: string; domain: string; reporter: string }) => string,
) {
  const sums = new Map<string, Sessions>();
  for (const report of reports) {
    if (!('domain' in report)) continue;
    const { succeeded, failed } = sums.get(keyOf(report)) ?? NONE;
    sums.set(keyOf(report), {
      succeeded: succeeded + (report.successfulSessions ?? 0),
      failed: failed + (report.failedSessions ?? 0),
    });
  }
  return sums;
}
