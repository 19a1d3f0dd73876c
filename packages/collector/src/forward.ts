import { setTimeout as sleep } from 'node:timers/promises';
import { Share } from './share.ts';

/** Maximum total size of waiting bodies in bytes, including an overhead of 1 KiB for each body. */
const MOST_WAITING = 8 * 1024 * 1024;
const OVERHEAD = 1024;
/** Maximum number of concurrent requests, and of attempts per body. */
const MOST_REQUESTS = 4;
const MOST_TRIES = 5;
/** Time limit for sending waiting bodies during shutdown, in milliseconds. */
const AT_END = 2000;

/** The `Via` header of forwarded bodies. They are not forwarded again, so that two collectors cannot form a loop. */
const MARK = '1.1 sightline-collect';

export function isForwarded(via: string | undefined): boolean {
  return via?.toLowerCase().includes('sightline-collect') ?? false;
}

export interface ForwardSettings {
  /** The address of the other collector. */
  url: string;
  /** Only reports of pages on these hosts and their subdomains are forwarded. If empty, all reports are. */
  hosts: readonly string[];
  /**
   * Time limit of a request, and delay before the first retry, in milliseconds. Each further delay is twice as long.
   */
  timeout?: number;
  pause?: number;
}

export interface ForwardBody {
  account: string;
  body: Buffer;
  contentType: string | undefined;
  userAgent: string;
}

/** `taken` or `refused` by the other collector, `failed` after several attempts, or `dropped` without an attempt. */
export type ForwardOutcome = 'taken' | 'refused' | 'failed' | 'dropped';

/** Forwards bodies to another collector in the background. Bodies that it cannot accept are dropped. */
export class Forwarder {
  readonly hosts: readonly string[];
  #settings: Required<ForwardSettings>;
  #count: (account: string, outcome: ForwardOutcome) => void;
  #share: Share;
  #waiting = new Map<string, ForwardBody[]>();
  #requests = new Set<Promise<void>>();
  #ending = new AbortController();

  constructor(
    settings: ForwardSettings,
    isShared: () => boolean,
    count: (account: string, outcome: ForwardOutcome) => void,
  ) {
    this.#settings = { timeout: 5000, pause: 1000, ...settings };
    this.hosts = settings.hosts;
    this.#share = new Share(MOST_WAITING, isShared);
    this.#count = count;
  }

  get waiting(): number {
    return this.#share.used;
  }

  /**
   * Reserves room for a body until `send` or `release`.
   * @returns false if there is no room
   */
  reserve({ account, body }: ForwardBody): boolean {
    if (this.#share.take(account, body.length + OVERHEAD)) return true;
    this.#count(account, 'dropped');
    return false;
  }

  release({ account, body }: ForwardBody): void {
    this.#share.add(account, -body.length - OVERHEAD);
  }

  send(item: ForwardBody): void {
    const items = this.#waiting.get(item.account);
    if (items) items.push(item);
    else this.#waiting.set(item.account, [item]);
    this.#startNext();
  }

  /** Waits for a limited time until waiting bodies are sent. The rest is counted as dropped. */
  async close(): Promise<void> {
    const sent = async () => {
      while (this.#requests.size > 0) await Promise.all(this.#requests);
    };
    await Promise.race([sent(), sleep(AT_END, undefined, { ref: false })]);
    const left = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    this.#ending.abort();
    for (const item of left) this.#finish(item, 'dropped');
    await sent();
  }

  #startNext(): void {
    while (this.#requests.size < MOST_REQUESTS) {
      const item = this.#takeNext();
      if (!item) return;
      const request = this.#deliver(item).then(outcome => {
        this.#requests.delete(request);
        this.#finish(item, outcome);
        this.#startNext();
      });
      this.#requests.add(request);
    }
  }

  /** Returns the next body. Accounts take turns. */
  #takeNext(): ForwardBody | undefined {
    for (const [account, items] of this.#waiting) {
      const item = items.shift();
      this.#waiting.delete(account);
      if (items.length > 0) this.#waiting.set(account, items);
      return item;
    }
    return undefined;
  }

  #finish(item: ForwardBody, outcome: ForwardOutcome): void {
    this.release(item);
    this.#count(item.account, outcome);
  }

  async #deliver(item: ForwardBody): Promise<ForwardOutcome> {
    const { signal } = this.#ending;
    for (let tries = 1; ; tries++) {
      const status = await this.#post(item).catch(() => 0);
      if (status >= 200 && status < 300) return 'taken';
      // Redirects are not followed, because they could lead to any server.
      const isForGood = status >= 300 && status < 500 && status !== 408 && status !== 429;
      if (isForGood) return 'refused';
      if (tries === MOST_TRIES || signal.aborted) return 'failed';
      const pause = this.#settings.pause * 2 ** (tries - 1) * (0.5 + Math.random());
      await sleep(pause, undefined, { signal }).catch(() => {});
    }
  }

  async #post({ body, contentType = 'application/json', userAgent }: ForwardBody): Promise<number> {
    const headers = {
      'content-type': contentType,
      via: MARK,
      ...(userAgent !== '' && { 'user-agent': userAgent }),
    };
    const signal = AbortSignal.any([AbortSignal.timeout(this.#settings.timeout), this.#ending.signal]);
    const bytes = new Uint8Array(body);
    const init = { method: 'POST', headers, body: bytes, redirect: 'manual', signal } as const;
    const response = await fetch(this.#settings.url, init);
    await response.body?.cancel();
    return response.status;
  }
}
