import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { Refusal } from './respond.ts';

export interface RateLimitSettings {
  /** Requests of a key in one window. */
  max: number;
  /** Milliseconds, from the window's first request on. */
  window: number;
}

/** The third door: counts a request of a key, and answers with the headers that say what is left. */
export type RateLimit = (keyId: string) => Promise<Record<string, string>>;

/**
 * A window of its own for each key, in memory, or in Redis for all instances together. When Redis is away the limit
 * goes on in memory: never unlimited, and never an error.
 * @throws {Refusal} `tooManyRequests` with `Retry-After`
 */
export function createRateLimit({ max, window }: RateLimitSettings, redis?: Redis): RateLimit {
  const limits = { points: max, duration: window / 1000, keyPrefix: 'sightline' };
  const local = new RateLimiterMemory(limits);
  const limiter = redis
    ? new RateLimiterRedis({
        ...limits,
        storeClient: redis,
        insuranceLimiter: local,
        rejectIfRedisNotReady: true,
        // A key that is over its limit is refused without asking Redis again.
        inMemoryBlockOnConsumed: max + 1,
      })
    : local;
  const policy = `"default";q=${max};w=${Math.ceil(window / 1000)}`;

  const headers = ({ remainingPoints, msBeforeNext }: RateLimiterRes) => ({
    'RateLimit-Policy': policy,
    RateLimit: `"default";r=${Math.max(0, remainingPoints)};t=${seconds(msBeforeNext)}`,
  });

  return async keyId => {
    try {
      return headers(await limiter.consume(keyId));
    } catch (reason) {
      if (!(reason instanceof RateLimiterRes)) throw reason;
      throw new Refusal('tooManyRequests', {
        ...headers(reason),
        'Retry-After': String(Math.max(1, seconds(reason.msBeforeNext))),
      });
    }
  };
}

function seconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000);
}
