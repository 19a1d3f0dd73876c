import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOW, open, personal, plan } from '../support/fixtures.ts';
import { connectOperator } from '../support/operator.ts';
import { exchangeRaw, getExactly } from '../support/raw-http.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, personal('ada'), plan('ada'));
});
afterAll(() => service.close());

describe('X-Request-Id', () => {
  const idFor = async (id: string) =>
    (await service.get('/v1/me', key, { 'x-request-id': id })).headers.get('x-request-id');

  it.each(['7f9c24e5', 'a-b_c.d:e/f+g=h@i', 'x'.repeat(128)])(
    'is adopted from the request when it is valid: %s',
    async id => {
      expect(await idFor(id)).toBe(id);
    },
  );

  it.each(['', 'a b', 'x'.repeat(129), '<script>', 'é', 'a,b', '"a"'])(
    'is generated instead of the invalid value "%s"',
    async id => {
      expect(await idFor(id)).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('is different for every request', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await service.get('/v1/me', key)).headers.get('x-request-id')),
    );
    expect(new Set(ids).size).toBe(3);
  });

  it('is included in error responses', async () => {
    for (const path of ['/v1/nothing', '/v1/reports/csp', '/elsewhere']) {
      const { headers } = await service.get(path, key, { 'x-request-id': 'mine' });
      expect(headers.get('x-request-id')).toBe('mine');
    }
  });
});

/** Covers requests that Node rejects or cannot parse. */
describe('a request that Node rejects', () => {
  const LONG = 'x'.repeat(300_000);
  const head = (line: string, ...headers: string[]) => `${[line, ...headers].join('\r\n')}\r\n\r\n`;

  it.each([
    ['is not HTTP', 400, 'hello\r\n\r\n'],
    ['has a broken header', 400, head('GET /v1/me HTTP/1.1', 'Host: localhost', 'a b: c')],
    ['has a target that is too long', 431, head(`GET /v1/me?x=${LONG} HTTP/1.1`, 'Host: localhost')],
    ['has headers that are too long', 431, head('GET /v1/me HTTP/1.1', 'Host: localhost', `X: ${LONG}`)],
    ['has no Host', 400, head('GET /v1/me HTTP/1.1', 'Connection: close')],
    ['has a malformed Host', 400, head('GET /v1/me HTTP/1.1', 'Host: a b<c', 'Connection: close')],
    [
      'has an unknown expectation',
      401,
      head('GET /v1/me HTTP/1.1', 'Host: a', 'Expect: x', 'Connection: close'),
    ],
  ])('that %s gets %i in JSON with all headers', async (_, status, request) => {
    const answer = await exchangeRaw(service.url, request);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/\r\ncontent-type: application\/json; charset=utf-8\r\n/i);
    expect(answer).toMatch(/\r\ncache-control: no-store\r\n/i);
    expect(answer).toMatch(/\r\nx-content-type-options: nosniff\r\n/i);
    expect(answer).toMatch(/\r\nx-request-id: [0-9a-f-]{36}\r\n/i);
    expect(answer).toMatch(/\r\n\r\n\{"error":"[A-Z][a-z ]+"\}$/);
  });
});

describe('an unexpected failure', () => {
  it('returns 500 without details', async () => {
    await using broken = await startService({ now: NOW, mayFail: true });
    const other = await open(broken, personal('eve'), plan('eve'));
    const sql = connectOperator(broken.databaseUrl);
    await sql`drop table csp_policy`;
    await sql.end();
    const { status, text, headers } = await broken.get('/v1/policies/csp', other);
    expect([status, text]).toEqual([500, '{"error":"Internal server error"}']);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('etag')).toBeNull();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+$/);
  });
});

it('no response header names the server software', async () => {
  const answer = await getExactly(service.url, '/v1/me', `Authorization: Bearer ${key}`);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).not.toMatch(/\r\n(server|x-powered-by|via):/i);
});
