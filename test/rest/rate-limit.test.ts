import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOW, open, personal, plan, team } from '../support/fixtures.ts';
import { belongings, everyRoute } from '../support/routes.ts';
import { type Answer, startService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const routes = await everyRoute();

const left = ({ headers }: Answer): number => Number(/r=(\d+)/.exec(headers.get('ratelimit')!)![1]);
const seconds = ({ headers }: Answer): number => Number(/t=(\d+)/.exec(headers.get('ratelimit')!)![1]);

/** A window in milliseconds that is longer than all requests of a test on a busy machine. */
const HOUR = 3_600_000;

describe('a rate limit of 120 requests per window', () => {
  let service: TestService;
  let key: string;
  beforeAll(async () => {
    service = await startService({ now: NOW, rateLimit: { max: 120, window: HOUR } });
    await service.load(team('crew'), ...belongings('crew'));
    key = await service.key('team', 'crew');
  });
  afterAll(() => service.close());

  it('accepts 120 requests and rejects the next', async () => {
    for (let request = 1; request <= 120; request++) {
      const answer = await service.get('/v1/me', key);
      expect(answer.status).toBe(200);
      expect(left(answer)).toBe(120 - request);
      expect(seconds(answer)).toBeGreaterThan(3000);
      expect(seconds(answer)).toBeLessThanOrEqual(3600);
      expect(answer.headers.get('ratelimit-policy')).toBe('"default";q=120;w=3600');
      expect(answer.headers.get('retry-after')).toBeNull();
    }
    const refused = await service.get('/v1/me', key);
    expect([refused.status, refused.text]).toEqual([429, '{"error":"Too many requests"}']);
    expect(refused.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(refused.headers.get('cache-control')).toBe('no-store');
    expect(refused.headers.get('x-content-type-options')).toBe('nosniff');
    expect(refused.headers.get('x-request-id')).not.toBeNull();
    expect(refused.headers.get('etag')).toBeNull();
    expect(refused.headers.get('ratelimit-policy')).toBe('"default";q=120;w=3600');
    expect(refused.headers.get('ratelimit')).toMatch(/^"default";r=0;t=\d+$/);
    expect(Number(refused.headers.get('retry-after'))).toBe(seconds(refused));
  });

  it.each(routes)('also applies to $path', async ({ target }) => {
    const { status, text } = await service.get(target, key, { 'if-none-match': '*' });
    expect([status, text]).toEqual([429, '{"error":"Too many requests"}']);
  });

  it('also applies to unknown paths and invalid parameters, but not to rejected methods', async () => {
    for (const path of ['/v1', '/v1/nothing', '/v1/reports/csp', '/v1/team']) {
      expect((await service.get(path, key)).status).toBe(429);
    }
    const headers = { authorization: `Bearer ${key}` };
    expect((await service.request('/v1/me', { method: 'POST', headers })).status).toBe(405);
  });

  it('is counted separately for each key', async () => {
    const second = await service.get('/v1/me', await service.key('team', 'crew'));
    expect([second.status, left(second)]).toEqual([200, 119]);
  });
});

describe('the rate limit count', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ now: NOW, rateLimit: { max: 120, window: HOUR } });
  });
  afterAll(() => service.close());

  it('includes every request with a valid key, regardless of its outcome', async () => {
    const key = await open(service, personal('ada'), plan('ada'));
    const tag = (await service.get('/v1/me', key)).headers.get('etag')!;
    const outcomes: [number, string, Record<string, string>?][] = [
      [200, '/v1/plan'],
      [304, '/v1/me', { 'if-none-match': tag }],
      [404, '/v1/nothing'],
      [404, '/v1/policies/csp/none'],
      [400, '/v1/reports/csp'],
      [403, '/v1/team'],
    ];
    for (const [index, [status, path, headers]] of outcomes.entries()) {
      const answer = await service.get(path, key, headers);
      expect([answer.status, left(answer)]).toEqual([status, 118 - index]);
    }
  });

  it('includes requests of an account without API access', async () => {
    const key = await open(service, personal('bob'));
    const first = await service.get('/v1/me', key);
    const second = await service.get('/v1/me', key);
    expect([first.status, left(first), second.status, left(second)]).toEqual([403, 119, 403, 118]);
  });

  it('excludes requests without a valid key, with another method, or to other paths', async () => {
    const key = await open(service, personal('eve'), plan('eve'));
    await service.get('/v1/me', key);
    for (let request = 0; request < 5; request++) {
      await service.get('/v1/me');
      await service.get('/v1/me', `${key}x`);
      await service.get(`/v1/me?key=${key}`);
      await service.request('/v1/me', { method: 'PUT', headers: { authorization: `Bearer ${key}` } });
      await service.get('/openapi.yaml', key);
      await service.get('/healthz', key);
    }
    expect(left(await service.get('/v1/me', key))).toBe(118);
  });

  it('is accurate for concurrent requests', async () => {
    const key = await open(service, personal('many'), plan('many'));
    const answers = await Promise.all(Array.from({ length: 150 }, () => service.get('/v1/me', key)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter(status => status === 200)).toHaveLength(120);
    expect(statuses.filter(status => status === 429)).toHaveLength(30);
    const lefts = answers.filter(({ status }) => status === 200).map(left);
    expect(new Set(lefts).size).toBe(120);
  });
});

describe('the rate limit window', () => {
  it('starts with the first request, and is not extended by rejected requests', async () => {
    const window = 3000;
    await using service = await startService({ now: NOW, rateLimit: { max: 2, window } });
    const key = await open(service, personal('ada'), plan('ada'));
    const ask = () => service.get('/v1/me', key);
    // On a busy machine, the window can end before all three are answered. Then the next window is used.
    const { began, second, third } = await until(async () => {
      while ((await ask()).status === 429) await sleep(20);
      const began = performance.now();
      await sleep(window - 900);
      const [second, third] = [await ask(), await ask()];
      return performance.now() - began < window - 50 && { began, second, third };
    });
    expect([second.status, left(second), seconds(second)]).toEqual([200, 0, 1]);
    expect([third.status, third.headers.get('retry-after')]).toEqual([429, '1']);
    expect(third.headers.get('ratelimit-policy')).toBe('"default";q=2;w=3');
    // Rejected requests do not extend the window.
    await sleep(began + window + 50 - performance.now());
    const next = await ask();
    expect([next.status, left(next)]).toEqual([200, 1]);
  });
});
