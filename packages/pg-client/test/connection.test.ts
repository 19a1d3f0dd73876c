import { getEventListeners, once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  BOUND,
  column,
  DONE,
  describeColumns,
  failWith,
  int,
  message,
  PARSED,
  PREPARED,
  READY,
  RESULT,
  row,
} from '../../../test/support/server-stream.ts';
import { simulateTimers } from '../../../test/support/simulated-timers.ts';
import { until } from '../../../test/support/until.ts';
import { Connection } from '../src/client/connection.ts';
import { inTime } from '../src/client/in-time.ts';
import type { ReadSettings } from '../src/database.ts';
import { dial } from '../src/dial/dial.ts';
import { Hosts } from '../src/dial/hosts.ts';
import { ConnectionLost } from '../src/driver/errors.ts';
import { CommandConnection } from '../src/index.ts';

/** A server that answers the first message of each connection, and later ones, with these bytes. */
let greeting: Buffer;
/** The answers to the first messages of the next connections, before `greeting`. */
let greetings: Buffer[];
let answer: Buffer;
let server: Server;
let sockets: Socket[];
let firstMessages: string[];
let closed: number;

const WELCOME = Buffer.concat([message('R', int(0, 4)), READY]);
const ANSWER = Buffer.concat([...PREPARED, ...RESULT]);

