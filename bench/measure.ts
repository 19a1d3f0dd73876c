import { stockDriver } from '../test/support/stock-driver.ts';
import type { Load, LoadResult } from './load-client.ts';
import { childrenCpuSeconds, cpuSeconds, type Generator, parentOf, withChildren } from './processes.ts';

export interface Measure {
  /** Requests a second. */
  rate: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Milliseconds of processor time for a request: of the service, of PostgreSQL's processes, and of the generator. */
  cpu: number;
  databaseCpu: number;
  generatorCpu: number;
  /** The service's, process by process. The first is the one that was started; it may have started others. */
  cpus: number[];
  bytes: number;
}

export interface Target {
  pid: number;
  port: number;
  request: string;
  status: number;
}

export interface Effort {
  connections: number;
  seconds: number;
}

/** A short time before each measurement that does not count. */
const WARM_UP = 0.25;

/** Requests after which V8 has compiled what a route runs for the last time, and the measurements that they may take. */
const COMPILED = 6000;
const MOST_WARMING = 10;

/** In life a service has answered for days: its code is compiled. */
export async function warmUp(target: Target, effort: Effort, generator: Generator): Promise<void> {
  let requests = 0;
  for (let turn = 0; turn < MOST_WARMING && requests < COMPILED; turn++)
    requests += (await generator.run<LoadResult>(loadOf(target, effort))).requests;
}

function loadOf(
  { port, request, status }: Target,
  { connections, seconds }: Effort,
): Load & { kind: 'load' } {
  return { kind: 'load', port, request, connections, status, seconds };
}

/** Sends a request over and over, and says what an answer costs. */
export async function measure(
  target: Target,
  effort: Effort,
  generator: Generator,
  backends: Backends,
): Promise<Measure> {
  await generator.run(loadOf(target, { ...effort, seconds: WARM_UP }));
  const clocks = [...withChildren(target.pid).map(clockOf), await backends.clock(), clockOf(generator.pid)];
  const before = clocks.map(clock => clock());
  const result = await generator.run<LoadResult>(loadOf(target, effort));
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

/** Seconds of processor time so far. */
type Clock = () => number;

const clockOf =
  (pid: number): Clock =>
  () =>
    cpuSeconds([pid]);

/** The processes that PostgreSQL answers with; those of another machine count nothing. */
export interface Backends {
  /**
   * Processes that are there now, with the parallel workers that they start: these have ended when their answer has.
   */
  clock(): Promise<Clock>;
  /** The processes that are there now. */
  pids(): Promise<number[]>;
  end(): Promise<void>;
}

export function backendsOf(url: string): Backends {
  const sql = stockDriver(url, { max: 1, onnotice: () => {} });
  const read = () => sql<{ pid: number; isOwn: boolean }[]>`
    select pid, pid = pg_backend_pid() as "isOwn" from pg_stat_activity where datname = current_database()`;
  return {
    async clock() {
      const rows = await read();
      const pids = rows.filter(({ isOwn }) => !isOwn).map(({ pid }) => pid);
      const postmaster = parentOf(rows.find(({ isOwn }) => isOwn)!.pid);
      return () => cpuSeconds(pids) + childrenCpuSeconds(postmaster);
    },
    pids: async () => (await read()).map(({ pid }) => pid),
    end: () => sql.end({ timeout: 5 }),
  };
}
