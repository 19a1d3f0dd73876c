import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type BenchDatabase, prepareDatabase } from './database.ts';
import { hasPostGraphile, measureGraphQL } from './measure-graphql.ts';
import { measureRoutes, startContenders } from './measure-routes.ts';
import { measureLatency, measureTrail } from './measure-trail.ts';
import { type BenchOptions, readOptions } from './options.ts';
import { canMeasure } from './processes.ts';
import { profileRoutes } from './profile.ts';
import { printResults, type Results } from './report.ts';
import { stopService } from './services.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const resultsFolder = `${root}bench/results`;

/** Talk goes to standard error, the tables to standard output. */
const say = (text: string) => void process.stderr.write(text);

/** What is measured is what runs in production: compiled, each in a process of its own. "npm run check" has the types. */
function build(): void {
  say('compiling …\n');
  rmSync(`${root}bench/dist`, { recursive: true, force: true });
  execFileSync(
    process.execPath,
    [`${root}node_modules/typescript/bin/tsc`, '-p', `${root}bench`, '--noCheck'],
    {
      stdio: ['ignore', 2, 2],
    },
  );
  for (const file of ['sql/migrations', 'openapi.yaml']) {
    cpSync(root + file, `${root}bench/dist/${file}`, { recursive: true });
  }
}

async function measureAll(database: BenchDatabase, options: BenchOptions): Promise<Results> {
  const { parts } = options;
  const results: Results = {};
  if (parts.includes('load')) results.loads = database.loads;
  if (parts.includes('routes')) {
    const services = await startContenders(options.contenders, database, options);
    results.routes = await measureRoutes(services, database, options, say);
    await Promise.all(Object.values(services).map(stopService));
  }
  if (parts.includes('graphql') && hasPostGraphile()) {
    results.graphql = await measureGraphQL(database, options, say);
  } else if (parts.includes('graphql')) {
    say('PostGraphile is left out: "npm ci" in bench/postgraphile brings it\n');
  }
  if (parts.includes('trail')) results.trail = await measureTrail(database, options, say);
  if (parts.includes('latency')) results.latency = await measureLatency(database, options);
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
    if (options.profile.length > 0) {
      process.stdout.write(await profileRoutes(database, options, resultsFolder));
      return;
    }
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
const code = await main().then(
  () => 0,
  (error: Error) => {
    say(`${error.message}\n`);
    return 1;
  },
);
// What was started and not stopped, because something failed, ends with this process.
process.exit(code);
