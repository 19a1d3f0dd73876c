import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { keepAliveAgent } from './keep-alive.ts';

/** The outcome of a request. */
export interface Outcome {
  path: string;
  /** When it was sent, and how long it took: milliseconds, by the monotonic clock. */
  begun: number;
  took: number;
  /** Undefined where no answer came, whole, in time; `failure` says what came instead. */
  status: number | undefined;
  body: string;
  failure?: string;
}

export interface LoadOptions {
  url: string;
  key: string;
  /** Requests a second. They are sent when their time has come, whether or not earlier ones were answered. */
  rate: number;
  /** Paths, one after the other. `*` stands for the number of the request, which keeps answers out of caches. */
  paths: readonly string[];
  /** Milliseconds after which a request counts as not answered; a minute when left out. */
  patience?: number;
}

export interface LoadResult {
  sent: number;
  /** Answers other than 200, each once: status and body, or the reason for none. */
  failures: string[];
  /** Milliseconds that the slowest request took. */
  slowest: number;
  /** The statuses of the requests sent from an instant on, each once. */
  answeredSince(instant: number): (number | undefined)[];
}

/** Requests at a constant rate over connections that are kept. */
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

  /** Sends no more, and waits for what is under way. */
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
