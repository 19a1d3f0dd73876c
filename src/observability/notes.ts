import type { Trace } from './tracing.ts';

/** Data collected about a request for the log, metrics and spans. */
export interface Notes {
  /** A template, never an actual path: there are few, and they contain no personal data. */
  route: string;
  account?: string;
  /** The person, as identified by the proxy. */
  user?: string;
  /** Number of statements sent for this request; shared look-ups of callers are not counted. */
  statements: number;
  /** The size of the response body, in bytes. */
  bytes: number;
  /** The span, if tracing is enabled. */
  trace?: Trace;
}
