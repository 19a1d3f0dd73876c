import type { Trace } from './tracing.ts';

/** Notes on a request on its way: for the log, the metrics and the spans. */
export interface Notes {
  /** A template and never an address: there are few of them, and they hold no one's data. */
  route: string;
  account?: string;
  /** Sent for this request alone: callers are looked up together, for many requests at once. */
  statements: number;
  /** The size of the answer's body, in bytes. */
  bytes: number;
  /** The span, where spans are recorded. */
  trace?: Trace;
}
