import { assignColors, OF_VALUES, REST } from '../colors.ts';
import type { GroupBy, GroupCountsFragment } from '../documents/documents.generated.ts';
import { beginsAt, clock, dayName } from '../format.ts';
import { barInstant, barNames, type PagePeriod, toBars } from '../period.ts';
import { BarChart } from './bar-chart.tsx';
import type { Bar, BarSeries } from './bars.ts';
import { formatValue } from './group-words.ts';

interface Props {
  title: string;
  rows: GroupCountsFragment;
  /** The dimension by which the bars are split. */
  split?: GroupBy | undefined;
  /** The period. All of it is shown, with empty bars where there are no reports. */
  period: PagePeriod;
  toHref?(date: string): string;
  hrefOfSeveral?(first: string, last: string): string;
}

const MOST_SERIES = 8;

/** A bar chart of the number of reports by minute, hour or day. */
export function Volume({ title, rows, split, period, toHref: hrefOf, hrefOfSeveral }: Props) {
  const dates = barNames(
    period,
    rows.groups.map(({ keys }) => keys[0]!.value),
  );
  const bars = dates.map(date => ({ ...toBar(date, period), href: hrefOf?.(date) }));
  return (
    <BarChart
      title={title}
      bars={bars}
      series={toSeries(rows, split, dates)}
      {...(hrefOfSeveral && { hrefOfSeveral: (from, to) => hrefOfSeveral(dates[from]!, dates[to]!) })}
    />
  );
}

function toBar(date: string, period: PagePeriod): Bar {
  const at = barInstant(date);
  const local = beginsAt(at);
  const day = dayName(at);
  if (toBars(period) === 'DAY')
    return { label: day.replace(/^\w+,? /, ''), short: day.slice(0, 3), name: day, local };
  const label = toBars(period) === 'HOUR' ? `${date.slice(11)}h` : date.slice(11);
  return { label, name: `${day}, ${clock(at)}`, local };
}

/** Converts groups to series. The largest groups have a series each; the others share one. */
function toSeries(
  { groups }: GroupCountsFragment,
  by: GroupBy | undefined,
  dates: readonly string[],
): BarSeries[] {
  const place = new Map(dates.map((date, at) => [date, at]));
  const byName = new Map<string, number[]>();
  for (const { keys, count } of groups) {
    const at = place.get(keys[0]!.value);
    if (at === undefined) continue;
    const name = keys[1]?.value ?? 'reports';
    const values = byName.get(name) ?? new Array<number>(dates.length).fill(0);
    values[at]! += count;
    byName.set(name, values);
  }
  const sum = (values: number[]) => values.reduce((all, value) => all + value, 0);
  const sorted = [...byName].sort(([, one], [, other]) => sum(other) - sum(one));
  // If only one group is left over, it gets its own series, which needs no more room than "others".
  const most = sorted.length === MOST_SERIES + 1 ? sorted.length : MOST_SERIES;
  const largest = sorted.slice(0, most);
  const colors = assignColors(
    largest.map(([value]) => value),
    (by && OF_VALUES[by]) ?? {},
  );
  const series = largest.map(([value, values]) => ({
    name: by ? formatValue(by, value) : value,
    color: by ? colors.get(value)! : 0,
    values,
  }));
  const rest = sorted.slice(most);
  if (rest.length === 0) return series;
  const values = dates.map((_, at) => rest.reduce((all, [, values]) => all + values[at]!, 0));
  return [...series, { name: `${rest.length} others`, color: REST, values }];
}
