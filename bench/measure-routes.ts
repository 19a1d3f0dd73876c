import { isDeepStrictEqual } from 'node:util';
import type { BenchDatabase } from './database.ts';
import { listBackends, type Measure, type MeasuredProcess, measure, warmUp } from './measure.ts';
import type { BenchOptions, ContenderName } from './options.ts';
import { Generator, peakMemory } from './processes.ts';
import { type BenchRoute, type RouteName, routesOn } from './routes.ts';
import {
  authorization,
  type BenchService,
  requestText,
  SERVICE_OF,
  type ServiceName,
  startService,
} from './services.ts';

export interface RouteResults {
  /** One measure per round. */
  measures: Record<RouteName, Partial<Record<ContenderName, Measure[]>>>;
  /** In MB. */
  peaks: Partial<Record<ServiceName, number>>;
}

type Services = Partial<Record<ServiceName, BenchService>>;

/** Measures each route on all contenders in turn, so that other work on the machine affects all of them. */
export async function measureRoutes(
  services: Services,
  database: BenchDatabase,
  options: BenchOptions,
  say: (text: string) => void,
): Promise<RouteResults> {
  const routes = options.routes.map(name => routesOn(new Date())[name]);
  for (const route of routes) await requireEqualBodies(route, services, database);
  say('the bodies of all services are equal\n');
  const generator = new Generator();
  const backends = listBackends(database.url);
  for (const route of routes) {
    for (const name of options.contenders)
      await warmUp(await getTarget(name, route, services, database), options, generator);
  }
  say('their code is compiled\n');
  const measures = {} as RouteResults['measures'];
  for (let round = 0; round < options.rounds; round++) {
    for (const route of routes) {
      measures[route.name] ??= {};
      for (const name of rotated(options.contenders, round)) {
        const target = await getTarget(name, route, services, database);
        const found = await measure(target, options, generator, backends).catch((error: Error) => {
          throw new Error(`${name}: ${error.message}`);
        });
        const list = measures[route.name][name] ?? [];
        list.push(found);
        measures[route.name][name] = list;
      }
    }
    say(`round ${round + 1} of ${options.rounds}\n`);
  }
  await Promise.all([generator.stop(), backends.end()]);
  const peaks = Object.fromEntries(
    Object.entries(services).map(([name, service]) => [name, peakMemory(service.pid)]),
  );
  return { measures, peaks };
}

export async function startContenders(
  contenders: readonly ContenderName[],
  database: BenchDatabase,
): Promise<Services> {
  const names = new Set(contenders.map(name => SERVICE_OF[name]));
  const services: Services = {};
  for (const name of names) services[name] = await startService(name, database);
  return services;
}

function rotated<Item>(items: readonly Item[], by: number): Item[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

/** @throws {Error} if two services return different bodies, since they could not be compared */
async function requireEqualBodies(
  route: BenchRoute,
  services: Services,
  database: BenchDatabase,
): Promise<void> {
  let first: { name: string; body: string } | undefined;
  for (const [name, service] of Object.entries(services)) {
    const response = await ask(route, service, database);
    const body = await response.text();
    if (response.status !== 200)
      throw new Error(`${name} answers ${route.path} with ${response.status}: ${body}`);
    first ??= { name, body };
    if (body !== first.body) {
      throw new Error(`${first.name} and ${name} differ on ${route.path}: ${difference(first.body, body)}`);
    }
  }
}

function difference(one: string, other: string): string {
  let at = 0;
  while (one[at] === other[at]) at++;
  const around = (text: string) => text.slice(Math.max(0, at - 60), at + 60);
  const values = isDeepStrictEqual(JSON.parse(one), JSON.parse(other)) ? ', the values are equal' : '';
  return `at ${at}${values}\n  ${around(one)}\n  ${around(other)}`;
}

const ask = (route: BenchRoute, { port }: BenchService, database: BenchDatabase) =>
  fetch(`http://127.0.0.1:${port}${route.path}`, {
    headers: { authorization: authorization(database, route.caller), 'accept-encoding': 'identity' },
  });

async function getTarget(
  name: ContenderName,
  route: BenchRoute,
  services: Services,
  database: BenchDatabase,
): Promise<MeasuredProcess> {
  const service = services[SERVICE_OF[name]]!;
  const headers = { Authorization: authorization(database, route.caller) };
  const { pid, port } = service;
  if (name !== 'unchanged') return { pid, port, request: requestText(route.path, headers), status: 200 };
  const tag = (await ask(route, service, database)).headers.get('etag') ?? '';
  return {
    pid,
    port,
    request: requestText(route.path, { ...headers, 'If-None-Match': tag }),
    status: 304,
  };
}
