import { lost } from './error.ts';

export type Fetch = (request: Request) => Promise<Response>;

export interface RetryOptions {
  /** How often a request is sent again; 3 when left out. */
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
 * random time. Behind an answer whose `RateLimit` has no request left, the next one waits until the window ends.
 */
export function retrying(options: RetryOptions): (fetch: Fetch) => Fetch {
  const { retries = USUAL_RETRIES, longestWait = USUAL_LONGEST_WAIT } = options;
  let windowEnd = 0;

  /** Answers with undefined where it is to be sent again, and the time for it has come. */
  async function once(fetch: Fetch, request: Request, tried: number): Promise<Response | undefined> {
    const { signal } = request;
    const spent = windowEnd - Date.now();
    if (spent > 0 && spent <= longestWait) await pause(spent, signal);
    const isLast = tried >= retries;
    try {
      const answer = await fetch(request);
      windowEnd = endOfWindow(answer.headers) ?? windowEnd;
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

/** Milliseconds until another try is welcome. */
export function retryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** When the window ends whose requests are spent: `"default";r=0;t=42`, in the form of the IETF's draft. */
function endOfWindow(headers: Headers): number | undefined {
  const [, seconds] = /;\s*r=0;\s*t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? [];
  return seconds === undefined ? undefined : Date.now() + Number(seconds) * 1000;
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
