import { type BenchDatabase, issueKeys, type LoadCost, loadDemo, openDatabase, useLog } from './database.ts';
import { readOptions } from './options.ts';
import { childrenCpuSeconds, getParent, say } from './processes.ts';
import { measureExports, measureGroups, measureRest, measureTrail } from './reads.ts';
import { CONTENDERS, measureRoutes, ROUTES } from './routes.ts';
import { table } from './table.ts';

const PARTS = ['routes', 'trail', 'groups', 'exports', 'rest', 'load'] as const;

const options = readOptions(
  'Measures the service, and compares it with hand-written routes. Usage: npm run bench -- [options]',
  {
    only: [PARTS, 'parts to measure'],
    routes: [ROUTES, 'routes to measure'],
    contenders: [CONTENDERS, 'services to measure'],
    rounds: [5, 'number of rounds'],
    seconds: [0.5, 'seconds of a measurement'],
    connections: [32, 'number of connections'],
    reports: [240_000, "the busy account's reports in two months"],
    'audit-events': [500_000, 'number of audit events'],
    tls: [false, 'connects to PostgreSQL with TLS over TCP instead of a Unix socket'],
  },
);

/** Settings of a small server. Autovacuum would disturb the measurements. */
const SETTINGS = { shared_buffers: '512MB', max_wal_size: '4GB', min_wal_size: '2GB', autovacuum: 'off' };

/** First the accounts and a year with few reports, then many reports into the same tables, then a long audit log. */
async function fill(database: BenchDatabase): Promise<string> {
  const { sql } = database;
  if (options.only.includes('load')) await useLog(sql);
  const base = { accounts: 2, reports: 0, auditEvents: 0, largest: 1 };
  const feeds = [
    ['', { ...base, days: 365, reports: 60_000 }],
    ['report', { ...base, days: 62, reports: options.reports, seed: 2 }],
    ['auditEvent', { ...base, auditEvents: options['audit-events'], largest: 0, seed: 3 }],
  ] as const;
  const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const postmaster = getParent(backend!.pid);
  const rows = [];
  for (const [kind, feed] of feeds) {
    const before = childrenCpuSeconds(postmaster);
    const { lines, seconds, cpu, memory }: LoadCost = await loadDemo(database, feed, kind);
    say(`${lines} lines in ${seconds.toFixed(1)} s`);
    rows.push([
      kind || 'all kinds',
      lines,
      lines / seconds,
      cpu,
      childrenCpuSeconds(postmaster) - before,
      memory,
    ]);
  }
  await sql`vacuum analyze`;
  return table(
    ['load', 'lines', 'lines/s', 'CPU s', 'PostgreSQL s', 'peak memory MB'],
    rows as [string, number][],
  );
}

say('loading the demo feed …');
await using opened = await openDatabase(SETTINGS, options.tls);
const loaded = await fill(opened);
const database = { ...opened, keys: await issueKeys(opened.sql) };

const measures: Record<(typeof PARTS)[number], () => Promise<string>> = {
  load: async () => loaded,
  routes: () => measureRoutes(database, options),
  trail: () => measureTrail(database),
  groups: () => measureGroups(database, options),
  exports: () => measureExports(database),
  rest: () => measureRest(database),
};
for (const part of options.only) {
  try {
    process.stdout.write(await measures[part]());
  } catch (error) {
    say(`${part}: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
