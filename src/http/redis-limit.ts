import type { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimitSettings } from './rate-limit.ts';
import type { Counted } from './windows.ts';

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
export function countedInRedis(redis: Redis, { max, window }: RateLimitSettings) {
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
