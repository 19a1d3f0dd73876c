import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createClient, type PageOptions, type RetryOptions } from '../../packages/client/src/index.ts';

let server: ReturnType<typeof createServer>;
let retries: number[];
beforeEach(() => {
  retries = [];
});
afterEach(() => {
  server?.close().closeAllConnections();
});

type Reply = (response: ServerResponse, after: string) => void;
const page =
  (cursor: string, headers: Record<string, string> = {}, status = 200): Reply =>
  (response, after) =>
    response.writeHead(status, { 'sightline-cursor': cursor, ...headers }).end(`after ${after}`);
const END = { 'retry-after': '0' };
const failing =
  (status: number, body = '', headers: Record<string, string> = {}): Reply =>
  response =>
    response.writeHead(status, headers).end(body);
const broken: Reply = response => response.destroy();
/** Sends half of the last page and then closes the connection. */
const cut: Reply = response => {
  response.writeHead(200, { 'sightline-cursor': 'x', 'content-length': '100', ...END });
  response.write('half', () => response.destroy());
};

const tick = () => new Promise<void>(resolve => setImmediate(resolve));

/** Reads all pages from a service with these responses. The last one is repeated. */
async function read(replies: readonly Reply[], own: PageOptions & RetryOptions = {}, most = 100) {
  const asked: string[] = [];
  server = createServer((request, response) => {
    const after = new URL(request.url!, 'http://x').searchParams.get('after')!;
    asked.push(after);
    replies[Math.min(asked.length, replies.length) - 1]!(response, after);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const found: string[] = [];
  const onRetry = (_: Error, tries: number) => void retries.push(tries);
  const client = createClient({ baseUrl, key: 'k', firstWait: 1, onRetry, ...own });
  let error: Error | undefined;
  try {
    for await (const { body, cursor, gap } of client.pages('/export/findings', {}, own)) {
      found.push(`${new TextDecoder().decode(body)} → ${cursor}${gap ? ', gap' : ''}`);
      if (found.length === most) break;
    }
  } catch (thrown) {
    error = thrown as Error;
  }
  return { found, asked, error: error?.message };
}

it('pages follow their cursors to the end and mark gaps', async () => {
  const { found, asked, error } = await read([
    page('1'),
    page('2', { 'sightline-gap': 'true' }),
    page('3', { ...END, 'sightline-gap': 'false' }),
  ]);
  expect(found).toEqual(['after  → 1', 'after 1 → 2, gap', 'after 2 → 3']);
  expect([asked, error]).toEqual([['', '1', '2'], undefined]);
});

it.each<[string, Reply]>([
  ['a broken connection', broken],
  ['a truncated body', cut],
  ...[408, 425, 429, 500, 502, 503, 504].map((status): [string, Reply] => [
    `HTTP ${status}`,
    failing(status),
  ]),
])('a page is requested again after %s', async (_, failure) => {
  const { found, asked } = await read([page('1'), failure, failure, page('2', END)]);
  expect([found, asked]).toEqual([
    ['after  → 1', 'after 1 → 2'],
    ['', '1', '1', '1'],
  ]);
  expect(retries).toEqual([1, 2]);
});

it('the next page is requested before the body of the current one has arrived, and only once', async () => {
  const bodies: (() => void)[] = [];
  const late =
    (cursor: string): Reply =>
    (response, after) => {
      response.writeHead(200, { 'sightline-cursor': cursor }).flushHeaders();
      bodies.push(() => response.end(`after ${after}`));
    };
  const reading = read([late('1'), late('2'), late('3'), page('4', END)]);
  for (const count of [2, 3]) {
    await vi.waitUntil(() => bodies.length === count);
    for (let ticks = 0; ticks < 20; ticks++) await tick();
    expect(bodies).toHaveLength(count);
    bodies[count - 2]!();
  }
  bodies[2]!();
  const { found, asked } = await reading;
  expect(found).toEqual(['after  → 1', 'after 1 → 2', 'after 2 → 3', 'after 3 → 4']);
  expect(asked).toEqual(['', '1', '2', '3']);
});

it('a page whose retry has another cursor is followed by the page after that cursor', async () => {
  const cutBefore =
    (cursor: string): Reply =>
    response => {
      response.writeHead(200, { 'sightline-cursor': cursor, 'content-length': '100' });
      response.write('half', () => response.destroy());
    };
  const byCursor: Record<string, Reply[]> = {
    '': [cutBefore('old'), page('new')],
    old: [page('wrong', END)],
    new: [page('last', END)],
  };
  const { found } = await read([(response, after) => byCursor[after]!.shift()!(response, after)]);
  expect(found).toEqual(['after  → new', 'after new → last']);
});

it('a page is retried as often as configured', async () => {
  const { asked, error } = await read([failing(503)], { retries: 7 });
  expect(asked).toHaveLength(8);
  expect(error).toBe('HTTP 503 Service Unavailable');
});

it('a page is retried indefinitely if configured', async () => {
  const { found, asked } = await read(
    [...Array(9).fill(failing(503)), page('1')],
    { retries: Number.POSITIVE_INFINITY },
    1,
  );
  expect([found, asked.length]).toEqual([['after  → 1'], 10]);
});

it('a rejected request ends with the error of the service, and redirects are not followed', async () => {
  expect((await read([failing(403, '{"error":"No\\nsuch key"}')])).error).toMatch(/^No\nsuch key$/);
  server.close();
  const { asked, error } = await read([failing(302, '<h1>', { location: '/elsewhere' })]);
  expect([asked.length, error]).toEqual([1, expect.stringContaining('redirects to /elsewhere')]);
});

it('a response without a cursor is an error', async () => {
  const { error } = await read([failing(200, 'hello')]);
  expect(error).toMatch(/^The response has no cursor: check the URL of the service$/);
});

it('follow mode requests the last page again, but never before the interval has passed', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const begin = performance.now();
  const { found, asked } = await read([page('1', { 'retry-after': '3600' })], { follow: true, every: 20 }, 3);
  vi.useRealTimers();
  expect([found.length, asked]).toEqual([3, ['', '1', '1']]);
  expect(performance.now() - begin).toBeGreaterThanOrEqual(38);
});

it('a retry waits as long as Retry-After requires', async () => {
  const begin = performance.now();
  await read([failing(503, '', { 'retry-after': '1' }), page('1', END)]);
  expect(performance.now() - begin).toBeGreaterThanOrEqual(998);
});

it('aborting ends the wait for a retry', async () => {
  const ending = new AbortController();
  setTimeout(() => ending.abort(new Error('enough')), 20);
  const { error } = await read([failing(503)], { firstWait: 60_000, signal: ending.signal });
  expect([error, retries]).toEqual(['enough', [1]]);
});
