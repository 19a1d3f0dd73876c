import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { personal, plan } from '../support/fixtures.ts';
import { HAS_REDIS, startRedis, type TestRedis } from '../support/redis.ts';
import { startWatchedService, type WatchedService } from '../support/watched-service.ts';

const MAX = 20;
const WINDOW = 2500;

interface Decision {
  status: number;
  left: number;
  /** Seconds until the window ends, as the header says. */
  reset: number;
  retryAfter: number | null;
  /** Milliseconds that the answer took. */
  took: number;
}

async function startService(redisUrl = '', window = WINDOW): Promise<WatchedService> {
  const service = await startWatchedService({
    RATE_LIMIT_MAX: String(MAX),
    RATE_LIMIT_WINDOW: `${window}ms`,
    REDIS_URL: redisUrl,
  });
  await service.load(personal('ada'), plan('ada'));
  await service.key('personal', 'ada');
  if (redisUrl) await until(service, 1);
  return service;
}

/** Until the service sees Redis, or sees it no more. */
async function until(service: WatchedService, isUp: 0 | 1): Promise<void> {
  while ((await service.metric('sightline_redis_up')) !== isUp) await sleep(20);
}

async function ask(service: WatchedService, key: string): Promise<Decision> {
  const begun = performance.now();
  const response = await fetch(`${service.url}/v1/me`, { headers: { authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  const took = performance.now() - begun;
  const { status, headers } = response;
  expect(headers.get('ratelimit-policy')).toMatch(/^"default";q=20;w=\d+$/);
  const [, left, reset] = /^"default";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit')!)!;
  const retryAfter = headers.has('retry-after') ? Number(headers.get('retry-after')) : null;
  return { status, left: Number(left), reset: Number(reset), retryAfter, took };
}

const askAtOnce = (service: WatchedService, key: string, count: number) =>
  Promise.all(Array.from({ length: count }, () => ask(service, key)));

const passed = (decisions: Decision[]) => decisions.filter(({ status }) => status === 200).length;

const stores: [string, () => Promise<TestRedis | undefined>][] = [['memory', async () => undefined]];
if (HAS_REDIS) stores.push(['Redis', startRedis]);

describe.each(stores)('a limit in %s', (_, startStore) => {
  it('lets exactly as many pass as it says, of however many at once', async () => {
    await using store = await startStore();
    await using service = await startService(store?.url, 60_000);
    const key = await service.key('personal', 'ada');
    const decisions = await askAtOnce(service, key, 10 * MAX);
    expect(passed(decisions)).toBe(MAX);
    const left = decisions.filter(({ status }) => status === 200).map(decision => decision.left);
    expect(left.sort((one, other) => one - other)).toEqual(Array.from({ length: MAX }, (_, i) => i));
    for (const { status, left, reset, retryAfter } of decisions) {
      expect(reset).toBeGreaterThan(50);
      expect(reset).toBeLessThanOrEqual(60);
      expect(retryAfter).toBe(status === 200 ? null : reset);
      if (status !== 200) expect([status, left]).toEqual([429, 0]);
    }
  });

  it('counts from the first request of a window, and begins anew when it ends', async () => {
    await using store = await startStore();
    await using service = await startService(store?.url);
    const key = await service.key('personal', 'ada');
    const begun = performance.now();
    expect(await ask(service, key)).toMatchObject({ status: 200, left: MAX - 1, reset: 3 });
    await sleep(500);
    // Neither these nor those that are refused make the window any longer.
    expect(passed(await askAtOnce(service, key, 2 * MAX))).toBe(MAX - 1);
    while ((await ask(service, key)).status === 429) await sleep(20);
    const took = performance.now() - begun;
    expect(took).toBeGreaterThan(WINDOW - 100);
    expect(took).toBeLessThan(WINDOW + 1000);
    expect(await ask(service, key)).toMatchObject({ status: 200, left: MAX - 2, reset: 3 });
  });

  it('is one for each key', async () => {
    await using store = await startStore();
    await using service = await startService(store?.url, 60_000);
    const [one, other] = [await service.key('personal', 'ada'), await service.key('personal', 'ada')];
    expect(passed(await askAtOnce(service, one, MAX + 5))).toBe(MAX);
    expect(passed(await askAtOnce(service, other, MAX + 5))).toBe(MAX);
  });
});

describe.skipIf(!HAS_REDIS)('without its Redis, a limit', () => {
  it('goes on in each instance, and is shared again when Redis is back', async () => {
    await using redis = await startRedis();
    await using service = await startService(redis.url, 60_000);
    const key = await service.key('personal', 'ada');
    expect(passed(await askAtOnce(service, key, MAX - 5))).toBe(MAX - 5);
    await redis.kill();
    await until(service, 0);
    expect(passed(await askAtOnce(service, key, 5 * MAX))).toBe(MAX);
    expect(passed(await askAtOnce(service, key, MAX))).toBe(0);
    await redis.start();
    await until(service, 1);
    // It is empty, so the window begins anew.
    expect(passed(await askAtOnce(service, key, 5 * MAX))).toBe(MAX);
    expect(await service.lines('Redis is there again')).toHaveLength(1);
  });

  it('keeps nobody waiting when Redis takes commands and answers none', async () => {
    await using redis = await startRedis();
    await using service = await startService(redis.url, 60_000);
    const key = await service.key('personal', 'ada');
    await ask(service, key);
    redis.freeze();
    const first = await askAtOnce(service, key, 2 * MAX);
    expect(passed(first)).toBe(MAX);
    expect(Math.max(...first.map(({ took }) => took))).toBeLessThan(1500);
    // Redis counts as away now.
    const later = await askAtOnce(service, await service.key('personal', 'ada'), MAX);
    expect(passed(later)).toBe(MAX);
    expect(Math.max(...later.map(({ took }) => took))).toBeLessThan(400);
    redis.thaw();
    await until(service, 1);
  });
});
