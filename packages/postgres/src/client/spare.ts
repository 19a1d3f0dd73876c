import { type Shares, sharesOf } from './shares.ts';
import { SLOW } from './standing.ts';

/** Connections beyond the pool that there may be at least. */
const LEAST = 10;

/** Milliseconds for which no more are tried than the server let in. */
const GRANTED = 10_000;

/** Connections of keys whose statement is overdue. */
export interface Overdue {
  /** True if more than one key has or wants one: a single one holds up no other. */
  isOfSeveral: boolean;
  overdue: number;
  /** Since when the first of them has been at work, in milliseconds of the monotonic clock. */
  overdueSince: number;
}

/** The number of connections that there may be beyond a pool of that size. */
export function mostSpare(poolSize: number): number {
  return Math.max(LEAST, poolSize);
}

/** The number of connections that there may be beyond the pool now: as many as are overdue, while that is unusual. */
export class Spare {
  #shares: Shares;
  #most: number;
  /** The number that the server let in, and the end of the time for which that holds. */
  #granted = { count: 0, until: Number.NEGATIVE_INFINITY };

  constructor(poolSize: number) {
    this.#shares = sharesOf(poolSize);
    this.#most = mostSpare(poolSize);
  }

  /**
   * The last one is for a key that was answered quickly since the connections are stalled.
   * @param isProven true of such a key
   */
  count({ isOfSeveral, overdue, overdueSince }: Overdue, now: number, isProven = true): number {
    if (!isOfSeveral) return 0;
    if (overdue <= this.#shares.strangers || now - overdueSince < SLOW) return 0;
    const { count, until } = this.#granted;
    const most = now < until ? count : this.#most;
    return Math.min(overdue, isProven ? most : Math.max(0, most - 1));
  }

  /** The server lets in no more than there are (`max_connections`, a pooler's limit). */
  refused(count: number, now: number): void {
    this.#granted = { count, until: now + GRANTED };
  }
}
