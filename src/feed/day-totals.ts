import { parseInstant } from '@sightline/feed/instants';
import type { OverfullDay, StoredCount } from '../../sql/feed/daily-counts.ts';

/** The message about the field `count`. */
export const overfull = 'would take the sum of its day past 2^53-1';

/** A report's day, and its part of that day's sum. */
interface Share {
  day: string;
  count: number;
}

/**
 * Finds the lines that make a day count more than any reader of JSON can keep. It is asked only where a day would: a
 * day of this size has more reports than there are.
 */
export class DayTotals {
  #totals: Map<string, number>;
  /** The shares by the key of the report. */
  #shares = new Map<string, Share>();
  /** Ids of lines, by account and type. */
  #ids: Map<string, Set<string>>;

  /** @param days those that would become too large, with what they had before the load */
  constructor(days: readonly OverfullDay[]) {
    this.#totals = new Map(
      days.map(({ accountId, type, day, directive, before }) => [
        keyOf(accountId, type, day, directive),
        Number(before),
      ]),
    );
    this.#ids = new Map(days.map(({ accountId, type }) => [keyOf(accountId, type), new Set()]));
  }

  /** The ids that lines have of reports of the day's account and type. */
  idsOf({ accountId, type }: OverfullDay): string[] {
    return [...(this.#ids.get(keyOf(accountId, type)) ?? [])];
  }

  /** Notes a good line whose report may be stored. */
  expect(text: string): void {
    const { kind, accountId, type, id } = JSON.parse(text);
    if (kind === 'report') this.#ids.get(keyOf(accountId, type))?.add(id);
  }

  /** Takes what is stored: a line that replaces or deletes it makes room. */
  remember(stored: readonly StoredCount[]): void {
    for (const { accountId, type, day, directive, id, count } of stored) {
      const of = keyOf(accountId, type, day, directive);
      if (this.#totals.has(of))
        this.#shares.set(keyOf(accountId, type, id), { day: of, count: Number(count) });
    }
  }

  /** Takes the next line, a good one otherwise. False when its report counts too much. */
  take(text: string): boolean {
    const { kind, accountId, type, id, date, directive, count, deleted } = JSON.parse(text);
    if (kind !== 'report') return true;
    const key = keyOf(accountId, type, id);
    const former = this.#shares.get(key);
    const day = deleted ? '' : keyOf(accountId, type, parseInstant(date)!.slice(0, 10), directive ?? '');
    const added = count ?? 1;
    const total = this.#totals.get(day);
    const without = (total ?? 0) - (former?.day === day ? former.count : 0);
    if (total !== undefined && without + added > Number.MAX_SAFE_INTEGER) return false;
    if (former) this.#totals.set(former.day, this.#totals.get(former.day)! - former.count);
    this.#shares.delete(key);
    if (total === undefined) return true;
    this.#totals.set(day, without + added);
    this.#shares.set(key, { day, count: added });
    return true;
  }
}

function keyOf(...parts: string[]): string {
  return JSON.stringify(parts);
}
