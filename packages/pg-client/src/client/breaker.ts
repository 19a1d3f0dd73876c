import { DatabaseLost, DatabaseUnavailable } from '../database.ts';
import { ConnectionLost, ServerError } from '../driver/errors.ts';
import { classifyError } from './classify-error.ts';
import type { MonotonicClock } from './clock.ts';
import { CHECK_INTERVAL, MOST_LOST } from './limits.ts';

/** SQLSTATE of a standby that cancelled a statement because of a conflict with recovery. */
const CONFLICT_WITH_RECOVERY = '40001';

/** True if the statement failed because of its server, so another server may answer it. */
export function isServersFault(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return error instanceof DatabaseLost;
  if (error instanceof ServerError && error.code === CONFLICT_WITH_RECOVERY) return true;
  if (error instanceof ServerError) return classifyError(error) === 'absence';
  return error instanceof ConnectionLost;
}

export interface BreakerEvents {
  away(reason: Error): void;
  back(): void;
}

/**
 * Tracks whether the database is available. While it is not, callers fail immediately, and one probe at a time checks
 * whether it is back.
 */
export class Breaker {
  #probe: () => Promise<unknown>;
  #events: BreakerEvents;
  #clock: MonotonicClock;
  #lost = 0;
  #reason: Error | undefined;
  #openedAt = 0;
  #isEnded = false;

  /** @param probe sends a statement to the server; its promise must settle */
  constructor(probe: () => Promise<unknown>, events: BreakerEvents, clock: MonotonicClock) {
    this.#clock = clock;
    this.#probe = probe;
    this.#events = events;
  }

  /** The reason why the database counts as unavailable; undefined while it is available. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  /** Milliseconds since the database became unavailable. */
  get age(): number {
    return this.#clock.now() - this.#openedAt;
  }

  answered(): void {
    this.#lost = 0;
  }

  failed(error: Error): void {
    // The client has closed this connection itself, so the error does not show that the server is unavailable.
    if (error instanceof DatabaseLost) return;
    if (classifyError(error) !== 'absence') this.answered();
    else if (++this.#lost >= MOST_LOST) this.open(error);
  }

  /** Marks the database as unavailable until a probe succeeds. */
  open(reason: Error): void {
    if (this.#reason || this.#isEnded) return;
    this.#reason = reason;
    this.#openedAt = this.#clock.now();
    this.#events.away(reason);
    void this.#search();
  }

  /** Marks the database as permanently unavailable. */
  end(reason: Error): void {
    this.#isEnded = true;
    this.#reason = reason;
    this.#openedAt = Number.NEGATIVE_INFINITY;
  }

  async #search(): Promise<void> {
    while (!(await this.#isBack()))
      await new Promise<void>(resolve => this.#clock.after(CHECK_INTERVAL, resolve));
    if (this.#isEnded) return;
    this.#reason = undefined;
    this.#lost = 0;
    this.#events.back();
  }

  async #isBack(): Promise<boolean> {
    try {
      if (!this.#isEnded) await this.#probe();
      return true;
    } catch (error) {
      if (!this.#isEnded) this.#reason = error as Error;
      return this.#isEnded;
    }
  }
}
