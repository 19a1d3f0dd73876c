import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DEMO_PERSONAL, DEMO_TEAM } from '@sightline/demo';
import { keepReportGroups } from '../sql/maintenance/rollups.ts';
import type { Operator } from '../test/support/operator.ts';
import { COMPILED, connectStock, type LoadRequest, type Measure, measure, sendLoad, warmUp } from './load.ts';
import { cpuSeconds, readMemory } from './processes.ts';
import { type ServiceDatabase, startService } from './services.ts';
import { type Cell, table } from './table.ts';

/** Few rounds suffice for reads that take seconds, since they differ little. */
const ROUNDS = [1, 2, 3];

interface Read {
  /** Milliseconds until the first byte. */
  firstByte: number;
  seconds: number;
  megabytes: number;
}

/** Reads a response with curl, as fast as it arrives. */
async function read({ url, headers }: LoadRequest): Promise<Read> {
  const format = '%{time_starttransfer} %{time_total} %{size_download}';
  const quiet = ['--fail', '--silent', '--output', '/dev/null', '--write-out', format];
  const args = [...quiet, '--header', `authorization: ${headers.authorization}`, url];
  const { stdout } = await promisify(execFile)('curl', args);
  const [firstByte = 0, seconds = 0, bytes = 0] = stdout.split(' ').map(Number);
  return { firstByte: firstByte * 1000, seconds, megabytes: bytes / 1e6 };
}

/** Requests to `/v1/me` while other clients repeatedly read a long response. Returns a row of figures. */
async function measureBeside(
  database: ServiceDatabase,
  path: string,
  caller: typeof DEMO_PERSONAL | typeof DEMO_TEAM,
  readers: number,
): Promise<string> {
  await using service = await startService(database);
  const me = service.request('/v1/me');
  // So few connections that requests do not queue.
  const connections = 4;
  await warmUp(me, connections, COMPILED);
  let isOver = false;
  let count = 0;
  const reading = Array.from({ length: readers }, async () => {
    for (; !isOver; count++) await read(service.request(path, caller));
  });
  const { rate, p50, p99 } = await sendLoad(me, connections, { duration: 5 });
  isOver = true;
  await Promise.all(reading);
  return table(
    [
      `/v1/me during ${readers} × ${path}`,
      'requests/s',
      'p50 ms',
      'p99 ms',
      'responses read',
      'peak memory MB',
    ],
    [['', rate, p50, p99, count, readMemory(service.pid).peak]],
  );
}

const TRAIL = '/v1/audit-log';

/** The whole audit log, each time from a new process, and `/v1/me` while four clients read it. */
export async function measureTrail(database: ServiceDatabase): Promise<string> {
  const digests = new Set<string>();
  const rows: Cell[][] = [];
  for (const name of ['ours', 'by hand'] as const) {
    const reads: (Read & { cpu: number; peak: number })[] = [];
    for (const round of ROUNDS) {
      await using service = await startService(database, name);
      const request = service.request(TRAIL, DEMO_TEAM);
      const before = cpuSeconds(service.pid);
      const done = await read(request);
      reads.push({ ...done, cpu: cpuSeconds(service.pid) - before, peak: readMemory(service.pid).peak });
      if (round === 1) digests.add(await computeDigest(request));
    }
    const columns = (['firstByte', 'seconds', 'cpu', 'peak', 'megabytes'] as const).map(column =>
      reads.map(one => one[column]),
    );
    rows.push([name, ...columns]);
  }
  if (digests.size > 1) throw new Error('the whole audit logs differ');
  return (
    table(['whole audit log', 'first byte ms', 'time s', 'CPU s', 'peak memory MB', 'MB'], rows) +
    (await measureBeside(database, TRAIL, DEMO_TEAM, 4))
  );
}

async function computeDigest({ url, headers }: LoadRequest): Promise<string> {
  const hash = createHash('sha1');
  const { body } = await fetch(url, { headers: { ...headers, 'accept-encoding': 'identity' } });
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) hash.update(chunk);
  return hash.digest('hex');
}

const EXPORT = '/export/reports/csp';

