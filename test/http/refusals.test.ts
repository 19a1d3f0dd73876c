import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { answerClientErrors } from '../../src/http/client-errors.ts';
import { ListenFailed, listen, requireFreePort } from '../../src/http/listen.ts';
import { errorReply, Refusal, type RefusalName } from '../../src/http/respond.ts';
import { createServer as createOurServer } from '../../src/http/server.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { simulateTimers } from '../support/simulated-timers.ts';
import { until } from '../support/until.ts';

it.each<[RefusalName, number, string]>([
  ['malformed', 400, 'Bad request'],
  ['malformedCoding', 400, 'The body is not compressed as Content-Encoding says'],
  ['unauthorized', 401, 'Unauthorized'],
  ['noPerson', 401, 'The proxy identified no user: sign in there, and open the page through it'],
  ['foreignAccount', 403, 'You have no access to this account: PAGE_LOGIN_ACCOUNTS defines the access'],
  [
    'foreignDocument',
    403,
    'Signing in through the proxy allows only the documents of the page: use /graphql with a key',
  ],
  [
    'noAccounts',
    403,
    'You are signed in, but have no access to any account: PAGE_LOGIN_ACCOUNTS defines the access',
  ],
  ['noApiAccess', 403, 'API access requires a Business plan or higher'],
  ['notFound', 404, 'Not found'],
  ['methodNotAllowed', 405, 'Method not allowed'],
  ['timedOut', 408, 'Request timeout'],
  ['bodyTooLarge', 413, 'Request body too large'],
  ['targetTooLong', 414, 'Request target too long'],
  ['unsupportedCoding', 415, 'Unsupported Content-Encoding: send gzip, deflate, br or none'],
  ['tooManyRequests', 429, 'Too many requests'],
  ['headersTooLarge', 431, 'Request header fields too large'],
  ['unforeseen', 500, 'Internal server error'],
  ['unavailable', 503, 'Service unavailable'],
])('the refusal %s has the status %d and its own message', (name, status, error) => {
  expect(errorReply(new Refusal(name, { Allow: 'GET' }))).toEqual({
    status,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      Allow: 'GET',
    },
    body: JSON.stringify({ error }),
  });
});

it('a port that cannot be opened is refused with its reason and the setting to change', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const taken = { host: '127.0.0.1', port };
  const inUse = `Port ${port} of 127.0.0.1 is in use: stop the process that listens there, or choose another port with`;
  await expect(requireFreePort(taken)).rejects.toThrow(new ListenFailed(`${inUse} PORT.`));
  await expect(requireFreePort({ ...taken, setting: 'ADMIN_PORT' })).rejects.toThrow(
    new ListenFailed(`${inUse} ADMIN_PORT.`),
  );
  await expect(listen(createServer(), { ...taken, setting: '--port' })).rejects.toThrow(
    new ListenFailed(`${inUse} --port.`),
  );
  other.close();
  await expect(listen(createServer(), { host: '192.0.2.1', port: 0 })).rejects.toThrow(
    new ListenFailed('192.0.2.1 is not an address of this machine: choose another with HOST.'),
  );
});

it.each([
  [
    'EADDRINUSE',
    'Port 80 of a is in use: stop the process that listens there, or choose another port with ADMIN_PORT.',
  ],
  ['EACCES', 'Port 80 cannot be opened by this user: choose one above 1023 with ADMIN_PORT.'],
  ['EADDRNOTAVAIL', 'a is not an address of this machine: choose another with HOST.'],
  ['ENOTFOUND', 'a is not an address of this machine: choose another with HOST.'],
  ['EMFILE', 'The service cannot listen on port 80 of a: too bad'],
])('a port that cannot be opened because of %s is refused', async (code, message) => {
  const server = createServer();
  server.listen = (() =>
    void setImmediate(() => server.emit('error', Object.assign(new Error('too bad'), { code })))) as never;
  const place = { host: 'a', port: 80, setting: 'ADMIN_PORT' };
  await expect(listen(server, place)).rejects.toThrow(new ListenFailed(message));
});

/** A connection with the state of its latest request, if there was one. */
function openConnection(
  latest: { complete?: boolean; finished?: boolean; headersSent?: boolean; isQueued?: boolean } | undefined,
) {
  const server = new EventEmitter();
  const socket = new PassThrough();
  const response = Object.assign(new EventEmitter(), {
    socket: latest?.isQueued ? null : socket,
    headersSent: latest?.headersSent ?? false,
    writableFinished: latest?.finished ?? false,
    req: { httpVersion: '1.1' },
  });
  const connection = { socket, response, incoming: latest && { complete: latest.complete ?? false } };
  const told: string[] = [];
  answerClientErrors(
    server as Server,
    { get: () => connection } as never,
    ({ method, path }) => ({ status: 405, headers: { Allow: 'GET' }, body: `${method} ${path}` }),
    (status, reason) => told.push(`${status} ${reason}`),
  );
  const fail = (code: string, more = {}) =>
    server.emit('clientError', Object.assign(new Error('no'), { code, ...more }), socket);
  /** Returns what the client has received since the last call. */
  const receive = async () => {
    await new Promise(setImmediate);
    const text = String(socket.read() ?? '').replace(/X-Request-Id: [\w-]{36}\r\n/, '');
    return [text.split('\r\n').filter(Boolean).join('; '), told.splice(0).join(), socket.destroyed];
  };
  return { server, socket, response, fail, receive };
}

const refusal = (status: string, text: string) =>
  `HTTP/1.1 ${status}; Content-Type: application/json; charset=utf-8; Cache-Control: no-store; ` +
  `X-Content-Type-Options: nosniff; Content-Length: ${text.length + 12}; Connection: close; {"error":"${text}"}`;
