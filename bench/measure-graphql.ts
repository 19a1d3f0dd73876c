import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { stockDriver } from '../test/support/stock-driver.ts';
import type { BenchDatabase } from './database.ts';
import { backendsOf, type Measure, measure, type Target } from './measure.ts';
import type { BenchOptions } from './options.ts';
import { freePort, Generator, peakMemory, start } from './processes.ts';
import { busyDay } from './routes.ts';
import { authorization, requestText, type Service, startService, stopService } from './services.ts';

const QUERIES = ['week', 'reports'] as const;
type QueryName = (typeof QUERIES)[number];
const SERVICES = ['ours', 'postgraphile'] as const;
type ServiceName = (typeof SERVICES)[number];

export interface GraphQLResults {
  measures: Record<QueryName, Record<ServiceName, Measure[]>>;
  peaks: Record<ServiceName, number>;
}

const folder = fileURLToPath(new URL('./postgraphile/', import.meta.url));

/** PostGraphile has packages, and a Node, of its own. */
export const hasPostGraphile = () => existsSync(`${folder}node_modules/postgraphile`);

/** `/graphql` beside PostGraphile's, with queries for the same data. */
export async function measureGraphQL(
  database: BenchDatabase,
  options: BenchOptions,
  say: (text: string) => void,
): Promise<GraphQLResults> {
  const services: Record<ServiceName, Service> = {
    ours: await startService('ours', database, options),
    postgraphile: await startPostGraphile(database),
  };
  for (const name of QUERIES) await requireEqualData(name, services, database);
  say('the data of both GraphQL services are equal\n');
  const generator = new Generator();
  const backends = backendsOf(database.url);
  const measures = {
    week: { ours: [], postgraphile: [] },
    reports: { ours: [], postgraphile: [] },
  } as GraphQLResults['measures'];
  for (let round = 0; round < options.rounds; round++) {
    for (const query of QUERIES) {
      for (const name of round % 2 ? SERVICES.toReversed() : SERVICES) {
        const target = targetOf(query, name, services[name], database);
        measures[query][name].push(await measure(target, options, generator, backends));
      }
    }
  }
  const peaks = {
    ours: peakMemory(services.ours.pid),
    postgraphile: peakMemory(services.postgraphile.pid),
  };
  await Promise.all([generator.stop(), backends.end(), ...Object.values(services).map(stopService)]);
  return { measures, peaks };
}

async function startPostGraphile(database: BenchDatabase): Promise<Service> {
  const sql = stockDriver(database.url, { max: 1, onnotice: () => {} });
  await sql.file(`${folder}functions.sql`);
  await sql.end();
  const port = await freePort();
  // It needs a newer Node than the project does, and brings it along.
  const node = existsSync(`${folder}node_modules/node/bin/node`)
    ? { node: `${folder}node_modules/node/bin/node` }
    : {};
  const child = start('postgraphile', {
    ...node,
    file: `${folder}server.js`,
    args: [connectionString(database.url), String(port)],
  });
  const service = { child, pid: child.pid!, port };
  await untilListening(service);
  return service;
}

/** The form in which `pg` takes a folder with a socket in it, and TLS with any certificate. */
function connectionString(url: string): string {
  return url.replace('sslmode=require', 'sslmode=no-verify');
}

async function untilListening({ port, child }: Service): Promise<void> {
  const url = `http://127.0.0.1:${port}/graphql?query=${encodeURIComponent('{__typename}')}`;
  for (let attempt = 0; attempt < 300; attempt++) {
    const response = await fetch(url, { headers: { accept: 'application/json' } }).catch(() => undefined);
    if (response) return;
    if (child.exitCode !== null) break;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  throw new Error('PostGraphile does not answer');
}

const TYPES = `csp csp_integrity integrity_policy permissions_policy nel deprecation intervention crash coep coop
  dmarc tls_rpt certificate_transparency`;
const camelCase = (text: string) => text.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const RECORD = `action date uri directive blockedUri raw count browser platform generatedDomain indicatorOfCompromise
  recentlyRegisteredDomain lowReputationDomain policyIocHosts policyConcernHosts suspicious`;

const DOCUMENTS: Record<ServiceName, Record<QueryName, string>> = {
  ours: {
    week: `{ viewer { lastSevenDays { date ${TYPES} } } }`,
    reports: `query ($date: PeriodDate!) {
      viewer { cspReports(unit: days, date: $date) { reports { ${RECORD} } truncated } } }`,
  },
  postgraphile: {
    week: `{ lastSevenDaysOf(account: "demo-personal") { nodes { date ${camelCase(TYPES)} } } }`,
    reports: `query ($date: Date!) {
      cspReportsOf(account: "demo-personal", day: $date, first: 1000) { nodes { ${RECORD} } pageInfo { hasNextPage } } }`,
  },
};

const bodyOf = (query: QueryName, service: ServiceName) =>
  JSON.stringify({
    query: DOCUMENTS[service][query],
    variables: query === 'reports' ? { date: busyDay(new Date()) } : {},
  });

const headersOf = (database: BenchDatabase) => ({
  'Content-Type': 'application/json',
  Accept: 'application/graphql-response+json, application/json',
  Authorization: authorization(database, 'demo-personal'),
});

function targetOf(query: QueryName, name: ServiceName, service: Service, database: BenchDatabase): Target {
  const request = requestText('/graphql', headersOf(database), { method: 'POST', body: bodyOf(query, name) });
  return { pid: service.pid, port: service.port, request, status: 200 };
}

// biome-ignore lint/suspicious/noExplicitAny: answers of several shapes
type Data = any;

/** The numbers of the week; of the reports what tells each from every other. */
const ESSENCE: Record<ServiceName, Record<QueryName, (data: Data) => unknown>> = {
  ours: {
    week: data => data.viewer.lastSevenDays.map((day: object) => Object.values(day)),
    reports: data => data.viewer.cspReports.reports.map((report: Data) => [report.raw, report.uri]),
  },
  postgraphile: {
    week: data =>
      data.lastSevenDaysOf.nodes.map(({ date, ...totals }: Data) => [
        date,
        ...Object.values(totals).map(Number),
      ]),
    reports: data => data.cspReportsOf.nodes.map((report: Data) => [report.raw, report.uri]),
  },
};

/** @throws {Error} when the two have other data, or no answer */
async function requireEqualData(
  query: QueryName,
  services: Record<ServiceName, Service>,
  database: BenchDatabase,
): Promise<void> {
  const [ours, theirs] = await Promise.all(
    SERVICES.map(async name => {
      const response = await fetch(`http://127.0.0.1:${services[name].port}/graphql`, {
        method: 'POST',
        headers: headersOf(database),
        body: bodyOf(query, name),
      });
      const answer = (await response.json()) as { data?: Data; errors?: unknown };
      if (!answer.data || answer.errors) {
        throw new Error(`${name} answers ${query} with ${JSON.stringify(answer).slice(0, 500)}`);
      }
      return ESSENCE[name][query](answer.data);
    }),
  );
  if (!isDeepStrictEqual(ours, theirs)) {
    throw new Error(`the GraphQL services differ on ${query}:
  ${JSON.stringify(ours).slice(0, 300)}
  ${JSON.stringify(theirs).slice(0, 300)}`);
  }
}
