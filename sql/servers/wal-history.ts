/** Milliseconds for which the primary's positions are remembered. */
const MEMORY = 60_000;

interface Mark {
  /** When it was queried, in milliseconds of the monotonic clock. */
  at: number;
  bytes: number;
}

/**
 * The primary's positions over time. A standby that has reached a recorded position has everything committed before it,
 * regardless of idle time and of the servers' clocks.
 */
export class WalHistory {
  /** The oldest first. */
  #marks: Mark[] = [];

  /** When the primary last answered. */
  get end(): number {
    return this.#marks.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  }

  add(at: number, bytes: number): void {
    this.#marks.push({ at, bytes });
    if (this.#marks[0]!.at < at - MEMORY) this.#marks.shift();
  }

  /**
   * Returns the time up to which a server at this position has everything; undefined if that is before the recorded
   * history.
   */
  coveredBy(bytes: number): number | undefined {
    return this.#marks.findLast(mark => mark.bytes <= bytes)?.at;
  }

  /** Called for another primary. */
  clear(): void {
    this.#marks = [];
  }
}
