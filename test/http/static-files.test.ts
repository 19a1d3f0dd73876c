import { type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SMALLEST } from '../../src/http/compress.ts';
import type { Request } from '../../src/http/reply.ts';
import { NOWHERE, Redirect, StaticFile, serveFile } from '../../src/http/static-files.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ graphiql: true });
});
afterAll(() => service.close());

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  /** The raw body, which `fetch` would decompress. */
  body: Buffer;
}

function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = { accept: 'text/html', 'accept-encoding': 'identity', ...headers };
    request(service.url + path, { method, headers: sent }, async response => {
      resolve({ status: response.statusCode, headers: response.headers, body: await buffer(response) });
    })
      .on('error', reject)
      .end();
  });
}

async function scriptOfDocs(): Promise<string> {
  const { body } = await ask('/docs');
  return `/${/<script type="module" src="([^"]+)">/.exec(String(body))?.[1]}`;
}

const files: [name: string, path: () => Promise<string>, caching: string][] = [
  ['the documentation page', async () => '/docs', 'no-cache'],
  ['the script of the documentation page', scriptOfDocs, 'public, max-age=31536000, immutable'],
  ['openapi.yaml', async () => '/openapi.yaml', 'no-cache'],
  ['openapi.json', async () => '/openapi.json', 'no-cache'],
  ['GraphiQL', async () => '/graphql', 'private, max-age=3600'],
];

describe.each(files)('%s', (name, pathOf, caching) => {
  // Compressing the many files of GraphiQL takes a second.
  const options = name === 'GraphiQL' ? { tags: 'slow' as const } : {};
  it('has the same content in every encoding, and is much smaller in two of them', options, async () => {
    const path = await pathOf();
    const plain = await ask(path);
    expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
    for (const [coding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const first = await ask(path, { 'accept-encoding': coding });
      expect(decode(first.body).equals(plain.body)).toBe(true);
      expect(first.body.length).toBeLessThan(plain.body.length * 0.6);
      const second = await ask(path, { 'accept-encoding': coding });
      expect(second.body.equals(first.body)).toBe(true);
      for (const { status, headers } of [first, second]) {
        expect([status, headers['content-encoding']]).toEqual([200, coding]);
        expect(headers['content-length']).toBe(String(first.body.length));
        expect(headers['content-type']).toBe(plain.headers['content-type']);
        for (const header of ['etag', 'cache-control', 'vary'])
          expect(headers[header]).toBe(plain.headers[header]);
      }
    }
  });

  it('declares its Vary and Cache-Control headers', async () => {
    // GraphiQL is large, so this includes the time to read and compress it.
    const { headers } = await ask(await pathOf(), { 'accept-encoding': 'gzip' });
    expect(headers['cache-control']).toBe(caching);
    expect(headers.vary).toBe(name === 'GraphiQL' ? 'Accept, Accept-Encoding' : 'Accept-Encoding');
  });

  it('is not sent again to a client that has it in any encoding', async () => {
    const path = await pathOf();
    const { headers } = await ask(path, { 'accept-encoding': 'gzip' });
    for (const coding of ['identity', 'gzip', 'br']) {
      const revalidated = await ask(path, { 'accept-encoding': coding, 'if-none-match': headers.etag! });
      expect([revalidated.status, revalidated.body.length, revalidated.headers.etag]).toEqual([
        304,
        0,
        headers.etag,
      ]);
      for (const header of ['cache-control', 'vary', 'content-security-policy']) {
        expect(revalidated.headers[header]).toBe(headers[header]);
      }
      expect(revalidated.headers).not.toHaveProperty('content-encoding');
    }
    const another = { 'accept-encoding': 'gzip', 'if-none-match': 'W/"another"' };
    expect((await ask(path, another)).status).toBe(200);
    expect((await ask(path, { 'if-none-match': '*' })).status).toBe(304);
  });

  if (name !== 'GraphiQL')
    it('has the same headers for HEAD as for GET', async () => {
      const path = await pathOf();
      for (const coding of ['identity', 'gzip', 'br']) {
        const get = await ask(path, { 'accept-encoding': coding });
        const head = await ask(path, { 'accept-encoding': coding }, 'HEAD');
        expect([head.status, head.body.length]).toEqual([200, 0]);
        const own = ({ date, 'x-request-id': id, ...others }: IncomingHttpHeaders) => others;
        expect(own(head.headers)).toEqual(own(get.headers));
        expect(get.headers['content-length']).toBe(String(get.body.length));
      }
    });
});

it('a file is read again only for its content, and compressed only if it is long', async () => {
  const read = vi.fn(() => 'x'.repeat(SMALLEST));
  const small = new StaticFile({ contentType: 'text/plain', headers: { 'X-Own': 'own' }, read });
  const gzip = { 'accept-encoding': 'gzip' };
  const first = await small.reply({ method: 'GET', headers: gzip });
  expect(first).toEqual({
    status: 200,
    headers: {
      Vary: 'Accept-Encoding',
      'Content-Type': 'text/plain',
      'X-Own': 'own',
      ETag: expect.any(String),
    },
    body: 'x'.repeat(SMALLEST),
  });
  const head = await small.reply({ method: 'HEAD', headers: gzip });
  expect(head.headers).toEqual({ ...first.headers, 'Content-Length': String(SMALLEST) });
  expect((await small.reply({ method: 'GET', headers: { 'if-none-match': '*' } })).status).toBe(304);
  expect(read).toHaveBeenCalledTimes(1);
  const readLong = vi.fn(() => 'x'.repeat(SMALLEST + 1));
  const long = new StaticFile({ contentType: 'text/plain', headers: {}, read: readLong });
  for (let times = 0; times < 2; times++) {
    const { headers, body } = await long.reply({ method: 'GET', headers: gzip });
    expect(headers['Content-Encoding']).toBe('gzip');
    expect(String(gunzipSync(body as Buffer))).toBe(readLong());
  }
  // Twice here, and once for both answers.
  expect(readLong).toHaveBeenCalledTimes(3);
});

describe('a missing path', () => {
  const page = new StaticFile({ contentType: 'text/html', headers: {}, read: () => 'nowhere' });
  const files = new Map([[NOWHERE, page]]);
  const serve = (path: string, headers: object, method = 'GET') =>
    serveFile({ path, headers, method } as Request, files);

  it.each(['/missing', NOWHERE])('has a page for a browser, which it never knows already: %s', async path => {
    const reply = await serve(path, { accept: 'text/html', 'if-none-match': '*' });
    expect([reply.status, String(reply.body)]).toEqual([404, 'nowhere']);
  });

  it.each([
    ['another client', '/missing', { accept: '*/*' }, 'GET'],
    ['another client, whatever the path', NOWHERE, {}, 'GET'],
    ['another method', '/missing', { accept: 'text/html' }, 'POST'],
  ])('has none for %s', async (_, path, headers, method) => {
    await expect(serve(path, headers, method)).rejects.toMatchObject({ refusal: 'notFound' });
  });
});

it('a redirect is not cached', async () => {
  expect(await new Redirect('/app').reply()).toEqual({
    status: 302,
    headers: { Location: '/app', 'Cache-Control': 'no-cache' },
    body: '',
  });
});

it('a static path rejects other methods and unknown files', async () => {
  const posted = await ask('/docs', {}, 'POST');
  expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD']);
  expect((await ask('/docs/page.00000000.js')).status).toBe(404);
});
