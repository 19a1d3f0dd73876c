import type { Preparation, ReadSettings } from '../database.ts';
import { dial } from '../dial/dial.ts';
import type { Hosts } from '../dial/hosts.ts';
import type { Transport } from '../dial/transport.ts';
import { ConnectionLost } from '../driver/errors.ts';
import type { Parameter } from '../driver/parameters.ts';
import type { Rows } from '../driver/rows.ts';
import { type GiveRows, Wire } from '../driver/wire.ts';

/** One connection to the database. It is lost once and for all: then all that was asked on it fails, at once. */
export class Connection {
  /** When it was made and last used, in milliseconds of the monotonic clock. */
  readonly madeAt = performance.now();
  usedAt = this.madeAt;
  /** When its session began; beyond all instants until then. */
  begunAt = Number.POSITIVE_INFINITY;
  #hosts: Hosts;
  #settings: ReadSettings;
  #givenUp = new AbortController();
  #opening: Promise<void> | undefined;
  #lost: Error | undefined;
  /** Both undefined until it is open. */
  #transport: Transport | undefined;
  #wire: Wire | undefined;

  /** Connects with its first statement. */
  constructor(settings: ReadSettings, hosts: Hosts) {
    this.#settings = settings;
    this.#hosts = hosts;
  }

  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  /**
   * A single statement. Several are answered one after the other.
   * @param give gets rows as they come; the answer then holds those that came last
   * @throws {ConnectionLost} or what the server says
   */
  run(text: string, parameters: readonly Parameter[], prepare: Preparation, give?: GiveRows): Promise<Rows> {
    if (this.#lost) return Promise.reject(new ConnectionLost(this.#lost.message, { cause: this.#lost }));
    if (this.#wire) return this.#wire.run(text, parameters, prepare, give);
    this.#opening ??= this.#open();
    return this.#opening.then(() => this.run(text, parameters, prepare, give));
  }

  /** Nothing more is read: the server waits, once what it has sent fills the buffers between. */
  pause(): void {
    this.#transport?.pause();
  }

  resume(): void {
    this.#transport?.resume();
  }

  /** Ends it at once, whatever is under way on it. */
  discard(): void {
    const error = new ConnectionLost('the connection was given up');
    this.#lose(error);
    this.#givenUp.abort();
    this.#transport?.lose(error);
  }

  async #open(): Promise<void> {
    try {
      const { transport, messages } = await dial(this.#hosts, {
        parameters: parametersOf(this.#settings),
        // Its holder bounds the time that it may take.
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

/** The parameters of the session. A pooler refuses it; there the login's own settings hold (docs/operations.md). */
function parametersOf({ prepare, role, statementTimeout }: ReadSettings): Record<string, string> {
  if (!prepare) return { application_name: 'sightline' };
  return {
    application_name: 'sightline',
    TimeZone: 'UTC',
    statement_timeout: String(statementTimeout),
    default_transaction_read_only: 'on',
    // A generic plan does not see which filters are rare, and reads the whole month. Some statements have one (`Wire`).
    plan_cache_mode: 'force_custom_plan',
    // Compiling a statement takes longer than any of ours runs.
    jit: 'off',
    ...(role && { role }),
  };
}
