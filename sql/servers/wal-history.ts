/** Milliseconds for which it is remembered how far the primary was. */
const MEMORY = 60_000;

interface Mark {
  /** When it was asked: milliseconds of the monotonic clock. */
  at: number;
  bytes: number;
}

/**
 * The primary's progress over time. A standby that stands at or behind a mark has everything that was committed
 * before it. That holds however long the primary has been idle since, and whatever the clocks of the servers say.
 */
export class WalHistory {
  /** The oldest first. */
  #marks: Mark[] = [];

  /** When the primary was heard of last. */
  get end(): number {
    return this.#marks.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  }

  add(at: number, bytes: number): void {
    this.#marks.push({ at, bytes });
    if (this.#marks[0]!.at < at - MEMORY) this.#marks.shift();
  }

  /** Until when a server that stands there has everything; undefined where that is longer ago than is remembered. */
  coveredBy(bytes: number): number | undefined {
    return this.#marks.findLast(mark => mark.bytes <= bytes)?.at;
  }

  /** For another primary. */
  clear(): void {
    this.#marks = [];
  }
}
