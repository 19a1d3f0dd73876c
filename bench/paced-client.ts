import { setTimeout as sleep } from 'node:timers/promises';
import { Exchange } from './load-client.ts';

/** Requests that come one after the other at a rate, however long their answers take. */
export interface Pace {
  /** Services that are asked at the same time, in turns. */
  ports: readonly number[];
  /** Whole HTTP/1.1 requests, which each service is sent in turns. */
  requests: readonly string[];
  /** Requests a second to each. */
  rate: number;
  seconds: number;
}

/**
 * Answers with the milliseconds that each answer took, for each service.
 * @throws {Error} when an answer is no 200
 */
export async function runPaced({ ports, requests, rate, seconds }: Pace): Promise<number[][]> {
  const askers = ports.map(port => new Asker(port));
  const began = performance.now();
  const asked: Promise<void>[] = [];
  for (let index = 0; index < rate * seconds * ports.length; index++) {
    await sleep(Math.max(0, began + (index * 1000) / (rate * ports.length) - performance.now()));
    const turn = Math.floor(index / ports.length);
    asked.push(askers[index % ports.length]!.ask(requests[turn % requests.length]!));
  }
  await Promise.all(asked);
  return askers.map(asker => asker.end());
}

/** Asks one service, on as many connections as there are answers to wait for. */
class Asker {
  #port: number;
  #free: Exchange[] = [];
  #latencies: number[] = [];

  constructor(port: number) {
    this.#port = port;
  }

  async ask(request: string): Promise<void> {
    let exchange = this.#free.pop();
    while (exchange && !exchange.isOpen) exchange = this.#free.pop();
    exchange ??= await Exchange.on(this.#port, 200);
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
