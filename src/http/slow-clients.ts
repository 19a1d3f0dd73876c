import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type Connection, type Connections, isBetweenRequests } from './connections.ts';

/** Milliseconds for which a reader may leave untaken all that waits for it. */
const PATIENCE = 10_000;

/** Bytes of headers that have not ended yet, of all connections together. Their senders are not known yet. */
const MOST_UNENDED = 16 * 1024 * 1024;

/** Bytes that are there for readers who have not taken them, of all together: beyond it slow ones are cut. */
const MOST_WAITING = 64 * 1024 * 1024;

/** The same, beyond which any reader is cut: five of the longest answers. */
const MOST_IN_ALL = 160 * 1024 * 1024;

/** Bytes that a reader who is not slow takes in a millisecond: a hundred KB a second. */
const PACE = 100;

/** Milliseconds before the pace of a reader counts: TCP stands still while what it holds is read. */
const GLANCE = 3000;

/** Milliseconds between two looks. One timer for all connections, since one for each request would cost more. */
const INTERVAL = 100;

/** The same while nothing waits: ten wakings a second would cost more than a request. */
const IDLE_INTERVAL = 1000;

/** Milliseconds between two looks at most. In more than that it was the process that stood still, not a reader. */
const LONGEST_INTERVAL = 1000;

/** Bytes of headers that a request may have: Node refuses more. */
export const LONGEST_HEADERS = 256 * 1024;

/** Connections whose headers cannot be too long together. */
const FEW = MOST_UNENDED / LONGEST_HEADERS;

/**
 * Cuts connections that Node would keep: of readers that take nothing of what waits for them. Where memory fills it
 * also cuts those with the longest headers that do not end, and slow readers, by how long they have taken nothing.
 * Answers are written in pieces, so a reader has so much time for each piece, however long the whole is.
 */
export function cutSlowClients(server: Server, connections: Connections): void {
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
    for (const { connection } of [...slow, ...longestUnended(connections)]) connection.socket.destroy();
    const { count } = connections;
    if (count === 0) lookEvery(0);
    else lookEvery(count > FEW || readers.count > 0 ? INTERVAL : IDLE_INTERVAL);
  };
  // A service without a connection need not wake.
  server.on('connection', () => {
    if (connections.count > FEW) lookEvery(INTERVAL);
    else if (interval === 0) lookEvery(IDLE_INTERVAL);
  });
  connections.onWaiting = () => lookEvery(INTERVAL);
  server.once('close', () => lookEvery(0));
}

interface Holding {
  connection: Connection;
  bytes: number;
}

/** A reader for whom something waits. */
interface Mark extends Holding {
  /** The bytes that it has taken so far, and the time when that was seen first. */
  taken: number;
  seen: number;
  /** The same when something was first seen to wait for it. */
  takenFirst: number;
  seenFirst: number;
}

class Readers {
  /** The number of those for whom something waited at the last look. */
  count = 0;
  /** Milliseconds of looking, and when it was looked last. */
  #watched = 0;
  #last = performance.now();
  #marks = new WeakMap<Socket, Mark>();

  /** Those that have taken nothing for too long, or for longest while too much waits. */
  slow(connections: Connections): Holding[] {
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
    return [...late, ...beyond(MOST_WAITING, marks, slow), ...beyond(MOST_IN_ALL, marks)];
  }

  #now(): number {
    const now = performance.now();
    this.#watched += Math.min(now - this.#last, LONGEST_INTERVAL);
    this.#last = now;
    return this.#watched;
  }

  #look(connection: Connection, now: number): Mark | undefined {
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

function longestUnended(connections: Connections): readonly Holding[] {
  const unended: Holding[] = [];
  for (const connection of connections) {
    const { bytesRead } = connection.socket;
    if (!isBetweenRequests(connection)) connection.read = bytesRead;
    const bytes = bytesRead - connection.read;
    if (bytes > 0) unended.push({ connection, bytes });
  }
  unended.sort((one, other) => other.bytes - one.bytes);
  return beyond(MOST_UNENDED, unended);
}

/**
 * The first ones, when all together are more than the limit: as many as leave half of it to the others.
 * @param candidates those that may be among them
 */
function beyond(limit: number, holding: readonly Holding[], candidates = holding): readonly Holding[] {
  let total = holding.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= limit) return [];
  return candidates.filter(({ bytes }) => {
    if (total <= limit / 2) return false;
    total -= bytes;
    return true;
  });
}
