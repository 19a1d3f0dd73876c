import { ServerError } from '../driver/errors.ts';

/**
 * The meaning of an error for its connection and server:
 * - `answer`: the statement failed; the connection is intact.
 * - `end`: the server ended the connection, but accepts others.
 * - `absence`: no server answers, or it accepts no connections.
 */
export type ErrorClass = 'answer' | 'end' | 'absence';

/**
 * Matches the SQLSTATEs with which a server refuses connections: connection failure, authentication, unknown database,
 * too many connections, shutdown. 57P05 is excluded, because it ends a session that was idle for too long.
 */
const SHUT = /^(?:08|28|3D|533|57P0[1-4])/;

/** Severities that end a session (PostgreSQL's protocol 3.0, error fields). */
const ENDING = new Set<unknown>(['FATAL', 'PANIC']);

/**
 * Classifies an error by its severity, which shows whether the session continues: Citus reports a lost worker as
 * `ERROR` 08006 on an intact connection. A pooler's own messages have no severity and are classified by code.
 */
export function classifyError(error: unknown): ErrorClass {
  if (!(error instanceof ServerError)) return 'absence';
  const { severity, code } = error;
  if (severity && !ENDING.has(severity)) return 'answer';
  if (SHUT.test(code)) return 'absence';
  return severity ? 'end' : 'answer';
}
