import { LRUCache } from 'lru-cache';

export interface Rate {
  /** The amount that comes back in a second. */
  perSecond: number;
  /** The most that can be taken at once. */
  burst: number;
}

/** Token buckets, of which those that were asked for last are kept: what strangers send fills no memory. */
export class Buckets {
  #rate: Rate;
  #table: LRUCache<string, { level: number; at: number }>;

  /** @param most buckets that are kept */
  constructor(rate: Rate, most: number) {
    this.#rate = rate;
    this.#table = new LRUCache({ max: most });
  }

  /** Takes so many, or none where there are fewer. @param now in milliseconds, by a clock that nobody sets */
  take(key: string, wanted: number, now = performance.now()): boolean {
    const { perSecond, burst } = this.#rate;
    const bucket = this.#table.get(key) ?? { level: burst, at: now };
    if (bucket.at === now) this.#table.set(key, bucket);
    bucket.level = Math.min(burst, bucket.level + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    if (bucket.level < wanted) return false;
    bucket.level -= wanted;
    return true;
  }
}
