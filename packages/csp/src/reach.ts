import type { Violation } from './judge.ts';
import { eachInTurns } from './turns.ts';

/** Reports that have page, directive and blocked resource in common. */
export interface ReportedViolation extends Violation {
  count: number;
  reports: number;
  firstSeen: string;
  lastSeen: string;
  /** The days with violations, as bits. */
  dayBits: bigint;
}

/** The sums over several violations. */
export interface ViolationReach {
  count: number;
  reports: number;
  pages: number;
  days: number;
  /** Null if there is none. */
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

  /** Adds another sum. */
  merge(other: ReachSum): this {
    this.#count += other.#count;
    this.#reports += other.#reports;
    this.#days |= other.#days;
    for (const page of other.#pages) this.#pages.add(page);
    const [first, last] = [other.#firstSeen, other.#lastSeen];
    if (first !== null && (this.#firstSeen === null || first < this.#firstSeen)) this.#firstSeen = first;
    if (last !== null && (this.#lastSeen === null || last > this.#lastSeen)) this.#lastSeen = last;
    return this;
  }

  total(): ViolationReach {
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

export async function measureReach(violations: readonly ReportedViolation[]): Promise<ViolationReach> {
  const sum = new ReachSum();
  await eachInTurns(violations, violation => sum.add(violation));
  return sum.total();
}

/** Sorts by reach: reports from many pages are harder to forge than many from one page. */
export function byReach(one: ViolationReach, other: ViolationReach): number {
  return other.pages - one.pages || other.count - one.count;
}
