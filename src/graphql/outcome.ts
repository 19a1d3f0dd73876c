import type { Answer } from './executor.ts';

/** How an operation came out, for the log, the metrics and the spans. */
export interface Outcome {
  /** The operation's name, where it was found and has one. */
  operation: string | undefined;
  /** `ok`, or the code of the first error. */
  code: string;
  /** The limit that it exceeded, if any. */
  limit: string | undefined;
}

/** Of a request that never came to an operation. */
export const UNREAD: Outcome = { operation: undefined, code: 'BAD_REQUEST', limit: undefined };

export function outcomeOf({ operation, errors: [first] }: Answer): Outcome {
  if (!first) return { operation, code: 'ok', limit: undefined };
  const { code, limit } = first.extensions;
  return { operation, code: textOr('UNKNOWN', code), limit: textOr(undefined, limit) };
}

function textOr<Other>(other: Other, value: unknown): string | Other {
  return typeof value === 'string' ? value : other;
}
