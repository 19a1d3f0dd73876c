import type { BenchDatabase } from './database.ts';
import { backendsOf, type Measure, measure } from './measure.ts';
import type { BenchOptions } from './options.ts';
import { Generator, peakMemory, withChildren } from './processes.ts';
import { type Route, routesOn } from './routes.ts';
import { authorization, requestText, type Service, startService, stopService } from './services.ts';

/** The number of processes that serve. */
export const COUNTS = [1, 2] as const;
type Count = (typeof COUNTS)[number];

export interface ProcessesResults {
  /** A measure a round. */
  measures: Record<Count, Measure[]>;
  /** MB of all processes together. */
  peaks: Record<Count, number>;
}

/** Times as long as a measurement of the routes: the largest answer takes long, and 32 of them wait at either end. */
const LONGER = 3;

/** Two processes beside one, asked in turns for the answer that costs most. */
export async function measureProcesses(
  database: BenchDatabase,
  options: BenchOptions,
  say: (text: string) => void,
): Promise<ProcessesResults> {
  const route = routesOn(new Date()).reports;
  const request = requestText(route.path, { Authorization: authorization(database, route.asker) });
  const generator = new Generator();
  const backends = backendsOf(database.url);
  const services = await startAll(database, options);
  const effort = { connections: options.connections, seconds: options.seconds * LONGER };
  const ask = async (count: Count) => {
    const { pid, port } = services[count];
    const found = await measure({ pid, port, request, status: 200 }, effort, generator, backends);
    requireSpread(found, count, route);
    return found;
  };
  const measures: ProcessesResults['measures'] = { 1: [], 2: [] };
  // Each process has its own code to compile: a first round does not count.
  for (const count of COUNTS) await ask(count);
  for (let round = 0; round < options.rounds; round++) {
    for (const count of round % 2 === 0 ? COUNTS : COUNTS.toReversed()) {
      measures[count].push(await ask(count));
    }
    say(`round ${round + 1} of ${options.rounds}\n`);
  }
  const peaks = { 1: peakOf(services[1]), 2: peakOf(services[2]) };
  await Promise.all([generator.stop(), backends.end(), ...Object.values(services).map(stopService)]);
  return { measures, peaks };
}

async function startAll(database: BenchDatabase, options: BenchOptions): Promise<Record<Count, Service>> {
  const serviceOf = (count: Count) => {
    const settings = { ...options.settings, WEB_CONCURRENCY: String(count) };
    return startService('ours', database, { ...options, settings });
  };
  return { 1: await serviceOf(1), 2: await serviceOf(2) };
}

/** @throws {Error} when a process had nothing to do: then fewer were measured than it says */
function requireSpread({ cpus }: Measure, count: Count, { path }: Route): void {
  const busy = cpus.filter(cpu => cpu > 0.1 * Math.max(...cpus));
  if (cpus.some(Number.isNaN) || busy.length >= count) return;
  throw new Error(`${busy.length} of ${count} processes answered ${path}`);
}

function peakOf({ pid }: Service): number {
  return withChildren(pid).reduce((sum, one) => sum + peakMemory(one), 0);
}
