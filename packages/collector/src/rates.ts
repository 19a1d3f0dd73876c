import { LRUCache } from 'lru-cache';

export interface Rate {
  /** The number of tokens added per second. */
  perSecond: number;
  /** The bucket's capacity. */
  burst: number;
}

/** Token buckets in a cache of limited size, so clients cannot fill memory. */
export class Buckets {
  #rate: Rate;
  #table: LRUCache<string, { level: number; at: number }>;

  /** @param most maximum number of buckets */
  constructor(rate: Rate, most: number) {
    this.#rate = rate;
    // Unlike `max`, this allocates nothing in advance.
    this.#table = new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
  }

  /**
   * Takes this many tokens, or none if there are fewer.
   * @param now in milliseconds of a monotonic clock
   */
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
