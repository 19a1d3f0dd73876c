import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { DEMO_PERSONAL } from '@sightline/demo';
import { issueKeys, loadDemo, openDatabase } from '../database.ts';
import { readOptions } from '../options.ts';
import { SIGHTLINE, say, start, succeed } from '../processes.ts';
import { type ServiceDatabase, startService } from '../services.ts';
import { type Cell, median, table } from '../table.ts';
import { findSteady, keepEverything, multiply } from './fill.ts';
import { DEFAULT_LIMITS, listRequests, measureRequests } from './requests.ts';
import { measureSizes } from './sizes.ts';
import { listStatements, measureStatements } from './statements.ts';

/** A figure at one size. The figures of a group form a table. */
export interface Figure {
  group: string;
  name: string;
  value: number;
}

const options = readOptions(
  `Measures how costs grow with the number of reports. Usage: npm run bench:scale -- [options]
A million reports take about 2 GB of the temporary folder (TMPDIR).`,
  {
    rows: ['20000,200000,2000000', 'ascending numbers of reports, multiples of the first'],
    rounds: [5, 'number of times that each query is run'],
  },
);
const sizes = options.rows.split(',').map(Number);
if (!sizes.every((size, place) => size % sizes[0]! === 0 && size > (sizes[place - 1] ?? 0)))
  throw new Error(`--rows: "${options.rows}" are no ascending multiples of the first`);

/** Measures the commands of maintenance: after a growth, then with nothing to do. */
async function measureMaintenance(url: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, command] of [
    ['maintain after a growth', 'maintain'],
    ['maintain with nothing to do', 'maintain'],
    ['prune with nothing to do', 'prune'],
  ] as const)
    figures.push({
      group: 'command, s',
      name,
      value: (await succeed([command], { DATABASE_URL: url })).seconds,
    });
  return figures;
}

/** The fastest exports of all CSP reports by the command and by curl, in turns, so that other work affects both. */
async function measureExport(database: ServiceDatabase): Promise<Figure[]> {
  await using service = await startService(database, 'ours', DEFAULT_LIMITS);
  const { url } = service.request('/export/reports/csp');
  const key = database.keys[DEMO_PERSONAL];
  const exportArgs = [SIGHTLINE, 'export', 'csp', '--url', new URL(url).origin, '--output', '-'];
  const children = {
    curl: () => spawn('curl', ['--fail', '--silent', '--header', `authorization: Bearer ${key}`, url]),
    'sightline export': () => start(exportArgs, { SIGHTLINE_KEY: key }),
  };
  const fastest = { curl: Number.POSITIVE_INFINITY, 'sightline export': Number.POSITIVE_INFINITY };
  for (let round = 0; round < 3; round++) {
    for (const name of ['curl', 'sightline export'] as const) {
      const begin = performance.now();
      const child = children[name]();
      child.stdout!.resume();
      const [code] = await once(child, 'close');
      if (code !== 0) throw new Error(`${name} ended with ${code}`);
      fastest[name] = Math.min(fastest[name], (performance.now() - begin) / 1000);
    }
  }
  const figures = { ...fastest, 'sightline export ÷ curl': fastest['sightline export'] / fastest.curl };
  return Object.entries(figures).map(([name, value]) => ({
    group: 'export of all CSP reports, s',
    name,
    value,
  }));
}

async function measureAll(): Promise<Figure[][]> {
  await using database = await openDatabase();
  const { url, sql } = database;
  const first = new Date();
  first.setUTCFullYear(first.getUTCFullYear() - 1, first.getUTCMonth(), 1);
  const days = Math.floor((Date.now() - first.getTime()) / 86_400_000) + 1;
  const demo = { days, accounts: 200, auditEvents: 100_000, largest: 0.4, reports: sizes[0]! };
  const { lines, seconds } = await loadDemo(database, demo);
  say(`loaded ${lines} lines in ${seconds.toFixed(1)} s`);
  await keepEverything(sql);
  await sql`vacuum analyze`;
  const steady = await findSteady(sql);
  const statements = await listStatements(sql, steady);
  const requests = await listRequests(sql);
  const keyed = { url, keys: await issueKeys(sql) };
  const figures: Figure[][] = [];
  for (const [place, rows] of sizes.entries()) {
    say(`measuring ${rows} reports …`);
    const growth = { from: (sizes[place - 1] ?? 0) / sizes[0]!, to: rows / sizes[0]! };
    if (place > 0) await multiply(sql, { ...growth, accounts: `account_id <> '${steady}'` });
    figures.push([
      ...(await measureMaintenance(url)),
      ...(await measureStatements(url, statements, options.rounds)),
      ...(await measureRequests(keyed, requests, options.rounds)),
      ...(await measureExport(keyed)),
      ...(await measureSizes(sql, rows)),
    ]);
  }
  return figures;
}

/** The number of rows of a table. Of a larger group, it has the median and the slowest. */
const MOST = 30;

function describe(figures: readonly Figure[][]): string {
  const last = figures.at(-1)!;
  const toRow = (name: string, values: readonly number[]): Cell[] => [
    name,
    ...values,
    values.at(-1)! / values[0]!,
  ];
  return [...new Set(last.map(({ group }) => group))]
    .map(group => {
      const ofGroup = figures.map(size => size.filter(one => one.group === group));
      const rows = ofGroup.at(-1)!.map(({ name }) =>
        toRow(
          name,
          ofGroup.map(size => size.find(one => one.name === name)?.value ?? Number.NaN),
        ),
      );
      const medians = ofGroup.map(size => median(size.map(({ value }) => value)));
      const slowest = rows.toSorted((one, other) => Number(other.at(-2)) - Number(one.at(-2))).slice(0, MOST);
      const head = [group, ...sizes.map(size => size.toLocaleString('en-GB')), 'growth'];
      return rows.length <= MOST
        ? table(head, rows)
        : table(head, [toRow(`median of ${rows.length}`, medians), ...slowest]);
    })
    .join('');
}

process.stdout.write(describe(await measureAll()));
