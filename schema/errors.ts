import { GraphQLError } from 'graphql';

/** The public form of a failure. `src/http/respond.ts` gives each its status. */
export type ErrorCode = 'INVALID' | 'FORBIDDEN' | 'NOT_FOUND' | 'LIMIT_EXCEEDED';

/** A refusal whose message is meant for the caller; every other error is an internal one. */
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

/** The refusal in an error or among what caused it: GraphQL wraps what a resolver or a scalar throws. */
export function publicErrorIn(error: unknown): PublicError | undefined {
  for (
    let cause = error;
    cause instanceof Error;
    cause = (cause as GraphQLError).originalError ?? cause.cause
  ) {
    if (cause instanceof PublicError) return cause;
  }
  return undefined;
}
