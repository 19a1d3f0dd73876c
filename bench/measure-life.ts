import { setTimeout as sleep } from 'node:timers/promises';
import { DEMO_PERSONAL } from '@sightline/demo';
import { issueKey } from '../src/keys/issue.ts';
import { connectOperator } from '../test/support/operator.ts';
import { thoseThere } from './anchors.ts';
import type { BenchDatabase } from './database.ts';
import { backendsOf, warmUp } from './measure.ts';
import type { BenchOptions } from './options.ts';
import { activityOf, Generator, residentMemory } from './processes.ts';
import { routesOn } from './routes.ts';
import { requestText, type Service, startService, stopService } from './services.ts';

const LIVING = ['ours', 'yardstick', 'go'] as const;
export type Living = (typeof LIVING)[number];

/** A pace: requests a second, spread over keys. */
export interface Pace {
  rate: number;
  keys: number;
  windows: number;
  /** The length of a window. */
  seconds: number;
}

/** The costs of a service in each window: milliseconds of processor time for a request, its own and PostgreSQL's. */
export interface Asked {
  cpu: number[];
  databaseCpu: number[];
  /** Milliseconds of all answers. */
  latencies: number[];
}

/** The costs of a service that was asked a little after its start, and then for nothing. */
export interface Resting {
  /** The part of a core. */
  cpu: number;
  /** Times a second that one of its threads begins to run. */
  wakings: number;
  /** MB at the start, and at the end. */
  atFirst: number;
  after: number;
}

export interface LifeResults {
  asked: { pace: Pace; services: Partial<Record<Living, Asked>> }[];
  resting: Partial<Record<Living, Resting>>;
}

/** Requests of many keys, after which V8 has compiled the look-up of a key, too: of one key it is asked for seldom. */
const MANY = { rate: 800, seconds: 8 };

/**
 * Once after a load, and not with requests, V8 collects its heap up to three times, and throws away compiled code. It
 * does so where as few requests come as here, and at the latest 108 s after its last full collection.
 */
const SETTLING = { rate: 10, seconds: 108 };

/** The first one compiles again what was thrown away. */
const PACES: readonly Pace[] = [
  { rate: 100, keys: 1000, windows: 2, seconds: 8 },
  { rate: 10, keys: 1000, windows: 4, seconds: 16 },
  { rate: 10, keys: 1, windows: 2, seconds: 6 },
];

/** Routes that are asked for in turns: one without a statement, and two with one. */
const ROUTES = ['me', 'week', 'findings'] as const;

/** Requests before a rest. */
const LITTLE = { rate: 100, seconds: 2 };

/** Seconds at rest that are measured. */
const RESTING = 10;

type Services = Partial<Record<Living, Service>>;

/**
 * Measures the services at the same time, at each pace. Others of them are asked a little at the start, and rest until
 * the end.
 */
export async function measureLife(
  database: BenchDatabase,
  options: BenchOptions,
  say: (text: string) => void,
): Promise<LifeResults> {
  const living = thoseThere(LIVING, say);
  const keys = await manyKeys(database.url, Math.max(...PACES.map(({ keys }) => keys)));
  const generator = new Generator();
  const backends = backendsOf(database.url);
  const [resting, services]: [Services, Services] = [{}, {}];
  const atFirst: Partial<Record<Living, number>> = {};
  const databaseOf: Partial<Record<Living, number[]>> = {};
  for (const name of living) {
    const service = await startService(name, database, options);
    resting[name] = service;
    atFirst[name] = residentMemory(service.pid);
    await generator.run({ kind: 'paced', ports: [service.port], requests: requestsOf(keys), ...LITTLE });
  }
  for (const name of living) {
    const others = await backends.pids();
    const service = await startService(name, database, options);
    services[name] = service;
    await warm(service, keys, generator);
    databaseOf[name] = (await backends.pids()).filter(pid => !others.includes(pid));
  }
  say('waiting until V8 has settled …\n');
  await generator.run({ kind: 'paced', ports: portsOf(services), requests: requestsOf(keys), ...SETTLING });
  const asked: LifeResults['asked'] = [];
  for (const pace of PACES) {
    const requests = requestsOf(keys.slice(0, pace.keys));
    asked.push({ pace, services: await measurePace(pace, services, databaseOf, requests, generator) });
  }
  const results: LifeResults = { asked, resting: await measureResting(resting, atFirst) };
  const all = [...Object.values(services), ...Object.values(resting)];
  await Promise.all([generator.stop(), backends.end(), ...all.map(stopService)]);
  return results;
}

