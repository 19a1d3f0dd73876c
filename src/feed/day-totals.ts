import { parseInstant } from '@sightline/feed';
import type { OverfullDay, StoredCount } from '../../sql/feed/daily-counts.ts';

/** The message about the field `count`. */
export const overfull = 'would raise the total of its day above 2^53-1';

/** A report's day, and its contribution to that day's count. */
interface Share {
  day: string;
  count: number;
}

/**
 * Finds the lines that push a day's count above the largest number that JSON readers represent exactly. Only called
 * for a day that could reach it.
 */
export class DayTotals {
  #totals: Map<string, number>;
  /** The contributions by the key of the report. */
  #shares = new Map<string, Share>();
  /** Ids of lines, by account and type. */
  #ids: Map<string, Set<string>>;

  /** @param days the days that would become too large, with their counts before the load */
  constructor(days: readonly OverfullDay[]) {
    this.#totals = new Map(
      days.map(({ accountId, type, day, directive, before }) => [
        toKey(accountId, type, day, directive),
        Number(before),
      ]),
    );
    this.#ids = new Map(days.map(({ accountId, type }) => [toKey(accountId, type), new Set()]));
  }

  /** Returns the ids in the lines for the day's account and type. */
  toIds({ accountId, type }: OverfullDay): string[] {
    return [...(this.#ids.get(toKey(accountId, type)) ?? [])];
  }

  /** Records a good line whose report can be stored. */
  expect(text: string): void {
    const { kind, accountId, type, id } = JSON.parse(text);
    if (kind === 'report') this.#ids.get(toKey(accountId, type))?.add(id);
  }

  /** Subtracts the stored record, which a line replaces or deletes. */
  remember(stored: readonly StoredCount[]): void {
    for (const { accountId, type, day, directive, id, count } of stored) {
      const of = toKey(accountId, type, day, directive);
      if (this.#totals.has(of))
        this.#shares.set(toKey(accountId, type, id), { day: of, count: Number(count) });
    }
  }

  /** Checks the next valid line. Returns false if its report would exceed the limit. */
  take(text: string): boolean {
    const { kind, accountId, type, id, date, directive, count, deleted } = JSON.parse(text);
    if (kind !== 'report') return true;
    const key = toKey(accountId, type, id);
    const former = this.#shares.get(key);
    const day = deleted ? '' : toKey(accountId, type, parseInstant(date)!.slice(0, 10), directive ?? '');
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

function toKey(...parts: string[]): string {
  return JSON.stringify(parts);
}
