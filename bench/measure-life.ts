import { setTimeout as sleep } from 'node:timers/promises';
import { DEMO_PERSONAL } from '@sightline/demo';
import { issueKey } from '../src/keys/issue.ts';
import { connectOperator } from '../test/support/operator.ts';
import { thoseThere } from './anchors.ts';
import type { BenchDatabase } from './database.ts';
import type { LoadResult } from './load-client.ts';
import { backendsOf, warmUp } from './measure.ts';
import type { BenchOptions } from './options.ts';
import { activityOf, Generator, residentMemory } from './processes.ts';
import { routesOn } from './routes.ts';
import { requestText, type Service, startService, stopService } from './services.ts';

/** The costs of a service that is asked as often as in life. */
export interface LifeMeasure {
  name: Living;
  /** Requests a second, and the keys that they are spread over. */
  rate: number;
  keys: number;
  /** Milliseconds of processor time for a request: of the service, and of PostgreSQL. */
  cpu: number;
  databaseCpu: number;
  p50: number;
  p99: number;
}

/** The costs of an idle one. */
export interface IdleMeasure {
  name: Living;
  /** The part of a core. */
  cpu: number;
  /** Times a second that one of its threads begins to run. */
  wakings: number;
  /** MB before the first request, and after the last one. */
  atFirst: number;
  after: number;
}

export interface LifeResults {
  asked: LifeMeasure[];
  idle: IdleMeasure[];
}

const LIVING = ['ours', 'yardstick', 'go'] as const;
type Living = (typeof LIVING)[number];

/** Milliseconds after which both services close a connection that asks for nothing. */
const CLOSED_AFTER = 7000;

/** Requests of many keys, after which V8 has compiled the look-up of a key, too: of one key it is asked for seldom. */
const MANY = { rate: 800, seconds: 8 };

/** Milliseconds at rest after which V8 has collected all of its heap once more: that is no cost of the next requests. */
const COLLECTED_AFTER = 15_000;

const RATES = [10, 100];
const KEYS = [1, 10, 1000];
/** Routes that are asked for in turns: one without a statement, and two with one. */
const ROUTES = ['me', 'week', 'findings'] as const;

/** Measures the services in turns, at each rate over each number of keys, and then while they have nothing to do. */
export async function measureLife(
  database: BenchDatabase,
  options: BenchOptions,
  seconds: number,
  say: (text: string) => void,
): Promise<LifeResults> {
  const living = thoseThere(LIVING, say);
  const keys = await manyKeys(database.url, Math.max(...KEYS));
  const services = {} as Record<Living, Service>;
  const atFirst = {} as Record<Living, number>;
  for (const name of living) {
    services[name] = await startService(name, database, options);
    atFirst[name] = residentMemory(services[name].pid);
  }
  const generator = new Generator();
  const backends = backendsOf(database.url);
  const asked: LifeMeasure[] = [];
  for (const { pid, port } of Object.values(services)) {
    for (const request of requestsOf(keys.slice(0, 1)))
      await warmUp({ pid, port, request, status: 200 }, { connections: 4, seconds: 1 }, generator);
    const requests = requestsOf(keys);
    await generator.run<LoadResult>({ kind: 'paced', port, request: requests[0]!, requests, ...MANY });
  }
  await sleep(COLLECTED_AFTER);
  for (const rate of RATES) {
    for (const count of KEYS) {
      for (const name of living) {
        const { pid, port } = services[name];
        const requests = requestsOf(keys.slice(0, count));
        const [before, ofDatabase] = [activityOf(pid), await backends.clock()];
        const databaseBefore = ofDatabase();
        const job = { kind: 'paced', port, request: requests[0]!, requests, rate, seconds } as const;
        const { requests: answered, p50, p99 } = await generator.run<LoadResult>(job);
        const cpu = ((activityOf(pid).cpuSeconds - before.cpuSeconds) * 1000) / answered;
        const databaseCpu = ((ofDatabase() - databaseBefore) * 1000) / answered;
        asked.push({ name, rate, keys: count, cpu, databaseCpu, p50, p99 });
      }
    }
  }
  // Connections that are kept alive have ended by then.
  await sleep(CLOSED_AFTER);
  const idle = await Promise.all(living.map(name => idleOf(name, services[name], atFirst[name], seconds)));
  await Promise.all([generator.stop(), backends.end(), ...Object.values(services).map(stopService)]);
  return { asked, idle };
}

async function idleOf(
  name: Living,
  { pid }: Service,
  atFirst: number,
  seconds: number,
): Promise<IdleMeasure> {
  const before = activityOf(pid);
  await sleep(seconds * 1000);
  const after = activityOf(pid);
  return {
    name,
    cpu: (after.cpuSeconds - before.cpuSeconds) / seconds,
    wakings: (after.wakings - before.wakings) / seconds,
    atFirst,
    after: residentMemory(pid),
  };
}

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
