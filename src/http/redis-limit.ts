import type { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimitSettings } from './rate-limit.ts';
import type { RequestCount } from './windows.ts';

/**
 * Counts a request in the key's window, which starts with its first request, and returns the count and the remaining
 * milliseconds. The library's script only supports whole seconds.
 */
const COUNT = `
  local count = redis.call('incrby', KEYS[1], ARGV[1])
  local left = redis.call('pttl', KEYS[1])
  if left < 0 then
    left = tonumber(ARGV[4]) * 1000
    redis.call('pexpire', KEYS[1], left)
  end
  return {count, left}`;

/**
 * Counts requests in Redis.
 * @returns a function that counts a request of a key, and rejects if Redis does not answer
 */
export function createRedisCounter(redis: Redis, { max, window }: RateLimitSettings) {
  const limiter = new RateLimiterRedis({
    points: max,
    duration: window / 1000,
    keyPrefix: 'sightline',
    storeClient: redis,
    rejectIfRedisNotReady: true,
    customIncrTtlLuaScript: COUNT,
    // Refuses a key over its limit without another request to Redis.
    inMemoryBlockOnConsumed: max + 1,
  });
  return async (keyId: string): Promise<RequestCount> => {
    try {
      const { consumedPoints, msBeforeNext } = await limiter.consume(keyId);
      return { count: consumedPoints, left: msBeforeNext };
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return { count: max + 1, left: refused.msBeforeNext };
      throw refused;
    }
  };
}
