import { caughtIfPromise, type Soon, thenIfPromise } from '@sightline/json/then-if-promise';
import type { Redis } from 'ioredis';
import {
  type IRateLimiterOptions,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { RateLimitCounters } from '../observability/readings.ts';
import { CountedForAll } from './counting.ts';
import { Refusal } from './respond.ts';

export interface RateLimitSettings {
  /** Requests of a key in one window. */
  max: number;
  /** Milliseconds, from the window's first request on. */
  window: number;
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

/** The same as the library has it. */
export function limitsOf({ max, window }: RateLimitSettings) {
  return { points: max, duration: window / 1000, keyPrefix: 'sightline' } satisfies IRateLimiterOptions;
}

type Limits = ReturnType<typeof limitsOf>;

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
  const limits = limitsOf({ max, window });
  const counters: RateLimitCounters = { passed: 0, refused: 0, local: 0 };
  const alone = () => (isOneOfMany ? new SharedLimiter(limits, counters) : new Windows({ max, window }));
  const limiter: { consume(keyId: string): Soon<RateLimiterRes> } = redis
    ? new RateLimiterRedis({
        ...limits,
        storeClient: redis,
        insuranceLimiter: new LocalLimiter(limits, counters),
        rejectIfRedisNotReady: true,
        customIncrTtlLuaScript: COUNT,
        // A key that is over its limit is refused without asking Redis again.
        inMemoryBlockOnConsumed: max + 1,
      })
    : alone();
  const policy = `"default";q=${max};w=${Math.ceil(window / 1000)}`;

  const headers = ({ remainingPoints, msBeforeNext }: RateLimiterRes) => ({
    'RateLimit-Policy': policy,
    RateLimit: `"default";r=${Math.max(0, remainingPoints)};t=${seconds(msBeforeNext)}`,
  });

  const pass = (left: RateLimiterRes) => {
    counters.passed++;
    return headers(left);
  };

  const refuse = (reason: unknown): never => {
    if (!(reason instanceof RateLimiterRes)) throw reason;
    counters.refused++;
    throw new Refusal('tooManyRequests', {
      ...headers(reason),
      'Retry-After': String(Math.max(1, seconds(reason.msBeforeNext))),
    });
  };

  const consume = (keyId: string) =>
    caughtIfPromise(() => thenIfPromise(limiter.consume(keyId), pass), refuse);
  return Object.assign(consume, { counters });
}

/** Counts in this process, at once: the library's own memory answers with a promise, and has a timer for each key. */
class Windows {
  #settings: RateLimitSettings;
  #windows = new Map<string, { count: number; end: number }>();
  #sweep: NodeJS.Timeout | undefined;

  constructor(settings: RateLimitSettings) {
    this.#settings = settings;
  }

  /** @throws {RateLimiterRes} where the limit is passed */
  consume(keyId: string): RateLimiterRes {
    const { max, window } = this.#settings;
    // Whole ones: a difference of others may be more than the window.
    const now = Math.floor(performance.now());
    const known = this.#windows.get(keyId);
    const counted = known && known.end > now ? known : { count: 0, end: now + window };
    if (counted !== known) this.#windows.set(keyId, counted);
    this.#sweep ??= setTimeout(() => this.#forget(), window).unref();
    counted.count++;
    const { count, end } = counted;
    const decided = new RateLimiterRes(Math.max(0, max - count), end - now, count, count === 1);
    if (count > max) throw decided;
    return decided;
  }

  /** Forgets windows that have ended. */
  #forget(): void {
    const now = performance.now();
    for (const [keyId, { end }] of this.#windows) if (end <= now) this.#windows.delete(keyId);
    this.#sweep = undefined;
  }
}

/** Counts in the process that started this one. */
class SharedLimiter {
  #shared: CountedForAll;
  #local: LocalLimiter;

  constructor(limits: Limits, counters: RateLimitCounters) {
    this.#shared = new CountedForAll(limits);
    this.#local = new LocalLimiter(limits, counters);
  }

  async consume(keyId: string): Promise<RateLimiterRes> {
    try {
      return await this.#shared.consume(keyId);
    } catch (reason) {
      if (reason instanceof RateLimiterRes) throw reason;
      return this.#local.consume(keyId);
    }
  }
}

/** Stands in for what counts for all, and says how often. */
class LocalLimiter extends RateLimiterMemory {
  #counters: RateLimitCounters;

  constructor(limits: Limits, counters: RateLimitCounters) {
    super(limits);
    this.#counters = counters;
  }

  override consume(...request: Parameters<RateLimiterMemory['consume']>): Promise<RateLimiterRes> {
    this.#counters.local++;
    return super.consume(...request);
  }
}

function seconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000);
}
