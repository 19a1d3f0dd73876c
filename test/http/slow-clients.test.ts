import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Connection, Connections } from '../../src/http/connections.ts';
import { cutSlowClients } from '../../src/http/slow-clients.ts';

/** Readers in a time of their own: real ones, and what they cost a process, are in test:faults. */
const MIB = 1024 * 1024;

/** One end of a connection, of which as much waits, is taken and comes in as the test says. */
class Peer {
  isCut = false;
  socket = { writableLength: 0, bytesWritten: 0, bytesRead: 0, destroy: () => this.#cut() };
  connection = { socket: this.socket, read: 0, waiting: 0 } as unknown as Connection;

  /** @param waiting bytes that it has not taken */
  constructor(waiting = 0) {
    this.socket.writableLength = waiting;
    this.socket.bytesWritten = waiting;
    open.add(this.connection);
    server.emit('connection');
    if (waiting > 1) connections.onWaiting();
  }

  take(bytes: number): void {
    this.socket.bytesWritten += bytes;
  }

  #cut(): void {
    this.isCut = true;
    open.delete(this.connection);
  }
}

let open: Set<Connection>;
let connections: Connections;
let server: EventEmitter;
beforeEach(() => {
  vi.useFakeTimers();
  open = new Set();
  server = new EventEmitter();
  connections = Object.defineProperty(open, 'count', { get: () => open.size }) as unknown as Connections;
  cutSlowClients(server as Server, connections);
});
afterEach(() => {
  server.emit('close');
  vi.useRealTimers();
});

/** Lets time pass, in which each of these takes so many bytes a second. */
function pass(seconds: number, pace = 0, ...peers: Peer[]): void {
  for (let tenths = 0; tenths < seconds * 10; tenths++) {
    for (const peer of peers) peer.take(pace / 10);
    vi.advanceTimersByTime(100);
  }
}

const cut = (peers: readonly Peer[]) => peers.map(({ isCut }) => isCut);

it('is looked for only while somebody is connected', () => {
  expect(vi.getTimerCount()).toBe(0);
  const readers = [new Peer(1), new Peer(1)];
  expect(vi.getTimerCount()).toBe(1);
  pass(11);
  expect(cut(readers)).toEqual([true, true]);
  expect(vi.getTimerCount()).toBe(0);
  const next = new Peer(1);
  pass(11);
  expect(next.isCut).toBe(true);
});

it('is looked for once a second while nothing waits, and these are not many', () => {
  const looks = vi.spyOn(open, Symbol.iterator);
  const few = Array.from({ length: 64 }, () => new Peer());
  pass(10);
  expect(looks.mock.calls.length).toBeLessThanOrEqual(2 * 10);
  const sender = new Peer();
  for (const { socket } of [...few, sender]) socket.bytesRead = MIB / 4;
  pass(0.1);
  expect(cut([...few, sender])).toContain(true);
});

describe('a reader', () => {
  it('has ten seconds to take anything, and as many more each time', () => {
    const reader = new Peer(1);
    pass(9.5);
    reader.take(1);
    // The first look after it sees that something was taken.
    pass(0.1 + 9.9);
    expect(reader.isCut).toBe(false);
    pass(0.1);
    expect(reader.isCut).toBe(true);
  });

  it('is left alone for whom nothing waits', () => {
    const reader = new Peer(0);
    pass(60);
    expect(reader.isCut).toBe(false);
  });
});

describe('what waits for readers who are slow', () => {
  it('may be 64 MiB of all together', () => {
    const readers = [new Peer(32 * MIB), new Peer(32 * MIB)];
    pass(9);
    expect(cut(readers)).toEqual([false, false]);
  });

  it('and beyond that half of it is left, of those who took something last', () => {
    const readers = [8, 8, 8, 8, 8, 8, 16].map(size => new Peer(size * MIB));
    pass(2.9);
    readers[0]!.take(1);
    expect(cut(readers)).not.toContain(true);
    readers[1]!.connection.waiting = 8 * MIB + 1;
    pass(0.2);
    expect(cut(readers)).toEqual([false, true, true, true, true, false, false]);
  });

  it('does not count against who takes a hundred KB a second', () => {
    const readers = [new Peer(70 * MIB), new Peer(70 * MIB)];
    pass(9, 101_000, readers[0]!);
    expect(cut(readers)).toEqual([false, true]);
  });

  it('counts against who takes none of it, however much that was of earlier answers', () => {
    const reader = new Peer(70 * MIB);
    reader.take(100 * MIB);
    pass(3.2);
    expect(reader.isCut).toBe(true);
  });

  it('may be 160 MiB of all readers', () => {
    const readers = [1, 2, 3, 4, 5].map(() => new Peer(32 * MIB));
    pass(9, 200_000, ...readers);
    expect(cut(readers)).not.toContain(true);
    const last = new Peer(1);
    pass(0.2, 200_000, ...readers, last);
    expect(cut(readers)).toEqual([true, true, true, false, false]);
    expect(last.isCut).toBe(false);
  });
});

describe('headers that do not end', () => {
  it('may be 16 MiB of all together, and the longest go first', () => {
    const senders = [4, 9, 3].map(size => {
      const sender = new Peer();
      sender.socket.bytesRead = size * MIB;
      return sender;
    });
    pass(1);
    expect(cut(senders)).not.toContain(true);
    senders[2]!.socket.bytesRead++;
    pass(1);
    expect(cut(senders)).toEqual([false, true, false]);
  });

  it('are those behind the last request alone', () => {
    const sender = new Peer();
    Object.assign(sender.connection, { incoming: { complete: false }, response: {} });
    sender.socket.bytesRead = 100 * MIB;
    pass(1);
    Object.assign(sender.connection, { incoming: { complete: true }, response: { writableFinished: true } });
    sender.socket.bytesRead += 16 * MIB;
    pass(1);
    expect(sender.isCut).toBe(false);
    sender.socket.bytesRead++;
    pass(1);
    expect(sender.isCut).toBe(true);
  });
});
