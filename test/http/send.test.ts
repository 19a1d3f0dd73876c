import { EventEmitter } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { newNotes } from '../../src/http/incoming.ts';
import { listen } from '../../src/http/listen.ts';
import type { Reply } from '../../src/http/reply.ts';
import { letWait, NoRoom } from '../../src/http/room.ts';
import { PIECE, type SendContext, send } from '../../src/http/send.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { exchangeRaw } from '../support/raw-http.ts';

/** The response for each path. */
const REPLIES: Record<string, Pick<Reply, 'status' | 'body'> & Partial<Reply>> = {
  '/text': { status: 200, body: '{"type":"personal"}' },
  '/wide': { status: 200, body: '"héllo 😀"' },
  '/bytes': { status: 200, body: Buffer.from('{"days":[]}') },
  '/kept': { status: 304, body: '' },
  '/nothing': { status: 200, body: '' },
  '/private': { status: 200, body: '1', headers: { 'Cache-Control': 'private' } },
  '/long': { status: 200, body: 'é'.repeat(PIECE) },
  '/list': { status: 200, body: [Buffer.from('[1,'), Buffer.alloc(PIECE + 1, '2'), Buffer.from(']')] },
  '/stream': { status: 200, body: Readable.from([Buffer.from('[1,'), Buffer.from('2]')]) },
};

/** How many buffers were passed to the system, and in which batches. */
let written = { pieces: 0, lists: 0 };
const onSent = vi.fn();
/** The context of the latest response. */
let last: (Pick<SendContext, 'request' | 'connection'> & { response: ServerResponse }) | undefined;
/** Responses that were never sent: those for `/gone`. */
const waiting: { response: ServerResponse; answer(): void }[] = [];
const server = createServer((request, response) => {
  const reply = { headers: {}, onSent, ...(REPLIES[request.url!] ?? REPLIES['/text']!) };
  const onCut = (error: unknown) => expect.unreachable(String(error));
  const sending = { request: { id: 'one', notes: newNotes() }, connection: { waiting: 0 }, onCut };
  last = { ...sending, response };
  const answer = () => void send(response, reply, sending);
  if (request.url === '/gone') waiting.push({ response, answer });
  else answer();
});
let url: string;
let connection: RawConnection;

