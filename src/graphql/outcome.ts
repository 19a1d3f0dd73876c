import type { GraphQLError } from 'graphql';
import type { PreparedOperation } from './operation.ts';
import type { Unwritable } from './run.ts';

/** The outcome of an operation, for the log, the metrics and the spans. */
export interface OperationOutcome {
  /** The operation's name, if it was found and has one. */
  operation: string | undefined;
  /** `ok`, or the code of the first error. */
  code: string;
  /** The limit that it exceeded, if any. */
  limit: string | undefined;
  /** Why graphql-js executed it, if it did. */
  unwritten: Unwritable | undefined;
}

/** The outcome of a request without an operation. */
export const UNREAD: OperationOutcome = {
  operation: undefined,
  code: 'BAD_REQUEST',
  limit: undefined,
  unwritten: undefined,
};

interface OperationResult {
  operation: PreparedOperation | undefined;
  errors: readonly GraphQLError[];
  unwritten: Unwritable | undefined;
}

export function toOutcome({
  operation: found,
  errors: [first],
  unwritten,
}: OperationResult): OperationOutcome {
  const operation = found?.definition.name?.value;
  if (!first) return { operation, code: 'ok', limit: undefined, unwritten };
  const { code, limit } = first.extensions;
  return { operation, code: textOr('UNKNOWN', code), limit: textOr(undefined, limit), unwritten };
}

function textOr<Other>(other: Other, value: unknown): string | Other {
  return typeof value === 'string' ? value : other;
}
