import { LRUCache } from 'lru-cache';
import { DatabaseUnavailable } from '../database.ts';
import { ServerError } from '../driver/errors.ts';
import type { Clock } from './clock.ts';
import { verdictOn } from './verdict.ts';

/** Statements about an owner that failed for a lost server, with no answer between them, until it counts as lost. */
const MOST_LOST = 3;

/** Milliseconds between two statements about one that is lost: one at a time shows when it is back. */
export const LOOK_INTERVAL = 100;

/** SQLSTATEs of a server behind the one that answers: Citus hands them on as errors of the statement. */
const LOST = /^08/;

interface Loss {
  count: number;
  /** When the next statement about it may be sent, in milliseconds of the monotonic clock. */
  next: number;
}

/**
 * Owners whose part of the data is on a server that is away, while the one that is asked is there. Statements about
 * them fail here, so that they take no connection from owners on other servers.
 */
export class LostOwners {
  refused = 0;
  #clock: Clock;
  #losses: LRUCache<string, Loss>;

  /** @param most owners that are remembered */
  constructor(clock: Clock, most: number) {
    this.#clock = clock;
    // With `max` it would take the memory of all entries at once.
    this.#losses = new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
  }

  /**
   * Sends a statement about owners. One about several at once is always sent.
   * @throws {DatabaseUnavailable} where it is not sent
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
      if (error instanceof ServerError && verdictOn(error) === 'answer' && LOST.test(error.code)) {
        const count = (this.#losses.get(owner)?.count ?? 0) + 1;
        this.#losses.set(owner, { count, next: this.#clock.now() + LOOK_INTERVAL });
      }
      throw error;
    }
  }

  #check(owner: string, now: number): void {
    const loss = this.#losses.size > 0 ? this.#losses.get(owner) : undefined;
    if (!loss || loss.count < MOST_LOST) return;
    if (now < loss.next) {
      this.refused++;
      throw new DatabaseUnavailable('the server that has the data of this owner is away');
    }
    loss.next = now + LOOK_INTERVAL;
  }
}
