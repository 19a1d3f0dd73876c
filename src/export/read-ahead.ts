import { LRUCache } from 'lru-cache';

/** The maximum number of pages, of up to 11 MB each, and the milliseconds for which they are kept. */
const MOST = 4;
const KEPT = 2000;

/**
 * Reads pages before they are requested: while a full page is written and sent, the database reads the next one, since
 * a client can ask for it only after the first has arrived.
 */
export class ReadAhead<Page> {
  readonly #pages = new LRUCache<string, Promise<Page | undefined>>({
    max: MOST,
    ttl: KEPT,
    ttlAutopurge: true,
  });

  /** @param name identifies everything that the page depends on */
  begin(name: string, load: () => Promise<Page>): void {
    // Without a page, the request loads it and reports the error.
    const page = load().catch(() => undefined);
    this.#pages.set(name, page);
  }

  /** Returns a page once, or undefined if it was not read. */
  take(name: string): Promise<Page | undefined> | undefined {
    const page = this.#pages.get(name);
    this.#pages.delete(name);
    return page;
  }
}
