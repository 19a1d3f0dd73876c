import type { Connection, Connections } from './connections.ts';
import type { Reply } from './reply.ts';
import { PIECE, sizeOf, wholeOf } from './send.ts';

/** Bytes that may wait for the readers of an account: four of the longest answers. */
const MOST = 128 * 1024 * 1024;

export class NoRoom extends Error {
  override name = 'NoRoom';

  constructor() {
    super(`the account's readers have not taken ${MOST / 1024 / 1024} MiB of earlier answers yet`);
  }
}

/**
 * Lets a reply wait for its reader, beside what waits for others of its account. So readers who keep reading are not
 * cut for one who asks for much at once (`slow-clients.ts`).
 * @throws {NoRoom}
 */
export function letWait(
  reply: Reply,
  connection: Connection,
  account: string | undefined,
  connections: Connections,
): Reply {
  const { body, onSent } = reply;
  // A short body is handed to the system at once, and a stream has one piece that waits.
  if (account === undefined || typeof body === 'string') return reply;
  let waiting = sizeOf(wholeOf(body) ?? []);
  if (waiting <= PIECE) return reply;
  for (const other of connections) if (other.account === account) waiting += other.waiting;
  if (waiting > MOST) {
    onSent?.();
    throw new NoRoom();
  }
  connection.account = account;
  connections.onWaiting();
  return reply;
}
