import { DEMO_PERSONAL } from '@sightline/demo';
import { dial, Hosts } from '@sightline/pg-client';
import { keepReportGroups } from '../sql/maintenance/rollups.ts';
import { connectOperator } from '../test/support/operator.ts';
import { stockDriver } from '../test/support/stock-driver.ts';
import type { LoadResult, ReadTimes } from './load-client.ts';
import { listBackends, type Measure, measure } from './measure.ts';
import type { BenchOptions } from './options.ts';
import { cpuSeconds, Generator, peakMemory } from './processes.ts';
import { routesOn } from './routes.ts';
import { authorization, requestText, type ServiceDatabase, startService, stopService } from './services.ts';

export interface ExportMeasure extends ReadTimes {
  /** The service's processor time in seconds. */
  cpu: number;
  /** The peak memory, in MB, of a process that does nothing else. */
  peak: number;
  /** How long PostgreSQL takes to copy the same rows, in seconds. */
  copy: number;
}

export interface ExportResults {
  reports: number;
  exports: ExportMeasure[];
  /** Requests to `/v1/me` during two repeated exports, and the number of exports. */
  meanwhile: LoadResult & { exports: number; peak: number };
}

/** Limited, since each export takes seconds. */
const MOST_ROUNDS = 3;
const EXPORT = '/export/reports/csp';

/**
 * Exports all CSP reports of the busy account as NDJSON, and compares that with a COPY of the same rows to the client.
 */
export async function measureExports(
  database: ServiceDatabase,
  options: BenchOptions,
): Promise<ExportResults> {
  const sql = stockDriver(database.url, { max: 1, onnotice: () => {} });
  const generator = new Generator();
  const request = requestText(EXPORT, {
    Authorization: authorization(database, DEMO_PERSONAL),
    Connection: 'close',
  });
  const exports: ExportMeasure[] = [];
  for (let round = 0; round < Math.min(MOST_ROUNDS, options.rounds); round++) {
    const service = await startService('ours', database);
    const copy = await toSeconds(() => copyOut(database.url));
    const before = cpuSeconds([service.pid]);
    const reading = await generator.run<ReadTimes>({ kind: 'read', port: service.port, request });
    exports.push({
      ...reading,
      cpu: cpuSeconds([service.pid]) - before,
      peak: peakMemory(service.pid),
      copy,
    });
    await stopService(service);
  }
  const [row] =
    await sql`select count(*)::int as reports from report where account_id = ${DEMO_PERSONAL} and type = 'csp'`;
  await Promise.all([sql.end(), generator.stop()]);
  return { reports: row!.reports, exports, meanwhile: await besideExports(database, request) };
}

/** COPY does not accept parameters. */
const COPY = `copy (select * from report where account_id = '${DEMO_PERSONAL}' and type = 'csp') to stdout`;

/** ReadyForQuery outside a transaction (PostgreSQL manual, 53.7). */
const READY = Buffer.from('Z\0\0\0\x05I', 'latin1');

/** Copies in a new session, as `psql` does, and discards the output. */
async function copyOut(url: string): Promise<void> {
  const { transport } = await dial(new Hosts(url), { parameters: {}, connectTimeout: 10_000 });
  await transport.until<void>(resolve => {
    let end = Buffer.alloc(0);
    transport.take = bytes => {
      end = Buffer.concat([end, bytes.subarray(-READY.length)]).subarray(-READY.length);
      if (end.equals(READY)) resolve();
    };
    transport.write(query(COPY));
  });
  transport.lose(new Error('it is over'));
}

/** Encodes a message of the simple query protocol. */
function query(text: string): Buffer {
  const message = Buffer.from(`Q\0\0\0\0${text}\0`);
  message.writeInt32BE(message.length - 1, 1);
  return message;
}

async function toSeconds(work: () => Promise<void>): Promise<number> {
  const begin = performance.now();
  await work();
  return (performance.now() - begin) / 1000;
}

const READERS = 2;
/** The number of concurrent requests, so few that they do not queue. */
const CONNECTIONS = 4;
const SECONDS = 5;

async function besideExports(
  database: ServiceDatabase,
  request: string,
): Promise<ExportResults['meanwhile']> {
  const service = await startService('ours', database);
  const [load, readers] = [new Generator(), new Generator()];
  const me = requestText(routesOn(new Date()).me.path, {
    Authorization: authorization(database, DEMO_PERSONAL),
  });
  const job = {
    kind: 'load',
    port: service.port,
    request: me,
    connections: CONNECTIONS,
    status: 200,
  } as const;
  await load.run({ ...job, seconds: 1 });
  const [exports, result] = await Promise.all([
    readers.run<number>({ kind: 'readers', port: service.port, request, readers: READERS, seconds: SECONDS }),
    load.run<LoadResult>({ ...job, seconds: SECONDS }),
  ]);
  const peak = peakMemory(service.pid);
  await Promise.all([load.stop(), readers.stop(), stopService(service)]);
  return { ...result, exports, peak };
}

/** Measurements of one grouping and of ten groupings in one request, without and with rollups. */
export type GroupResults = Record<'one' | 'ten' | 'oneKept' | 'tenKept', Measure[]>;

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

/** Sends one request at a time. Each reads a month of the busy account. */
export async function measureGroups(database: ServiceDatabase, options: BenchOptions): Promise<GroupResults> {
  const service = await startService('ours', database);
  const generator = new Generator();
  const backends = listBackends(database.url);
  const results: GroupResults = { one: [], ten: [], oneKept: [], tenKept: [] };
  for (let round = 0; round < 2 * options.rounds; round++) {
    if (round === options.rounds) await keepGroups(database.url);
    const names = round < options.rounds ? (['one', 'ten'] as const) : (['oneKept', 'tenKept'] as const);
    for (const name of names) {
      const target = {
        pid: service.pid,
        port: service.port,
        request: groupsRequest(database, DIMENSIONS.slice(0, name.startsWith('one') ? 1 : 10)),
        status: 200,
      };
      results[name].push(await measure(target, { ...options, connections: 1 }, generator, backends));
    }
  }
  await Promise.all([generator.stop(), backends.end(), stopService(service)]);
  return results;
}

/** Runs the rollup step of `maintain`. */
async function keepGroups(url: string): Promise<void> {
  const operator = connectOperator(url);
  await keepReportGroups(operator, new Date().toISOString().slice(0, 10));
  await operator`analyze daily_group`;
  await operator.end();
}

function groupsRequest(database: ServiceDatabase, dimensions: readonly string[]): string {
  const from = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);
  const period = `type: csp, from: "${from}", not: { sourceClass: [extension] }, first: 20`;
  const fields = dimensions.map(
    by =>
      `${by}: reportGroups(${period}, by: [${by}]) { groups { keys { value } count reports days } totalCount }`,
  );
  return requestText(
    '/graphql',
    { Authorization: authorization(database, DEMO_PERSONAL), 'Content-Type': 'application/json' },
    { method: 'POST', body: JSON.stringify({ query: `{ viewer { ${fields.join(' ')} } }` }) },
  );
}
