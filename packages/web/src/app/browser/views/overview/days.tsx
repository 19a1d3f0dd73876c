import { type Address, atPath, formatAddress, withParams } from '../../address.ts';
import { assignColors, OF_TYPES, REST } from '../../colors.ts';
import { beginsAt, dayName, plural, revealControlCharacters } from '../../format.ts';
import { BarChart, type Entry } from '../../parts/bar-chart.tsx';
import type { BarSeries } from '../../parts/bars.ts';
import { Link } from '../../parts/link.tsx';
import { Empty } from '../../parts/states.tsx';
import { atPeriod, PERIOD_PARAMS, periodLabel } from '../../period.ts';
import { REPORT_TYPES } from '../../report-types.ts';
import type { OverviewAccount, OverviewInsight } from './data.ts';
import { isDismissed } from './dismiss.tsx';

/** Returns the mark for the day on which an insight began. */
const toMark = ({ severity, title }: OverviewInsight) => ({
  text: revealControlCharacters(title),
  isUrgent: severity === 'threat' || severity === 'incident',
});

/** Maximum number of series, so that every type has its own colour. */
const MOST_SERIES = 7;

/** A chart of the reports by day and type, with marks where insights began. The legend lists all types with links. */
export function Days({
  account: { days, insights },
  address,
}: {
  account: OverviewAccount;
  address: Address;
}) {
  const present = REPORT_TYPES.map(view => ({
    ...view,
    values: days.map(day => day[view.type]),
    sum: days.reduce((sum, day) => sum + day[view.type], 0),
  }))
    .filter(({ sum }) => sum > 0)
    .sort((one, other) => other.sum - one.sum);
  const total = present.reduce((all, { sum }) => all + sum, 0);
  if (total === 0)
    return (
      <Empty>
        No reports in this period ({periodLabel(address)}). <Link to={atPath(address, ['setup'])}>Setup</Link>{' '}
        shows what to add to your site to receive reports.
      </Empty>
    );
  const colors = assignColors(
    present.slice(0, MOST_SERIES).map(({ type }) => type),
    OF_TYPES,
  );
  const series: BarSeries[] = present
    .slice(0, MOST_SERIES)
    .map(({ type, label, values }) => ({ name: label, color: colors.get(type)!, values }));
  const rest = present.slice(MOST_SERIES);
  if (rest.length > 0) {
    const values = days.map((_, at) => rest.reduce((sum, { values }) => sum + values[at]!, 0));
    series.push({ name: rest.map(({ label }) => label).join(', '), color: REST, values });
  }
  const legend: Entry[] = present.map(({ type, label, sum }, at) => ({
    name: label,
    color: at < MOST_SERIES ? colors.get(type)! : REST,
    sum,
    href: formatAddress(atPath(address, [type], PERIOD_PARAMS)),
  }));
  const isWeek = days.length <= 7;
  const bars = days.map(({ date }) => ({
    label: isWeek ? dayName(date) : dayName(date).replace(/^\w+,? /, ''),
    ...(isWeek && { short: dayName(date).slice(0, 3) }),
    name: dayName(date),
    local: beginsAt(`${date.slice(0, 10)}T00:00:00Z`),
    marks: (insights ?? [])
      .filter(insight => !isDismissed(insight) && insight.firstSeen.slice(0, 10) === date.slice(0, 10))
      .map(toMark),
    href: formatAddress(withParams(address, atPeriod({ unit: 'days', date: date.slice(0, 10) }))),
  }));
  return (
    <section class="panel wide" aria-label="Reports by day">
      <h2>
        {plural(total, 'report')} <span class="quiet">in {plural(days.length, 'day')}, by day (UTC)</span>
      </h2>
      <BarChart title="Reports by day and type" bars={bars} series={series} legend={legend} />
    </section>
  );
}
