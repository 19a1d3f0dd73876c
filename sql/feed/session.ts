import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { lossOf } from '../operator/connect.ts';
import { TRY_LOCK } from './lock.ts';

/** Milliseconds between two attempts to get the lock, and those that a rollback may take. */
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

/**
 * The one transaction of a load. It is begun by plain statements, because the driver's own `begin` ends the
 * process when the server closes the connection. A connection that was replaced behind its back is found out:
 * everything hangs on temporary tables that only the first one has.
 */
export class LoadSession {
  #sql: Sql;
  #made = new Set<string>();
  #backend: number | undefined;
  #lost: Promise<void> | undefined;

  /** The connection must have no other user until the session has ended. */
  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Waits for its turn: one load works at a time. `onWait` is called once if there is another one. */
  async begin(signal?: AbortSignal, onWait?: () => void): Promise<void> {
    this.#backend = await this.#backendAfter('begin');
    this.#lost = lossOf(this.#sql);
    await this.run('create temp table load_session (begun timestamptz) on commit drop');
    for (let attempt = 0; !(await this.#tryLock()); attempt++) {
      if (attempt === 0) onWait?.();
      await pause(LOCK_INTERVAL, undefined, signal && { signal });
    }
    // Temporary tables have no statistics: what is joined with them is looked up by its index. Sequential
    // scans stay allowed, as the temporary tables can be read no other way: their penalty would drown all else.
    await this.run(`set local jit = off; set local work_mem = '64MB';
      set local enable_hashjoin = off; set local enable_mergejoin = off; set local enable_material = off`);
  }

  async #tryLock(): Promise<boolean> {
    const [row] = await this.run<{ held: boolean }>(TRY_LOCK);
    return row?.held === true;
  }

  async run<Row extends object>(statement: string, parameters: string[] = []): Promise<readonly Row[]> {
    return this.#sql.unsafe<Row[]>(statement, parameters);
  }

  /** The column `text` of what the statement answers with. */
  async texts(statement: string): Promise<string[]> {
    return (await this.run<{ text: string }>(statement)).map(({ text }) => text);
  }

  /** The number of rows that the statement wrote. */
  async count(statement: string): Promise<number> {
    return (await this.#sql.unsafe(statement)).count;
  }

  /** Creates a temporary table for this load, unless it did already. */
  async temporary(table: string, definition: string): Promise<void> {
    if (this.#made.has(table)) return;
    this.#made.add(table);
    await this.run(`create temp table ${table} ${definition}`);
  }

  /** True if this load made the temporary table. */
  has(table: string): boolean {
    return this.#made.has(table);
  }

  /** Copies rows in PostgreSQL's text format. */
  copy(target: string, pieces: Iterable<Buffer>): Promise<void> {
    return this.#copy(`copy ${target} from stdin`, pieces);
  }

  /** Copies rows in PostgreSQL's binary format. */
  copyBinary(target: string, pieces: Iterable<Buffer>): Promise<void> {
    return this.#copy(`copy ${target} from stdin (format binary)`, withSignature(pieces));
  }

  async #copy(statement: string, pieces: Iterable<Buffer>): Promise<void> {
    const query = this.#sql.unsafe(statement);
    const lost = afterLastByte(query);
    const writable = await query.writable();
    await Promise.race([pipeline(Readable.from(pieces), writable), lost]);
  }

  /**
   * Leaves everything that was done, and waits for its turn again.
   * @param between done outside of the transaction
   */
  async restart(signal?: AbortSignal, onWait?: () => void, between?: () => Promise<void>): Promise<void> {
    await this.run('rollback');
    this.#made.clear();
    await between?.();
    await this.begin(signal, onWait);
  }

  async commit(): Promise<void> {
    await this.run('select from load_session; commit');
  }

  /** Answers with whether the transaction's connection is still there; without it PostgreSQL rolls back itself. */
  async rollback(): Promise<boolean> {
    const limit = new AbortController();
    const tooLate = pause(ROLLBACK_LIMIT, undefined, { signal: limit.signal });
    const answered = Promise.race([this.#backendAfter('rollback'), this.#lost, tooLate]);
    const answer = answered.catch(() => undefined);
    const isThere = (await answer) === this.#backend;
    tooLate.catch(() => {});
    limit.abort();
    return isThere;
  }

  /** In one message, so that a pooler cannot put another connection between the two. */
  async #backendAfter(statement: string): Promise<number | undefined> {
    const results = await this.run<{ pid: number }[]>(`${statement}; select pg_backend_pid() as pid`);
    return results.flat().find(row => 'pid' in row)?.pid;
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

/** Rejects with what the driver drops: an error of a COPY that comes after its last byte. */
function afterLastByte(query: unknown): Promise<never> {
  const handle = query as { reject: (error: Error) => void };
  const lost = new Promise<never>((_, reject) => {
    const passOn = handle.reject;
    handle.reject = error => {
      reject(error);
      passOn(error);
    };
  });
  lost.catch(() => {});
  return lost;
}
