import { dial } from '../dial/dial.ts';
import { Hosts } from '../dial/hosts.ts';
import type { Parameter } from '../driver/parameters.ts';
import { CommandSession, type Statements } from './session.ts';

/** Default time limit for connecting to a host, in milliseconds. */
const CONNECT_TIMEOUT = 10_000;

/**
 * A read-write connection for one user at a time. It connects with its first statement and reconnects after a loss;
 * running statements fail. A transaction keeps one session and fails with it.
 */
export class CommandConnection implements Statements {
  #hosts: Hosts;
  #parameters: Readonly<Record<string, string>>;
  #session: CommandSession | undefined;
  #opening: Promise<CommandSession> | undefined;
  #ended = new AbortController();

  /**
   * @param parameters session parameters in addition to those of the address
   * @throws {AddressError}
   */
  constructor(url: string, parameters: Readonly<Record<string, string>>) {
    this.#hosts = new Hosts(url);
    this.#parameters = parameters;
  }

  async query<Row extends object = Record<string, unknown>>(
    text: string,
    parameters?: readonly Parameter[],
  ): Promise<Row[]> {
    return (await this.#open()).query<Row>(text, parameters);
  }

  /** Returns the session for a transaction. It stays open after the transaction, until it is lost. */
  async begin(): Promise<CommandSession> {
    const session = await this.#open();
    await session.query('begin');
    return session;
  }

  /** Runs the work in a transaction, which is committed or, after an error, rolled back. */
  async transaction<Result>(work: (session: CommandSession) => Promise<Result>): Promise<Result> {
    const session = await this.begin();
    try {
      const result = await work(session);
      await session.commit();
      return result;
    } catch (error) {
      await session.query('rollback').catch(() => {});
      throw error;
    }
  }

  /** Closes the connection immediately, even during a statement. */
  async end(): Promise<void> {
    this.#ended.abort();
    this.#session?.end();
  }

  async #open(): Promise<CommandSession> {
    if (this.#session?.isLost === false) return this.#session;
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #connect(): Promise<CommandSession> {
    const { signal } = this.#ended;
    const options = { parameters: this.#parameters, connectTimeout: CONNECT_TIMEOUT, signal };
    this.#session = new CommandSession(await dial(this.#hosts, options));
    if (signal.aborted) this.#session.end();
    return this.#session;
  }
}
