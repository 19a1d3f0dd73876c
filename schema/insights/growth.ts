import { RULES } from '../insight-rules.ts';

const WEEK = 7;

/** Reports by day, numbered since 1970. */
export type PerDay = ReadonlyMap<number, number>;

const sumBefore = (perDay: PerDay, end: number, days: number): number =>
  Array.from({ length: days }, (_, back) => perDay.get(end - back) ?? 0).reduce((sum, one) => sum + one, 0);

/**
 * The standard deviation of a count is about its square root. Differences beyond this many deviations are significant.
 */
const DEVIATIONS = 3;

const isMore = (late: number, early: number, times: number) =>
  late >= times * early && late - early > DEVIATIONS * Math.sqrt(early);

/** True if the share of all reports grew in each of the two weeks before the end of a day. */
function growsUntil(day: number, own: PerDay, all: PerDay): boolean {
  const count = (weeks: number) => sumBefore(own, day - weeks * WEEK, WEEK);
  const share = (weeks: number) => count(weeks) / Math.max(1, sumBefore(all, day - weeks * WEEK, WEEK));
  const grows = (weeks: number) => share(weeks) >= RULES.growth.perWeek * share(weeks + 1);
  const isEnough = count(0) >= RULES.growth.reports && count(2) > 0;
  return isEnough && isMore(count(0), count(1), 1) && grows(0) && grows(1);
}

/**
 * Returns the first day since which a volume has been growing by the rule, or undefined if it is not growing or has
 * fallen since.
 * @param until the last complete day
 */
export function findGrowth(own: PerDay, all: PerDay, until: number): number | undefined {
  for (let day = until - RULES.ongoingDays + 1; day <= until; day++) {
    if (!growsUntil(day, own, all)) continue;
    const level = sumBefore(own, day, WEEK);
    return sumBefore(own, until, WEEK) >= RULES.growth.ended * level ? day : undefined;
  }
  return undefined;
}

/** The minimum number of days before something new can be called growing, and the maximum number compared. */
const YOUNGEST = 4;
const OLDEST = 2 * WEEK;
const LEAST = 10;

/** True if the later half of up to fourteen days has at least 1.5 times the volume of the earlier half. */
export function isEscalating(own: PerDay, first: number, until: number): boolean {
  const days = Math.min(OLDEST, until - first + 1);
  if (days < YOUNGEST) return false;
  const half = Math.floor(days / 2);
  const [late, early] = [sumBefore(own, until, half), sumBefore(own, until - half, half)];
  return late >= LEAST && isMore(late, early, RULES.growth.perWeek);
}
