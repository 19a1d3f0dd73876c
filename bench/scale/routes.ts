import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Sql } from 'postgres';
import { DEMO_PERSONAL } from '../../src/demo/options.ts';
import { issueKey } from '../../src/keys/issue.ts';
import { startCommand } from './command.ts';
import { median } from './queries.ts';
import type { Values } from './values.ts';

export interface MeasuredRoute {
  name: string;
  /** Median in milliseconds, one request at a time, answers of the service's cache left out. */
  client: number;
  /** Length of the body. */
  bytes: number;
}

/** Paths by their names: all but the long ones are their own. */
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
  const groups = `{ viewer { reportGroups(type: csp, unit: months, date: "${month.from.slice(0, 7)}", by: [BLOCKED_HOST],
    not: { sourceClass: [extension] }) { groups { keys { value } count reports days } otherCount totalCount } } }`;
  return {
    ...Object.fromEntries(own.map(path => [path, path])),
    'a month by blocked host, without extensions': `/graphql?query=${encodeURIComponent(groups)}`,
    '/export/reports/csp of a month': `/export/reports/csp?from=${month.from.slice(0, 10)}&to=${month.until.slice(0, 10)}`,
  };
}

/** Asks the service, in a process of its own, for every route. */
export async function measureRoutes(
  sql: Sql,
  url: string,
  values: Values,
  rounds: number,
): Promise<MeasuredRoute[]> {
  const { key } = await issueKey(sql, 'personal', {
    accountId: DEMO_PERSONAL,
    name: 'scale',
    expiresAt: null,
  });
  const service = await startService(url);
  try {
    const measured: MeasuredRoute[] = [];
    for (const [name, path] of Object.entries(paths(values)))
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
    bytes = body.byteLength;
    if (round >= 0) times.push(performance.now() - begin);
  }
  return { name, client: median(times), bytes };
}

async function startService(databaseUrl: string) {
  const child = startCommand(['serve'], {
    DATABASE_URL: databaseUrl,
    PORT: '0',
    ANSWER_CACHE_SIZE: '0',
    RATE_LIMIT_MAX: '1000000000',
    LOG_LEVEL: 'info',
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
