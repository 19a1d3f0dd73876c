import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HttpConnection, HttpConnections } from '../../src/http/connections.ts';
import { cutSlowClients } from '../../src/http/slow-clients.ts';

/** Tests readers in simulated time. Real ones, and their cost, are tested in test:faults. */
const MIB = 1024 * 1024;

/** One end of a connection. The test sets how many bytes are pending, read and received. */
class Peer {
  isCut = false;
  isReset = false;
  socket = {
    ...{ writableLength: 0, bytesWritten: 0, bytesRead: 0 },
    destroy: () => this.#cut(),
    resetAndDestroy: () => {
      this.isReset = true;
      this.#cut();
    },
  };
  connection = { socket: this.socket, read: 0, waiting: 0 } as unknown as HttpConnection;

  /** @param waiting number of unread bytes */
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

let open: Set<HttpConnection>;
let connections: HttpConnections;
let server: EventEmitter;
beforeEach(() => {
  vi.useFakeTimers();
  open = new Set();
  server = new EventEmitter();
  connections = Object.defineProperty(open, 'count', { get: () => open.size }) as unknown as HttpConnections;
  cutSlowClients(server as Server, connections);
});
afterEach(() => {
  server.emit('close');
  vi.useRealTimers();
});

/** Advances the clock while each of these clients reads this many bytes per second. */
function pass(seconds: number, pace = 0, ...peers: Peer[]): void {
  for (let tenths = 0; tenths < seconds * 10; tenths++) {
    for (const peer of peers) peer.take(pace / 10);
    vi.advanceTimersByTime(100);
  }
}

const cut = (peers: readonly Peer[]) => peers.map(({ isCut }) => isCut);

it('checks for slow clients run only while a client is connected', () => {
  expect(vi.getTimerCount()).toBe(0);
  const readers = [new Peer(1), new Peer(1)];
  expect(vi.getTimerCount()).toBe(1);
  pass(11);
  expect(cut(readers)).toEqual([true, true]);
  expect(vi.getTimerCount()).toBe(0);
  const next = new Peer(1);
  pass(11);
  expect(next.isCut).toBe(true);
  new Peer(1);
  expect(vi.getTimerCount()).toBe(1);
  server.emit('close');
  expect(vi.getTimerCount()).toBe(0);
});

it('few idle connections are checked only once a second', () => {
  const looks = vi.spyOn(open, Symbol.iterator);
  const few = Array.from({ length: 64 }, () => new Peer());
  pass(10);
  expect(looks.mock.calls.length).toBeLessThanOrEqual(2 * 10);
  const sender = new Peer();
  for (const { socket } of [...few, sender]) socket.bytesRead = MIB / 4;
  pass(0.1);
  expect(cut([...few, sender])).toContain(true);
});

describe('a slow reader', () => {
  it('is disconnected ten seconds after it last read something', () => {
    const reader = new Peer(1);
    pass(9.5);
    reader.take(1);
    // The next check detects the progress.
    pass(0.1 + 9.9);
    expect(reader.isCut).toBe(false);
    pass(0.1);
    expect(reader.isCut).toBe(true);
  });

  it.each([
    ['1.0', false, true],
    ['1.0', true, false],
    ['1.1', false, false],
  ])(
    'of HTTP/%s with a finished response (%s) is disconnected by a reset: %s',
    (httpVersion, writableFinished, isReset) => {
      const reader = new Peer(1);
      Object.assign(reader.connection, { response: { req: { httpVersion }, writableFinished } });
      pass(11);
      expect(reader).toMatchObject({ isCut: true, isReset });
    },
  );

  it('stays connected for the time for which the process was suspended', () => {
    const reader = new Peer(1);
    pass(5);
    const { now } = performance;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + 60_000);
    // The check after it counts for one second.
    pass(4.9);
    expect(reader.isCut).toBe(false);
    pass(0.5);
    expect(reader.isCut).toBe(true);
    clock.mockRestore();
  });

  it('stays connected if it has no pending bytes', () => {
    const reader = new Peer(0);
    pass(60);
    expect(reader.isCut).toBe(false);
  });
});

describe('the pending bytes of slow readers', () => {
  it('can total 64 MiB', () => {
    const readers = [new Peer(32 * MIB), new Peer(32 * MIB)];
    pass(9);
    expect(cut(readers)).toEqual([false, false]);
  });

  it('are reduced to half of the limit, starting with the readers that have been idle the longest', () => {
    const readers = [8, 8, 8, 8, 8, 8, 16].map(size => new Peer(size * MIB));
    pass(2.9);
    readers[0]!.take(1);
    expect(cut(readers)).not.toContain(true);
    readers[1]!.connection.waiting = 8 * MIB + 1;
    pass(0.2);
    expect(cut(readers)).toEqual([false, true, true, true, true, false, false]);
  });

  it('exclude readers that read a hundred kilobytes per second', () => {
    const readers = [new Peer(70 * MIB), new Peer(70 * MIB)];
    pass(9, 101_000, readers[0]!);
    expect(cut(readers)).toEqual([false, true]);
  });

  it('include readers that read nothing, regardless of their earlier progress', () => {
    const reader = new Peer(70 * MIB);
    reader.take(100 * MIB);
    pass(3.2);
    expect(reader.isCut).toBe(true);
  });

  it('of a new response are measured from its beginning', () => {
    const reader = new Peer(1);
    pass(1);
    reader.socket.writableLength = 0;
    pass(10);
    Object.assign(reader.socket, { writableLength: 70 * MIB, bytesWritten: 70 * MIB + 1 });
    connections.onWaiting();
    pass(2.9);
    expect(reader.isCut).toBe(false);
    pass(0.3);
    expect(reader.isCut).toBe(true);
  });

  it('are limited to 160 MiB together with those of all readers', () => {
    const readers = [1, 2, 3, 4, 5].map(() => new Peer(32 * MIB));
    pass(9, 200_000, ...readers);
    expect(cut(readers)).not.toContain(true);
    const last = new Peer(1);
    pass(0.2, 200_000, ...readers, last);
    expect(cut(readers)).toEqual([true, true, true, false, false]);
    expect(last.isCut).toBe(false);
  });
});

describe('incomplete headers', () => {
  it('can total 16 MiB, and the longest are disconnected first', () => {
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

  it('are measured from the end of the previous request', () => {
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