/** All CSP reports of an account as NDJSON, compared with a COPY of the same rows to a client. */
export async function measureExports(database: ServiceDatabase): Promise<string> {
  const sql = connectStock(database.url);
  const [row] = await sql<{ reports: number }[]>`
    select count(*)::int as reports from report where account_id = ${DEMO_PERSONAL} and type = 'csp'`;
  const reads: (Read & { copy: number; peak: number })[] = [];
  for (const _ of ROUNDS) {
    await using service = await startService(database);
    const copy = await measureCopy(database.url);
    reads.push({ ...(await read(service.request(EXPORT))), copy, peak: readMemory(service.pid).peak });
  }
  await sql.end();
  const figures = [
    [row!.reports],
    reads.map(({ seconds }) => seconds),
    reads.map(({ seconds }) => row!.reports / seconds),
    reads.map(({ seconds, copy }) => seconds / copy),
    reads.map(({ peak }) => peak),
    reads.map(({ megabytes }) => megabytes),
  ];
  return (
    table(
      ['export', 'reports', 'time s', 'reports/s', 'time ÷ COPY', 'peak memory MB', 'MB'],
      [['CSP as NDJSON', ...figures]],
    ) + (await measureBeside(database, EXPORT, DEMO_PERSONAL, 2))
  );
}

/** Returns the seconds of a COPY in a new session, since postgres.js cannot copy twice in one. */
async function measureCopy(url: string): Promise<number> {
  const sql = connectStock(url);
  const begin = performance.now();
  const rows = `select * from report where account_id = '${DEMO_PERSONAL}' and type = 'csp'`;
  for await (const _ of await sql.unsafe(`copy (${rows}) to stdout`).readable());
  const seconds = (performance.now() - begin) / 1000;
  await sql.end({ timeout: 1 });
  return seconds;
}

const DIMENSIONS = [
  'BLOCKED_HOST',
  'PAGE_HOST',
  'PAGE_PATH',
  'DIRECTIVE',
  'SOURCE_CLASS',
  'BROWSER',
  'PLATFORM',
  'ACTION',
  'BLOCKED_ORIGIN',
  'DAY',
];

/** Measures requests for one grouping and for ten, of the last 30 days: from reports, and then from rollups. */
export async function measureGroups(
  database: ServiceDatabase & { sql: Operator },
  options: { rounds: number; seconds: number },
): Promise<string> {
  await using service = await startService(database);
  const sql = connectStock(database.url);
  const rows: Cell[][] = [];
  for (const source of ['reports', 'rollups']) {
    if (source === 'rollups') {
      await keepReportGroups(database.sql, new Date().toISOString().slice(0, 10));
      await database.sql`analyze daily_group`;
    }
    for (const count of [1, 10]) {
      const measures: Measure[] = [];
      const request = toGroupsRequest(service.request('/graphql'), DIMENSIONS.slice(0, count));
      for (let round = 0; round < options.rounds; round++)
        measures.push(await measure(service.pid, request, { ...options, connections: 1 }, sql));
      const columns = (['p50', 'cpu', 'databaseCpu'] as const).map(column =>
        measures.map(one => one[column]),
      );
      rows.push([`${count} from ${source}`, ...columns]);
    }
  }
  await sql.end();
  return table(['groupings per request', 'p50 ms', 'CPU ms', 'PostgreSQL ms'], rows);
}

function toGroupsRequest(request: LoadRequest, dimensions: readonly string[]): LoadRequest {
  const from = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);
  const period = `type: csp, from: "${from}", not: { sourceClass: [extension] }, first: 20`;
  const fields = dimensions.map(
    by =>
      `${by}: reportGroups(${period}, by: [${by}]) { groups { keys { value } count reports days } totalCount }`,
  );
  const headers = { ...request.headers, 'content-type': 'application/json' };
  return {
    ...request,
    method: 'POST',
    headers,
    body: JSON.stringify({ query: `{ viewer { ${fields.join(' ')} } }` }),
  };
}

/** The idle time to measure, in seconds. */
const REST = 10;

/** The memory and processor time of a service that is idle after a few requests. */
export async function measureRest(database: ServiceDatabase): Promise<string> {
  const rows: Cell[][] = [];
  for (const name of ['ours', 'by hand'] as const) {
    await using service = await startService(database, name);
    await sendLoad(service.request('/v1/last-seven-days'), 1, { amount: 200 });
    await sleep(REST * 1000);
    const before = cpuSeconds(service.pid);
    await sleep(REST * 1000);
    const used = ((cpuSeconds(service.pid) - before) / REST) * 100;
    rows.push([name, readMemory(service.pid).present, used]);
  }
  return table(['at rest', 'memory MB', 'CPU, % of a core'], rows);
}
