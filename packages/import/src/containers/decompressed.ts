import type { Allowance } from '../allowance.ts';
import { Unreadable } from '../unreadable.ts';

/** Counts what is decompressed over all that is inside one compressed item. */
export class Decompressed {
  #bytes = 0;
  #limit: number;
  #allowance: Allowance;

  /** @param allowance of all that stands in the same file or mail */
  constructor(limit: number, allowance: Allowance) {
    this.#limit = limit;
    this.#allowance = allowance;
  }

  /** @throws {Unreadable | Exhausted} once it is too much, and from then on */
  add(bytes: number): void {
    this.#allowance.decompress(bytes);
    this.#bytes += bytes;
    if (this.#bytes > this.#limit)
      throw new Unreadable('decompresses to too much', `over ${this.#limit} bytes`);
  }
}
