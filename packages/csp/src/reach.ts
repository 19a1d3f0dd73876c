import type { Violation } from './judge.ts';

/** Reports that have page, directive and blocked resource in common. */
export interface ReportedViolation extends Violation {
  count: number;
  reports: number;
  firstSeen: string;
  lastSeen: string;
  /** The days on which there are any, as bits. */
  dayBits: bigint;
}

/** The sums over several violations. */
export interface Reach {
  count: number;
  reports: number;
  pages: number;
  days: number;
  /** Null where there is none. */
  firstSeen: string | null;
  lastSeen: string | null;
}

/** Sums up violations. Pages and days are counted once. */
export class ReachSum {
  #count = 0;
  #reports = 0;
  #days = 0n;
  readonly #pages = new Set<string>();
  #firstSeen: string | null = null;
  #lastSeen: string | null = null;

  add({ count, reports, dayBits, page, firstSeen, lastSeen }: ReportedViolation): void {
    this.#count += count;
    this.#reports += reports;
    this.#days |= dayBits;
    this.#pages.add(page);
    if (this.#firstSeen === null || firstSeen < this.#firstSeen) this.#firstSeen = firstSeen;
    if (this.#lastSeen === null || lastSeen > this.#lastSeen) this.#lastSeen = lastSeen;
  }

  total(): Reach {
    return {
      count: this.#count,
      reports: this.#reports,
      pages: this.#pages.size,
      days: this.#days.toString(2).replaceAll('0', '').length,
      firstSeen: this.#firstSeen,
      lastSeen: this.#lastSeen,
    };
  }
}

export function reachOf(violations: readonly ReportedViolation[]): Reach {
  const sum = new ReachSum();
  for (const violation of violations) sum.add(violation);
  return sum.total();
}

/** Reach first: what many pages have is seldom forged, and more than what one page has often. */
export function byReach(one: Reach, other: Reach): number {
  return other.pages - one.pages || other.count - one.count;
}
