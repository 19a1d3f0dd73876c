import { lost, retryAfter } from './error.ts';

export type Fetch = (request: Request) => Promise<Response>;

export interface RetryOptions {
  /** The number of times that a request is sent again; 3 by default. */
  retries?: number;
  /** Milliseconds to wait for another try at most; 65,000 when left out: the usual window of the limit, and some. */
  longestWait?: number;
}

const USUAL_RETRIES = 3;
const USUAL_LONGEST_WAIT = 65_000;
const FIRST_BACKOFF = 250;

/** Too many requests, and what proxies and the service say while it cannot answer. */
const TRANSIENT = [429, 502, 503, 504];

/**
 * Sends requests again that failed for the moment: after `Retry-After` (RFC 9110, section 10.2.3), or after a growing,
 * random time. Requests that `RateLimit` leaves no room for wait until its window ends, as many of them at once as the
 * next one has room for.
 */
export function retrying(options: RetryOptions): (fetch: Fetch) => Fetch {
  const { retries = USUAL_RETRIES, longestWait = USUAL_LONGEST_WAIT } = options;
  const budget = new Budget(longestWait);

  /** Answers with undefined where it is to be sent again, and the time for it has come. */
  async function once(fetch: Fetch, request: Request, tried: number): Promise<Response | undefined> {
    const { signal } = request;
    await budget.take(signal);
    const isLast = tried >= retries;
    try {
      const answer = await fetch(request);
      budget.learn(answer.headers);
      const wait = retryAfter(answer.headers) ?? backoff(tried);
      if (isLast || !TRANSIENT.includes(answer.status) || wait > longestWait) return answer;
      await answer.body?.cancel();
      await pause(wait, signal);
    } catch (error) {
      if (isLast || signal.aborted) throw lost(error, signal);
      await pause(backoff(tried), signal);
    }
  }

  return fetch => async request => {
    for (let tried = 0; ; tried++) {
      const answer = await once(fetch, request, tried);
      if (answer) return answer;
    }
  };
}

/** Reads the body to its end, so that one that breaks off is asked for again. */
export function complete(fetch: Fetch): Fetch {
  return async request => {
    const answer = await fetch(request);
    const { status, statusText, headers } = answer;
    return new Response((await answer.text()) || null, { status, statusText, headers });
  };
}

/**
 * The service's rate limit header: `"default";r=0;t=42`, in the form of the IETF's draft, and the policy behind it.
 */
class Budget {
  #longestWait: number;
  #quota = Number.POSITIVE_INFINITY;
  #left = Number.POSITIVE_INFINITY;
  /** Milliseconds. */
  #window = 0;
  #end = 0;

  constructor(longestWait: number) {
    this.#longestWait = longestWait;
  }

  /** Waits until a request has room, unless that takes too long. @throws the reason of the signal */
  async take(signal: AbortSignal): Promise<void> {
    for (;;) {
      const now = Date.now();
      if (now >= this.#end) {
        this.#left = this.#quota;
        this.#end = now + this.#window;
      }
      const wait = this.#end - now;
      if (this.#left > 0 || wait > this.#longestWait) break;
      await pause(wait, signal);
    }
    this.#left--;
  }

  learn(headers: Headers): void {
    const [, left, seconds] = /;\s*r=(\d+);\s*t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? [];
    if (left === undefined) return;
    const [, quota, window] = /;\s*q=(\d+);\s*w=(\d+)/.exec(headers.get('ratelimit-policy') ?? '') ?? [];
    if (quota !== undefined) [this.#quota, this.#window] = [Number(quota), Number(window) * 1000];
    this.#left = Math.min(this.#left, Number(left));
    this.#end = Date.now() + Number(seconds) * 1000;
  }
}

/** Between half and all of a time that doubles: many clients do not come back at once. */
const backoff = (tried: number) => FIRST_BACKOFF * 2 ** tried * (0.5 + Math.random() / 2);

/** @throws the reason of the signal, once it is aborted */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    if (signal.aborted) return reject(signal.reason);
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', end, { once: true });
  });
}
