import type { Parameter } from './driver/parameters.ts';
import type { Rows } from './driver/rows.ts';

export interface ReadSettings {
  url: string;
  /** Connections held at most, and statements at work at most. */
  poolSize: number;
  /** Milliseconds after which PostgreSQL ends a statement. */
  statementTimeout: number;
  /** Milliseconds a statement may wait for a free connection. */
  queueTimeout: number;
  /** Statements that may wait for a free connection. */
  queueLimit: number;
  /** Named statements; off behind a pooler that cannot keep them (PgBouncer before 1.21). */
  prepare: boolean;
  /** The role to step down to, or '' where the login itself may only read. */
  role: string;
  /** The column that says whose a row of owned data is. */
  ownerColumn: string;
  /** Another server stands in for this one: while this one is away, what it was asked fails at once. */
  isReplaceable?: boolean;
}

/** The database did not answer in time, or is not there. The public learns no more than "500". */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

/** The server went away before it had answered: another one may still answer. */
export class DatabaseLost extends DatabaseUnavailable {
  override name = 'DatabaseLost';
}

/** A row of another owner was about to be given away. */
export class ForeignRow extends Error {
  override name = 'ForeignRow';
}

/** Counts of the client: at the moment, and since the start. */
export interface DatabaseCounters {
  poolSize: number;
  running: number;
  /** Statements that wait for a free connection. */
  waiting: number;
  /** Statements that ended, and the milliseconds that they were at work. */
  ended: { count: number; milliseconds: number };
  failed: number;
  /** Statements that had to wait and were begun, and the milliseconds that they waited. */
  waited: { count: number; milliseconds: number };
  /** Statements never sent: the queue was full, no connection became free in time, or none is left to slow keys. */
  refused: { full: number; late: number; slow: number; lost: number };
  /** The number of times that silent connections were given up, all at once. */
  replacements: number;
  /** Connections that there are, or are being made. */
  connections: number;
  attempts: number;
  /** True if the database counts as away: statements fail at once then. */
  isAway: boolean;
}

/** The one for whom a statement is sent. */
export interface Asker {
  /** No other key waits because of one key's slow statements. */
  key: string;
  /** Tells whether the client has gone away: what has not begun is not begun then. */
  isGone(): boolean;
}

/**
 * The read side of PostgreSQL: single statements only, every one answered within a bound.
 * @typeParam Owner what tells whose a row is: a text, or a kind of text that only some may make
 * @typeParam Owned what every row of owned data has
 */
export interface Database<Owner extends string = string, Owned extends object = object> {
  rows<Row extends object>(
    text: string,
    parameters: readonly Parameter[],
    options?: StatementOptions,
  ): Promise<Rows<Row>>;
  /**
   * Rows of the given owner, or owners.
   * @throws {ForeignRow} when the statement answers with a row of any other owner
   */
  owned<Row extends Owned>(
    owners: Owner | readonly Owner[],
    text: string,
    parameters: readonly Parameter[],
    options?: StatementOptions,
  ): Promise<Rows<Row>>;
}

/** One state of the data over several statements, on a connection that no other work waits for. */
export interface Snapshot<Owner extends string = string, Owned extends object = object> {
  /**
   * A statement's rows in parts, as they come; PostgreSQL waits while they are not taken.
   * @throws {ForeignRow}
   */
  parts<Row extends Owned>(
    owner: Owner,
    text: string,
    parameters: readonly Parameter[],
  ): AsyncIterable<Rows<Row>>;
  /** Gives the connection up. Every snapshot has to be closed. */
  close(): void;
}

/** The client of one or several servers. Statements without an asker go before those of any asker. */
export interface DatabaseClient<Owner extends string = string, Owned extends object = object>
  extends Database<Owner, Owned> {
  /** Statements sent since the start. */
  readonly statements: number;
  readonly counters: DatabaseCounters;
  /** For exports: how many there may be is for its caller to know. It connects with its first statement. */
  snapshot(): Snapshot<Owner, Owned>;
  /**
   * Asks the database for an answer, past the queue of the askers' statements. @throws where none comes in time
   * @param timeout milliseconds within which it has to have answered, this or anything else
   */
  ping(timeout: number): Promise<void>;
  end(): Promise<void>;
}

/** The part of a statement that the server keeps for the next time. */
export type Preparation = boolean | 'planned';

export interface StatementOptions {
  /** Default: the caller itself. */
  asker?: Asker;
  /**
   * True if the statement's text recurs, so that preparing it pays; `planned` if PostgreSQL may keep its plan, too, for
   * whatever parameters. Default: true.
   */
  prepare?: Preparation;
  /** True if it reads few rows, by a key: it may share a connection with others of its kind. Default: false. */
  quick?: boolean;
  /** Milliseconds after which it counts as lost. Default: half a second more than PostgreSQL allows it. */
  limit?: number;
}
