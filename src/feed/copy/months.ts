import { BadLine } from '@sightline/feed';
import type { Statements } from '@sightline/pg-client';
import { createMonth, type Month, makeMonths } from '../../../sql/feed/partitions.ts';

/**
 * Maximum number of partitions that a load creates: three years. Each takes locks, of which PostgreSQL has a fixed
 * number.
 */
const MOST_NEW = 36;

/** The months that have a partition, and those for which the load creates one. */
export class LoadMonths {
  #existing: Set<Month>;
  #admitted = new Set<Month>();
  /** Months that exceed the limit. */
  readonly refused = new Set<Month>();

  constructor(existing: readonly Month[]) {
    this.#existing = new Set(existing);
  }

  /** Returns the problem with a report of the month, if there is one. */
  admit(month: Month): BadLine | undefined {
    if (this.#existing.has(month) || this.#admitted.has(month)) return undefined;
    if (this.#admitted.size === MOST_NEW) {
      this.refused.add(month);
      return new BadLine(
        'date',
        `is in ${month}, and a load creates the partitions of at most ${MOST_NEW} months`,
      );
    }
    this.#admitted.add(month);
    return undefined;
  }

  /** Creates the partitions of all requested months, a few per transaction, outside of the load's transaction. */
  async makeAll(sql: Statements): Promise<void> {
    const months = [...this.#admitted, ...this.refused].sort();
    for (let start = 0; start < months.length; start += MOST_NEW) {
      await sql.query('begin');
      await makeMonths(sql, months.slice(start, start + MOST_NEW));
      await sql.query('commit');
    }
  }

  /** Creates the missing partitions. */
  async make(sql: Statements, months: Iterable<Month>): Promise<void> {
    for (const month of months) {
      if (this.#existing.has(month)) continue;
      await createMonth(sql, month);
      this.#existing.add(month);
    }
  }
}
