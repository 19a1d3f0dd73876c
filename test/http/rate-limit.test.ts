import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createRateLimit } from '../../src/http/rate-limit.ts';
import { exchange } from '../support/exchange.ts';
import { personal, plan } from '../support/fixtures.ts';
import { HAS_REDIS, startRedis, type TestRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';
import { startWatchedService, type WatchedService } from '../support/watched-service.ts';

const MAX = 20;
const WINDOW = 2500;

/** A rate limit window in milliseconds that never ends during a test. */
const LONG = 3_600_000;

interface Decision {
  status: number;
  left: number;
  /** The seconds until the window ends, according to the header. */
  reset: number;
  retryAfter: number | null;
}

async function startService(redisUrl = '', window = WINDOW): Promise<WatchedService> {
  const service = await startWatchedService({
    RATE_LIMIT_MAX: String(MAX),
    RATE_LIMIT_WINDOW: `${window}ms`,
    REDIS_URL: redisUrl,
  });
  await service.load(personal('ada'), plan('ada'));
  await service.key('personal', 'ada');
  if (redisUrl) await untilRedis(service, 1);
  return service;
}

/** Waits until the service has noticed that Redis is available or unavailable. */
async function untilRedis(service: WatchedService, isUp: 0 | 1): Promise<void> {
  await until(async () => (await service.metric('sightline_redis_up')) === isUp);
}

async function ask(service: WatchedService, key: string): Promise<Decision> {
  const sent = { headers: { authorization: `Bearer ${key}` } };
  const { status, headers } = await exchange(`${service.url}/v1/me`, sent);
  expect(headers.get('ratelimit-policy')).toMatch(/^"default";q=20;w=\d+$/);
  const [, left, reset] = /^"default";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit')!)!;
  const retryAfter = headers.has('retry-after') ? Number(headers.get('retry-after')) : null;
  return { status, left: Number(left), reset: Number(reset), retryAfter };
}

const askAtOnce = (service: WatchedService, key: string, count: number) =>
  Promise.all(Array.from({ length: count }, () => ask(service, key)));

const passed = (decisions: Decision[]) => decisions.filter(({ status }) => status === 200).length;

const stores: [string, () => Promise<TestRedis | undefined>][] = [['memory', async () => undefined]];
if (HAS_REDIS) stores.push(['Redis', startRedis]);

describe.each(stores)('a rate limit in %s', (_, startStore) => {
  it('accepts exactly the maximum number of concurrent requests', async () => {
    await using store = await startStore();
    await using service = await startService(store?.url, LONG);
    const key = await service.key('personal', 'ada');
    const decisions = await askAtOnce(service, key, 10 * MAX);
    expect(passed(decisions)).toBe(MAX);
    const left = decisions.filter(({ status }) => status === 200).map(decision => decision.left);
    expect(left.sort((one, other) => one - other)).toEqual(Array.from({ length: MAX }, (_, i) => i));
    for (const { status, left, reset, retryAfter } of decisions) {
      expect(reset).toBeGreaterThan(0);
      expect(reset).toBeLessThanOrEqual(LONG / 1000);
      expect(retryAfter).toBe(status === 200 ? null : reset);
      if (status !== 200) expect([status, left]).toEqual([429, 0]);
    }
  });

  it('starts a window with the first request and resets when it ends', { tags: 'slow' }, async () => {
    await using store = await startStore();
    await using service = await startService(store?.url);
    // On a busy machine, the window can end before all responses arrive. Then another key is used.
    const { key, begun, first, others } = await until(async () => {
      const key = await service.key('personal', 'ada');
      const begun = performance.now();
      const first = await ask(service, key);
      await sleep(500);
      const others = await askAtOnce(service, key, 2 * MAX);
      return performance.now() - begun < WINDOW && { key, begun, first, others };
    });
    expect(first).toMatchObject({ status: 200, left: MAX - 1, reset: 3 });
    expect(passed(others)).toBe(MAX - 1);
    // Neither these requests nor the rejected ones extend the window.
    const ended = await until(async () => {
      const decision = await ask(service, key);
      return decision.status === 200 && decision;
    });
    expect(performance.now() - begun).toBeGreaterThan(WINDOW - 100);
    // Requests were rejected until the window ended, and the next window has its full length.
    expect(ended.left).toBe(MAX - 1);
  });

  it('applies to each key separately', async () => {
    await using store = await startStore();
    await using service = await startService(store?.url, LONG);
    const [one, other] = [await service.key('personal', 'ada'), await service.key('personal', 'ada')];
    expect(passed(await askAtOnce(service, one, MAX + 5))).toBe(MAX);
    expect(passed(await askAtOnce(service, other, MAX + 5))).toBe(MAX);
  });
});

describe.skipIf(!HAS_REDIS)('a rate limit without its Redis', () => {
  it('is enforced per instance and shared again once Redis is back', { tags: 'slow' }, async () => {
    await using redis = await startRedis();
    await using service = await startService(redis.url, LONG);
    const key = await service.key('personal', 'ada');
    expect(passed(await askAtOnce(service, key, MAX - 5))).toBe(MAX - 5);
    await redis.kill();
    await untilRedis(service, 0);
    expect(passed(await askAtOnce(service, key, 5 * MAX))).toBe(MAX);
    expect(passed(await askAtOnce(service, key, MAX))).toBe(0);
    await redis.start();
    await untilRedis(service, 1);
    // Redis has lost its data, so the window starts again.
    expect(passed(await askAtOnce(service, key, 5 * MAX))).toBe(MAX);
    expect(await service.lines('Redis is available again')).toHaveLength(1);
  });

  it('logs a lost connection to Redis even if it reconnects immediately', async () => {
    await using redis = await startRedis();
    await using service = await startService(redis.url, LONG);
    await untilRedis(service, 1);
    await redis.hangUp();
    expect(await service.lines('Redis is available again')).toHaveLength(1);
    expect(
      await service.lines('Redis is unavailable: each instance applies the rate limit by itself'),
    ).toMatchObject([{ reason: 'The connection was closed' }]);
  });

  it('does not delay requests while Redis accepts commands without answering', { tags: 'slow' }, async () => {
    await using redis = await startRedis();
    await using service = await startService(redis.url, LONG);
    const key = await service.key('personal', 'ada');
    await ask(service, key);
    redis.freeze();
    // Redis does not answer during this test, so a request that waited for it would never finish.
    const first = await askAtOnce(service, key, 2 * MAX);
    expect(passed(first)).toBe(MAX);
    await untilRedis(service, 0);
    const later = await askAtOnce(service, await service.key('personal', 'ada'), MAX);
    expect(passed(later)).toBe(MAX);
    redis.thaw();
    await untilRedis(service, 1);
  });
});

describe('a rate limit that another process counts', () => {
  const unreadable = [
    undefined,
    null,
    {},
    { count: 'x', left: 1 },
    { count: Number.NaN, left: 1 },
    { count: 1 },
  ];
  it.each(unreadable)('falls back to memory for the invalid answer %o', async answer => {
    const limit = createRateLimit({ max: 2, window: LONG }, async () => answer as never);
    const left = async () => (await limit('k')).RateLimit;
    expect([await left(), await left()]).toEqual(['"default";r=1;t=3600', '"default";r=0;t=3600']);
    await expect(left()).rejects.toMatchObject({ refusal: 'tooManyRequests' });
    expect(limit.counters).toEqual({ passed: 2, refused: 1, local: 3 });
  });

  it.each([
    [0, 0, 1],
    [1, 1, 1],
    [1000, 1, 1],
    [1001, 2, 2],
    [LONG, 3600, 3600],
  ])('requires a wait of whole seconds, at least one, when %i ms are left', async (left, reset, wait) => {
    const limit = createRateLimit({ max: 2, window: LONG }, async () => ({ count: 3, left }));
    await expect(limit('k')).rejects.toMatchObject({
      headers: { RateLimit: `"default";r=0;t=${reset}`, 'Retry-After': String(wait) },
    });
    expect(limit.counters).toEqual({ passed: 0, refused: 1, local: 0 });
  });
});
