import { LRUCache } from 'lru-cache';
import { DatabaseUnavailable } from '../database.ts';
import { ServerError } from '../driver/errors.ts';
import { classifyError } from './classify-error.ts';
import type { MonotonicClock } from './clock.ts';
import { CHECK_INTERVAL, MOST_LOST } from './limits.ts';

/** SQLSTATEs of a lost worker, which Citus reports as errors of the statement. */
const LOST = /^08/;

interface Loss {
  count: number;
  /** When the next statement for this owner can be sent, in milliseconds of the monotonic clock. */
  next: number;
}

/**
 * Owners whose data is on an unavailable worker while the coordinator is available. Their statements fail immediately,
 * so that they do not occupy connections that other owners need.
 */
export class LostOwners {
  refused = 0;
  #clock: MonotonicClock;
  #losses: LRUCache<string, Loss>;

  /** @param most maximum number of cached owners */
  constructor(clock: MonotonicClock, most: number) {
    this.#clock = clock;
    // With `max`, the cache would allocate memory for all entries at the start.
    this.#losses = new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
  }

  /**
   * Sends a statement for one or more owners. A statement for several owners is always sent.
   * @throws {DatabaseUnavailable} if the statement is not sent
   */
  async ask<Answer>(owners: string | readonly string[], send: () => Promise<Answer>): Promise<Answer> {
    const owner = typeof owners === 'string' ? owners : owners[0]!;
    if (typeof owners !== 'string' && owners.length !== 1) return send();
    this.#check(owner, this.#clock.now());
    try {
      const answer = await send();
      if (this.#losses.size > 0) this.#losses.delete(owner);
      return answer;
    } catch (error) {
      if (error instanceof ServerError && classifyError(error) === 'answer' && LOST.test(error.code)) {
        const count = (this.#losses.get(owner)?.count ?? 0) + 1;
        this.#losses.set(owner, { count, next: this.#clock.now() + CHECK_INTERVAL });
      }
      throw error;
    }
  }

  #check(owner: string, now: number): void {
    const loss = this.#losses.size > 0 ? this.#losses.get(owner) : undefined;
    if (!loss || loss.count < MOST_LOST) return;
    if (now < loss.next) {
      this.refused++;
      throw new DatabaseUnavailable('the server with the data of this account is unavailable');
    }
    loss.next = now + CHECK_INTERVAL;
  }
}
