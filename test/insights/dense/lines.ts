import { MS_PER_DAY } from '@sightline/reports';
import { report } from '../../support/fixtures.ts';
import { stamp } from '../../support/planted.ts';
import type { Line } from '../../support/service.ts';

export const MINUTE = 60_000;

type Fields = Record<string, unknown>;

/** Milliseconds since 1970, or `05-14T10:00` in UTC. */
type Time = string | number;

export const at = (time: Time): number =>
  typeof time === 'number' ? time : Date.parse(`2026-${time}${time.length > 11 ? '' : ':00'}Z`);

/** The time of each of some reports, one a minute by default. */
export const times = (start: Time, count: number, step = MINUTE): number[] =>
  Array.from({ length: count }, (_, index) => at(start) + index * step);

/** Midday of each day from one to another, which is included. */
export function middays(from: string, to: string): number[] {
  const first = at(`${from}T12:00`);
  return times(`${from}T12:00`, (at(`${to}T12:00`) - first) / MS_PER_DAY + 1, MS_PER_DAY);
}

/** The reports of an account, with unique ids. */
export class Reports {
  readonly lines: Line[] = [];
  readonly #account: string;

  constructor(account: string) {
    this.#account = account;
  }

  /** Adds a report of each time. */
  add(type: string, dates: readonly number[], fields: Fields | ((index: number) => Fields)): void {
    for (const [index, date] of dates.entries()) {
      const own = typeof fields === 'function' ? fields(index) : fields;
      this.lines.push(report(this.#account, type, `r-${this.lines.length}`, { date: stamp(date), ...own }));
    }
  }
}
