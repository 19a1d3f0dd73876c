import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { DEMO_PERSONAL, DEMO_TEAM } from '@sightline/demo';
import { stockDriver } from '../../test/support/stock-driver.ts';
import { build } from '../build.ts';
import { measureExports } from '../measure-exports.ts';
import { readOptions as usualOptions } from '../options.ts';
import { chart } from './chart.ts';
import { openDatabase, type ScaleDatabase } from './database.ts';
import { type Loaded, loadBase, multiply, sightline } from './fill.ts';
import { readOptions, type ScaleOptions } from './options.ts';
import { measureQueries, queries } from './queries.ts';
import { describe, type ScaleResults, type SizeResult, summaryOf } from './report.ts';
import { keyOfLargest, measureRoutes } from './routes.ts';
import { tableSizes } from './sizes.ts';
import { chooseValues, type Values } from './values.ts';

/** Talk goes to standard error, the tables to standard output. */
const say = (text: string) => void process.stderr.write(`${text}\n`);

async function measureSize(
  { sql, url }: ScaleDatabase,
  rows: number,
  values: Values,
  rounds: number,
): Promise<SizeResult> {
  const begin = performance.now();
  const told = (await sightline(['maintain'], url)).trim().split('\n');
  const maintain = { seconds: (performance.now() - begin) / 1000, told };
  say(`${told.join('\n')}\nmaintained in ${maintain.seconds.toFixed(1)} s`);
  // As the service asks: the plan of the very values, and no more than reading.
  const reader = stockDriver(url, {
    max: 1,
    fetch_types: false,
    connection: { plan_cache_mode: 'force_custom_plan', role: 'sightline_reader', TimeZone: 'UTC' },
  });
  try {
    const today = new Date().toISOString().slice(0, 10);
    const measured = await measureQueries(reader, queries(values, today), rounds);
    const key = await keyOfLargest(sql);
    const routes = await measureRoutes(url, key, values, rounds * 3);
    const keys = { [DEMO_PERSONAL]: key, [DEMO_TEAM]: '' };
    const exported = await measureExports({ url, keys }, usualOptions([]));
    return { rows, maintain, disk: await tableSizes(sql), queries: measured, routes, exported };
  } finally {
    await reader.end({ timeout: 5 });
  }
}

/** Brings the database from one size to the next. Answers with the load, where that was one. */
async function grow(
  { sql, url }: ScaleDatabase,
  [first]: readonly number[],
  from: number,
  to: number,
): Promise<Loaded | undefined> {
  if (from >= to) return undefined;
  if (from === 0) return loadBase(sql, url, first!, new Date());
  await multiply(sql, from / first!, to / first!);
  return undefined;
}

async function measure(database: ScaleDatabase, options: ScaleOptions): Promise<SizeResult[]> {
  const { sql } = database;
  const results: SizeResult[] = [];
  let values: Values | undefined;
  for (const rows of options.rows) {
    const [found] = await sql`select count(*)::int as count from report`;
    if (found!.count > rows) continue;
    say(`growing from ${found!.count} to ${rows} reports …`);
    const load = await grow(database, options.rows, found!.count, rows);
    if (load) await sql`vacuum analyze`;
    values ??= await chooseValues(sql, new Date());
    const result = await measureSize(database, rows, values, options.rounds);
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
    const write = (ending: string, content: object) =>
      writeFileSync(`${options.output}.${ending}`, `${JSON.stringify(content, null, 1)}\n`);
    write('json', results);
    write('summary.json', summaryOf(results));
    writeFileSync(`${options.output}.svg`, chart(results));
    process.stdout.write(describe(results));
    say(`\nAll of it is in ${options.output}.json, and what docs keep in .summary.json and .svg beside it.`);
  } finally {
    await database.stop();
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await main().catch((error: Error) => {
  say(error.message);
  process.exitCode = 1;
});
// Processes that a failure left running end with this process.
process.exit();
