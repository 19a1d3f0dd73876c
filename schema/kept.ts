import { LRUCache } from 'lru-cache';

/** Values by what was asked and of which version of the account. */
export interface Kept<Value> {
  get(name: string): Value | undefined;
  keep(name: string, value: Value): void;
}

/**
 * Keeps what was asked last.
 * @param bytes about how much memory it may take; 0 keeps nothing
 * @param sizeOf about how many of them a value takes
 */
export function keepValues<Value extends object>(
  bytes: number,
  sizeOf: (value: Value) => number,
): Kept<Value> {
  if (bytes === 0) return { get: () => undefined, keep: () => {} };
  const kept = new LRUCache<string, Value>({ maxSize: bytes });
  return {
    get: name => kept.get(name),
    keep: (name, value) => kept.set(name, value, { size: sizeOf(value) + 2 * name.length }),
  };
}

/** The same of one history: after a failover, a server can come to a version again, with other data. */
export function ofTimeline<Value>(kept: Kept<Value>, timeline: string): Kept<Value> {
  return {
    get: name => kept.get(`${timeline} ${name}`),
    keep: (name, value) => kept.keep(`${timeline} ${name}`, value),
  };
}
