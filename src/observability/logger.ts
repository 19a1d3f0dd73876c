import pino, { type DestinationStream, type Logger } from 'pino';
import type { Config } from '../config.ts';
import { redact } from './redact.ts';

export type { Logger };

/** The paths of secrets, should anybody ever log a whole request or a whole configuration. */
const SECRETS = ['authorization', 'cookie', 'password', 'key', 'token'].flatMap(name => [
  name,
  `*.${name}`,
  `*.headers.${name}`,
]);

/** Bytes that may wait for a reader of standard output that has stopped reading; lines beyond are dropped. */
const LONGEST_WAIT = 16 * 1024 * 1024;

/** Bytes that are written at once: a pipe takes as many from several processes without mixing them. */
const PIECE = 4096;

/** The destination of the log. */
export function standardOutput(isOneOfMany: boolean): DestinationStream {
  const pieces = isOneOfMany ? { maxWrite: PIECE } : {};
  return pino.destination({ dest: 1, sync: false, maxLength: LONGEST_WAIT, ...pieces });
}

/**
 * One JSON object a line, on standard output if nowhere else. Lines are written in the background: those that come
 * meanwhile at once after that, and the last ones when the process ends.
 */
export function createLogger(
  level: Config['logLevel'],
  destination: DestinationStream = standardOutput(false),
): Logger {
  const options = {
    level,
    serializers: { err: (error: Error) => pino.stdSerializers.err(causeOf(error)) },
    redact: { paths: SECRETS, censor: '[redacted]' },
    // The whole line is cleaned, since an error's message or stack may carry anything.
    hooks: { streamWrite: redact },
  };
  return pino(options, destination);
}

/** GraphQL wraps what a resolver threw, and with it PostgreSQL's code is out of sight. */
export function causeOf<Thrown>(error: Thrown): Thrown | Error {
  return error instanceof Error && 'originalError' in error && error.originalError instanceof Error
    ? causeOf(error.originalError)
    : error;
}
