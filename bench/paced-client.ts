import { setTimeout as sleep } from 'node:timers/promises';
import { Exchange, type LoadResult } from './load-client.ts';
import { quantile } from './statistics.ts';

/** Requests that come one after the other at a rate, however long their answers take. */
export interface Pace {
  port: number;
  /** Whole HTTP/1.1 requests, which are sent in turns. */
  requests: readonly string[];
  /** Requests a second. */
  rate: number;
  seconds: number;
}

/** @throws {Error} when an answer is no 200 */
export async function runPaced({ port, requests, rate, seconds }: Pace): Promise<LoadResult> {
  const free: Exchange[] = [];
  const latencies: number[] = [];
  let bytes = 0;
  const ask = async (request: string) => {
    let exchange = free.pop();
    while (exchange && !exchange.isOpen) exchange = free.pop();
    exchange ??= await Exchange.on(port, 200);
    const sent = performance.now();
    bytes = await exchange.ask(Buffer.from(request));
    latencies.push(performance.now() - sent);
    free.push(exchange);
  };
  const began = performance.now();
  const asked: Promise<void>[] = [];
  for (let index = 0; index < rate * seconds; index++) {
    await sleep(Math.max(0, began + (index * 1000) / rate - performance.now()));
    asked.push(ask(requests[index % requests.length]!));
  }
  await Promise.all(asked);
  for (const exchange of free) exchange.end();
  const sorted = Float64Array.from(latencies).sort();
  return {
    requests: sorted.length,
    seconds: (performance.now() - began) / 1000,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    bytes,
  };
}