beforeAll(async () => {
  server.on('connection', socket => {
    const [write, writeList] = [socket._write.bind(socket), socket._writev!.bind(socket)];
    socket._write = (...given) => {
      written.pieces++;
      write(...given);
    };
    socket._writev = (...given) => {
      written.lists++;
      writeList(...given);
    };
  });
  const port = await listen(server, { host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${port}`;
  connection = new RawConnection(url);
});
beforeEach(() => {
  written = { pieces: 0, lists: 0 };
  onSent.mockClear();
});
afterAll(() => {
  connection.close();
  server.close();
});

const head = (method: string, path: string) => `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

describe('a short response', () => {
  it.each([
    ['GET', '/text', 19],
    ['GET', '/wide', 13],
    ['GET', '/nothing', 0],
    ['GET', '/kept', undefined],
  ])('is written in one piece: %s %s', async (method, path, length) => {
    connection.write(head(method, path));
    const { status, body } = REPLIES[path]!;
    const answer = await connection.read();
    expect(answer).toMatchObject({ status, body });
    expect(answer!.headers.get('content-length')).toBe(length?.toString());
    expect(written).toEqual({ pieces: 1, lists: 0 });
    await vi.waitFor(() => expect(onSent).toHaveBeenCalledOnce());
  });

  it('is written as a list of head and bytes', async () => {
    connection.write(head('GET', '/bytes'));
    expect(await connection.read()).toMatchObject({ status: 200, body: '{"days":[]}' });
    expect(written).toEqual({ pieces: 0, lists: 1 });
    await vi.waitFor(() => expect(onSent).toHaveBeenCalledOnce());
  });

  it('keeps its order among pipelined responses', async () => {
    const paths = ['/text', '/bytes', '/wide', '/nothing', '/text'];
    connection.write(paths.map(path => head('GET', path)).join(''));
    for (const path of paths)
      expect(await connection.read()).toMatchObject({ body: String(REPLIES[path]!.body) });
    await vi.waitFor(() => expect(onSent).toHaveBeenCalledTimes(paths.length));
  });

  it('consists of only the head for HEAD', async () => {
    const answer = await exchangeRaw(
      url,
      `HEAD /text HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\nContent-Length: 19\r\n[\s\S]*\r\n\r\n$/);
    expect(written).toEqual({ pieces: 1, lists: 0 });
    await vi.waitFor(() => expect(onSent).toHaveBeenCalledOnce());
  });

  it('is dropped if the client has disconnected', async () => {
    const gone = new RawConnection(url);
    gone.write(head('GET', '/gone'));
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    gone.close();
    await vi.waitFor(() => expect(waiting[0]!.response.destroyed).toBe(true));
    waiting[0]!.answer();
    connection.write(head('GET', '/text'));
    expect(await connection.read()).toMatchObject({ status: 200 });
    expect(onSent).toHaveBeenCalledOnce();
  });
});

describe('a response', () => {
  it.each([
    ['/private', 1, '1'],
    ['/long', 2 * PIECE, String(2 * PIECE)],
    ['/list', PIECE + 5, String(PIECE + 5)],
    ['/stream', 5, undefined],
  ])('%s is sent whole and counted, and then its reader waits for nothing', async (path, bytes, length) => {
    connection.write(head('GET', path));
    const answer = await connection.read();
    expect([answer!.status, Buffer.byteLength(answer!.body)]).toEqual([200, bytes]);
    expect(answer!.headers.get('content-length')).toBe(length);
    await vi.waitFor(() => expect(onSent).toHaveBeenCalledOnce());
    expect([last!.request.notes.bytes, last!.connection.waiting]).toEqual([bytes, 0]);
    // Node itself has one listener, which it removes when the connection is ready for its next response.
    expect(last!.response.listenerCount('close')).toBeLessThanOrEqual(1);
  });

  it.each([
    ['/text', 'no-store'],
    ['/private', 'private'],
  ])('%s is not cached unless its headers allow it', async (path, cacheControl) => {
    connection.write(head('GET', path));
    const { headers } = (await connection.read())!;
    expect(
      ['cache-control', 'x-request-id', 'x-content-type-options'].map(name => headers.get(name)),
    ).toEqual([cacheControl, 'one', 'nosniff']);
  });
});

it.each([
  [PIECE + 1, 1],
  [1.5 * PIECE - 1, 1],
  [1.5 * PIECE, 2],
  [2.5 * PIECE - 1, 2],
  [3 * PIECE + 1, 3],
])('a response of %i bytes is written in %i pieces of similar size', async (length, count) => {
  const sizes: number[] = [];
  const response = Object.assign(new EventEmitter(), {
    destroyed: false,
    writeHead() {},
    write: ({ length }: Buffer, done: () => void) => {
      sizes.push(length);
      done();
    },
    end: vi.fn(),
  });
  const sending = { request: { id: 'one', notes: newNotes() }, connection: { waiting: 0 }, onCut() {} };
  const reply: Reply = { status: 200, headers: {}, body: [Buffer.alloc(length)] };
  await send(response as unknown as ServerResponse, reply, sending);
  expect([sizes.length, sizes.reduce((sum, size) => sum + size, 0)]).toEqual([count, length]);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(count);
});

it('the buffer of a long response is not reused if its client disconnects while it is written', async () => {
  const response = Object.assign(new EventEmitter(), {
    destroyed: false,
    writeHead() {},
    write: vi.fn(),
    end: vi.fn(),
  });
  const reply: Reply = { status: 200, headers: {}, body: [Buffer.alloc(PIECE + 1)], onSent };
  const sending: SendContext = {
    request: { id: 'one', notes: newNotes() },
    connection: { waiting: 0 },
    onCut: error => expect.unreachable(String(error)),
  };
  const sent = send(response as unknown as ServerResponse, reply, sending);
  await vi.waitFor(() => expect(response.write).toHaveBeenCalledOnce());
  response.destroyed = true;
  response.emit('close');
  await sent;
  expect(onSent).not.toHaveBeenCalled();
  expect(sending.connection.waiting).toBe(0);
});

describe('a stream', () => {
  /** Sends a stream of three pieces to a client that disconnects while it gets the first one, or stays. */
  async function sendStream({ leaves = false, fails = false }) {
    const socket = { destroy: vi.fn() };
    const response = Object.assign(new EventEmitter(), {
      destroyed: false,
      socket,
      req: { httpVersion: '1.1' },
      writeHead() {},
      write: (_: Buffer, done: () => void) => {
        response.destroyed = leaves;
        done();
      },
      end: vi.fn(),
      destroy: vi.fn(),
    });
    const seen = { read: 0, isClosed: false, cuts: [] as unknown[] };
    async function* body() {
      try {
        for (; seen.read < 3; seen.read++) {
          if (fails && seen.read === 2) throw new Error('lost');
          yield Buffer.from('a');
        }
      } finally {
        seen.isClosed = true;
      }
    }
    const onCut = (error: unknown) => void seen.cuts.push(error);
    const sending = { request: { id: 'one', notes: newNotes() }, connection: { waiting: 0 }, onCut };
    await send(response as unknown as ServerResponse, { status: 200, headers: {}, body: body() }, sending);
    const { end, destroy } = response;
    return { ...seen, calls: [end, destroy, socket.destroy].map(({ mock }) => mock.calls.length) };
  }

  it('is read to its end, and no further once its client has disconnected', async () => {
    const cuts: unknown[] = [];
    expect(await sendStream({})).toEqual({ read: 3, isClosed: true, cuts, calls: [1, 0, 0] });
    expect(await sendStream({ leaves: true })).toEqual({ read: 1, isClosed: true, cuts, calls: [0, 0, 0] });
  });

  it('that fails is cut off with a reason', async () => {
    const cuts = [new Error('lost')];
    expect(await sendStream({ fails: true })).toEqual({ read: 2, isClosed: true, cuts, calls: [0, 1, 1] });
  });
});

it('responses of more than one piece can take 128 MiB of an account together', () => {
  const [onWaiting, onSent] = [vi.fn(), vi.fn()];
  const others = [
    { account: 'ada', waiting: 128 * 1024 * 1024 - PIECE - 1 },
    { account: 'bob', waiting: 128 * 1024 * 1024 },
  ];
  const connections = Object.assign(others, { onWaiting }) as never;
  const takeRoom = (size: number) => {
    const connection: { account?: string } = {};
    letWait(
      { status: 200, headers: {}, body: Buffer.alloc(size), onSent },
      connection as never,
      'ada',
      connections,
    );
    return connection.account;
  };
  expect([takeRoom(PIECE), takeRoom(PIECE + 1)]).toEqual([undefined, 'ada']);
  expect([onWaiting.mock.calls.length, onSent.mock.calls.length]).toEqual([1, 0]);
  expect(() => takeRoom(PIECE + 2)).toThrow(NoRoom);
  expect([onWaiting.mock.calls.length, onSent.mock.calls.length]).toEqual([1, 1]);
});
