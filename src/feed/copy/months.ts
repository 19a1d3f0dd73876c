import { BadLine } from '@sightline/feed/bad-line';
import type { Statements } from '@sightline/postgres';
import { createMonth, type Month, makeMonths } from '../../../sql/feed/partitions.ts';

/** Partitions that one load makes: three years. Each takes locks, of which PostgreSQL has a fixed number. */
const MOST_NEW = 36;

/** The months that have a partition, and those that the load gives one. */
export class LoadMonths {
  #existing: Set<Month>;
  #admitted = new Set<Month>();
  /** Those that were too many. */
  readonly refused = new Set<Month>();

  constructor(existing: readonly Month[]) {
    this.#existing = new Set(existing);
  }

  /** Answers with what is wrong with a report of the month. */
  admit(month: Month): BadLine | undefined {
    if (this.#existing.has(month) || this.#admitted.has(month)) return undefined;
    if (this.#admitted.size === MOST_NEW) {
      this.refused.add(month);
      return new BadLine('date', `is in ${month}, and a load makes partitions of ${MOST_NEW} months at most`);
    }
    this.#admitted.add(month);
    return undefined;
  }

  /** Makes the partitions of all months that were asked for, few in a transaction: outside of the load's own. */
  async makeAll(sql: Statements): Promise<void> {
    const months = [...this.#admitted, ...this.refused].sort();
    for (let start = 0; start < months.length; start += MOST_NEW) {
      await sql.query('begin');
      await makeMonths(sql, months.slice(start, start + MOST_NEW));
      await sql.query('commit');
    }
  }

  /** Makes the partitions that are missing. */
  async make(sql: Statements, months: Iterable<Month>): Promise<void> {
    for (const month of months) {
      if (this.#existing.has(month)) continue;
      await createMonth(sql, month);
      this.#existing.add(month);
    }
  }
}
