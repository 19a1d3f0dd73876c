import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { type ServiceProcess, serve } from '../support/served.ts';

/** In milliseconds. Longer than the limits for stalled readers and idle connections. */
const LONG = 11_000;

const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
const GRAPHIQL = 'GET /graphql HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nConnection: close\r\n\r\n';

let database: TestDatabase;
let service: ServiceProcess;
let reader: Reader;
let idle: RawConnection;

beforeAll(async () => {
  database = await createDatabase();
  service = await serve(database.url, { GRAPHIQL: 'true' });
  idle = new RawConnection(service.url);
  idle.write(HEALTH);
  expect((await idle.read())?.status).toBe(200);
  reader = await readSome(GRAPHIQL);
  // Gives the service time to notice the stalled reader.
  await sleep(500);
  service.child.kill('SIGSTOP');
  reader.goOn();
  await sleep(LONG);
  idle.write(HEALTH);
  service.child.kill('SIGCONT');
});
afterAll(async () => {
  idle?.socket.destroy();
  await service?.[Symbol.asyncDispose]();
  await database?.drop();
});

interface Reader {
  goOn(): void;
  /** The head of the response and the number of received bytes, after the connection was closed. */
  whole: Promise<{ head: string; bytes: number }>;
}

/** Opens a connection that stops reading after the first bytes. */
async function readSome(request: string): Promise<Reader> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  const read = { head: '', bytes: 0 };
  socket
    .on('error', () => {})
    .on('data', (chunk: Buffer) => {
      read.bytes += chunk.length;
      if (read.head.length < 2000) read.head += chunk.toString('latin1');
    });
  const whole = once(socket, 'close').then(() => read);
  socket.write(request);
  await once(socket, 'data');
  socket.pause();
  return { goOn: () => socket.resume(), whole };
}

describe('a resumed process', () => {
  it('does not disconnect a reader for the time that the process was suspended', async () => {
    const { head, bytes } = await reader.whole;
    const [, length] = /content-length: (\d+)/i.exec(head)!;
    expect(Number(length)).toBeGreaterThan(5_000_000);
    expect(bytes).toBe(Number(length) + head.indexOf('\r\n\r\n') + 4);
  });

  it('answers requests that arrived on an idle connection meanwhile', async () => {
    expect((await idle.read())?.status).toBe(200);
  });
});
