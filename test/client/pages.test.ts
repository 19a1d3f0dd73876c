import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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
    for await (const { chunks, cursor, gap } of client.pages('/export/findings', {}, own)) {
      found.push(`${Buffer.concat(chunks)} → ${cursor}${gap ? ', gap' : ''}`);
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

describe('a response of several parts', () => {
  const TYPE = 'multipart/mixed; boundary="b-1"';
  const toPart = (cursor: string, body: string, headers = '') =>
    `\r\n--b-1\r\nContent-Length: ${Buffer.byteLength(body)}\r\nSightline-Cursor: ${cursor}\r\n${headers}\r\n${body}`;
  const CLOSE = '\r\n--b-1--\r\n';
  /** Sends chunks one after the other, and then closes the connection abruptly, or ends the response. */
  const parts =
    (chunks: readonly (string | Buffer)[], isCut = false): Reply =>
    async response => {
      response.writeHead(200, { 'content-type': TYPE });
      for (const chunk of chunks) {
        await new Promise(resolve => response.write(chunk, resolve));
        await tick();
      }
      if (isCut) response.destroy();
      else response.end();
    };

  it('is read part by part, and the next request continues after the last one', async () => {
    const several = [
      toPart('1', 'one'),
      toPart('2', '', 'Sightline-Gap: true\r\n'),
      toPart('3', 'größer'),
      CLOSE,
    ];
    const { found, asked, error } = await read([parts(several), page('4', END)]);
    expect(found).toEqual(['one → 1', ' → 2, gap', 'größer → 3', 'after 3 → 4']);
    expect([asked, error, retries]).toEqual([['', '3'], undefined, []]);
  });

  it('can be split anywhere', async () => {
    const bytes = Buffer.from(toPart('1', 'größer\r\n--b-1\r\n') + toPart('2', 'two') + CLOSE);
    for (let size = 1; size < 8; size++) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      const { found } = await read([parts(chunks), page('3', END)]);
      expect(found).toEqual(['größer\r\n--b-1\r\n → 1', 'two → 2', 'after 2 → 3']);
      server.close().closeAllConnections();
    }
  });

  it.each<[string, string, boolean?]>([
    ['a broken connection', toPart('2', 'never complete').slice(0, -3), true],
    ['an end within a part', toPart('2', 'never complete').slice(0, -3)],
    ['an end without the last delimiter', ''],
    ['a delimiter of another response', toPart('2', 'foreign').replace('b-1', 'b-2')],
    ['a part without a length', '\r\n--b-1\r\nSightline-Cursor: 2\r\n\r\nx'],
    ['a negative length', '\r\n--b-1\r\nContent-Length: -1\r\nSightline-Cursor: 2\r\n\r\n'],
    [
      'a length beyond all bounds',
      '\r\n--b-1\r\nContent-Length: 999999999999\r\nSightline-Cursor: 2\r\n\r\nx',
    ],
    ['a header that is none', '\r\n--b-1\r\nhello\r\n\r\n'],
    ['an endless header', `\r\n--b-1\r\nX: ${'x'.repeat(100_000)}`],
    ['more than the length', `${toPart('1b', 'x')}x`],
  ])('is continued after its last complete part after %s', async (_, rest, isCut) => {
    const { found, asked, error } = await read([parts([toPart('1', 'one'), rest], isCut), page('9', END)]);
    const after = asked[1]!;
    expect(found.filter(text => !text.endsWith('→ 1b'))).toEqual(['one → 1', `after ${after} → 9`]);
    expect([asked.length, error, retries]).toEqual([2, undefined, [1]]);
    expect(['1', '1b']).toContain(after);
  });

  it('is requested again if it ends before its first part', async () => {
    const { found, asked } = await read([
      parts([CLOSE]),
      parts(
        [toPart('1', 'on')].map(text => text.slice(0, -1)),
        true,
      ),
      parts([toPart('1', 'one'), CLOSE]),
      page('2', END),
    ]);
    expect([found, asked, retries]).toEqual([
      ['one → 1', 'after 1 → 2'],
      ['', '', '', '1'],
      [1, 2],
    ]);
  });

  it('that breaks is an error without retries', async () => {
    const { found, error } = await read([parts([toPart('1', 'one')], true)], { retries: 0 });
    expect(found).toEqual(['one → 1']);
    expect(error).toMatch(/^http:\/\/127\.0\.0\.1:\d+ cannot be reached: /);
  });

  it('ends its connection if the reader stops', async () => {
    let isClosed = false;
    const endless: Reply = async response => {
      response.on('close', () => {
        isClosed = true;
      });
      response.writeHead(200, { 'content-type': TYPE }).write(toPart('1', 'one') + toPart('2', 'two'));
    };
    const { found } = await read([endless], {}, 1);
    expect(found).toEqual(['one → 1']);
    await vi.waitUntil(() => isClosed);
  });
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
  // Called immediately before the wait begins.
  const onRetry = () => void setImmediate(() => ending.abort(new Error('enough')));
  const { error, asked } = await read([failing(503)], { firstWait: 60_000, signal: ending.signal, onRetry });
  expect([error, asked.length]).toEqual(['enough', 1]);
});
