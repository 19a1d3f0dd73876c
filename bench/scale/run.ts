import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname } from 'node:path';
import { DEMO_PERSONAL, DEMO_TEAM } from '@sightline/demo';
import { PLANNER_SETTINGS } from '@sightline/pg-client';
import type { Operator } from '../../test/support/operator.ts';
import { stockDriver } from '../../test/support/stock-driver.ts';
import { build } from '../build.ts';
import { measureExports } from '../measure-exports.ts';
import { readOptions as usualOptions } from '../options.ts';
import { openDatabase, type ScaleDatabase } from './database.ts';
import { measureExportCommand } from './export-command.ts';
import { type LoadSummary, loadBase, multiply, OF_THE_FEED, sightline } from './fill.ts';
import { listGroupRequests, measureGroupings } from './groupings.ts';
import { readOptions, type ScaleOptions } from './options.ts';
import { measureQueries, queries } from './queries.ts';
import { describe, type Idle, type ScaleResults, type SizeResult } from './report.ts';
import { keyOfLargest, measureRoutes } from './routes.ts';
import { tableSizes } from './sizes.ts';
import { chooseValues, type Values } from './values.ts';

/** Messages go to standard error, tables to standard output. */
const say = (text: string) => void process.stderr.write(`${text}\n`);

/** The account with the most reports. */
const LARGEST = DEMO_PERSONAL;

/**
 * Runs a command that has nothing to do. Returns its duration in seconds and the number of 8 kB pages that PostgreSQL
 * reads.
 */
async function measureIdle({ sql, url }: ScaleDatabase, command: string): Promise<Idle> {
  const before = await countBlocks(sql);
  const begin = performance.now();
  await sightline([command], url);
  const seconds = (performance.now() - begin) / 1000;
  return { command, seconds, blocks: (await countBlocks(sql)) - before };
}

/** PostgreSQL updates its statistics when a session ends. This session has not read any table. */
async function countBlocks(sql: Operator): Promise<number> {
  const [row] = await sql.query<{ blocks: number }>(`
    select (blks_hit + blks_read)::float8 as blocks from pg_stat_database where datname = current_database()`);
  return row!.blocks;
}

async function measureSize(
  database: ScaleDatabase,
  rows: number,
  { values, steady }: RequestValues,
  rounds: number,
): Promise<SizeResult> {
  const { sql, url } = database;
  const begin = performance.now();
  const printed = (await sightline(['maintain'], url)).trim().split('\n');
  const seconds = (performance.now() - begin) / 1000;
  say(`${printed.join('\n')}\nmaintained in ${seconds.toFixed(1)} s`);
  const idle: Idle[] = [];
  for (const command of ['maintain', 'prune']) idle.push(await measureIdle(database, command));
  // With the service's settings: custom plans and a read-only session.
  const reader = stockDriver(url, {
    max: 1,
    fetch_types: false,
    connection: { ...PLANNER_SETTINGS, role: 'sightline_reader', TimeZone: 'UTC' },
  });
  try {
    const today = new Date().toISOString().slice(0, 10);
    const measured = await measureQueries(reader, queries(LARGEST, values, today), rounds);
    const others = await measureQueries(
      reader,
      queries(steady.account, { ...steady.values, filters: [] }, today),
      rounds,
    );
    const key = await keyOfLargest(sql);
    const keys = { [DEMO_PERSONAL]: key, [DEMO_TEAM]: '' };
    return {
      rows,
      maintain: { seconds, printed, idle },
      disk: await tableSizes(sql),
      queries: measured,
      steady: others,
      routes: await measureRoutes(url, key, values, rounds * 3),
      groupings: await measureGroupings(url, key, await listGroupRequests(sql, new Date()), rounds),
      exported: await measureExports({ url, keys }, usualOptions([])),
      command: await measureExportCommand(url, key),
    };
  } finally {
    await reader.end({ timeout: 5 });
  }
}

/** Grows the database from one size to the next. Returns the cost of the load, if there was one. */
async function grow(
  { sql, url }: ScaleDatabase,
  { rows }: ScaleOptions,
  from: number,
  to: number,
): Promise<LoadSummary | undefined> {
  if (from >= to) return undefined;
  const [first] = rows;
  if (from > 0) {
    const accounts = `account_id <> '${await findSteady(sql)}'`;
    await multiply(sql, { from: from / first!, to: to / first!, accounts });
    return undefined;
  }
  const loaded = await loadBase(sql, url, first!, new Date());
  const most = rows.at(-1)! / first!;
  if (most > 1)
    await multiply(sql, { from: 1, to: most, accounts: `account_id = '${await findSteady(sql)}'` });
  return loaded;
}

/** Returns the number of reports for each report of the feed. */
async function countCopies(sql: Operator): Promise<number> {
  const [row] = await sql.query<{ copies: number }>(`
    select coalesce(count(*) / nullif(count(*) filter (where ${OF_THE_FEED}), 0), 0)::int as copies
    from report where account_id = '${LARGEST}'`);
  return row!.copies;
}

/**
 * Finds the account that keeps its number of reports while all others grow: it has about a hundredth of the largest
 * account's.
 */
async function findSteady(sql: Operator): Promise<string> {
  const [row] = await sql.query<{ account_id: string }>(`
    select account_id from report where ${OF_THE_FEED} group by account_id
    order by abs(count(*) - (select count(*) / 50 from report where account_id = '${LARGEST}' and ${OF_THE_FEED})), 1
    limit 1`);
  return row!.account_id;
}

interface RequestValues {
  values: Values;
  steady: { account: string; values: Values };
}

async function choose(sql: Operator): Promise<RequestValues> {
  const now = new Date();
  const account = await findSteady(sql);
  return {
    values: await chooseValues(sql, now, LARGEST),
    steady: { account, values: await chooseValues(sql, now, account) },
  };
}

async function measure(database: ScaleDatabase, options: ScaleOptions): Promise<SizeResult[]> {
  const { sql } = database;
  const results: SizeResult[] = [];
  let chosen: RequestValues | undefined;
  for (const rows of options.rows) {
    const existing = (await countCopies(sql)) * options.rows[0]!;
    if (existing > rows) continue;
    say(`growing from ${existing} to ${rows} reports …`);
    const load = await grow(database, options, existing, rows);
    if (load) await sql`vacuum analyze`;
    chosen ??= await choose(sql);
    const result = await measureSize(database, rows, chosen, options.rounds);
    results.push({ ...result, ...(load && { load }) });
  }
  return results;
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  build();
  const database = await openDatabase(options);
  try {
    const [server] = await database.sql`show server_version`;
    const results: ScaleResults = {
      date: new Date().toISOString(),
      node: process.version,
      postgres: server!.server_version,
      cpus: cpus().map(({ model }) => model),
      sizes: await measure(database, options),
    };
    mkdirSync(dirname(options.output), { recursive: true });
    writeFileSync(options.output, `${JSON.stringify(results, null, 1)}\n`);
    process.stdout.write(describe(results));
    say(`\nAll results are in ${options.output}.`);
  } finally {
    await database.stop();
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await main().catch((error: Error) => {
  say(error.message);
  process.exitCode = 1;
});
// Ends child processes that a failure may have left running.
process.exit();
