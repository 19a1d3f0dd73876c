import { HOURS_PER_DAY } from '@sightline/reports';
import { type Hour, LEAST_OF_A_SPIKE, type Series } from '../../sql/insights/hourly.ts';
import { RULES } from '../insight-rules.ts';
import { groupBy } from './group-by.ts';
import { LEARNING_DAYS, QUIET_DAYS, USUAL_DAYS } from './scope.ts';

/** A period with many more reports than usual, whose busy hours are at most three quiet days apart. */
export interface Spike {
  values: readonly [string, string];
  /** Times of the first and last report, in seconds since 1970. */
  first: number;
  last: number;
  /** The first and last hour, numbered since 1970. */
  firstHour: number;
  lastHour: number;
  /** The total count of these hours, and their baseline. */
  count: number;
  baseline: number;
  /** The number of reports above the baseline, by hour. */
  excess: ReadonlyMap<number, number>;
}

const DEVIATIONS = RULES.spike.deviations;
/** Scales a median absolute deviation to the standard deviation of a normal distribution. */
const SCALE = 1.4826;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Returns the counts of the same hour on previous days, or undefined if there are too few days. */
export function sameHours(
  hours: ReadonlyMap<number, Hour>,
  hour: number,
  began: number,
  of: 'reports' | 'count',
): number[] | undefined {
  const existing = Math.min(USUAL_DAYS, Math.floor((hour - began) / HOURS_PER_DAY));
  if (existing < LEARNING_DAYS) return undefined;
  return Array.from(
    { length: existing },
    (_, index) => hours.get(hour - (index + 1) * HOURS_PER_DAY)?.[of] ?? 0,
  );
}

/** Returns the number of reports above the median if it is significant by the rule, otherwise undefined. */
export function computeExcess(
  reports: number,
  baseline: readonly number[],
  enough: number = LEAST_OF_A_SPIKE,
): number | undefined {
  const middle = median(baseline);
  const deviation = SCALE * median(baseline.map(value => Math.abs(value - middle)));
  // A count deviates by at least its square root.
  const least = middle + DEVIATIONS * Math.max(deviation, Math.sqrt(middle), 1);
  return reports >= enough && reports > RULES.spike.times * middle && reports > least
    ? reports - middle
    : undefined;
}

/**
 * Finds the spikes of a value that began at or after `since`.
 * @param began the first hour with data
 */
export function findSpikes({ values, hours }: Series, began: number, since: number): Spike[] {
  const byHour = new Map(hours.map(one => [one.hour, one]));
  const spikes: (Spike & { excess: Map<number, number> })[] = [];
  for (const { hour, reports, count, first, last } of hours) {
    if (hour < since - QUIET_DAYS * HOURS_PER_DAY) continue;
    const before = reports < LEAST_OF_A_SPIKE ? undefined : sameHours(byHour, hour, began, 'reports');
    const excess = before && computeExcess(reports, before);
    if (excess === undefined) continue;
    const baseline = median(sameHours(byHour, hour, began, 'count')!);
    const existing = spikes.at(-1);
    if (existing && hour - existing.lastHour <= QUIET_DAYS * HOURS_PER_DAY) {
      existing.count += count;
      existing.baseline += baseline;
      existing.excess.set(hour, excess);
      Object.assign(existing, { last, lastHour: hour });
    } else {
      const span = { first, last, firstHour: hour, lastHour: hour };
      spikes.push({ values, ...span, count, baseline, excess: new Map([[hour, excess]]) });
    }
  }
  return spikes.filter(({ firstHour }) => firstHour >= since);
}

/**
 * Finds the last run of unusual days none of whose hours is unusual, for values with few reports per hour.
 * @param began the first hour with data
 */
export function findDaySpike({ values, hours }: Series, began: number, since: number): Spike | undefined {
  const days = [...groupBy(hours, ({ hour }) => Math.floor(hour / HOURS_PER_DAY))];
  const perDay = new Map(days.map(([day, own]) => [day, own.reduce((sum, { reports }) => sum + reports, 0)]));
  let run: { days: number[]; baseline: number; excess: Map<number, number> } | undefined;
  for (const day of [...perDay.keys()].sort((one, other) => one - other)) {
    const existing = Math.min(USUAL_DAYS, day - Math.ceil(began / HOURS_PER_DAY));
    if (existing < LEARNING_DAYS || day * HOURS_PER_DAY < since) continue;
    const before = Array.from({ length: existing }, (_, back) => perDay.get(day - back - 1) ?? 0);
    const excess = computeExcess(perDay.get(day)!, before, RULES.spike.reportsADay);
    if (excess === undefined) continue;
    if (run && day - run.days.at(-1)! <= QUIET_DAYS) {
      run.days.push(day);
      run.excess.set(day * HOURS_PER_DAY, excess);
    } else run = { days: [day], baseline: median(before), excess: new Map([[day * HOURS_PER_DAY, excess]]) };
  }
  if (!run) return undefined;
  const own = hours.filter(({ hour }) => run.days.includes(Math.floor(hour / HOURS_PER_DAY)));
  return {
    values,
    first: own[0]!.first,
    last: own.at(-1)!.last,
    firstHour: own[0]!.hour,
    lastHour: own.at(-1)!.hour,
    count: own.reduce((sum, { count }) => sum + count, 0),
    baseline: run.baseline * run.days.length,
    excess: run.excess,
  };
}

/** True if other spikes account for at least half of a spike's excess in the same hours. */
export function isExplained({ excess }: Spike, others: readonly Spike[]): boolean {
  const hours = [...excess];
  const own = hours.reduce((sum, [, more]) => sum + more, 0);
  const explained = hours.reduce(
    (sum, [hour, more]) =>
      sum +
      Math.min(
        more,
        others.reduce((all, other) => all + (other.excess.get(hour) ?? 0), 0),
      ),
    0,
  );
  return others.length > 0 && explained * 2 >= own;
}

export const sum = ({ excess }: Spike): number => [...excess.values()].reduce((sum, more) => sum + more, 0);
