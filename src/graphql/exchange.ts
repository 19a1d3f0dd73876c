import type { Context } from '../../schema/context.ts';
import type { Json } from '../executor/json.ts';
import type { LogError } from './errors.ts';
import type { ResponseType } from './media-types.ts';
import type { PreparedOperation } from './operation.ts';
import type { OperationOutcome } from './outcome.ts';

/**
 * Limits the time of work.
 * @throws {Overdue} if the request's time runs out
 */
export type InTime = <Result>(work: Promise<Result>) => Promise<Result>;

/** One request to `/graphql` in Yoga's plugins. */
export interface Exchange {
  /** The context of the resolvers. */
  readonly context: Context;
  readonly logError: LogError;
  readonly inTime: InTime;
  /** The media type that the client prefers. */
  responseType?: ResponseType;
  /** Set once the document has been parsed and validated. */
  operation?: PreparedOperation;
  /** The result of an executed operation. It can use shared memory, which a `Response` cannot contain. */
  body?: Json;
  outcome?: OperationOutcome;
}

/** The context that Yoga's plugins get with each request. */
export interface ServerContext {
  exchange: Exchange;
}
