import { KeyIsSlow, ServerError } from '@sightline/pg-client';
import { GraphQLError } from 'graphql';

/** The public codes of failures. `src/http/respond.ts` maps each to an HTTP status. */
export type ErrorCode = 'INVALID' | 'FORBIDDEN' | 'NOT_FOUND' | 'LIMIT_EXCEEDED' | 'TIME_LIMIT_EXCEEDED';

/** A refusal whose message is shown to the caller. All other errors are internal. */
export class PublicError extends GraphQLError {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, extensions: Record<string, unknown> = {}) {
    super(message, { extensions: { code, ...extensions } });
    this.code = code;
  }
}

export const invalid = (message: string) => new PublicError('INVALID', message);
export const invalidParameter = (name: string) => invalid(`Invalid value for parameter: ${name}`);
export const missingParameter = (name: string) => invalid(`Missing required parameter: ${name}`);
export const forbidden = (message: string) => new PublicError('FORBIDDEN', message);
export const notFound = (message: string) => new PublicError('NOT_FOUND', message);

/** Finds the refusal in an error or its causes, since GraphQL wraps the errors of resolvers and scalars. */
export function publicErrorIn(error: unknown): PublicError | undefined {
  for (
    let cause = error;
    cause instanceof Error;
    cause = (cause as GraphQLError).originalError ?? cause.cause
  ) {
    if (cause instanceof PublicError) return cause;
    if (cause instanceof ServerError && cause.code === QUERY_CANCELED) return tooLong();
    if (cause instanceof KeyIsSlow) return busy();
  }
  return undefined;
}

/** True if the operator should see the error as well. */
export function isForLog(refused: PublicError | undefined): boolean {
  return refused === undefined || refused.code === 'TIME_LIMIT_EXCEEDED';
}

/** The SQLSTATE of a statement that exceeded PostgreSQL's `statement_timeout`. */
const QUERY_CANCELED = '57014';

export const tooLong = () =>
  new PublicError(
    'TIME_LIMIT_EXCEEDED',
    'This reads too many reports for the time limit of a response: choose a shorter period or fewer filters.',
  );

const busy = () =>
  new PublicError(
    'TIME_LIMIT_EXCEEDED',
    'Other requests with this key are slow: retry this one when they have finished.',
  );
