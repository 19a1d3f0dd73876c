import { parseAddress } from '@sightline/reports';
import type { Envelope, TypedRecord } from './types.ts';

/** Size limit of a report of an unknown type, in bytes. A truncated report could not be read again later. */
export const LONGEST_OTHER = 16 * 1024;

/** Maximum number of unknown type names per account and day, because senders can invent any name. */
const MOST_NAMES = 50;
const MOST_REPORTS = 10_000;

/** Maximum number of remembered counts, each for one account and day. */
const MOST_DAYS = 5000;

const NAME = /^[a-z][a-z0-9_-]{0,63}$/i;

/** Checks whether a report can be of an unknown type: it must name a type and a page. */
export function canBeOther({ type, url }: Envelope): boolean {
  return NAME.test(type) && (parseAddress(url)?.host ?? '') !== '';
}

export function toOther({ type, url }: Envelope): TypedRecord {
  return { type: 'other', fields: { uri: url, wireType: type } };
}

interface OtherDay {
  names: Set<string>;
  reports: number;
}

/** The counts of a day and account, as JSON. */
export type SavedDay = [key: string, counts: { names: string[]; reports: number }];

/** Limits how many reports of unknown types each account stores per day. */
export class OtherTypes {
  #days = new Map<string, OtherDay>();

  /**
   * Counts a report; returns false if the account has reached its limit for the day.
   * @param day `YYYY-MM-DD`
   */
  take(account: string, day: string, name: string): boolean {
    const of = this.#getDay(`${day} ${account}`);
    const isKnown = of.names.has(name);
    if (of.reports >= MOST_REPORTS || (!isKnown && of.names.size >= MOST_NAMES)) return false;
    of.names.add(name);
    of.reports++;
    return true;
  }

  /** Returns the counts for the next process. */
  save(): SavedDay[] {
    return [...this.#days].map(([key, { names, reports }]) => [key, { names: [...names], reports }]);
  }

  restore(saved: Iterable<SavedDay>): void {
    this.#days = new Map(
      [...saved].map(([key, { names, reports }]) => [key, { names: new Set(names), reports }]),
    );
  }

  #getDay(key: string): OtherDay {
    const existing = this.#days.get(key) ?? { names: new Set<string>(), reports: 0 };
    // Moves the entry to the end, because the first entry is evicted.
    this.#days.delete(key);
    this.#days.set(key, existing);
    if (this.#days.size > MOST_DAYS) this.#days.delete(this.#days.keys().next().value!);
    return existing;
  }
}
