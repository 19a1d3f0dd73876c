import type { HttpConnection, HttpConnections } from './connections.ts';
import type { Reply } from './reply.ts';
import { measureSize, PIECE, readWhole } from './send.ts';

/** The maximum number of bytes that can wait for the readers of an account: four of the longest responses. */
const MOST = 128 * 1024 * 1024;

export class NoRoom extends Error {
  override name = 'NoRoom';

  constructor() {
    super(`the account's clients have not read ${MOST / 1024 / 1024} MiB of earlier responses yet`);
  }
}

/**
 * Reserves memory for a reply that waits for its reader, within the account's limit. Readers who keep reading are not
 * cut off because another one requests a lot (`slow-clients.ts`).
 * @throws {NoRoom}
 */
export function letWait(
  reply: Reply,
  connection: HttpConnection,
  account: string | undefined,
  connections: HttpConnections,
): Reply {
  const { body, onSent } = reply;
  // A short body is passed to the system immediately. Of a stream, only one chunk waits.
  if (account === undefined || typeof body === 'string') return reply;
  let waiting = measureSize(readWhole(body) ?? []);
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
