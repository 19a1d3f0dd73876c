import type { ResourceBudget } from '../resource-budget.ts';
import { Unreadable } from '../unreadable.ts';

/** Counts the decompressed bytes of everything inside one compressed item. */
export class DecompressedCounter {
  #bytes = 0;
  #limit: number;
  #budget: ResourceBudget;

  /**
   * @param limit maximum number of bytes
   * @param budget the budget of the whole file or mail
   */
  constructor(limit: number, budget: ResourceBudget) {
    this.#limit = limit;
    this.#budget = budget;
  }

  /**
   * Counts decompressed bytes.
   * @throws {Unreadable | BudgetExceeded} once the limit is exceeded, and on every later call
   */
  add(bytes: number): void {
    this.#budget.decompress(bytes);
    this.#bytes += bytes;
    if (this.#bytes > this.#limit)
      throw new Unreadable('decompresses to too much', `over ${this.#limit} bytes`);
  }
}