beforeAll(async () => {
  server = createServer(socket => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('close', () => closed++);
    socket.once('data', bytes => {
      firstMessages.push(bytes.toString('latin1'));
      socket.write(greetings.shift() ?? greeting);
      socket.on('data', () => socket.write(answer));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(() => {
  [greeting, greetings, answer, sockets, firstMessages, closed] = [WELCOME, [], ANSWER, [], [], 0];
});
afterAll(() => void server.close());

function url(parameters = '', ...hosts: string[]): string {
  const { port } = server.address() as { port: number };
  const all = (hosts.length > 0 ? hosts : ['127.0.0.1']).map(host => `${host}:${port}`);
  return `postgres://me:secret@${all}/x?sslmode=disable${parameters}`;
}

function connect(): Connection {
  const settings = { prepare: true, role: '', statementTimeout: 2000 } as ReadSettings;
  return new Connection(settings, new Hosts(url()));
}

const run = (connection: Connection) => connection.run('select a', [], true);

it('a connection opens with its first statement, and is closed at once when it is abandoned', async () => {
  answer = Buffer.concat([...PREPARED, ...RESULT, ...RESULT]);
  const connection = connect();
  const begun = Promise.all([run(connection), run(connection)]);
  expect((await begun).map(rows => rows.length)).toEqual([1, 1]);
  expect([sockets.length, connection.isLost]).toEqual([1, false]);
  answer = Buffer.alloc(0);
  const running = run(connection);
  connection.discard();
  await expect(running).rejects.toThrow(new ConnectionLost('the connection was abandoned'));
  await expect(run(connection)).rejects.toThrow('the connection was abandoned');
  await until(() => closed === 1);
  expect([sockets.length, connection.isLost]).toEqual([1, true]);
});

it('a connection that is abandoned while it opens is closed, and its statement fails', async () => {
  greeting = Buffer.alloc(0);
  const connection = connect();
  const first = run(connection);
  await until(() => sockets.length === 1);
  connection.discard();
  await expect(first).rejects.toThrow(new ConnectionLost('the connection was abandoned'));
  await until(() => closed === 1);
});

it('a server that ends a session together with its start is lost', async () => {
  greeting = Buffer.concat([WELCOME, failWith('57P01', '', 'FATAL')]);
  const connection = connect();
  await expect(run(connection)).rejects.toThrow('it failed');
  expect(connection.isLost).toBe(true);
  await until(() => closed === 1);
});

it('a session leaves no timer and no listener of its signal behind', async () => {
  const countPending = simulateTimers();
  const { signal } = new AbortController();
  const options = { parameters: {}, connectTimeout: 1000, signal };
  const { transport } = await dial(new Hosts(url()), options);
  expect([countPending(1000), getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
  vi.advanceTimersByTime(1000);
  expect(transport.lost).toBeUndefined();
  transport.lose(new Error('ended'));
  greeting = failWith('28P01', '', 'FATAL');
  await expect(dial(new Hosts(url()), options)).rejects.toThrow('it failed');
  expect([countPending(1000), getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
  greeting = Buffer.alloc(0);
  const waiting = dial(new Hosts(url('&connect_timeout=2')), options);
  await until(() => sockets.length === 3);
  vi.advanceTimersByTime(1999);
  const failed = expect(waiting).rejects.toThrow('no session within 2 s');
  vi.advanceTimersByTime(1);
  await failed;
  await until(() => closed === 3);
});

it('a session starts at the given address, whose name and options come before those of the client', async () => {
  const hosts = new Hosts(
    url('&hostaddr=127.0.0.1&application_name=mine&options=-c%20a=b', 'nowhere.invalid'),
  );
  const parameters = { application_name: 'sightline', TimeZone: 'UTC' };
  const { transport } = await dial(hosts, { parameters, connectTimeout: 0 });
  expect(firstMessages.map(bytes => bytes.slice(8).split('\0'))).toEqual([
    [
      ...['user', 'me', 'client_encoding', 'UTF8', 'database', 'x', 'application_name', 'mine'],
      ...['TimeZone', 'UTC', 'options', '-c a=b', '', ''],
    ],
  ]);
  transport.lose(new Error('ended'));
});

it('an address without a time limit takes precedence over the limit of the client', async () => {
  const countPending = simulateTimers();
  greeting = Buffer.alloc(0);
  const ended = new AbortController();
  const options = { parameters: {}, connectTimeout: 1000, signal: ended.signal };
  const waiting = dial(new Hosts(url('&connect_timeout=0')), options);
  await until(() => firstMessages.length === 1);
  expect(countPending(1000)).toBe(0);
  ended.abort();
  await expect(waiting).rejects.toThrow('the connection was abandoned');
});

it('a command waits ten seconds for a session', async () => {
  const countPending = simulateTimers();
  greeting = Buffer.alloc(0);
  const failed = expect(new CommandConnection(url(), {}).query('select 1')).rejects.toThrow(
    'no session within 10 s',
  );
  await until(() => firstMessages.length === 1);
  vi.advanceTimersByTime(9999);
  expect(countPending(10_000)).toBe(1);
  vi.advanceTimersByTime(1);
  await failed;
});

it('no further host is tried after the connection is abandoned', async () => {
  greeting = Buffer.alloc(0);
  const ended = new AbortController();
  const options = { parameters: {}, connectTimeout: 0, signal: ended.signal };
  const waiting = dial(new Hosts(url('', '127.0.0.1', 'localhost')), options);
  await until(() => firstMessages.length === 1);
  ended.abort();
  await expect(waiting).rejects.toThrow(/^127\.0\.0\.1:\d+: the connection was abandoned$/);
});

describe('the failure of several hosts', () => {
  const failure = (address: string) =>
    dial(new Hosts(address), { parameters: {}, connectTimeout: 0 }).then(
      () => undefined,
      (error: Error) => error,
    );
  const [full, shutDown, starting] = ['53300', '57P01', '57P03'].map(code => failWith(code, '', 'FATAL'));

  it.each([
    ['the last of a server that runs', [full, shutDown, starting], '57P01'],
    ['the last one if none runs', [starting, starting], '57P03'],
  ])('has as its cause %s', async (_, answers, code) => {
    greetings = answers.map(bytes => bytes!);
    const names = ['127.0.0.1', 'localhost', '127.0.0.1'].slice(0, answers.length);
    expect(await failure(url('', ...names).replace('@', '@127.0.0.1:1,'))).toMatchObject({ cause: { code } });
  });

  it('puts a host behind those that have not failed', async () => {
    greetings = [full!];
    const hosts = new Hosts(url('', '127.0.0.1', 'localhost'));
    const { transport } = await dial(hosts, { parameters: {}, connectTimeout: 0 });
    transport.lose(new Error('ended'));
    expect(hosts.candidates().map(({ host }) => host.name)).toEqual(['localhost', '127.0.0.1']);
  });

  it('names a host once if it fails in the same way twice', async () => {
    greeting = full!;
    expect(await failure(url('&target_session_attrs=prefer-standby'))).toMatchObject({
      message: expect.stringMatching(/^127\.0\.0\.1:\d+: it failed$/),
    });
    expect(sockets).toHaveLength(2);
  });
});

it('a session of another kind than the requested one is closed', async () => {
  const state = describeColumns(column('standby', 16), column('readonly', 16));
  answer = Buffer.concat([
    ...[PARSED, message('t', int(0, 2)), state, BOUND],
    ...[row('\0', '\0'), DONE, READY],
  ]);
  const hosts = new Hosts(url('&target_session_attrs=standby'));
  const options = { parameters: {}, connectTimeout: 0 };
  await expect(dial(hosts, options)).rejects.toThrow('it is not standby (target_session_attrs)');
  await until(() => closed === 1);
  const { transport } = await dial(new Hosts(url('&target_session_attrs=primary')), options);
  expect(transport.lost).toBeUndefined();
  transport.lose(new Error('ended'));
});

it('a time limit keeps the process alive until the work has ended, and no longer', async () => {
  const timers: [milliseconds: number, holds: boolean | undefined, isOn: boolean][] = [];
  let expire = () => {};
  const after = (milliseconds: number, call: () => void, holds?: boolean) => {
    const timer: (typeof timers)[number] = [milliseconds, holds, true];
    timers.push(timer);
    expire = call;
    return () => {
      timer[2] = false;
    };
  };
  const clock = { now: () => 0, after, every: () => () => {} };
  expect(await inTime(Promise.resolve('result'), 100, clock)).toBe('result');
  await expect(inTime(Promise.reject(new Error('failed')), 200, clock)).rejects.toThrow('failed');
  const late = inTime(new Promise(() => {}), 300, clock);
  expire();
  await expect(late).rejects.toThrow('no answer in time');
  expect(timers).toEqual([
    [100, true, false],
    [200, true, false],
    [300, true, false],
  ]);
});
