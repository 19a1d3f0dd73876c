import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { listen } from '../../src/http/listen.ts';
import { json, type Request } from '../../src/http/reply.ts';
import { createServer } from '../../src/http/server.ts';

const LIMIT = 60_000;

/** Sends a body in two parts, and lets the clock of the process jump between them. */
async function upload(jump: number, app: (request: Request) => Promise<unknown>) {
  let offset = 0;
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + offset);
  onTestFinished(() => void clock.mockRestore());
  const server = createServer({
    app: async incoming => json(JSON.stringify(await app(incoming).catch((error: Error) => error.name))),
    logger: pino({ enabled: false }),
    answerLimit: LIMIT,
  });
  await listen(server, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const response = new Promise<string>((resolve, reject) => {
    const sent = request({ port, method: 'POST', agent: false }, incoming =>
      text(incoming).then(resolve, reject),
    );
    sent.on('error', reject).write('first ');
    server.once('request', () => {
      offset = jump;
      sent.end('second');
    });
  });
  return JSON.parse(await response);
}

/** Work that is still running when a passed deadline is noticed. */
const work = async (value: string) => {
  await sleep(50);
  return value;
};

it('the time limit of an answer begins once the body is received', async () => {
  const answer = await upload(2 * LIMIT, async incoming => {
    const body = await incoming.body();
    return incoming.inTime(work(body.toString()));
  });
  expect(answer).toBe('first second');
});

it('the time limit of an answer without a body begins with the request', async () => {
  const answer = await upload(2 * LIMIT, async incoming => {
    const begun = performance.now();
    while (performance.now() - begun <= LIMIT) await sleep(1);
    return incoming.inTime(work('late'));
  });
  expect(answer).toBe('Overdue');
});
