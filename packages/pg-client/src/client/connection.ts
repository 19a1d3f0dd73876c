import type { Preparation, ReadSettings } from '../database.ts';
import { dial } from '../dial/dial.ts';
import type { Hosts } from '../dial/hosts.ts';
import type { Transport } from '../dial/transport.ts';
import { ConnectionLost } from '../driver/errors.ts';
import type { Parameter } from '../driver/parameters.ts';
import type { Rows } from '../driver/rows.ts';
import { type GiveRows, Wire } from '../driver/wire.ts';

/** A connection to the database. Once it is lost, everything on it fails immediately, and it is never reused. */
export class Connection {
  /** When the connection was created and last used, in milliseconds of the monotonic clock. */
  readonly madeAt = performance.now();
  usedAt = this.madeAt;
  /** When its session started; infinity until then. */
  begunAt = Number.POSITIVE_INFINITY;
  #hosts: Hosts;
  #settings: ReadSettings;
  #givenUp = new AbortController();
  #opening: Promise<void> | undefined;
  #lost: Error | undefined;
  /** Undefined until the connection is open. */
  #transport: Transport | undefined;
  #wire: Wire | undefined;

  /** Connects when the first statement is sent. */
  constructor(settings: ReadSettings, hosts: Hosts) {
    this.#settings = settings;
    this.#hosts = hosts;
  }

  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  /**
   * Runs a single statement; concurrent ones are answered in order.
   * @param give receives rows as they arrive; the result then contains only the last ones
   * @throws {ConnectionLost | ServerError}
   */
  run(text: string, parameters: readonly Parameter[], prepare: Preparation, give?: GiveRows): Promise<Rows> {
    if (this.#lost) return Promise.reject(new ConnectionLost(this.#lost.message, { cause: this.#lost }));
    if (this.#wire) return this.#wire.run(text, parameters, prepare, give);
    this.#opening ??= this.#open();
    return this.#opening.then(() => this.run(text, parameters, prepare, give));
  }

  /** Stops reading. The server stops sending once the buffers between it and this process are full. */
  pause(): void {
    this.#transport?.pause();
  }

  resume(): void {
    this.#transport?.resume();
  }

  /** Closes the connection immediately, even during a statement. */
  discard(): void {
    const error = new ConnectionLost('the connection was abandoned');
    this.#lose(error);
    this.#givenUp.abort();
    this.#transport?.lose(error);
  }

  async #open(): Promise<void> {
    try {
      const { transport, messages } = await dial(this.#hosts, {
        parameters: listParameters(this.#settings),
        // The caller enforces the time limit.
        connectTimeout: 0,
        signal: this.#givenUp.signal,
      });
      this.#transport = transport;
      this.begunAt = performance.now();
      this.#wire = new Wire(transport);
      messages.reader = this.#wire;
      transport.onLost = error => this.#lose(error);
      if (transport.lost) this.#lose(transport.lost);
    } catch (error) {
      throw this.#lose(error as Error);
    }
  }

  #lose(error: Error): Error {
    this.#lost ??= ConnectionLost.by(error);
    this.#wire?.fail(this.#lost);
    return this.#lost;
  }
}

/** Session settings that affect plans. PostgreSQL's defaults are meant for disks and long statements. */
export const PLANNER_SETTINGS = {
  // A generic plan ignores which filters are selective, and reads the entire month. `Wire` allows it for some
  // statements.
  plan_cache_mode: 'force_custom_plan',
  // Compilation takes longer than any of our statements.
  jit: 'off',
  // With the default of 4, which assumes rotating disks, the planner would scan the reports of all accounts to find
  // those of one.
  random_page_cost: '1.1',
} as const;

/**
 * Returns the parameters of the session. A pooler refuses most of them, so the login's settings are used there
 * (docs/operations.md).
 */
function listParameters({ prepare, role, statementTimeout }: ReadSettings): Record<string, string> {
  if (!prepare) return { application_name: 'sightline' };
  return {
    application_name: 'sightline',
    TimeZone: 'UTC',
    statement_timeout: String(statementTimeout),
    default_transaction_read_only: 'on',
    ...PLANNER_SETTINGS,
    ...(role && { role }),
  };
}