/** In life a service has answered for days: V8 has compiled its code. */
async function warm({ pid, port }: Service, keys: readonly string[], generator: Generator): Promise<void> {
  for (const request of requestsOf(keys.slice(0, 1)))
    await warmUp({ pid, port, request, status: 200 }, { connections: 4, seconds: 1 }, generator);
  await generator.run({ kind: 'paced', ports: [port], requests: requestsOf(keys), ...MANY });
}

async function measurePace(
  { rate, windows, seconds }: Pace,
  services: Services,
  databaseOf: Partial<Record<Living, number[]>>,
  requests: string[],
  generator: Generator,
): Promise<Partial<Record<Living, Asked>>> {
  const ports = portsOf(services);
  const asked = Object.entries(services).map(([name, { pid }], place) => ({
    name,
    place,
    clocks: [() => cpuOf([pid]), () => cpuOf(databaseOf[name as Living]!)],
    measured: { cpu: [], databaseCpu: [], latencies: [] } as Asked,
  }));
  for (let window = 0; window < windows; window++) {
    const before = asked.map(({ clocks }) => clocks.map(clock => clock()));
    const job = { kind: 'paced', ports, requests, rate, seconds } as const;
    const latencies = await generator.run<number[][]>(job);
    for (const { place, clocks, measured } of asked) {
      const [cpu = 0, databaseCpu = 0] = clocks.map((clock, index) => clock() - before[place]![index]!);
      measured.cpu.push((cpu * 1000) / latencies[place]!.length);
      measured.databaseCpu.push((databaseCpu * 1000) / latencies[place]!.length);
      measured.latencies.push(...latencies[place]!);
    }
  }
  return Object.fromEntries(asked.map(({ name, measured }) => [name, measured]));
}

async function measureResting(
  services: Services,
  atFirst: Partial<Record<Living, number>>,
): Promise<LifeResults['resting']> {
  const measures = Object.entries(services).map(async ([name, { pid }]) => {
    const before = activityOf(pid);
    await sleep(RESTING * 1000);
    const after = activityOf(pid);
    const resting: Resting = {
      cpu: (after.cpuSeconds - before.cpuSeconds) / RESTING,
      wakings: (after.wakings - before.wakings) / RESTING,
      atFirst: atFirst[name as Living]!,
      after: residentMemory(pid),
    };
    return [name, resting];
  });
  return Object.fromEntries(await Promise.all(measures));
}

const portsOf = (services: Services) => Object.values(services).map(({ port }) => port);

const cpuOf = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + activityOf(pid).cpuSeconds, 0);

async function manyKeys(url: string, count: number): Promise<string[]> {
  const operator = connectOperator(url);
  const keys: string[] = [];
  const settings = { accountId: DEMO_PERSONAL, name: 'life', expiresAt: null };
  while (keys.length < count) keys.push((await issueKey(operator, 'personal', settings)).key);
  await operator.end();
  return keys;
}

/** Each key asks for another route each time. */
function requestsOf(keys: readonly string[]): string[] {
  const routes = routesOn(new Date());
  return ROUTES.flatMap((_, turn) =>
    keys.map((key, index) => {
      const { path } = routes[ROUTES[(turn + index) % ROUTES.length]!];
      return requestText(path, { Authorization: `Bearer ${key}` });
    }),
  );
}
