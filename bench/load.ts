import autocannon from 'autocannon';
import type { Sql } from 'postgres';
import { stockDriver } from '../test/support/stock-driver.ts';
import { childrenCpuSeconds, cpuSeconds, getParent } from './processes.ts';
import { quantile } from './table.ts';

/** A request to send repeatedly. */
export interface LoadRequest {
  url: string;
  headers: Record<string, string>;
  method?: 'POST';
  body?: string;
  /** The status that every response must have; 200 by default. */
  status?: number;
}

export interface LoadResult {
  /** Requests per second. */
  rate: number;
  /** From the first request to the last response. */
  seconds: number;
  /** In milliseconds. */
  p50: number;
  p99: number;
}

/**
 * Sends a request over several connections, each after the response to the previous one: a number of times, after
 * which no response is pending, or for a number of seconds.
 * @throws {Error} if a response has another status or a connection is lost
 */
export async function sendLoad(
  { status = 200, ...request }: LoadRequest,
  connections: number,
  until: { amount: number } | { duration: number },
): Promise<LoadResult> {
  const times: number[] = [];
  const begin = performance.now();
  let end = begin;
  const { statusCodeStats, errors } = await new Promise<autocannon.Result>((resolve, reject) => {
    const options = { ...request, connections, ...until, timeout: 60, sampleInt: 10 };
    const load = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)));
    load.on('response', (_client, _status, _bytes, time) => {
      times.push(time);
      end = performance.now();
    });
  });
  const statuses = Object.keys(statusCodeStats ?? {});
  if (errors > 0 || statuses.some(other => other !== String(status)))
    throw new Error(`${request.url} answers with ${statuses} instead of ${status}, and ${errors} errors`);
  const seconds = (end - begin) / 1000;
  return { rate: times.length / seconds, seconds, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

/** Sends a request until this number of responses or seconds. Returns the last number of requests per second. */
export async function warmUp(
  request: LoadRequest,
  connections: number,
  most: { amount: number; seconds: number },
): Promise<number> {
  for (let amount = connections; ; amount *= 2) {
    const { rate, seconds } = await sendLoad(request, connections, { amount });
    if (seconds >= most.seconds / 2 || amount >= most.amount / 2) return rate;
  }
}

/**
 * V8 has compiled a route after this number of requests or, since long answers run the same code for each of their
 * records, after this time in seconds. A service in production has run for days, so its code is compiled.
 */
export const COMPILED = { amount: 6000, seconds: 2 };

/** The warm-up before each measurement. */
const WARM_UP = { amount: Number.POSITIVE_INFINITY, seconds: 0.25 };

export interface Measure extends LoadResult {
  /** Processor time per request in milliseconds, of the service and of PostgreSQL's processes. */
  cpu: number;
  databaseCpu: number;
}

/** Sends a request for about the given time, and returns the cost of a response. */
export async function measure(
  pid: number,
  request: LoadRequest,
  { connections, seconds }: { connections: number; seconds: number },
  database: Sql,
): Promise<Measure> {
  const rate = await warmUp(request, connections, WARM_UP);
  const amount = Math.max(connections, Math.ceil(rate * seconds));
  const getDatabaseCpu = await watchBackends(database);
  const before = { cpu: cpuSeconds(pid), databaseCpu: getDatabaseCpu() };
  const result = await sendLoad(request, connections, { amount });
  const perRequest = (spent: number) => (spent * 1000) / amount;
  return {
    ...result,
    cpu: perRequest(cpuSeconds(pid) - before.cpu),
    databaseCpu: perRequest(getDatabaseCpu() - before.databaseCpu),
  };
}

export const connectStock = (url: string) => stockDriver(url, { max: 1, onnotice: () => {} });

/**
 * Captures PostgreSQL's present server processes. Returns a function that returns their processor time in seconds,
 * including that of parallel workers, which exit with their query.
 */
async function watchBackends(database: Sql): Promise<() => number> {
  const backends = await database<{ pid: number; isOwn: boolean }[]>`
    select pid, pid = pg_backend_pid() as "isOwn" from pg_stat_activity where datname = current_database()`;
  const postmaster = getParent(backends[0]!.pid);
  const others = backends.filter(({ isOwn }) => !isOwn);
  return () => others.reduce((sum, { pid }) => sum + cpuSeconds(pid), childrenCpuSeconds(postmaster));
}
