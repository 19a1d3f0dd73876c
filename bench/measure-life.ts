import { setTimeout as sleep } from 'node:timers/promises';
import { DEMO_PERSONAL } from '@sightline/demo';
import { issueKey } from '../src/keys/issue.ts';
import { connectOperator } from '../test/support/operator.ts';
import type { BenchDatabase } from './database.ts';
import { listBackends, warmUp } from './measure.ts';
import { Generator, readActivity, residentMemory } from './processes.ts';
import { routesOn } from './routes.ts';
import { type BenchService, requestText, startService, stopService } from './services.ts';

const LIVING = ['ours', 'yardstick'] as const;
export type LoadCost = (typeof LIVING)[number];

/** A constant request rate, distributed over keys. */
export interface PaceResult {
  rate: number;
  keys: number;
  windows: number;
  /** The length of a measurement window. */
  seconds: number;
}

/** The cost of a request in each window: the processor time of the service and of PostgreSQL, in milliseconds. */
export interface RequestFigures {
  cpu: number[];
  databaseCpu: number[];
  /** The latencies of all responses, in milliseconds. */
  latencies: number[];
}

/** The cost of a service that is idle after a few requests. */
export interface IdleCost {
  /** The fraction of a core. */
  cpu: number;
  /** How often per second one of its threads is scheduled. */
  wakings: number;
  /** Memory in MB, at the start and at the end. */
  atFirst: number;
  after: number;
}

export interface LifeResults {
  requested: { pace: PaceResult; services: Partial<Record<LoadCost, RequestFigures>> }[];
  resting: Partial<Record<LoadCost, IdleCost>>;
}

/** Requests with many keys. They make V8 compile the key lookup, which a single key rarely needs. */
const MANY = { rate: 800, seconds: 8 };

/**
 * After a load ends, V8 collects its heap up to three times and discards compiled code. At such a low request rate, it
 * does so within 108 s of its last full collection.
 */
const SETTLING = { rate: 10, seconds: 108 };

/** The first measurement at each rate compiles the discarded code again. */
const PACES: readonly PaceResult[] = [
  { rate: 100, keys: 1000, windows: 2, seconds: 8 },
  { rate: 10, keys: 1000, windows: 4, seconds: 16 },
  { rate: 10, keys: 1, windows: 2, seconds: 6 },
];

/** The routes that are requested in turn: one without a statement, two with one. */
const ROUTES = ['me', 'week', 'findings'] as const;

/** The requests before the idle period. */
const LITTLE = { rate: 100, seconds: 2 };

/** The measured idle time in seconds. */
const RESTING = 10;

type Services = Partial<Record<LoadCost, BenchService>>;

/**
 * Measures all services at the same time, at each rate. Further instances get a few requests and are then measured
 * while idle.
 */
export async function measureLife(
  database: BenchDatabase,
  say: (text: string) => void,
): Promise<LifeResults> {
  const keys = await manyKeys(database.url, Math.max(...PACES.map(({ keys }) => keys)));
  const generator = new Generator();
  const backends = listBackends(database.url);
  const [resting, services]: [Services, Services] = [{}, {}];
  const atFirst: Partial<Record<LoadCost, number>> = {};
  const databaseOf: Partial<Record<LoadCost, number[]>> = {};
  for (const name of LIVING) {
    const service = await startService(name, database);
    resting[name] = service;
    atFirst[name] = residentMemory(service.pid);
    await generator.run({ kind: 'paced', ports: [service.port], requests: toRequests(keys), ...LITTLE });
  }
  for (const name of LIVING) {
    const others = await backends.pids();
    const service = await startService(name, database);
    services[name] = service;
    await warm(service, keys, generator);
    databaseOf[name] = (await backends.pids()).filter(pid => !others.includes(pid));
  }
  say('waiting until V8 has settled …\n');
  await generator.run({ kind: 'paced', ports: listPorts(services), requests: toRequests(keys), ...SETTLING });
  const requested: LifeResults['requested'] = [];
  for (const pace of PACES) {
    const requests = toRequests(keys.slice(0, pace.keys));
    requested.push({ pace, services: await measurePace(pace, services, databaseOf, requests, generator) });
  }
  const results: LifeResults = { requested: requested, resting: await measureResting(resting, atFirst) };
  const all = [...Object.values(services), ...Object.values(resting)];
  await Promise.all([generator.stop(), backends.end(), ...all.map(stopService)]);
  return results;
}

