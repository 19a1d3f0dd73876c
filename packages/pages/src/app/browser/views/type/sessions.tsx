import type { Address } from '../../address.ts';
import { SessionsDocument, type SessionsQuery } from '../../documents/documents.generated.ts';
import { questionOf } from '../../filters.ts';
import { beginsAt, count, dayName, plural, revealed, share } from '../../format.ts';
import { BarChart } from '../../parts/bar-chart.tsx';
import { NumberCell, numbers, Table } from '../../parts/table.tsx';
import { barInstant, barNames, barsOf, periodIn } from '../../period.ts';
import type { ReportTypeView } from '../../report-types.ts';
import { useAnswer } from '../../use-answer.ts';

type Report = NonNullable<NonNullable<SessionsQuery['account']>['reports']>['reports'][number];

interface Sessions {
  succeeded: number;
  failed: number;
}

/** TLS-RPT answers by sessions, not by reports: how many came over TLS, and how many failed. */
export function SessionsPanel({
  accountId,
  view,
  address,
}: {
  accountId: string;
  view: ReportTypeView;
  address: Address;
}) {
  const { notNoise: _, ...question } = questionOf(address, view);
  const { answer, isCurrent } = useAnswer(SessionsDocument, { account: accountId, ...question }, address);
  const list = isCurrent ? answer?.data.account?.reports : undefined;
  if (!list) return null;
  const period = periodIn(address);
  const length = { MINUTE: 16, HOUR: 13, DAY: 10 }[barsOf(period)];
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
        <p class="warn">
          These are the sessions of the newest {count(list.reports.length)} reports: there are more.
        </p>
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
      <Domains domains={sumBy(list.reports, ({ domain }) => domain)} />
    </section>
  );
}

function Domains({ domains }: { domains: ReadonlyMap<string, Sessions> }) {
  return (
    <Table
      label="Sessions by domain"
      class="pairs"
      columns={['Domain', numbers('Successful'), numbers('Failed'), numbers('Share failed')]}
    >
      {[...domains]
        .sort(([, one], [, other]) => other.failed - one.failed)
        .map(([domain, { succeeded, failed }]) => (
          <tr key={domain}>
            <th scope="row">
              <bdi>{revealed(domain) || 'unknown'}</bdi>
            </th>
            <NumberCell of="Successful">{count(succeeded)}</NumberCell>
            <NumberCell of="Failed">{count(failed)}</NumberCell>
            <NumberCell of="Share failed">{share(failed, succeeded + failed)}</NumberCell>
          </tr>
        ))}
    </Table>
  );
}

const NONE: Sessions = { succeeded: 0, failed: 0 };

function sumBy(reports: readonly Report[], keyOf: (report: { date: string; domain: string }) => string) {
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
