import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { keepAliveAgent } from './keep-alive.ts';

/** The outcome of a request. */
export interface Outcome {
  path: string;
  /** The start and duration in milliseconds of the monotonic clock. */
  begun: number;
  took: number;
  /** Undefined if there was no complete response in time; `failure` has the reason. */
  status: number | undefined;
  body: string;
  failure?: string;
}

export interface LoadOptions {
  url: string;
  key: string;
  /** Requests per second. Each is sent on time, even if earlier ones have not been answered. */
  rate: number;
  /** Paths, used in rotation. `*` is replaced by the request's number, which prevents cached responses. */
  paths: readonly string[];
  /** Milliseconds after which a request counts as unanswered; one minute by default. */
  patience?: number;
}

export interface LoadResult {
  sent: number;
  /** The distinct responses other than 200: status and body, or why there was none. */
  failures: string[];
  /** The duration of the slowest request in milliseconds. */
  slowest: number;
  /** The distinct statuses of requests sent from a point in time on. */
  answeredSince(instant: number): (number | undefined)[];
}

/** Sends requests at a constant rate over persistent connections. */
export class Load {
  readonly outcomes: Outcome[] = [];
  #options: LoadOptions;
  #agent = keepAliveAgent({ maxSockets: 500 });
  #atWork = new Set<Promise<void>>();
  #isOver = false;
  #sending: Promise<void>;

  constructor(options: LoadOptions) {
    this.#options = options;
    this.#sending = this.#send();
  }

  /** Stops sending, and waits for the requests in progress. */
  async stop(): Promise<LoadResult> {
    this.#isOver = true;
    await this.#sending;
    await Promise.all(this.#atWork);
    this.#agent.destroy();
    return summarise(this.outcomes);
  }

  async #send(): Promise<void> {
    const { rate, paths } = this.#options;
    const begin = performance.now();
    for (let sent = 0; !this.#isOver; ) {
      const due = Math.floor(((performance.now() - begin) * rate) / 1000);
      for (; sent <= due; sent++) {
        const request = this.#request(paths[sent % paths.length]!.replace('*', String(sent)));
        this.#atWork.add(request);
        request.then(() => this.#atWork.delete(request));
      }
      await sleep(5);
    }
  }

  async #request(path: string): Promise<void> {
    const begun = performance.now();
    const answer = await this.#exchange(path).catch((error: Error) => ({
      status: undefined,
      body: '',
      failure: error.message,
    }));
    this.outcomes.push({ path, begun, took: performance.now() - begun, ...answer });
  }

  #exchange(path: string): Promise<{ status: number; body: string }> {
    const { url, key, patience = 60_000 } = this.#options;
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${key}` };
      const request = get(url + path, { agent: this.#agent, headers });
      const timer = setTimeout(() => request.destroy(new Error('no answer in time')), patience);
      request.on('response', response => {
        text(response)
          .then(body => resolve({ status: response.statusCode!, body }), reject)
          .finally(() => clearTimeout(timer));
      });
      request.on('error', error => {
        clearTimeout(timer);
        reject(error);
      });
    });
  }
}

function summarise(outcomes: Outcome[]): LoadResult {
  const failed = outcomes.filter(({ status }) => status !== 200);
  return {
    sent: outcomes.length,
    failures: distinct(
      failed.map(({ status, body, failure }) => (status ? `${status} ${body}` : String(failure))),
    ),
    slowest: Math.max(0, ...outcomes.map(({ took }) => took)),
    answeredSince: instant =>
      distinct(outcomes.filter(({ begun }) => begun >= instant).map(({ status }) => status)),
  };
}

function distinct<Value>(values: Value[]): Value[] {
  return [...new Set(values)];
}
