import { isDeepStrictEqual } from 'node:util';
import { DEMO_PERSONAL, DEMO_TEAM } from '@sightline/demo';
import { COMPILED, connectStock, type LoadRequest, type Measure, measure, warmUp } from './load.ts';
import { readMemory, say } from './processes.ts';
import { type BenchService, type Caller, type ServiceDatabase, startService } from './services.ts';
import { geometricMean, table } from './table.ts';

export const ROUTES = [
  'me',
  'plan',
  'watches',
  'week',
  'graph',
  'reports',
  'filtered',
  'nel',
  'dmarc',
  'findings',
  'audit',
] as const;
type Route = (typeof ROUTES)[number];

/** `cached` is our service with its cache; `unchanged` is our service with requests that it answers with 304. */
export const CONTENDERS = ['ours', 'yardstick', 'cached', 'unchanged'] as const;
type Contender = (typeof CONTENDERS)[number];

const SERVICES = { ours: 'ours', yardstick: 'by hand', cached: 'cached', unchanged: 'ours' } as const;

/** A busy day in the past. Weekends have less than a full page of reports. */
function busyDay(): string {
  const day = new Date(Date.now() - 2 * 86_400_000);
  while ([0, 6].includes(day.getUTCDay())) day.setUTCDate(day.getUTCDate() - 1);
  return day.toISOString().slice(0, 10);
}

function toPath(route: Route): string {
  const day = `/v1/reports/csp?unit=days&date=${busyDay()}`;
  const [year, month] = [new Date().getUTCFullYear(), new Date().getUTCMonth()];
  const lastMonth = new Date(Date.UTC(year, month - 1)).toISOString().slice(0, 7);
  const paths: Record<Route, string> = {
    me: '/v1/me',
    plan: '/v1/plan',
    watches: '/v1/watches/script',
    week: '/v1/last-seven-days',
    graph: '/v1/graphs/csp/months/12',
    reports: day,
    filtered: `${day}&hostnames=shop.example.com&action=enforced&effectiveDirective=img-src`,
    nel: `/v1/reports/nel?unit=months&date=${lastMonth}`,
    dmarc: `/v1/reports/dmarc?unit=months&date=${lastMonth}`,
    findings: '/v1/watches/script/www.example.com',
    audit: '/v1/audit-log?limit=1000',
  };
  return paths[route];
}

const toCaller = (route: Route): Caller => (route === 'audit' ? DEMO_TEAM : DEMO_PERSONAL);

interface RouteOptions {
  routes: readonly Route[];
  contenders: readonly Contender[];
  rounds: number;
  seconds: number;
  connections: number;
}

/** Measures each route on all contenders in turn, so that other work on the machine affects all of them. */
export async function measureRoutes(database: ServiceDatabase, options: RouteOptions): Promise<string> {
  const { routes, contenders, rounds } = options;
  const services = new Map<string, BenchService>();
  for (const name of new Set(contenders.map(contender => SERVICES[contender])))
    services.set(name, await startService(database, name));
  for (const route of routes) await requireEqualBodies(route, services);
  say('the bodies of all services are equal');
  const targets = routes.flatMap(route => contenders.map(contender => ({ route, contender })));
  const requests = new Map<string, LoadRequest>();
  for (const { route, contender } of targets) {
    const request = await toRequest(contender, route, services.get(SERVICES[contender])!);
    requests.set(`${route} ${contender}`, request);
    await warmUp(request, options.connections, COMPILED);
  }
  const sql = connectStock(database.url);
  const measures = new Map<string, Measure[]>(
    targets.map(({ route, contender }) => [`${route} ${contender}`, []]),
  );
  for (let round = 0; round < rounds; round++) {
    for (const { route, contender } of round % 2 === 0 ? targets : targets.toReversed()) {
      const { pid } = services.get(SERVICES[contender])!;
      const name = `${route} ${contender}`;
      measures.get(name)!.push(await measure(pid, requests.get(name)!, options, sql));
    }
    say(`round ${round + 1} of ${rounds}`);
  }
  const peaks = [...services].map(([name, { pid }]) => [name, readMemory(pid).peak]);
  await Promise.all([sql.end(), ...[...services.values()].map(service => service[Symbol.asyncDispose]())]);
  return (
    describe(routes, contenders, measures) + table(['service', 'peak memory MB'], peaks as [string, number][])
  );
}

