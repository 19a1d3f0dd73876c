import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { build } from './build.ts';
import { type BenchDatabase, prepareDatabase } from './database.ts';
import { measureExports, measureGroups } from './measure-exports.ts';
import { measureLife } from './measure-life.ts';
import { measureRoutes, startContenders } from './measure-routes.ts';
import { measureLatency, measureTrail } from './measure-trail.ts';
import { type BenchOptions, type BenchPart, readOptions } from './options.ts';
import { canMeasure } from './processes.ts';
import { printResults, type Results } from './report.ts';
import { stopService } from './services.ts';

const resultsFolder = fileURLToPath(new URL('results', import.meta.url));

/** Messages go to standard error, tables to standard output. */
const say = (text: string) => void process.stderr.write(text);

/** Measures all parts. A part that fails does not affect the others. */
async function measureAll(database: BenchDatabase, options: BenchOptions): Promise<Results> {
  const results: Results = {};
  const measures: Record<BenchPart, () => Promise<void>> = {
    async load() {
      results.loads = database.loads;
    },
    async routes() {
      const services = await startContenders(options.contenders, database);
      results.routes = await measureRoutes(services, database, options, say);
      await Promise.all(Object.values(services).map(stopService));
    },
    async trail() {
      results.trail = await measureTrail(database, options, say);
    },
    async latency() {
      results.latency = await measureLatency(database);
    },
    async life() {
      results.life = await measureLife(database, say);
    },
    async groups() {
      results.groups = await measureGroups(database, options);
    },
    async exports() {
      results.exports = await measureExports(database, options);
    },
  };
  for (const part of options.parts) {
    await measures[part]().catch((error: Error) => {
      say(`${part}: ${error.message}\n`);
      process.exitCode = 1;
    });
  }
  return results;
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (!canMeasure) say('this system has no /proc: processor time and memory are not measured\n');
  build();
  mkdirSync(resultsFolder, { recursive: true });
  say('starting PostgreSQL and loading the demo feed …\n');
  const database = await prepareDatabase(options);
  try {
    for (const { what, lines, seconds } of database.loads)
      say(`${lines} ${what} in ${seconds.toFixed(1)} s\n`);
    const results = await measureAll(database, options);
    const machine = {
      node: process.version,
      cpus: cpus().map(({ model }) => model),
      date: new Date().toISOString(),
    };
    const file = `${resultsFolder}/${machine.date.replace(/[:.]/g, '-')}.json`;
    writeFileSync(file, `${JSON.stringify({ machine, options, results }, null, 2)}\n`);
    process.stdout.write(printResults(results));
    say(`\nAll of it is in ${file}\n`);
  } finally {
    await database.stop();
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await main().catch((error: Error) => {
  say(`${error.message}\n`);
  process.exitCode = 1;
});
// Ends child processes that a failure may have left running.
process.exit();