/** A service in production has run for days, so its code is compiled. */
async function warm(
  { pid, port }: BenchService,
  keys: readonly string[],
  generator: Generator,
): Promise<void> {
  for (const request of toRequests(keys.slice(0, 1)))
    await warmUp({ pid, port, request, status: 200 }, { connections: 4, seconds: 1 }, generator);
  await generator.run({ kind: 'paced', ports: [port], requests: toRequests(keys), ...MANY });
}

async function measurePace(
  { rate, windows, seconds }: PaceResult,
  services: Services,
  databaseOf: Partial<Record<LoadCost, number[]>>,
  requests: string[],
  generator: Generator,
): Promise<Partial<Record<LoadCost, RequestFigures>>> {
  const ports = listPorts(services);
  const requested = Object.entries(services).map(([name, { pid }], place) => ({
    name,
    place,
    clocks: [() => measureCpu([pid]), () => measureCpu(databaseOf[name as LoadCost]!)],
    measured: { cpu: [], databaseCpu: [], latencies: [] } as RequestFigures,
  }));
  for (let window = 0; window < windows; window++) {
    const before = requested.map(({ clocks }) => clocks.map(clock => clock()));
    const job = { kind: 'paced', ports, requests, rate, seconds } as const;
    const latencies = await generator.run<number[][]>(job);
    for (const { place, clocks, measured } of requested) {
      const [cpu = 0, databaseCpu = 0] = clocks.map((clock, index) => clock() - before[place]![index]!);
      measured.cpu.push((cpu * 1000) / latencies[place]!.length);
      measured.databaseCpu.push((databaseCpu * 1000) / latencies[place]!.length);
      measured.latencies.push(...latencies[place]!);
    }
  }
  return Object.fromEntries(requested.map(({ name, measured }) => [name, measured]));
}

async function measureResting(
  services: Services,
  atFirst: Partial<Record<LoadCost, number>>,
): Promise<LifeResults['resting']> {
  const measures = Object.entries(services).map(async ([name, { pid }]) => {
    const before = readActivity(pid);
    await sleep(RESTING * 1000);
    const after = readActivity(pid);
    const resting: IdleCost = {
      cpu: (after.cpuSeconds - before.cpuSeconds) / RESTING,
      wakings: (after.wakings - before.wakings) / RESTING,
      atFirst: atFirst[name as LoadCost]!,
      after: residentMemory(pid),
    };
    return [name, resting];
  });
  return Object.fromEntries(await Promise.all(measures));
}

const listPorts = (services: Services) => Object.values(services).map(({ port }) => port);

const measureCpu = (pids: readonly number[]) =>
  pids.reduce((sum, pid) => sum + readActivity(pid).cpuSeconds, 0);

async function manyKeys(url: string, count: number): Promise<string[]> {
  const operator = connectOperator(url);
  const keys: string[] = [];
  const settings = { accountId: DEMO_PERSONAL, name: 'life', expiresAt: null };
  while (keys.length < count) keys.push((await issueKey(operator, 'personal', settings)).key);
  await operator.end();
  return keys;
}

/** Each key requests a different route every time. */
function toRequests(keys: readonly string[]): string[] {
  const routes = routesOn(new Date());
  return ROUTES.flatMap((_, turn) =>
    keys.map((key, index) => {
      const { path } = routes[ROUTES[(turn + index) % ROUTES.length]!];
      return requestText(path, { Authorization: `Bearer ${key}` });
    }),
  );
}
