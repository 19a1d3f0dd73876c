import type { Parameter } from './driver/parameters.ts';
import type { Rows } from './driver/rows.ts';

export interface ReadSettings {
  url: string;
  /** Maximum number of connections and of running statements. */
  poolSize: number;
  /** PostgreSQL's statement timeout, in milliseconds. */
  statementTimeout: number;
  /** Milliseconds that a statement can wait for a free connection. */
  queueTimeout: number;
  /** Maximum number of statements that wait for a free connection. */
  queueLimit: number;
  /** True to use named statements, which some poolers do not support (PgBouncer before 1.21). */
  prepare: boolean;
  /** The role to switch to, or '' if the login itself is read-only. */
  role: string;
  /** The column that names the owner of a row. */
  tenantColumn: string;
  /** True if another server can take over, so that statements for an unreachable server fail immediately. */
  isReplaceable?: boolean;
}

/** The database is unavailable, or did not answer in time. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

/** No connection became free, because the key's own statements occupied its share of the pool. */
export class KeyIsSlow extends DatabaseUnavailable {
  override name = 'KeyIsSlow';
}

/** The server was lost before it answered; another one may still answer. */
export class DatabaseLost extends DatabaseUnavailable {
  override name = 'DatabaseLost';
}

/** A statement returned a row of another owner. */
export class ForeignRow extends Error {
  override name = 'ForeignRow';
}

/** Gauges and counters of the client. */
export interface DatabaseCounters {
  poolSize: number;
  running: number;
  /** Statements that wait for a free connection. */
  waiting: number;
  /** Number of ended statements, and their total running time in milliseconds. */
  ended: { count: number; milliseconds: number };
  failed: number;
  /** Number of statements that started after waiting, and their total wait in milliseconds. */
  waited: { count: number; milliseconds: number };
  /**
   * Number of statements that were never sent, by reason: the queue was full, no connection became free in time, slow
   * keys had used their share, or the database was unavailable.
   */
  refused: { full: number; late: number; slow: number; lost: number };
  /** How often connections were closed because statements got no answer. */
  replacements: number;
  /** Number of connections, including those being opened. */
  connections: number;
  attempts: number;
  /** True while the database counts as unavailable. Statements then fail immediately. */
  isAway: boolean;
}

/** The caller on whose behalf a statement is sent. */
export interface StatementCaller {
  /** The key to which the statement is charged. Statements of one key do not delay those of others. */
  key: string;
  /** Checks whether the client has disconnected; its waiting statements are then dropped. */
  isGone(): boolean;
}

/**
 * Read access to PostgreSQL: single statements, each answered within a time limit.
 * @typeParam Owner the type of an owner's id: a string, or a branded string
 * @typeParam Owned the columns of every tenant-scoped row
 */
export interface Database<Owner extends string = string, Owned extends object = object> {
  rows<Row extends object>(
    text: string,
    parameters: readonly Parameter[],
    options?: StatementOptions,
  ): Promise<Rows<Row>>;
  /**
   * Returns rows of the given owner or owners.
   * @throws {ForeignRow} if the statement returns a row of any other owner
   */
  queryTenant<Row extends Owned>(
    owners: Owner | readonly Owner[],
    text: string,
    parameters: readonly Parameter[],
    options?: StatementOptions,
  ): Promise<Rows<Row>>;
}

/** A consistent snapshot for several statements, on a connection of its own. */
export interface Snapshot<Owner extends string = string, Owned extends object = object> {
  /**
   * Returns a statement's rows in parts as they arrive; PostgreSQL waits while they are not consumed.
   * @throws {ForeignRow}
   */
  parts<Row extends Owned>(
    owner: Owner,
    text: string,
    parameters: readonly Parameter[],
  ): AsyncIterable<Rows<Row>>;
  /** Releases the connection. Every snapshot must be closed. */
  close(): void;
}

/** The client of one or several servers. Statements without a caller have priority. */
export interface DatabaseClient<Owner extends string = string, Owned extends object = object>
  extends Database<Owner, Owned> {
  /** Number of statements sent since the start. */
  readonly statements: number;
  readonly counters: DatabaseCounters;
  /**
   * Opens a snapshot for an export. It connects with its first statement. The caller limits the number of snapshots.
   */
  snapshot(): Snapshot<Owner, Owned>;
  /**
   * Sends a statement to the database, bypassing the queue.
   * @param timeout time limit in milliseconds
   * @throws {DatabaseUnavailable} if the answer is late
   */
  ping(timeout: number): Promise<void>;
  end(): Promise<void>;
}

/** Determines whether the server prepares a statement for reuse, and reuses its plan as well (`planned`). */
export type Preparation = boolean | 'planned';

export interface StatementOptions {
  /** The caller to which the statement is charged; default: the caller of the client. */
  caller?: StatementCaller;
  /**
   * True to prepare the statement, because its text recurs; `planned` if PostgreSQL can also reuse its plan for any
   * parameters. Default: true.
   */
  prepare?: Preparation;
  /**
   * True if the statement reads few rows by a key, so that it can share a connection with similar ones. Default: false.
   */
  quick?: boolean;
  /**
   * Time limit in milliseconds, after which the statement counts as lost. Default: slightly more than PostgreSQL's
   * timeout.
   */
  limit?: number;
}
