import { setTimeout as sleep } from 'node:timers/promises';
import { BenchExchange } from './load-client.ts';

/** Requests at a constant rate, regardless of response times. */
export interface Pace {
  /** Services that are measured at the same time. */
  ports: readonly number[];
  /** Complete HTTP/1.1 requests. Each service receives them in turn. */
  requests: readonly string[];
  /** Requests per second to each service. */
  rate: number;
  seconds: number;
}

/**
 * Returns the response times of each service in milliseconds.
 * @throws {Error} if a status is not 200
 */
export async function runPaced({ ports, requests, rate, seconds }: Pace): Promise<number[][]> {
  const callers = ports.map(port => new Caller(port));
  const began = performance.now();
  const requested: Promise<void>[] = [];
  for (let index = 0; index < rate * seconds * ports.length; index++) {
    await sleep(Math.max(0, began + (index * 1000) / (rate * ports.length) - performance.now()));
    const turn = Math.floor(index / ports.length);
    requested.push(callers[index % ports.length]!.ask(requests[turn % requests.length]!));
  }
  await Promise.all(requested);
  return callers.map(caller => caller.end());
}

/** Sends requests to a service, on as many connections as there are pending responses. */
class Caller {
  #port: number;
  #free: BenchExchange[] = [];
  #latencies: number[] = [];

  constructor(port: number) {
    this.#port = port;
  }

  async ask(request: string): Promise<void> {
    let exchange = this.#free.pop();
    while (exchange && !exchange.isOpen) exchange = this.#free.pop();
    exchange ??= await BenchExchange.on(this.#port, 200);
    const sent = performance.now();
    await exchange.ask(Buffer.from(request));
    this.#latencies.push(performance.now() - sent);
    this.#free.push(exchange);
  }

  end(): number[] {
    for (const exchange of this.#free) exchange.end();
    return this.#latencies;
  }
}
