/** The requests of a key in its window, the last one among them. */
export interface Counted {
  count: number;
  /** Milliseconds until the window ends. */
  left: number;
}

/** Counts in this process, at once. The window of a key begins with its first request. */
export class Windows {
  #length: number;
  #windows = new Map<string, { count: number; end: number }>();
  #sweep: NodeJS.Timeout | undefined;

  /** @param length milliseconds of a window */
  constructor(length: number) {
    this.#length = length;
  }

  count(keyId: string, requests = 1): Counted {
    // Whole ones: a difference of others may be more than the window.
    const now = Math.floor(performance.now());
    const known = this.#windows.get(keyId);
    const counted = known && known.end > now ? known : { count: 0, end: now + this.#length };
    if (counted !== known) this.#windows.set(keyId, counted);
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
