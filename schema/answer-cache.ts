import { LRUCache } from 'lru-cache';

/** Cached values by name, which contains the account's version. */
export interface AnswerCache<Value> {
  get(name: string): Value | undefined;
  keep(name: string, value: Value): void;
}

/**
 * A cache that evicts the least recently used values.
 * @param bytes approximate memory limit; 0 disables the cache
 * @param sizeOf approximate size of a value in bytes
 */
export function createAnswerCache<Value extends object>(
  bytes: number,
  sizeOf: (value: Value) => number,
): AnswerCache<Value> {
  if (bytes === 0) return { get: () => undefined, keep: () => {} };
  const cache = new LRUCache<string, Value>({ maxSize: bytes });
  return {
    get: name => cache.get(name),
    keep: (name, value) => cache.set(name, value, { size: sizeOf(value) + 2 * name.length }),
  };
}

/** Limits a cache to one timeline: after a failover, a server can reach the same version with different data. */
export function ofTimeline<Value>(cache: AnswerCache<Value>, timeline: string): AnswerCache<Value> {
  return {
    get: name => cache.get(`${timeline} ${name}`),
    keep: (name, value) => cache.keep(`${timeline} ${name}`, value),
  };
}
