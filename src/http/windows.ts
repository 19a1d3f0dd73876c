/** The number of requests of a key in its window, including the current one. */
export interface RequestCount {
  count: number;
  /** Milliseconds until the end of the window. */
  left: number;
}

/** Counts synchronously in this process. A key's window begins with its first request. */
export class Windows {
  #length: number;
  #windows = new Map<string, { count: number; end: number }>();
  #sweep: NodeJS.Timeout | undefined;

  /** @param length milliseconds of a window */
  constructor(length: number) {
    this.#length = length;
  }

  count(keyId: string, requests = 1): RequestCount {
    // Integers, since a difference of fractions can exceed the window.
    const now = Math.floor(performance.now());
    const existing = this.#windows.get(keyId);
    const counted = existing && existing.end > now ? existing : { count: 0, end: now + this.#length };
    if (counted !== existing) this.#windows.set(keyId, counted);
    this.#sweep ??= setTimeout(() => this.#forget(), this.#length).unref();
    counted.count += requests;
    return { count: counted.count, left: counted.end - now };
  }

  #forget(): void {
    const now = performance.now();
    for (const [keyId, { end }] of this.#windows) if (end <= now) this.#windows.delete(keyId);
    this.#sweep = undefined;
  }
}
