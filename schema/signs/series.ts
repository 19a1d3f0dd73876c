import { type Hour, LEAST_OF_A_JUMP, type Series } from '../../sql/signs/hourly.ts';
import { LEARNING_DAYS, QUIET_DAYS, USUAL_DAYS } from './looked.ts';

/** Hours with many more reports than usual, without three quiet days between them. */
export interface Jump {
  values: readonly [string, string];
  /** Seconds since 1970 of the first and the last report. */
  first: number;
  last: number;
  /** Numbers of the first and the last hour since 1970. */
  firstHour: number;
  lastHour: number;
  /** The counts of these hours, and what is usual in them. */
  count: number;
  usual: number;
  /** Reports above what is usual, by hour. */
  excess: ReadonlyMap<number, number>;
}

const DAY = 24;

/** Deviations above the median from which on an hour stands out. */
const DEVIATIONS = 6;
/** A median deviation of a normal distribution is so much of its standard deviation. */
const SCALE = 1.4826;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The same hour of the days before; undefined where too few are known. */
export function sameHours(
  hours: ReadonlyMap<number, Hour>,
  hour: number,
  began: number,
  of: 'reports' | 'count',
): number[] | undefined {
  const known = Math.min(USUAL_DAYS, Math.floor((hour - began) / DAY));
  if (known < LEARNING_DAYS) return undefined;
  return Array.from({ length: known }, (_, index) => hours.get(hour - (index + 1) * DAY)?.[of] ?? 0);
}

/** Reports above the median, where an hour stands out by the rule; undefined where it does not. */
function excessOf(reports: number, usual: readonly number[]): number | undefined {
  const middle = median(usual);
  const deviation = SCALE * median(usual.map(value => Math.abs(value - middle)));
  // Counts scatter by their root at least.
  const least = middle + DEVIATIONS * Math.max(deviation, Math.sqrt(middle), 1);
  return reports >= LEAST_OF_A_JUMP && reports > 2 * middle && reports > least ? reports - middle : undefined;
}

/**
 * The jumps of a value that began from `since` on.
 * @param began the first hour of which anything is known
 */
export function jumpsOf({ values, hours }: Series, began: number, since: number): Jump[] {
  const byHour = new Map(hours.map(one => [one.hour, one]));
  const jumps: (Jump & { excess: Map<number, number> })[] = [];
  for (const { hour, reports, count, first, last } of hours) {
    if (hour < since - QUIET_DAYS * DAY) continue;
    const before = reports < LEAST_OF_A_JUMP ? undefined : sameHours(byHour, hour, began, 'reports');
    const excess = before && excessOf(reports, before);
    if (excess === undefined) continue;
    const usual = median(sameHours(byHour, hour, began, 'count')!);
    const known = jumps.at(-1);
    if (known && hour - known.lastHour <= QUIET_DAYS * DAY) {
      known.count += count;
      known.usual += usual;
      known.excess.set(hour, excess);
      Object.assign(known, { last, lastHour: hour });
    } else {
      const span = { first, last, firstHour: hour, lastHour: hour };
      jumps.push({ values, ...span, count, usual, excess: new Map([[hour, excess]]) });
    }
  }
  return jumps.filter(({ firstHour }) => firstHour >= since);
}

/** Tells whether half or more of a jump's excess is in others, in the same hours. */
export function isExplained({ excess }: Jump, others: readonly Jump[]): boolean {
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

export const sumOf = ({ excess }: Jump): number => [...excess.values()].reduce((sum, more) => sum + more, 0);
