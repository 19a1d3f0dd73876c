import { getEventListeners, once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
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
import { until } from '../../../test/support/until.ts';
import { Connection } from '../src/client/connection.ts';
import { inTime } from '../src/client/in-time.ts';
import type { ReadSettings } from '../src/database.ts';
import { dial } from '../src/dial/dial.ts';
import { Hosts } from '../src/dial/hosts.ts';
import { ConnectionLost } from '../src/driver/errors.ts';

/** A server that answers the first message of each connection, and later ones, with these bytes. */
let greeting: Buffer;
let answer: Buffer;
let server: Server;
let sockets: Socket[];
let closed: number;

const WELCOME = Buffer.concat([message('R', int(0, 4)), READY]);
const ANSWER = Buffer.concat([...PREPARED, ...RESULT]);

beforeAll(async () => {
  server = createServer(socket => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('close', () => closed++);
    socket.once('data', () => {
      socket.write(greeting);
      socket.on('data', () => socket.write(answer));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(() => {
  [greeting, answer, sockets, closed] = [WELCOME, ANSWER, [], 0];
});
afterAll(() => void server.close());

function url(parameters = ''): string {
  const { port } = server.address() as { port: number };
  return `postgres://me:secret@127.0.0.1:${port}/x?sslmode=disable${parameters}`;
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
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { signal } = new AbortController();
  const options = { parameters: {}, connectTimeout: 1000, signal };
  const { transport } = await dial(new Hosts(url()), options);
  expect([vi.getTimerCount(), getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
  vi.advanceTimersByTime(1000);
  expect(transport.lost).toBeUndefined();
  transport.lose(new Error('ended'));
  greeting = failWith('28P01', '', 'FATAL');
  await expect(dial(new Hosts(url()), options)).rejects.toThrow('it failed');
  expect([vi.getTimerCount(), getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
  greeting = Buffer.alloc(0);
  const waiting = dial(new Hosts(url('&connect_timeout=2')), options);
  await until(() => sockets.length === 3);
  vi.advanceTimersByTime(1999);
  const failed = expect(waiting).rejects.toThrow('no session within 2 s');
  vi.advanceTimersByTime(1);
  await failed;
  await until(() => closed === 3);
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
