import type { Asker, Preparation } from '../database.ts';
import type { Parameter } from '../driver/parameters.ts';
import type { Rows } from '../driver/rows.ts';
import type { Connection } from './connection.ts';
import type { Standing } from './standing.ts';

/** A statement from when it is asked for to its answer. */
export interface Work {
  standing: Standing;
  /** Undefined for the service itself. */
  sender: Asker | undefined;
  text: string;
  parameters: readonly Parameter[];
  prepare: Preparation;
  quick: boolean;
  /** True if others may go behind it on its connection. */
  isQuick: boolean;
  /** Milliseconds for which it may run. */
  limit: number;
  resolve: (rows: Rows) => void;
  reject: (error: Error) => void;
  /** Since when it is asked for, or is being answered: milliseconds of the monotonic clock. */
  since: number;
  /** The instant at which that must be over. */
  deadline: number;
  settled: boolean;
  /** Once it was sent. */
  lane: Lane | undefined;
  /** True if it was sent before, behind another one on a connection that was lost. */
  again: boolean;
  /** True if a second one was sent elsewhere (`twinOf`). */
  hasTwin: boolean;
}

/** A connection with the statements that are under way on it; they are answered one after the other. */
export interface Lane {
  connection: Connection;
  /** The oldest first: that is the one which is being answered. */
  items: Work[];
  /** The one that was being answered when the connection was lost. */
  suspect?: Work;
  /** True if the pool was full when it was made. */
  isBeyond: boolean;
}

/** A statement to send: all but its text and its asker may be left out. */
export type Asked = Pick<Work, 'text' | 'standing'> &
  Partial<Pick<Work, 'sender' | 'parameters' | 'prepare' | 'quick' | 'limit' | 'resolve' | 'reject'>>;

/** Written down whole: a spread would give each object a shape of its own, which outlives it in V8. */
export function newWork(asked: Asked, since: number, again = false): Work {
  return {
    standing: asked.standing,
    sender: asked.sender,
    text: asked.text,
    parameters: asked.parameters ?? [],
    prepare: asked.prepare ?? false,
    quick: asked.quick ?? false,
    isQuick: asked.quick ?? false,
    limit: asked.limit ?? 0,
    resolve: asked.resolve ?? ignore,
    reject: asked.reject ?? ignore,
    since,
    deadline: NOT_BEGUN,
    settled: false,
    lane: undefined,
    again,
    hasTwin: false,
  };
}

function ignore(): void {}

/** A second one, to be sent elsewhere, that has waited for as long. The first one may still be answered, and only the second one can fail. */
export function twinOf(work: Work): Work {
  const twin = newWork(work, work.since, true);
  work.again = true;
  work.hasTwin = true;
  work.reject = ignore;
  work.standing.atWork--;
  return twin;
}

/** True if it says so, or its key's last one had its text and was. */
export function isThoughtQuick({ quick, text, standing }: Work): boolean {
  return quick || text === standing.quickText;
}

export function add(lane: Lane, work: Work): void {
  work.lane = lane;
  lane.items.push(work);
  work.standing.atWork++;
}

/** The deadline of what is behind others on its connection: its time has yet to come. */
export const NOT_BEGUN = Number.POSITIVE_INFINITY;

/** Since when the server may have it: connecting is no key's fault. */
export function atServerSince({ since, lane }: Work): number {
  return Math.max(since, lane!.connection.begunAt);
}

/** It is being answered from now on. */
export function begin(work: Work, now: number): void {
  work.since = now;
  work.deadline = work.since + work.limit;
}
