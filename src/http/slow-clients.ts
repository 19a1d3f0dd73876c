import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type Connection, type Connections, isBetweenRequests } from './connections.ts';

/** Milliseconds for which a reader may leave untaken all that waits for it. */
const PATIENCE = 10_000;

/** Bytes of headers that have not ended yet, of all connections together. Nobody knows yet who sends them. */
const MOST_UNENDED = 32 * 1024 * 1024;

/** Milliseconds between two looks. One timer for all connections, since one for each request would cost more. */
const INTERVAL = 250;

/**
 * Cuts connections that Node would keep: of readers that take nothing of what waits for them, and, when headers that
 * do not end fill the memory, those with the longest. Answers are written in pieces, so a reader has so much time for
 * each piece, however long the whole is.
 */
export function cutSlowClients(server: Server, connections: Connections): void {
  const readers = new SlowReaders();
  const sweep = setInterval(() => {
    for (const { socket } of connections) if (readers.isSlow(socket)) socket.destroy();
    for (const { socket } of longestUnended(connections)) socket.destroy();
  }, INTERVAL).unref();
  server.once('close', () => clearInterval(sweep));
}

class SlowReaders {
  /** How much of what was written to a connection its reader had taken, and when that was seen first. */
  #marks = new WeakMap<Socket, { taken: number; seen: number }>();

  isSlow(socket: Socket): boolean {
    if (socket.writableLength === 0) {
      this.#marks.delete(socket);
      return false;
    }
    const now = performance.now();
    const taken = socket.bytesWritten - socket.writableLength;
    const mark = this.#marks.get(socket);
    if (mark?.taken === taken) return now - mark.seen >= PATIENCE;
    this.#marks.set(socket, { taken, seen: now });
    return false;
  }
}

/** Enough of them for the rest to be half of what is allowed; none while all of them are allowed. */
function longestUnended(connections: Connections): Connection[] {
  const unended: { connection: Connection; bytes: number }[] = [];
  let total = 0;
  for (const connection of connections) {
    const { bytesRead } = connection.socket;
    if (!isBetweenRequests(connection)) connection.read = bytesRead;
    const bytes = bytesRead - connection.read;
    if (bytes === 0) continue;
    total += bytes;
    unended.push({ connection, bytes });
  }
  if (total <= MOST_UNENDED) return [];
  unended.sort((one, other) => other.bytes - one.bytes);
  const cut: Connection[] = [];
  for (const { connection, bytes } of unended) {
    if (total <= MOST_UNENDED / 2) break;
    total -= bytes;
    cut.push(connection);
  }
  return cut;
}