const MALFORMED = [refusal('400 Bad Request', 'Bad request'), '400 HPE_INVALID', false];

it.each([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large', 'Request header fields too large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout', 'Request timeout'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', '413 Payload Too Large', 'Request body too large'],
  ['HPE_INVALID_METHOD', '400 Bad Request', 'Bad request'],
])(
  'input that causes %s is refused once, with the status and the reason for the log',
  async (code, status, text) => {
    const { fail, receive } = openConnection(undefined);
    fail(code);
    expect(await receive()).toEqual([refusal(status, text), `${status.slice(0, 3)} ${code}`, false]);
    fail(code);
    expect(await receive()).toEqual(['', '', expect.any(Boolean)]);
  },
);

it('input after a request that is being answered is refused once, when that is complete', async () => {
  const pending = openConnection({ complete: true });
  for (let times = 0; times < 2; times++) pending.fail('HPE_INVALID');
  expect(await pending.receive()).toEqual(['', '', false]);
  pending.response.emit('finish');
  expect(await pending.receive()).toEqual(MALFORMED);
  for (const latest of [{ complete: true, finished: true }, { complete: false }]) {
    const { fail, receive } = openConnection(latest);
    fail('HPE_INVALID');
    expect(await receive()).toEqual(MALFORMED);
  }
});

it('a client has two seconds to read its refusal before its connection is closed', async () => {
  const countPending = simulateTimers();
  const slow = openConnection(undefined);
  slow.fail('HPE_INVALID');
  expect(await slow.receive()).toEqual(MALFORMED);
  vi.advanceTimersByTime(1999);
  expect(slow.socket.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(slow.socket.destroyed).toBe(true);
  const left = openConnection(undefined);
  left.fail('HPE_INVALID');
  await left.receive();
  left.socket.destroy();
  await left.receive();
  expect(countPending(2000)).toBe(0);
});

it('a connection whose refusal nobody could read is closed', async () => {
  // The second would be taken for the response to an earlier request.
  for (const begun of [{ headersSent: true }, { isQueued: true }]) {
    const { fail, receive } = openConnection({ complete: false, ...begun });
    fail('HPE_INVALID');
    expect(await receive()).toEqual(['', '', true]);
  }
  const reset = openConnection(undefined);
  reset.fail('ECONNRESET');
  expect(await reset.receive()).toEqual(['', '', true]);
  const ended = openConnection(undefined);
  ended.socket.end();
  ended.fail('HPE_INVALID');
  expect(await ended.receive()).toEqual(['', '', true]);
});

it('unknown methods and CONNECT are answered, and named for the log', async () => {
  const unknown = openConnection(undefined);
  unknown.fail('HPE_INVALID_METHOD', {
    rawPacket: Buffer.from('BREW /pot HTTP/1.1\r\n\r\n'),
    bytesParsed: 1,
  });
  expect(await unknown.receive()).toEqual([
    'HTTP/1.1 405 Method Not Allowed; Allow: GET; X-Content-Type-Options: nosniff; Content-Length: 9; Connection: close; BREW /pot',
    '405 HPE_INVALID_METHOD',
    false,
  ]);
  const { server, socket, receive } = openConnection(undefined);
  server.emit('connect', { socket });
  const [text, ...others] = await receive();
  expect(text).toMatch(/^HTTP\/1\.1 405 Method Not Allowed; .*; Allow: GET; .*"Method not allowed"\}$/);
  expect(others).toEqual(['405 CONNECT', false]);
});

it('CONNECT after a request that is being answered is refused when that is complete', async () => {
  const pending = openConnection({ complete: true });
  pending.server.emit('connect', { socket: pending.socket });
  expect(await pending.receive()).toEqual(['', '', false]);
  pending.response.emit('finish');
  expect(await pending.receive()).toEqual([
    expect.stringMatching(/^HTTP\/1\.1 405 Method Not Allowed; /),
    '405 CONNECT',
    false,
  ]);
  const gone = openConnection({ complete: true });
  gone.server.emit('connect', { socket: gone.socket });
  gone.socket.destroy();
  gone.response.emit('finish');
  expect(await gone.receive()).toEqual(['', '', true]);
});

it('a connection that is reset after CONNECT ends without an uncaught error', async () => {
  const { server, socket, receive } = openConnection(undefined);
  server.emit('connect', { socket });
  await receive();
  expect(socket.emit('error', new Error('read ECONNRESET'))).toBe(true);
});

it('a request that no app sees and a stream that fails are in the log', async () => {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({}, { write: line => void lines.push(JSON.parse(line)) });
  const server = createOurServer({
    app: async () => ({ status: 200, headers: {}, body: failLater() }),
    logger,
    answerLimit: 60_000,
  });
  onTestFinished(() => void server.close().closeAllConnections());
  const port = await listen(server, { host: '127.0.0.1', port: 0 });
  const exchange = (head: string) => {
    const connection = new RawConnection(`http://127.0.0.1:${port}`);
    connection.write(`GET / HTTP/1.1\r\n${head}\r\n\r\n`);
    return connection.readAll();
  };
  expect(await exchange('Host: a b\r\nX-Request-Id: refused')).toMatchObject([{ status: 400 }]);
  await expect(exchange('Host: a\r\nX-Request-Id: failed')).rejects.toThrow('half an answer');
  await until(() => expect(lines).toHaveLength(3));
  expect(lines).toMatchObject([
    { level: 30, requestId: 'refused', route: '(none)', status: 400, msg: 'request' },
    { level: 50, requestId: 'failed', err: { message: 'lost' }, msg: 'a stream was cut off' },
    { level: 40, requestId: 'failed', msg: 'the connection ended before the response' },
  ]);
});

async function* failLater() {
  yield Buffer.from('1');
  throw new Error('lost');
}
