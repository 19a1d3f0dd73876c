import { setTimeout as pause } from 'node:timers/promises';
import {
  type CommandConnection,
  type CommandSession,
  inTime,
  type Parameter,
  type Statements,
} from '@sightline/postgres';
import { TRY_LOCK } from './lock.ts';

/** Milliseconds between two attempts to get the lock, and those that a silent server may take to roll back. */
const LOCK_INTERVAL = 100;
const ROLLBACK_LIMIT = 5000;

/** The texts of the statement's first parameter, which `listed` makes. */
export const LISTED = 'select jsonb_array_elements_text($1::text::jsonb)';

/** Texts as one parameter. */
export function listed(texts: readonly string[]): string {
  return JSON.stringify(texts);
}

/** A list of constants is hashed, where of a join with a temporary table each would be compared with each. */
export function amongst(column: string, numbers: readonly number[]): string {
  return `${column} = any ('{${numbers.join(',')}}'::int[])`;
}

/** The one transaction of a load. */
export class LoadSession implements Statements {
  #sql: CommandConnection;
  #made = new Set<string>();
  #session: CommandSession | undefined;
  /** Accounts that something was loaded for, and those of which the load has changed something. */
  readonly owners = new Set<string>();
  readonly touched = new Set<string>();

  /** The connection must have no other user until the session has ended. */
  constructor(sql: CommandConnection) {
    this.#sql = sql;
  }

  /** Waits for its turn: one load works at a time. `onWait` is called once if there is another one. */
  async begin(signal?: AbortSignal, onWait?: () => void): Promise<void> {
    this.#session = await this.#sql.begin();
    for (let attempt = 0; !(await this.#tryLock()); attempt++) {
      if (attempt === 0) onWait?.();
      await pause(LOCK_INTERVAL, undefined, signal && { signal });
    }
    // Temporary tables have no statistics: what is joined with them is looked up by its index. Sequential
    // scans stay allowed, as the temporary tables can be read no other way: their penalty would drown all else.
    await this.query(`set local jit = off; set local work_mem = '64MB';
      set local enable_hashjoin = off; set local enable_mergejoin = off; set local enable_material = off`);
  }

  async #tryLock(): Promise<boolean> {
    const [row] = await this.query<{ held: boolean }>(TRY_LOCK);
    return row?.held === true;
  }

  query<Row extends object>(statement: string, parameters?: readonly Parameter[]): Promise<Row[]> {
    return this.#session!.query<Row>(statement, parameters);
  }

  /** The column `text` of what the statement answers with. */
  async texts(statement: string): Promise<string[]> {
    return (await this.query<{ text: string }>(statement)).map(({ text }) => text);
  }

  /** The number of rows that the statement wrote. */
  count(statement: string): Promise<number> {
    return this.#session!.count(statement);
  }

  /** Creates a temporary table for this load, unless it did already. */
  async temporary(table: string, definition: string): Promise<void> {
    if (this.#made.has(table)) return;
    this.#made.add(table);
    await this.query(`create temp table ${table} ${definition}`);
  }

  /** True if this load made the temporary table. */
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
   * Leaves everything that was done, and waits for its turn again.
   * @param between done outside of the transaction
   */
  async restart(signal?: AbortSignal, onWait?: () => void, between?: () => Promise<void>): Promise<void> {
    await this.query('rollback');
    for (const set of [this.#made, this.owners, this.touched]) set.clear();
    await between?.();
    await this.begin(signal, onWait);
  }

  commit(): Promise<void> {
    return this.#session!.commit();
  }

  /** Answers with whether the transaction's connection is still there; without it PostgreSQL rolls back itself. */
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

/** The bytes before the rows of the binary format, with no flags and no extension, and those behind them. */
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const TRAILER = Buffer.from([0xff, 0xff]);

function* withSignature(pieces: Iterable<Buffer>): Generator<Buffer> {
  yield SIGNATURE;
  yield* pieces;
  yield TRAILER;
}
