import { stockDriver } from '../test/support/stock-driver.ts';
import type { Load, LoadResult } from './load-client.ts';
import { childrenCpuSeconds, cpuSeconds, type Generator, getParent, withChildren } from './processes.ts';

export interface Measure {
  /** Requests per second. */
  rate: number;
  /** In milliseconds. */
  p50: number;
  p99: number;
  /**
   * Processor time per request in milliseconds: of the service, of PostgreSQL's processes, and of the load generator.
   */
  cpu: number;
  databaseCpu: number;
  generatorCpu: number;
  /** The service's processor time by process, the main process first. */
  cpus: number[];
  bytes: number;
}

export interface MeasuredProcess {
  pid: number;
  port: number;
  request: string;
  status: number;
}

export interface Effort {
  connections: number;
  seconds: number;
}

/** The duration of the warm-up before each measurement, in seconds. */
const WARM_UP = 0.25;

/**
 * A route is warmed up until V8 has compiled it: after this number of requests or, since long answers run the same code
 * for each of their records, after this time in seconds.
 */
const COMPILED = 6000;
const LONGEST_WARMING = 2;

/** A service in production has run for days, so its code is compiled. */
export async function warmUp(target: MeasuredProcess, effort: Effort, generator: Generator): Promise<void> {
  let requests = 0;
  const end = performance.now() + LONGEST_WARMING * 1000;
  while (performance.now() < end && requests < COMPILED)
    requests += (await generator.run<LoadResult>(runLoad(target, effort))).requests;
}

function runLoad(
  { port, request, status }: MeasuredProcess,
  { connections, seconds }: Effort,
): Load & { kind: 'load' } {
  return { kind: 'load', port, request, connections, status, seconds };
}

/** Sends a request repeatedly, and returns the cost of a response. */
export async function measure(
  target: MeasuredProcess,
  effort: Effort,
  generator: Generator,
  backends: Backends,
): Promise<Measure> {
  await generator.run(runLoad(target, { ...effort, seconds: WARM_UP }));
  const clocks = [...withChildren(target.pid).map(getClock), await backends.clock(), getClock(generator.pid)];
  const before = clocks.map(clock => clock());
  const result = await generator.run<LoadResult>(runLoad(target, effort));
  const taken = clocks.map((clock, index) => clock() - before[index]!);
  const perRequest = taken.map(cpu => (cpu * 1000) / result.requests);
  const cpus = perRequest.slice(0, -2);
  return {
    rate: result.requests / result.seconds,
    p50: result.p50,
    p99: result.p99,
    cpu: cpus.reduce((sum, cpu) => sum + cpu),
    databaseCpu: perRequest.at(-2)!,
    generatorCpu: perRequest.at(-1)!,
    cpus,
    bytes: result.bytes,
  };
}

/** Returns the processor time so far, in seconds. */
type Clock = () => number;

const getClock =
  (pid: number): Clock =>
  () =>
    cpuSeconds([pid]);

/** PostgreSQL's server processes on this machine. Those on other machines are not counted. */
export interface Backends {
  /** Captures the current processes, including parallel workers, which exit with their query. */
  clock(): Promise<Clock>;
  /** Lists the current processes. */
  pids(): Promise<number[]>;
  end(): Promise<void>;
}

export function listBackends(url: string): Backends {
  const sql = stockDriver(url, { max: 1, onnotice: () => {} });
  const read = () => sql<{ pid: number; isOwn: boolean }[]>`
    select pid, pid = pg_backend_pid() as "isOwn" from pg_stat_activity where datname = current_database()`;
  return {
    async clock() {
      const rows = await read();
      const pids = rows.filter(({ isOwn }) => !isOwn).map(({ pid }) => pid);
      const postmaster = getParent(rows.find(({ isOwn }) => isOwn)!.pid);
      return () => cpuSeconds(pids) + childrenCpuSeconds(postmaster);
    },
    pids: async () => (await read()).map(({ pid }) => pid),
    end: () => sql.end({ timeout: 5 }),
  };
}
