import type { Preparation, StatementCaller } from '../database.ts';
import type { Parameter } from '../driver/parameters.ts';
import type { Rows } from '../driver/rows.ts';
import type { Connection } from './connection.ts';
import type { TenantState } from './tenant-state.ts';

/** A statement from its request to its answer. */
export interface Work {
  tenant: TenantState;
  /** Undefined for the service itself. */
  sender: StatementCaller | undefined;
  text: string;
  parameters: readonly Parameter[];
  prepare: Preparation;
  quick: boolean;
  /** True if the statement is expected to be quick, so that others can be pipelined after it. */
  isQuick: boolean;
  /** Time limit in milliseconds. */
  limit: number;
  resolve: (rows: Rows) => void;
  reject: (error: Error) => void;
  /**
   * When the statement was requested or, once it runs, when the server started it, in milliseconds of the monotonic
   * clock.
   */
  since: number;
  /** When the time limit ends, in milliseconds of the monotonic clock. */
  deadline: number;
  settled: boolean;
  /** The connection, once the statement was sent. */
  pooled: PooledConnection | undefined;
  /** True if the statement was sent before, on a connection that was lost while it waited there. */
  isRetry: boolean;
  /** True if the statement was also sent on another connection (`findCounterpart`). */
  hasRetry: boolean;
}

/** A connection with the statements in progress on it, which are answered in order. */
export interface PooledConnection {
  connection: Connection;
  /** Oldest first: the first one is being answered. */
  items: Work[];
  /** The statement that was being answered when the connection was lost. */
  blamed?: Work;
  /** True for an overflow connection. */
  isOverflow: boolean;
}

/** A statement to send: only its text and tenant are required. */
export type StatementRequest = Pick<Work, 'text' | 'tenant'> &
  Partial<Pick<Work, 'sender' | 'parameters' | 'prepare' | 'quick' | 'limit' | 'resolve' | 'reject'>>;

/** Creates a statement. A spread would create a hidden class in V8 for each call, so all properties are listed. */
export function newWork(request: StatementRequest, since: number, isRetry = false): Work {
  return {
    tenant: request.tenant,
    sender: request.sender,
    text: request.text,
    parameters: request.parameters ?? [],
    prepare: request.prepare ?? false,
    quick: request.quick ?? false,
    isQuick: request.quick ?? false,
    limit: request.limit ?? 0,
    resolve: request.resolve ?? ignore,
    reject: request.reject ?? ignore,
    since,
    deadline: NOT_BEGUN,
    settled: false,
    pooled: undefined,
    isRetry,
    hasRetry: false,
  };
}

function ignore(): void {}

/**
 * Creates a copy of a statement to send on another connection. Either can deliver the answer, but only the copy can
 * fail.
 */
export function findCounterpart(work: Work): Work {
  const retry = newWork(work, work.since, true);
  work.isRetry = true;
  work.hasRetry = true;
  work.reject = ignore;
  work.tenant.atWork--;
  return retry;
}

/**
 * Checks whether a statement is expected to be quick: it is declared so, or the last quick statement of its key had the
 * same text.
 */
export function isThoughtQuick({ quick, text, tenant }: Work): boolean {
  return quick || text === tenant.quickText;
}

export function add(pooled: PooledConnection, work: Work): void {
  work.pooled = pooled;
  pooled.items.push(work);
  work.tenant.atWork++;
}

/** The deadline of a statement that waits behind others on its connection, so its time limit has not started. */
export const NOT_BEGUN = Number.POSITIVE_INFINITY;

/**
 * Returns the earliest time at which the server can have received the statement. The time to connect is not charged to
 * the key.
 */
export function atServerSince({ since, pooled }: Work): number {
  return Math.max(since, pooled!.connection.begunAt);
}

/** Starts the time limit of the statement, which the server is now answering. */
export function begin(work: Work, now: number): void {
  work.since = now;
  work.deadline = work.since + work.limit;
}
