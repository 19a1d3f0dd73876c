import { eachInTurns } from '@sightline/csp';
import { MS_PER_DAY } from '@sightline/reports';
import { dimension } from '../sql/report/dimensions.ts';
import {
  type GroupedReports,
  type Grouping,
  hasRollups,
  type ReportGroup,
  type ReportGroups,
} from '../sql/report-groups.ts';

/** The number of groups of an answer, and of days of its period, up to which days are counted. */
export const MOST_COUNTED = { groups: 50, days: 92 };

/** Groups have at most three dimensions, and the day is one of them. */
const MOST_DIMENSIONS = 2;

/** Returns the count of each day of the group at a position; null if they are not counted. */
export type DailyCounts = (position: number) => Promise<number[]> | null;

/**
 * Counts the days of an answer's first groups, if rollups by day can answer that. All groups share one lookup, which
 * starts when the first one is requested.
 */
export function createDailyCounts(
  query: GroupedReports,
  grouping: Grouping,
  groups: readonly ReportGroup[],
  now: Date,
  load: (grouping: Grouping) => Promise<ReportGroups>,
): DailyCounts {
  const counted = groups.slice(0, MOST_COUNTED.groups);
  const days = listDays(query, now);
  const byDay =
    days.length <= MOST_COUNTED.days ? groupByDay(query, grouping, counted, days.length) : undefined;
  let found: Promise<number[][]> | undefined;
  return position => {
    if (!byDay || position >= counted.length) return null;
    found ??= load(byDay).then(answer => count(counted, days, answer.groups));
    return found.then(counts => counts[position]!);
  };
}

/** The UTC days of a period, up to today. */
function listDays({ from, until }: GroupedReports, now: Date): string[] {
  const first = Date.parse(from.slice(0, 10));
  const end = Math.min(Date.parse(until), now.getTime() + 1);
  const length = Math.max(0, Math.ceil((end - first) / MS_PER_DAY));
  return Array.from({ length }, (_, index) =>
    new Date(first + index * MS_PER_DAY).toISOString().slice(0, 10),
  );
}

function groupByDay(
  query: GroupedReports,
  { by }: Grouping,
  groups: readonly ReportGroup[],
  days: number,
): Grouping | undefined {
  const day = dimension(query.type, 'DAY')!;
  if (by.length > MOST_DIMENSIONS || by.includes(day)) return undefined;
  const grouping: Grouping = {
    by: [...by, day],
    orderBy: 'KEY',
    only: by.map((_, place) => groups.map(({ values }) => values[place]!)),
    first: groups.length * days,
  };
  return hasRollups(query, grouping) ? grouping : undefined;
}

async function count(
  groups: readonly ReportGroup[],
  days: readonly string[],
  found: readonly ReportGroup[],
): Promise<number[][]> {
  const byName = new Map(groups.map(({ values }) => [values.join('\0'), days.map(() => 0)]));
  const places = new Map(days.map((day, place) => [day, place]));
  await eachInTurns(found, ({ values, count }) => {
    const place = places.get(values.at(-1)!);
    // Clocks can be ahead, so a report can be later than today.
    if (place !== undefined) byName.get(values.slice(0, -1).join('\0'))![place] = count;
  });
  return [...byName.values()];
}