interface Ratio {
  title: string;
  of: Contender;
  value: (measure: Measure) => number;
}

const RATIOS: readonly Ratio[] = [
  { title: 'CPU ÷ by hand', of: 'ours', value: ({ cpu }) => cpu },
  { title: 'with PostgreSQL', of: 'ours', value: ({ cpu, databaseCpu }) => cpu + databaseCpu },
  { title: 'requests/s ÷ by hand', of: 'ours', value: ({ rate }) => rate },
  { title: 'cached, requests/s', of: 'cached', value: ({ rate }) => rate },
  { title: '304, requests/s', of: 'unchanged', value: ({ rate }) => rate },
];

/** Lists the ratios of each round, so that a disturbance affects both sides. */
function describe(
  routes: readonly Route[],
  contenders: readonly Contender[],
  measures: ReadonlyMap<string, Measure[]>,
): string {
  const ratios = RATIOS.filter(({ of }) => contenders.includes(of) && contenders.includes('yardstick'));
  const rows = routes.map(route =>
    ratios.map(({ of, value }) => {
      const byHand = measures.get(`${route} yardstick`)!;
      return measures.get(`${route} ${of}`)!.map((measure, round) => value(measure) / value(byHand[round]!));
    }),
  );
  const means = ratios.map((_, column) =>
    rows[0]![column]!.map((_, round) => geometricMean(rows.map(row => row[column]![round]!))),
  );
  const costs = [...measures].map(([name, list]) => [
    name,
    list.map(({ rate }) => rate),
    list.map(({ p99 }) => p99),
    list.map(({ cpu }) => cpu),
    list.map(({ databaseCpu }) => databaseCpu),
  ]);
  return (
    table(
      ['route and service', 'requests/s', 'p99 ms', 'CPU ms', 'PostgreSQL ms'],
      costs as [string, number[]][],
    ) +
    table(
      ['route', ...ratios.map(({ title }) => title)],
      [...routes.map((route, place) => [route, ...rows[place]!]), ['geometric mean', ...means]],
    )
  );
}

/** @throws {Error} if two services return different bodies, since they could not be compared */
async function requireEqualBodies(route: Route, services: ReadonlyMap<string, BenchService>): Promise<void> {
  let first: { name: string; body: string } | undefined;
  for (const [name, service] of services) {
    const response = await ask(service.request(toPath(route), toCaller(route)));
    const body = await response.text();
    if (response.status !== 200) throw new Error(`${name} answers ${route} with ${response.status}: ${body}`);
    first ??= { name, body };
    if (body !== first.body)
      throw new Error(`${first.name} and ${name} differ on ${route}: ${difference(first.body, body)}`);
  }
}

function difference(one: string, other: string): string {
  let at = 0;
  while (one[at] === other[at]) at++;
  const around = (text: string) => text.slice(Math.max(0, at - 60), at + 60);
  const values = isDeepStrictEqual(JSON.parse(one), JSON.parse(other)) ? ', the values are equal' : '';
  return `at ${at}${values}\n  ${around(one)}\n  ${around(other)}`;
}

const ask = ({ url, headers }: LoadRequest) =>
  fetch(url, { headers: { ...headers, 'accept-encoding': 'identity' } });

async function toRequest(contender: Contender, route: Route, service: BenchService): Promise<LoadRequest> {
  const request = service.request(toPath(route), toCaller(route));
  if (contender !== 'unchanged') return request;
  const tag = (await ask(request)).headers.get('etag') ?? '';
  return { ...request, headers: { ...request.headers, 'if-none-match': tag }, status: 304 };
}
