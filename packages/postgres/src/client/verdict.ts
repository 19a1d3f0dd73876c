import { ServerError } from '../driver/errors.ts';

/**
 * The meaning of an error for its connection and the server:
 * - `answer`: it is the statement's own. The connection goes on.
 * - `end`: the server ended the connection, and lets others in.
 * - `absence`: no server answers, or it lets no one in.
 */
export type Verdict = 'answer' | 'end' | 'absence';

/**
 * SQLSTATEs of a server that lets no one in: connection, authentication, database, too many, shutting down. Not 57P05:
 * of a session that was idle for too long.
 */
const SHUT = /^(?:08|28|3D|533|57P0[1-4])/;

/** Severities that end a session (PostgreSQL's protocol 3.0, error fields). */
const ENDING = new Set<unknown>(['FATAL', 'PANIC']);

/**
 * PostgreSQL says by the severity if it goes on, whatever the code: Citus tells of a lost worker as `ERROR` 08006, by a
 * connection that is in order. A pooler has no such field in its own messages.
 */
export function verdictOn(error: unknown): Verdict {
  if (!(error instanceof ServerError)) return 'absence';
  const { severity, code } = error;
  if (severity && !ENDING.has(severity)) return 'answer';
  if (SHUT.test(code)) return 'absence';
  return severity ? 'end' : 'answer';
}
