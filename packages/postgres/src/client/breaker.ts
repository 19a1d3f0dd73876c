import { DatabaseLost, DatabaseUnavailable } from '../database.ts';
import { ConnectionLost, ServerError } from '../driver/errors.ts';
import type { Clock } from './clock.ts';
import { verdictOn } from './verdict.ts';

/** Connections lost one after the other, with no answer between them, until the database counts as away. */
const MOST_LOST = 3;

/** Milliseconds between two attempts to find it again. */
const PROBE_INTERVAL = 100;

/** SQLSTATE of a standby that had to end a statement for what its primary wrote. */
const CONFLICT_WITH_RECOVERY = '40001';

/** True if the statement failed because of its server: another one may still answer it. */
export function isServersFault(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return error instanceof DatabaseLost;
  if (error instanceof ServerError && error.code === CONFLICT_WITH_RECOVERY) return true;
  if (error instanceof ServerError) return verdictOn(error) === 'absence';
  return error instanceof ConnectionLost;
}

export interface BreakerEvents {
  away(reason: Error): void;
  back(): void;
}

/**
 * Knows whether the database is there. While it is away nothing need be tried by those who ask: one attempt at a
 * time finds out when it is back.
 */
export class Breaker {
  #probe: () => Promise<unknown>;
  #events: BreakerEvents;
  #clock: Clock;
  #lost = 0;
  #reason: Error | undefined;
  #openedAt = 0;
  #isEnded = false;

  /** @param probe asks the server anything; it must end */
  constructor(probe: () => Promise<unknown>, events: BreakerEvents, clock: Clock) {
    this.#clock = clock;
    this.#probe = probe;
    this.#events = events;
  }

  /** Why the database counts as away; undefined while it is there. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  /** Milliseconds since it went away. */
  get age(): number {
    return this.#clock.now() - this.#openedAt;
  }

  answered(): void {
    this.#lost = 0;
  }

  failed(error: Error): void {
    // Its client found that out. Where others were answered meanwhile, it says nothing of the server.
    if (error instanceof DatabaseLost) return;
    if (verdictOn(error) !== 'absence') this.answered();
    else if (++this.#lost >= MOST_LOST) this.open(error);
  }

  /** The database is away, until an attempt shows otherwise. */
  open(reason: Error): void {
    if (this.#reason || this.#isEnded) return;
    this.#reason = reason;
    this.#openedAt = this.#clock.now();
    this.#events.away(reason);
    void this.#search();
  }

  /** It is away for ever. */
  end(reason: Error): void {
    this.#isEnded = true;
    this.#reason = reason;
    this.#openedAt = Number.NEGATIVE_INFINITY;
  }

  async #search(): Promise<void> {
    while (!(await this.#isBack()))
      await new Promise<void>(resolve => this.#clock.after(PROBE_INTERVAL, resolve));
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
