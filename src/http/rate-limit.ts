import type { Soon } from '@sightline/json/then-if-promise';
import type { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimitCounters } from '../observability/readings.ts';
import { countedForAll } from './counting.ts';
import { Refusal } from './respond.ts';
import { type Counted, Windows } from './windows.ts';

export interface RateLimitSettings {
  /** Requests of a key in one window. */
  max: number;
  /** Milliseconds, from the window's first request on. */
  window: number;
}

/** The third door: counts a request of a key, and answers with the headers that say what is left. */
export interface RateLimit {
  (keyId: string): Soon<Record<string, string>>;
  readonly counters: RateLimitCounters;
}

/**
 * A window of its own for each key. It is counted in memory, in Redis for all instances together, or in the process
 * that started this one for all of its processes. When these do not answer the limit goes on in memory: never
 * unlimited, and never an error.
 * @param isOneOfMany whether this process was started by one that counts for all
 * @throws {Refusal} `tooManyRequests` with `Retry-After`
 */
export function createRateLimit(
  { max, window }: RateLimitSettings,
  redis?: Redis,
  isOneOfMany = false,
): RateLimit {
  const counters: RateLimitCounters = { passed: 0, refused: 0, local: 0 };
  const own = new Windows(window);
  const starter = isOneOfMany ? countedForAll() : undefined;
  const shared = redis ? countedInRedis(redis, { max, window }) : starter;
  const policy = `"default";q=${max};w=${Math.ceil(window / 1000)}`;

  const decide = ({ count, left }: Counted) => {
    const headers = {
      'RateLimit-Policy': policy,
      RateLimit: `"default";r=${Math.max(0, max - count)};t=${seconds(left)}`,
    };
    if (count > max) {
      counters.refused++;
      const retryAfter = String(Math.max(1, seconds(left)));
      throw new Refusal('tooManyRequests', { ...headers, 'Retry-After': retryAfter });
    }
    counters.passed++;
    return headers;
  };

  const consume = (keyId: string) => {
    if (!shared) return decide(own.count(keyId));
    const counted = shared(keyId).catch(() => {
      counters.local++;
      return own.count(keyId);
    });
    return counted.then(decide);
  };
  return Object.assign(consume, { counters });
}

/**
 * Counts a request of the key in its window, which begins with the first one, and answers with the count and the
 * milliseconds left. The library's own script knows whole seconds alone.
 */
const COUNT = `
  local count = redis.call('incrby', KEYS[1], ARGV[1])
  local left = redis.call('pttl', KEYS[1])
  if left < 0 then
    left = tonumber(ARGV[4]) * 1000
    redis.call('pexpire', KEYS[1], left)
  end
  return {count, left}`;

/** Counts in Redis. @returns what counts a request of a key; it fails where Redis does not answer */
function countedInRedis(redis: Redis, { max, window }: RateLimitSettings) {
  const limiter = new RateLimiterRedis({
    points: max,
    duration: window / 1000,
    keyPrefix: 'sightline',
    storeClient: redis,
    rejectIfRedisNotReady: true,
    customIncrTtlLuaScript: COUNT,
    // A key that is over its limit is refused without asking Redis again.
    inMemoryBlockOnConsumed: max + 1,
  });
  return async (keyId: string): Promise<Counted> => {
    try {
      const { consumedPoints, msBeforeNext } = await limiter.consume(keyId);
      return { count: consumedPoints, left: msBeforeNext };
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return { count: max + 1, left: refused.msBeforeNext };
      throw refused;
    }
  };
}

function seconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000);
}
