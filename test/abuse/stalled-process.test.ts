import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createDatabase } from '../support/database.ts';
import { serve } from '../support/served.ts';

/** Milliseconds: more than a reader may take nothing. */
const LONG = 11_000;

it('a process that stood still does not take it for a reader who takes nothing', async () => {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  await using service = await serve(database.url, { GRAPHIQL: 'true' });
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  const gone = once(socket, 'close');
  let bytes = 0;
  let head = '';
  socket
    .on('error', () => {})
    .on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (head.length < 2000) head += chunk.toString('latin1');
    });
  socket.write('GET /graphql HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nConnection: close\r\n\r\n');
  await once(socket, 'data');
  socket.pause();
  // The service has time to see that something waits for this reader.
  await sleep(500);
  service.child.kill('SIGSTOP');
  socket.resume();
  await sleep(LONG);
  service.child.kill('SIGCONT');
  await gone;
  const [, length] = /content-length: (\d+)/i.exec(head)!;
  expect(Number(length)).toBeGreaterThan(5_000_000);
  expect(bytes).toBe(Number(length) + head.indexOf('\r\n\r\n') + 4);
});
