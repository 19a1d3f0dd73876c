import type { MaybePromise } from '../executor/maybe-promise.ts';
import type { RateLimitCounters } from '../observability/readings.ts';
import { Refusal } from './respond.ts';
import { type RequestCount, Windows } from './windows.ts';

export interface RateLimitSettings {
  /** Maximum number of requests of a key per window. */
  max: number;
  /** Milliseconds, from the window's first request on. */
  window: number;
}

/** Counts a request of a key and returns the headers with the rest of its limit. */
export interface RateLimit {
  (keyId: string): MaybePromise<Record<string, string>>;
  readonly counters: RateLimitCounters;
}

/**
 * Counts one window per key, in memory or with a counter shared by several processes. If the shared counter fails,
 * counting continues in memory.
 * @param shared counts in Redis for all instances, or in the primary for all its workers
 * @param processes number of processes that share the limit without a common counter; each gets its share
 * @throws {Refusal} `tooManyRequests` with `Retry-After`
 */
export function createRateLimit(
  { max, window }: RateLimitSettings,
  shared?: (keyId: string) => Promise<RequestCount>,
  processes = 1,
): RateLimit {
  const counters: RateLimitCounters = { passed: 0, refused: 0, local: 0 };
  const own = new Windows(window);
  const countHere = (keyId: string) => {
    if (shared || processes > 1) counters.local++;
    return own.count(keyId, processes);
  };
  const policy = `"default";q=${max};w=${Math.ceil(window / 1000)}`;

  const decide = ({ count, left }: RequestCount) => {
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
    if (!shared) return decide(countHere(keyId));
    const counted = shared(keyId)
      .then(requireNumbers)
      .catch(() => countHere(keyId));
    return counted.then(decide);
  };
  return Object.assign(consume, { counters });
}

/** A comparison with NaN is false and would accept every request. */
function requireNumbers(counted: RequestCount): RequestCount {
  if (Number.isFinite(counted?.count) && Number.isFinite(counted?.left)) return counted;
  throw new TypeError('The reply contains no count');
}

function seconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000);
}
