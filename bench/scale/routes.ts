import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { DEMO_PERSONAL } from '@sightline/demo';
import {
  OverviewDocument,
  type OverviewQueryVariables,
} from '../../packages/web/src/app/browser/documents/documents.generated.ts';
import { issueKey } from '../../src/keys/issue.ts';
import type { Operator } from '../../test/support/operator.ts';
import { startCommand } from './command.ts';
import { median } from './queries.ts';
import type { Values } from './values.ts';

export interface MeasuredRoute {
  name: string;
  /** Median in milliseconds for one request at a time, without the service's cache. */
  client: number;
  /** The length of the body. */
  bytes: number;
}

/** Paths by name. Short paths are their own names. */
function paths({ month, day, host }: Values): Record<string, string> {
  const reports = (unit: string, date: string, rest = '') =>
    `/v1/reports/csp?unit=${unit}&date=${date}${rest}`;
  const ofMonth = (rest: string) => reports('months', month.from.slice(0, 7), rest);
  const own = [
    '/v1/me',
    '/v1/plan',
    '/v1/last-seven-days',
    '/v1/breakdown',
    '/v1/usage-metrics',
    '/v1/quota',
    '/v1/graphs/csp/months/12',
    '/v1/graphs/nel/weeks/4',
    '/v1/policies/csp',
    '/v1/watches/script',
    '/v1/watches/script/www.example.com',
    '/v1/audit-log?limit=1000',
    reports('days', day.from.slice(0, 10)),
    ofMonth(''),
    ofMonth(`&hostnames=${host}`),
    ofMonth('&anyThreatIntel=true'),
    ofMonth('&paths=/nowhere'),
    ofMonth('&paths=*/nowhere*'),
  ];
  return {
    ...Object.fromEntries(own.map(path => [path, path])),
    '/export/reports/csp of a month': `/export/reports/csp?from=${month.from.slice(0, 10)}&to=${month.until.slice(0, 10)}`,
  };
}

/** Requests to `/graphql` that read many reports. Their results are cached until the data change. */
function graphPaths({ month }: Values): Record<string, string> {
  const groups = `{ viewer { reportGroups(type: csp, unit: months, date: "${month.from.slice(0, 7)}", by: [BLOCKED_HOST],
    not: { sourceClass: [extension] }) { groups { keys { value } count reports days } otherCount totalCount } } }`;
  const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  const overview = OverviewDocument.toString();
  const variables: OverviewQueryVariables = {
    account: DEMO_PERSONAL,
    from: dayBefore(29),
    begin: dayBefore(6),
    threats: { anyThreatIntel: true },
  };
  return {
    'a month by blocked host, without extensions': `/graphql?${new URLSearchParams({ query: groups })}`,
    'the overview of the page': `/graphql?${new URLSearchParams({ query: overview, variables: JSON.stringify(variables) })}`,
  };
}

/** Issues a key for the account with the most reports. */
export async function keyOfLargest(sql: Operator): Promise<string> {
  const issued = await issueKey(sql, 'personal', {
    accountId: DEMO_PERSONAL,
    name: 'scale',
    expiresAt: null,
  });
  return issued.key;
}

/** Measures every route of a service in a separate process, then those that are cached with the cache enabled. */
export async function measureRoutes(
  url: string,
  key: string,
  values: Values,
  rounds: number,
): Promise<MeasuredRoute[]> {
  const graph = graphPaths(values);
  const again = Object.entries(graph).map(([name, path]) => [`${name}, again`, path]);
  return [
    ...(await measureOn(url, { ANSWER_CACHE_SIZE: '0' }, { ...paths(values), ...graph }, key, rounds)),
    ...(await measureOn(url, {}, Object.fromEntries(again), key, rounds)),
  ];
}

async function measureOn(
  databaseUrl: string,
  settings: Readonly<Record<string, string>>,
  requested: Readonly<Record<string, string>>,
  key: string,
  rounds: number,
): Promise<MeasuredRoute[]> {
  const service = await startService(databaseUrl, settings);
  try {
    const measured: MeasuredRoute[] = [];
    for (const [name, path] of Object.entries(requested))
      measured.push(await measureRoute(service.url, name, path, key, rounds));
    return measured;
  } finally {
    await service.stop();
  }
}

async function measureRoute(
  origin: string,
  name: string,
  path: string,
  key: string,
  rounds: number,
): Promise<MeasuredRoute> {
  const times: number[] = [];
  let bytes = 0;
  for (let round = -2; round < rounds; round++) {
    const begin = performance.now();
    const response = await fetch(origin + path, {
      headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' },
    });
    const body = await response.arrayBuffer();
    if (!response.ok) throw new Error(`${name} answers with ${response.status}`);
    if (path.startsWith('/graphql')) requireData(name, Buffer.from(body).toString());
    bytes = body.byteLength;
    if (round >= 0) times.push(performance.now() - begin);
  }
  return { name, client: median(times), bytes };
}

/** @throws {Error} if the response contains errors */
function requireData(name: string, body: string): void {
  const { errors } = JSON.parse(body);
  if (errors) throw new Error(`${name} answers: ${errors[0].message}`);
}

export async function startService(databaseUrl: string, settings: Readonly<Record<string, string>>) {
  const child = startCommand(['serve'], {
    DATABASE_URL: databaseUrl,
    PORT: '0',
    RATE_LIMIT_MAX: '1000000000',
    // On a busy machine, the statements of the overview queue for longer than the service allows by default.
    DATABASE_QUEUE_TIMEOUT: '10s',
    STATEMENT_TIMEOUT: '10s',
    LOG_LEVEL: 'info',
    ...settings,
  });
  const ended = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', line => {
      const { msg, url } = JSON.parse(line);
      if (msg === 'listening') resolve(url);
    });
    ended.then(([code]) => reject(new Error(`sightline serve ended with ${code}`)), reject);
  });
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
