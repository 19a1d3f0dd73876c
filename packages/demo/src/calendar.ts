import { MS_PER_DAY, MS_PER_HOUR } from '@sightline/reports';
import type { DemoOptions } from './options.ts';
import type { Random } from './random.ts';

const SECOND = 1000;

/** Today has few and quiet hours, so its volume is multiplied to be worth looking at. */
const TODAY_FACTOR = 4;

/** Weights of the hours of a day (UTC), and of the days of the week, starting on Sunday. */
const HOURLY = [3, 2, 2, 2, 2, 3, 5, 7, 9, 10, 10, 10, 9, 10, 11, 11, 10, 9, 9, 8, 8, 7, 5, 4];
const WEEKLY = [0.55, 1, 1.05, 1.05, 1, 0.9, 0.6];
const GROWTH_PER_DAY = 0.002;
const INCIDENT = { probability: 0.03, factor: 2.5 };

export interface Calendar {
  /** In milliseconds since 1970, like all times here. The window is `start` ≤ time < `end`. */
  start: number;
  end: number;
  /** The start of today. */
  today: number;
  days: number;
  /** The weight of each hour since `start`. */
  weights: readonly number[];
}

/**
 * Creates the window of `days` days that ends with `today` (`YYYY-MM-DD`), with a weight for each hour. It ends early
 * in the morning (UTC), so that the output stays the same for most of the day.
 * @param hoursOfToday number of hours of today to include
 */
export function createCalendar(
  { today, days, hoursOfToday }: Pick<DemoOptions, 'today' | 'days' | 'hoursOfToday'>,
  random: Random,
): Calendar {
  const midnight = Date.parse(`${today}T00:00:00Z`);
  const start = midnight - (days - 1) * MS_PER_DAY;
  const weights: number[] = [];
  for (let day = 0; day < days; day++) {
    const incident = random.chance(INCIDENT.probability) ? INCIDENT.factor : 1;
    const busy =
      WEEKLY[new Date(start + day * MS_PER_DAY).getUTCDay()]! * (1 + day * GROWTH_PER_DAY) * incident;
    const isToday = day === days - 1;
    const factor = busy * (isToday ? TODAY_FACTOR : 1);
    for (const hourly of isToday ? HOURLY.slice(0, hoursOfToday) : HOURLY) weights.push(factor * hourly);
  }
  return { start, end: start + weights.length * MS_PER_HOUR, today: midnight, days, weights };
}

/** Returns exactly `total` times in ascending order, in whole seconds, distributed according to the weights. */
export function* listTimes(calendar: Calendar, total: number, random: Random): Generator<number> {
  const sum = calendar.weights.reduce((all, weight) => all + weight, 0);
  let reached = 0;
  let before = 0;
  for (const [hour, weight] of calendar.weights.entries()) {
    reached += weight;
    const upTo = hour === calendar.weights.length - 1 ? total : Math.round((reached / sum) * total);
    for (let index = before; index < upTo; index++) {
      const second = Math.floor(((index - before + random.next()) / (upTo - before)) * 3600);
      yield calendar.start + hour * MS_PER_HOUR + second * SECOND;
    }
    before = upTo;
  }
}

/** A random second from `from` up to, but not including, `to`. */
export function timeBetween(from: number, to: number, random: Random): number {
  return from + Math.floor((random.next() * (to - from)) / SECOND) * SECOND;
}

/** `YYYY-MM-DDTHH:mm:ssZ`. */
export function timestamp(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/** `YYYY-MM-DD`. */
export function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** An id in the format of UUID version 7: it begins with the time, and the number makes it unique. */
export function timeOrderedId(time: number, number: number, random: Random): string {
  const stamp = time.toString(16).padStart(12, '0');
  const noise = random.integer(0x1000000, 0x1ffffff).toString(16);
  const tail = number.toString(16).padStart(12, '0');
  return `${stamp.slice(0, 8)}-${stamp.slice(8)}-7${noise.slice(1, 4)}-8${noise.slice(4)}-${tail}`;
}
