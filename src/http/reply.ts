import type { Soon } from '@sightline/json/then-if-promise';
import type { Notes } from '../observability/notes.ts';

/** The value of a header of a request. */
export type Header = string | string[] | undefined;

/** An answer on its way out: to a socket, in the service. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  /**
   * A stream is written as it is read, and cut off where it fails. A piece of it is good until the next is asked for.
   */
  body: string | Buffer | readonly Buffer[] | AsyncIterable<string | Buffer>;
  /** Called when a body that is no stream was handed to the system, and is not looked at any more. */
  onSent?: () => void;
}

export interface Request {
  method: string;
  /** The path as it was sent, without the query. */
  path: string;
  /** The text behind the first `?`, or ''. */
  query: string;
  headers: NodeJS.Dict<string | string[]>;
  id: string;
  notes: Notes;
  /** Reads the whole body; its client may take a while for it. @throws {Refusal} `bodyTooLarge` */
  body(): Promise<Buffer>;
  /** The outcome of work for this request. @throws {Overdue} when there is none in the time of a request */
  inTime<Result>(work: Promise<Result>): Promise<Result>;
  isGone(): boolean;
  /** The same reply, which may wait for its reader. @throws {NoRoom} when too much waits for readers of the account */
  letWait(reply: Reply): Reply;
}

/** Answers every request, whatever happens. */
export type App = (request: Request) => Soon<Reply>;

export const JSON_TYPE = 'application/json; charset=utf-8';

export function json(text: string): Reply {
  return { status: 200, headers: { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store' }, body: text };
}
