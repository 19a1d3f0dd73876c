import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type HttpConnection, type HttpConnections, isBetweenRequests } from './connections.ts';
import { cutOff } from './cut-off.ts';

/** The time for which a client can stall its response, in milliseconds. */
const PATIENCE = 10_000;

/** Maximum number of bytes in incomplete headers of all connections. Their senders are not yet authenticated. */
const MOST_UNENDED = 16 * 1024 * 1024;

/** The limit of unread bytes of all readers together above which slow readers are disconnected. */
const MOST_WAITING = 64 * 1024 * 1024;

/** The limit above which any reader is disconnected: five of the longest responses. */
const MOST_IN_ALL = 160 * 1024 * 1024;

/** Minimum bytes per millisecond of a reader that is not slow: 100 KB per second. */
const PACE = 100;

/** Milliseconds before a reader's pace counts, because TCP stalls while buffers are being read. */
const GLANCE = 3000;

/** Milliseconds between two checks. A single timer checks all connections. */
const INTERVAL = 100;

/** The interval while nothing waits, to save work. */
const IDLE_INTERVAL = 1000;

/**
 * Maximum milliseconds between two checks. A longer interval means that the process was suspended, not that readers
 * were slow.
 */
const LONGEST_INTERVAL = 1000;

/** Size limit of a request's headers in bytes, above which Node refuses it. */
export const LONGEST_HEADERS = 256 * 1024;

/** Number of connections whose headers cannot exceed the limit together. */
const FEW = MOST_UNENDED / LONGEST_HEADERS;

/**
 * Closes connections whose clients read nothing of their response. When memory fills up, it also closes those with the
 * longest incomplete headers and the slowest readers. Responses are written in chunks and the time applies to each
 * chunk, whatever the length of the response.
 */
export function cutSlowClients(server: Server, connections: HttpConnections): void {
  const readers = new Readers();
  let timer: NodeJS.Timeout | undefined;
  let interval = 0;
  const lookEvery = (next: number) => {
    if (next === interval) return;
    clearInterval(timer);
    interval = next;
    timer = next > 0 ? setInterval(look, next).unref() : undefined;
  };
  const look = () => {
    const slow = readers.slow(connections);
    for (const { connection } of [...slow, ...longestUnended(connections)])
      cutOff(connection.socket, connection.response);
    const { count } = connections;
    if (count === 0) lookEvery(0);
    else lookEvery(count > FEW || readers.count > 0 ? INTERVAL : IDLE_INTERVAL);
  };
  // No timer runs without a connection.
  server.on('connection', () => {
    if (connections.count > FEW) lookEvery(INTERVAL);
    else if (interval === 0) lookEvery(IDLE_INTERVAL);
  });
  connections.onWaiting = () => lookEvery(INTERVAL);
  server.once('close', () => lookEvery(0));
}

interface UnreadBytes {
  connection: HttpConnection;
  bytes: number;
}

/** A reader that has unread data. */
interface Mark extends UnreadBytes {
  /** The bytes read so far, and when this count was first seen. */
  taken: number;
  seen: number;
  /** When waiting data was first seen. */
  takenFirst: number;
  seenFirst: number;
}

class Readers {
  /** Connections with waiting data at the last check. */
  count = 0;
  /** Total time of the checks in milliseconds, and the time of the last check. */
  #watched = 0;
  #last = performance.now();
  #marks = new WeakMap<Socket, Mark>();

  /** Returns connections that have read nothing for too long, or the slowest ones while too much data waits. */
  slow(connections: HttpConnections): UnreadBytes[] {
    const now = this.#now();
    const marks: Mark[] = [];
    for (const connection of connections) {
      const mark = this.#look(connection, now);
      if (mark) marks.push(mark);
    }
    this.count = marks.length;
    const late = marks.filter(({ seen }) => now - seen >= PATIENCE);
    marks.sort((one, other) => one.seen - other.seen);
    const slow = marks.filter(mark => isSlow(mark, now));
    return [...late, ...selectExcess(MOST_WAITING, marks, slow), ...selectExcess(MOST_IN_ALL, marks)];
  }

  #now(): number {
    const now = performance.now();
    this.#watched += Math.min(now - this.#last, LONGEST_INTERVAL);
    this.#last = now;
    return this.#watched;
  }

  #look(connection: HttpConnection, now: number): Mark | undefined {
    const { socket } = connection;
    const last = this.#marks.get(socket);
    if (socket.writableLength === 0) {
      if (last) this.#marks.delete(socket);
      return undefined;
    }
    const taken = socket.bytesWritten - socket.writableLength;
    const bytes = Math.max(connection.waiting, socket.writableLength);
    const { takenFirst = taken, seenFirst = now } = last ?? {};
    const seen = last?.taken === taken ? last.seen : now;
    const mark = { connection, bytes, taken, seen, takenFirst, seenFirst };
    this.#marks.set(socket, mark);
    return mark;
  }
}

function isSlow({ taken, takenFirst, seenFirst }: Mark, now: number): boolean {
  const time = now - seenFirst;
  return time >= GLANCE && taken - takenFirst < PACE * time;
}

function longestUnended(connections: HttpConnections): readonly UnreadBytes[] {
  const unended: UnreadBytes[] = [];
  for (const connection of connections) {
    const { bytesRead } = connection.socket;
    if (!isBetweenRequests(connection)) connection.read = bytesRead;
    const bytes = bytesRead - connection.read;
    if (bytes > 0) unended.push({ connection, bytes });
  }
  unended.sort((one, other) => other.bytes - one.bytes);
  return selectExcess(MOST_UNENDED, unended);
}

/**
 * If all together exceed the limit, returns the first candidates so that the rest uses at most half of it.
 * @param candidates connections that can be closed
 */
function selectExcess(
  limit: number,
  holding: readonly UnreadBytes[],
  candidates = holding,
): readonly UnreadBytes[] {
  let total = holding.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= limit) return [];
  return candidates.filter(({ bytes }) => {
    if (total <= limit / 2) return false;
    total -= bytes;
    return true;
  });
}
