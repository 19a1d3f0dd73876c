import type { MaybePromise } from '../executor/maybe-promise.ts';
import type { Notes } from '../observability/notes.ts';

/** The value of a request header. */
export type HeaderValue = string | string[] | undefined;

/** A response before it is sent. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  /** A stream is written while it is read, and aborted after a failure. A chunk is valid until the next one is read. */
  body: string | Buffer | readonly Buffer[] | AsyncIterable<string | Buffer>;
  /** Called when the system has taken a body that is not a stream, so that its buffer can be reused. */
  onSent?: () => void;
}

export interface Request {
  method: string;
  /** The original path without the query. */
  path: string;
  /** The text after the first `?`, or ''. */
  query: string;
  headers: NodeJS.Dict<string | string[]>;
  /** Alternating names and values in their original order; repeated headers occur repeatedly. */
  rawHeaders: readonly string[];
  /** The peer's address; '' if it is unknown. */
  peer: string;
  id: string;
  notes: Notes;
  /**
   * Reads the entire body, which can take a while.
   * @throws {Refusal} `bodyTooLarge`
   */
  body(): Promise<Buffer>;
  /**
   * The result of work for this request.
   * @throws {Overdue} if the request's time runs out
   */
  inTime<Result>(work: Promise<Result>): Promise<Result>;
  isGone(): boolean;
  /**
   * Returns the reply, which can wait for its reader.
   * @throws {NoRoom} if too much is waiting for the readers of the account
   */
  letWait(reply: Reply): Reply;
}

/** Answers every request, including malformed ones. */
export type App = (request: Request) => MaybePromise<Reply>;

export const JSON_TYPE = 'application/json; charset=utf-8';

export function json(text: string): Reply {
  return { status: 200, headers: { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store' }, body: text };
}
