import type { Answer } from './executor.ts';
import type { Unwritable } from './run.ts';

/** The outcome of an operation, for the log, the metrics and the spans. */
export interface Outcome {
  /** The operation's name, where it was found and has one. */
  operation: string | undefined;
  /** `ok`, or the code of the first error. */
  code: string;
  /** The limit that it exceeded, if any. */
  limit: string | undefined;
  /** Why graphql-js answered it, if it did. */
  unwritten: Unwritable | undefined;
}

/** The outcome of a request that never came to an operation. */
export const UNREAD: Outcome = {
  operation: undefined,
  code: 'BAD_REQUEST',
  limit: undefined,
  unwritten: undefined,
};

export function outcomeOf({ operation, errors: [first], unwritten }: Answer): Outcome {
  if (!first) return { operation, code: 'ok', limit: undefined, unwritten };
  const { code, limit } = first.extensions;
  return { operation, code: textOr('UNKNOWN', code), limit: textOr(undefined, limit), unwritten };
}

function textOr<Other>(other: Other, value: unknown): string | Other {
  return typeof value === 'string' ? value : other;
}
