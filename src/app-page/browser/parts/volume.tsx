import type { GroupBy, GroupCountsFragment } from '../documents/documents.generated.ts';
import { beginsAt, dayBefore, dayName } from '../format.ts';
import { NOISE } from '../report-types.ts';
import { BarChart, type Series } from './bar-chart.tsx';
import { shown } from './group-table.tsx';

interface Props {
  title: string;
  rows: GroupCountsFragment;
  /** Hour or day, and what splits the bars. */
  by: readonly GroupBy[];
  /** The first bar, where empty ones at the beginning are to be shown. */
  from?: string | undefined;
  hrefOf?(date: string): string;
}

const MOST_SERIES = 8;

/** Volume over time. Hours and days without reports have a bar, too: an empty one. */
export function Volume({ title, rows, by: [time, split], from, hrefOf }: Props) {
  const isHours = time === 'HOUR';
  const dates = isHours ? hoursOf(rows) : daysOf(rows, from);
  const bars = dates.map(date => ({
    label: isHours ? `${date.slice(11)}h` : dayName(date).replace(/^\w+,? /, ''),
    name: isHours ? `${dayName(date)}, ${date.slice(11)}:00` : dayName(date),
    local: beginsAt(isHours ? `${date}:00:00Z` : `${date}T00:00:00Z`),
    href: hrefOf?.(date),
  }));
  return <BarChart title={title} bars={bars} series={seriesOf(rows, split, dates)} />;
}

function daysOf({ groups }: GroupCountsFragment, from: string | undefined): string[] {
  const seen = groups.map(({ keys }) => keys[0]!.value).sort();
  const [first, last] = [from ?? seen[0], [seen.at(-1) ?? '', from ? dayBefore(0) : ''].sort().at(-1)!];
  if (!first) return [];
  const dates: string[] = [];
  for (let time = Date.parse(first); time <= Date.parse(last); time += 86_400_000)
    dates.push(new Date(time).toISOString().slice(0, 10));
  return dates;
}

function hoursOf({ groups }: GroupCountsFragment): string[] {
  const days = [...new Set(groups.map(({ keys }) => keys[0]!.value.slice(0, 10)))].sort();
  return days.flatMap(day =>
    Array.from({ length: 24 }, (_, hour) => `${day}T${String(hour).padStart(2, '0')}`),
  );
}

/** The largest get a series each, the rest share one. */
function seriesOf(
  { groups }: GroupCountsFragment,
  by: GroupBy | undefined,
  dates: readonly string[],
): Series[] {
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
  let next = 0;
  const colorOf = (value: string): Series['color'] => {
    if (by === 'SOURCE_CLASS' && value === 'extension') return 'extension';
    if (by === 'SOURCE_CLASS' && (NOISE as readonly string[]).includes(value)) return 'noise';
    if (by === 'ALIGNED') return value === 'true' ? 'good' : 'bad';
    return next++;
  };
  // One that is left over takes no more room by its own name.
  const most = sorted.length === MOST_SERIES + 1 ? sorted.length : MOST_SERIES;
  const series = sorted.slice(0, most).map(([value, values]) => ({
    name: by ? shown(by, value) : value,
    color: colorOf(value),
    values,
  }));
  const rest = sorted.slice(most);
  if (rest.length === 0) return series;
  const values = dates.map((_, at) => rest.reduce((all, [, values]) => all + values[at]!, 0));
  return [...series, { name: `${rest.length} others`, color: 9, values }];
}
