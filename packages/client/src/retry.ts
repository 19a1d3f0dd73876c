import { lost, refusal, retryAfter, type SightlineError } from './error.ts';

export type Fetch = (request: Request) => Promise<Response>;

export interface RetryOptions {
  /** The number of times that a request is sent again; 3 by default. */
  retries?: number;
  /**
   * Maximum wait for a retry in milliseconds; default: 65,000, slightly more than the usual window of the rate limit.
   */
  longestWait?: number;
  /** Milliseconds before the first retry; each further wait doubles, up to a minute. Default: 250. */
  firstWait?: number;
  /** Called before each retry, with the error and the number of attempts so far. */
  onRetry?: (error: SightlineError, tries: number) => void;
}

const USUAL_RETRIES = 3;
const USUAL_LONGEST_WAIT = 65_000;
const USUAL_FIRST_WAIT = 250;
const LONGEST_BACKOFF = 60_000;

/** Too many requests, and statuses of proxies and of a temporarily unavailable service. */
const TRANSIENT = [408, 425, 429, 500, 502, 503, 504];

/**
 * Retries requests after temporary failures: after `Retry-After` (RFC 9110, section 10.2.3), or after a growing, random
 * delay. Requests beyond the rate limit wait for the next window, as many as it allows.
 */
export function retrying(options: RetryOptions): (fetch: Fetch) => Fetch {
  const { retries = USUAL_RETRIES, longestWait = USUAL_LONGEST_WAIT } = options;
  const { firstWait = USUAL_FIRST_WAIT, onRetry = () => {} } = options;
  const budget = new Budget(longestWait);

  /** Returns undefined if the request should be sent again. */
  async function once(fetch: Fetch, request: Request, tried: number): Promise<Response | undefined> {
    const { signal, url } = request;
    await budget.take(signal);
    const isLast = tried >= retries;
    const wait = backoff(firstWait, tried);
    try {
      // A body can be sent only once.
      const answer = await fetch(request.method === 'GET' ? request : request.clone());
      budget.learn(answer.headers);
      const least = retryAfter(answer.headers);
      if (isLast || !TRANSIENT.includes(answer.status) || (least ?? wait) > longestWait) return answer;
      await answer.body?.cancel();
      onRetry(refusal(answer, undefined), tried + 1);
      await pause(least ?? wait, signal);
    } catch (error) {
      const failure = lost(error, signal, url);
      if (isLast || signal.aborted) throw failure;
      onRetry(failure as SightlineError, tried + 1);
      await pause(wait, signal);
    }
  }

  return fetch => async request => {
    for (let tried = 0; ; tried++) {
      const answer = await once(fetch, request, tried);
      if (answer) return answer;
    }
  };
}

/** Reads the complete body, so that a truncated one is requested again. */
export function complete(fetch: Fetch): Fetch {
  return async request => {
    const answer = await fetch(request);
    // A redirect that a browser hides has no status.
    if (answer.type === 'opaqueredirect') return answer;
    const { status, statusText, headers } = answer;
    const body = await answer.arrayBuffer();
    return new Response(body.byteLength > 0 ? body : null, { status, statusText, headers });
  };
}

/** Parses the service's rate limit header, `"default";r=0;t=42` as in the IETF's draft, and the policy. */
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

  /** Waits until a request is allowed, unless that takes too long. @throws the reason of the signal */
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

/** Between half and all of a doubling delay, so that many clients do not return simultaneously. */
const backoff = (first: number, tried: number) =>
  Math.min(LONGEST_BACKOFF, first * 2 ** tried) * (0.5 + Math.random() / 2);

/** Maximum delay of a timer in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** @throws the reason of the signal, once it is aborted */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    if (signal.aborted) return reject(signal.reason);
    const timer = setTimeout(
      () => {
        signal.removeEventListener('abort', end);
        resolve();
      },
      Math.min(milliseconds, LONGEST_TIMER),
    );
    signal.addEventListener('abort', end, { once: true });
  });
}
