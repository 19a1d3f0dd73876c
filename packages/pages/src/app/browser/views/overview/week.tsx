import { type Address, changed, elsewhere, formatAddress } from '../../address.ts';
import { colorsOf, OF_TYPES, REST } from '../../colors.ts';
import { beginsAt, count, dayName } from '../../format.ts';
import { BarChart, type Entry } from '../../parts/bar-chart.tsx';
import type { Series } from '../../parts/bars.ts';
import { Link } from '../../parts/link.tsx';
import { Empty } from '../../parts/states.tsx';
import { REPORT_TYPES } from '../../report-types.ts';
import type { Account } from './data.ts';

/** More types share a colour, so that each can be told apart. */
const MOST_SERIES = 7;

/** Seven days by type. The legend has all types, and leads to each. */
export function Week({ account: { lastSevenDays }, address }: { account: Account; address: Address }) {
  const present = REPORT_TYPES.map(view => ({
    ...view,
    values: lastSevenDays.map(day => day[view.type]),
    sum: lastSevenDays.reduce((sum, day) => sum + day[view.type], 0),
  }))
    .filter(({ sum }) => sum > 0)
    .sort((one, other) => other.sum - one.sum);
  const total = present.reduce((all, { sum }) => all + sum, 0);
  if (total === 0)
    return (
      <Empty>
        No reports came in the last seven days. <Link to={elsewhere(address, ['setup'])}>Setup</Link> says
        what to add to your site to get some.
      </Empty>
    );
  const colors = colorsOf(
    present.slice(0, MOST_SERIES).map(({ type }) => type),
    OF_TYPES,
  );
  const series: Series[] = present
    .slice(0, MOST_SERIES)
    .map(({ type, label, values }) => ({ name: label, color: colors.get(type)!, values }));
  const rest = present.slice(MOST_SERIES);
  if (rest.length > 0) {
    const values = lastSevenDays.map((_, at) => rest.reduce((sum, { values }) => sum + values[at]!, 0));
    series.push({ name: rest.map(({ label }) => label).join(', '), color: REST, values });
  }
  const legend: Entry[] = present.map(({ type, label, sum }, at) => ({
    name: label,
    color: at < MOST_SERIES ? colors.get(type)! : REST,
    sum,
    href: formatAddress(changed(elsewhere(address, [type]), { period: '7d' })),
  }));
  const bars = lastSevenDays.map(({ date }) => ({
    label: dayName(date),
    short: dayName(date).slice(0, 3),
    name: dayName(date),
    local: beginsAt(`${date.slice(0, 10)}T00:00:00Z`),
  }));
  return (
    <section class="panel wide" aria-label="Last seven days">
      <h2>
        {count(total)} reports <span class="quiet">in seven days, by day (UTC)</span>
      </h2>
      <BarChart title="Reports of the last seven days by type" bars={bars} series={series} legend={legend} />
    </section>
  );
}
