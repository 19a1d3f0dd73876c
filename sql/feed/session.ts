import { setTimeout as pause } from 'node:timers/promises';
import {
  type CommandConnection,
  type CommandSession,
  inTime,
  type Parameter,
  type Statements,
} from '@sightline/pg-client';
import { TRY_LOCK } from './lock.ts';
import type { Month } from './partitions.ts';

/** Milliseconds between two attempts to get the lock, and for a silent server to roll back. */
const LOCK_INTERVAL = 100;
const ROLLBACK_LIMIT = 5000;

/**
 * Databases and roles can limit statements and idle transactions, but these limits are meant for requests. A load waits
 * for its source and other loads, and its merges can take long. PostgreSQL 17 can limit transactions as well.
 */
const WITHOUT_TIMEOUTS = `
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = 0;
  select case when current_setting('server_version_num')::int >= 170000
    then set_config('transaction_timeout', '0', true) end`;

/**
 * Temporary tables have no statistics, so joins with them must use indexes. Sequential scans stay enabled, as temporary
 * tables can only be read by one and its penalty would outweigh all other costs.
 */
const PLANS = `
  set local jit = off; set local work_mem = '64MB';
  set local enable_hashjoin = off; set local enable_mergejoin = off; set local enable_material = off`;

/** The texts in the statement's first parameter, from `toTextList`. */
export const LISTED = 'select jsonb_array_elements_text($1::text::jsonb)';

/** Passes texts as one parameter. */
export function toTextList(texts: readonly string[]): string {
  return JSON.stringify(texts);
}

/** PostgreSQL hashes a list of constants, but would use a nested loop to join a temporary table. */
export function toAnyCondition(column: string, numbers: readonly number[]): string {
  return `${column} = any ('{${numbers.join(',')}}'::int[])`;
}

/** The transaction of a load. */
export class LoadSession implements Statements {
  #sql: CommandConnection;
  #made = new Set<string>();
  #session: CommandSession | undefined;
  /** Accounts with loaded data, and accounts that the load has changed. */
  readonly owners = new Set<string>();
  readonly touched = new Set<string>();
  /** Accounts with new reports that watches examine, by month, and the position of their first merge. */
  readonly seen = new Map<Month, Map<string, bigint>>();

  /** The connection must not be used for anything else until the session has ended. */
  constructor(sql: CommandConnection) {
    this.#sql = sql;
  }

  /** Waits until no other load is running. `onWait` is called once if it has to wait. */
  async begin(signal?: AbortSignal, onWait?: () => void): Promise<void> {
    this.#session = await this.#sql.begin();
    await this.query(`${WITHOUT_TIMEOUTS};${PLANS}`);
    for (let attempt = 0; !(await this.#tryLock()); attempt++) {
      if (attempt === 0) onWait?.();
      await pause(LOCK_INTERVAL, undefined, signal && { signal });
    }
  }

  async #tryLock(): Promise<boolean> {
    const [row] = await this.query<{ held: boolean }>(TRY_LOCK);
    return row?.held === true;
  }

  query<Row extends object>(statement: string, parameters?: readonly Parameter[]): Promise<Row[]> {
    return this.#session!.query<Row>(statement, parameters);
  }

  /** Returns the column `text` of a statement's result. */
  async texts(statement: string): Promise<string[]> {
    return (await this.query<{ text: string }>(statement)).map(({ text }) => text);
  }

  /** Returns the number of rows that the statement wrote. */
  count(statement: string): Promise<number> {
    return this.#session!.count(statement);
  }

  /** Creates a temporary table for this load if it does not exist. Returns whether it was created. */
  async temporary(table: string, definition: string): Promise<boolean> {
    if (this.#made.has(table)) return false;
    this.#made.add(table);
    await this.query(`create temp table ${table} ${definition}`);
    return true;
  }

  /** Creates a temporary table for this load, or empties it. */
  async emptyTemporary(table: string, definition: string): Promise<void> {
    if (!(await this.temporary(table, definition))) await this.query(`truncate ${table}`);
  }

  /** True if this load created the temporary table. */
  has(table: string): boolean {
    return this.#made.has(table);
  }

  /** Copies rows in PostgreSQL's text format. */
  copy(target: string, pieces: Iterable<Buffer>): Promise<void> {
    return this.#session!.copy(`copy ${target} from stdin`, pieces);
  }

  /** Copies rows in PostgreSQL's binary format. */
  copyBinary(target: string, pieces: Iterable<Buffer>): Promise<void> {
    return this.#session!.copy(`copy ${target} from stdin (format binary)`, withSignature(pieces));
  }

  /**
   * Rolls everything back and waits again until no other load is running.
   * @param between called outside of the transaction
   */
  async restart(signal?: AbortSignal, onWait?: () => void, between?: () => Promise<void>): Promise<void> {
    await this.query('rollback');
    for (const noted of [this.#made, this.owners, this.touched, this.seen]) noted.clear();
    await between?.();
    await this.begin(signal, onWait);
  }

  commit(): Promise<void> {
    return this.#session!.commit();
  }

  /** Returns whether the connection is still open; otherwise PostgreSQL rolls back itself. */
  async rollback(): Promise<boolean> {
    const work = this.#session?.query('rollback');
    return (
      !work ||
      inTime(work, ROLLBACK_LIMIT).then(
        () => true,
        () => false,
      )
    );
  }
}

/** The bytes before and after the rows of the binary format, with no flags and no extension. */
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const TRAILER = Buffer.from([0xff, 0xff]);

function* withSignature(pieces: Iterable<Buffer>): Generator<Buffer> {
  yield SIGNATURE;
  yield* pieces;
  yield TRAILER;
}
