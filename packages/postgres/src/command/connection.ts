import { dial } from '../dial/dial.ts';
import { Hosts } from '../dial/hosts.ts';
import type { Parameter } from '../driver/parameters.ts';
import { CommandSession, type Statements } from './session.ts';

/** Milliseconds that a host may take, where the address does not say. */
const CONNECT_TIMEOUT = 10_000;

/**
 * A connection for one user at a time, who may write. It connects with its first statement, and anew with the first one
 * after a loss; what was under way fails. A transaction has one session, and fails with it.
 */
export class CommandConnection implements Statements {
  #hosts: Hosts;
  #parameters: Readonly<Record<string, string>>;
  #session: CommandSession | undefined;
  #opening: Promise<CommandSession> | undefined;
  #ended = new AbortController();

  /**
   * @param parameters of its sessions, beside those of the address
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

  /** The session of a transaction that has begun. It lasts beyond that, until it is lost. */
  async begin(): Promise<CommandSession> {
    const session = await this.#open();
    await session.query('begin');
    return session;
  }

  /** Does the work in a transaction, of which all stays or nothing. */
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

  /** Closes it at once, whatever the server is at. */
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
