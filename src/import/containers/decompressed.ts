import { Unreadable } from '../unreadable.ts';

/** Counts what is decompressed over all that is inside one compressed item. */
export class Decompressed {
  #bytes = 0;
  #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @throws {Unreadable} once it is too much, and from then on */
  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#limit)
      throw new Unreadable('decompresses to too much', `over ${this.#limit} bytes`);
  }
}
