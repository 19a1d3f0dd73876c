import pino, { type DestinationStream, type Logger } from 'pino';
import type { Config } from '../config.ts';
import { redact } from './redact.ts';

export type { Logger };

/** Paths of secrets, in case a request or a configuration is ever logged as a whole. */
const SECRETS = ['authorization', 'cookie', 'password', 'key', 'token'].flatMap(name => [
  name,
  `*.${name}`,
  `*.headers.${name}`,
]);

/** The number of bytes that can wait for a stalled reader of standard output. Further lines are dropped. */
const LONGEST_WAIT = 16 * 1024 * 1024;

/** The number of bytes per write. Up to this size, a pipe does not interleave the lines of several processes. */
const PIECE = 4096;

/** The destination of the log. */
export function standardOutput(isOneOfMany: boolean): DestinationStream {
  const pieces = isOneOfMany ? { maxWrite: PIECE } : {};
  return pino.destination({ dest: 1, sync: false, maxLength: LONGEST_WAIT, ...pieces });
}

/**
 * Writes one JSON object per line, by default to standard output. Lines are written in the background: those that
 * arrive during a write are joined, and the last ones are written when the process exits.
 */
export function createLogger(
  level: Config['logLevel'],
  destination: DestinationStream = standardOutput(false),
): Logger {
  const options = {
    level,
    serializers: { err: (error: Error) => pino.stdSerializers.err(findCause(error)) },
    redact: { paths: SECRETS, censor: '[redacted]' },
    // The complete line is redacted, because the message or stack of an error can contain anything.
    hooks: { streamWrite: redact },
  };
  return pino(options, destination);
}

/** GraphQL wraps the errors of resolvers and hides PostgreSQL's code. */
export function findCause<Thrown>(error: Thrown): Thrown | Error {
  return error instanceof Error && 'originalError' in error && error.originalError instanceof Error
    ? findCause(error.originalError)
    : error;
}
