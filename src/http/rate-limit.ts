import type { Soon } from '@sightline/json/then-if-promise';
import type { RateLimitCounters } from '../observability/readings.ts';
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
 * A window of its own for each key. It is counted in memory, or by what counts for several processes. When that does
 * not answer the limit goes on in memory: never unlimited, and never an error.
 * @param shared counts in Redis for all instances together, or in the process that started this one for all of its
 *   processes
 * @throws {Refusal} `tooManyRequests` with `Retry-After`
 */
export function createRateLimit(
  { max, window }: RateLimitSettings,
  shared?: (keyId: string) => Promise<Counted>,
): RateLimit {
  const counters: RateLimitCounters = { passed: 0, refused: 0, local: 0 };
  const own = new Windows(window);
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

function seconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000);
}
