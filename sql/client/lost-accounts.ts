import { LRUCache } from 'lru-cache';
import type { AccountId } from '../account-id.ts';
import { DatabaseUnavailable } from '../client.ts';
import { ServerError } from '../driver/errors.ts';
import type { Clock } from './clock.ts';
import { verdictOn } from './verdict.ts';

/** Statements about an account that failed for a lost server, with no answer between them, until it counts as lost. */
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
 * Accounts whose part of the data is on a server that is away, while the one that is asked is there. What is asked
 * about them fails here, so that it takes no connection from accounts on other servers.
 */
export class LostAccounts {
  /** Statements that were not sent. */
  refused = 0;
  #clock: Clock;
  #losses: LRUCache<AccountId, Loss>;

  /** @param most accounts that are remembered */
  constructor(clock: Clock, most: number) {
    this.#clock = clock;
    this.#losses = new LRUCache({ max: most });
  }

  /**
   * What is sent about accounts. Of several at once nothing is known.
   * @throws {DatabaseUnavailable} where it is not sent
   */
  async ask<Answer>(
    accounts: AccountId | readonly AccountId[],
    send: () => Promise<Answer>,
  ): Promise<Answer> {
    const account = typeof accounts === 'string' ? accounts : accounts[0]!;
    if (typeof accounts !== 'string' && accounts.length !== 1) return send();
    this.#check(account, this.#clock.now());
    try {
      const answer = await send();
      if (this.#losses.size > 0) this.#losses.delete(account);
      return answer;
    } catch (error) {
      if (isLost(error)) this.#lost(account, this.#clock.now());
      throw error;
    }
  }

  #check(account: AccountId, now: number): void {
    const loss = this.#losses.size > 0 ? this.#losses.get(account) : undefined;
    if (!loss || loss.count < MOST_LOST) return;
    if (now < loss.next) {
      this.refused++;
      throw new DatabaseUnavailable('the server that has the data of this account is away');
    }
    loss.next = now + LOOK_INTERVAL;
  }

  #lost(account: AccountId, now: number): void {
    const count = (this.#losses.get(account)?.count ?? 0) + 1;
    this.#losses.set(account, { count, next: now + LOOK_INTERVAL });
  }
}

function isLost(error: unknown): boolean {
  return error instanceof ServerError && verdictOn(error) === 'answer' && LOST.test(error.code);
}
