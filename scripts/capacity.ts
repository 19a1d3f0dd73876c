import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { ScaleSummary } from '../bench/scale/report.ts';
import { table } from '../bench/table.ts';
import { CLOSED_ONLY } from '../sql/maintenance/rare-filters.ts';

/** Assumptions about an installation. Every one is an option: `--retention-months 13`. */
const ASSUMPTIONS = {
  /** The average retention over the accounts. */
  'retention-months': 3,
  /** Reports of an account in a month, on average. */
  'reports-per-account': 1_000_000,
  /** Requests of an account in a minute, on average, and how much more of everything the busiest hour has. */
  'requests-per-minute': 1,
  peak: 3,
  /** Days whose reports are asked for so often that they should be in memory. */
  'hot-days': 7,
  /** The part of a processor that may be busy in the busiest hour, and of a disk that may be full. */
  utilisation: 0.6,
  /** Copies of the data: the primary and its standby. */
  copies: 2,
  /** The size of one server: TB of disk, GB of memory, cores. */
  'server-disk': 8,
  'server-memory': 256,
  'server-cores': 32,
  /** A month's price of a GB of disk, a GB of memory and a core, in any currency. */
  'price-disk': 0.1,
  'price-memory': 3,
  'price-core': 20,
} as const;
type Assumptions = Record<keyof typeof ASSUMPTIONS, number>;

const SECONDS_PER_MONTH = 2_630_000;
const DAYS_PER_MONTH = 30.4;
/** Cores that one load keeps busy: one reads the feed, one is PostgreSQL's. */
const LOAD_CORES = 2;

/** The results of `npm run bench:scale` for one report and one request. */
export interface Measurement {
  /** Bytes on disk: rows, indexes, and the locator with its index. */
  data: number;
  indexes: number;
  /** The indexes that a month has while it is open. */
  openIndexes: number;
  locator: number;
  /** The locator's index alone, whose entries are hit at random. */
  locatorIndex: number;
  loadRate: number;
  /** Seconds that a request takes, over the routes, in the service and PostgreSQL together. */
  request: number;
}

export function measurementOf({ sizes }: ScaleSummary): Measurement {
  const size = sizes.at(-1)!;
  const load = sizes.find(({ load }) => load)!.load!;
  const [report, locator] = ['report', 'report_locator'].map(name => partOf(size, name));
  const mean = size.routes.reduce((sum, { client }) => sum + client, 0) / size.routes.length;
  return {
    data: report!.data,
    indexes: report!.indexes,
    openIndexes: partOf(size, 'report', name => !CLOSED_ONLY.some(suffix => name === `report_${suffix}`))
      .indexes,
    locator: locator!.data + locator!.indexes,
    locatorIndex: locator!.indexes,
    loadRate: load.lines / load.seconds,
    request: mean / 1000,
  };
}

/** Bytes a report; of its indexes those that count. */
function partOf(
  { disk, rows }: ScaleSummary['sizes'][number],
  name: string,
  counts = (_index: string) => true,
): { data: number; indexes: number } {
  const { data, indexes } = disk.find(({ table }) => table === name)!;
  const bytes = Object.entries(indexes).reduce((sum, [index, size]) => sum + (counts(index) ? size : 0), 0);
  return { data: data / rows, indexes: bytes / rows };
}

/** The rules of growth. Bytes, cores and money. */
export function capacityOf(reports: number, measured: Measurement, assumed: Assumptions) {
  const kept = reports * assumed['retention-months'];
  const accounts = reports / assumed['reports-per-account'];
  // A report takes the same space however many there are; the disk also has room for a month that is put into order.
  const one =
    kept * (measured.data + measured.indexes + measured.locator) +
    reports * (measured.data + measured.indexes);
  const disk = (one / assumed.utilisation) * assumed.copies;
  // The open month's indexes are written to everywhere, the locator's at random, and the last days are read.
  const hot = (reports / DAYS_PER_MONTH) * assumed['hot-days'] * measured.data;
  const memory = (reports * measured.openIndexes + kept * measured.locatorIndex + hot) * assumed.copies;
  const perSecond = (reports / SECONDS_PER_MONTH) * assumed.peak;
  const loads = perSecond / measured.loadRate;
  const requests = ((accounts * assumed['requests-per-minute']) / 60) * assumed.peak;
  // Answers take what they take at any size, and an open connection costs nothing.
  const cores = (loads * LOAD_CORES * assumed.copies + requests * measured.request) / assumed.utilisation;
  const servers = Math.max(
    assumed.copies,
    Math.ceil(disk / (assumed['server-disk'] * 1e12)),
    Math.ceil(memory / (assumed['server-memory'] * 1e9)),
    Math.ceil(cores / assumed['server-cores']),
  );
  const cost =
    (disk / 1e9) * assumed['price-disk'] +
    (memory / 1e9) * assumed['price-memory'] +
    cores * assumed['price-core'];
  return {
    accounts,
    disk,
    memory,
    perSecond,
    loads,
    requests,
    cores,
    servers,
    cost,
    costPerAccount: cost / accounts,
  };
}

function main(): void {
  const options = Object.fromEntries(
    Object.keys(ASSUMPTIONS).map(name => [name, { type: 'string' as const }]),
  );
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const assumed = Object.fromEntries(
    Object.entries(ASSUMPTIONS).map(([name, value]) => [name, Number(values[name] ?? value)]),
  ) as Assumptions;
  const file = positionals[0] ?? new URL('../docs/scaling.summary.json', import.meta.url);
  const results: ScaleSummary = JSON.parse(readFileSync(file, 'utf8'));
  const measured = measurementOf(results);
  const volumes = [1e9, 1e10, 1e11];
  const columns = volumes.map(reports => capacityOf(reports, measured, assumed));
  const round = (value: number) => value.toLocaleString('en-GB', { maximumSignificantDigits: 2 });
  const row = (name: string, of: (column: (typeof columns)[number]) => number) => [
    name,
    ...columns.map(of).map(round),
  ];
  process.stdout.write(
    `Measured: ${round(measured.data)} bytes of a report's row, ${round(measured.indexes)} of its indexes (${round(measured.openIndexes)} while the month is open), ` +
      `${round(measured.locator)} of its locator; ${round(measured.loadRate)} reports a second; ` +
      `${round(measured.request * 1000)} ms a request.\n` +
      `Assumed: ${Object.entries(assumed)
        .map(([name, value]) => `${name} ${value}`)
        .join(', ')}.\n\n` +
      table(
        ['a month', ...volumes.map(reports => `${reports / 1e9} billion`)],
        [
          row('accounts', ({ accounts }) => accounts),
          row('disk, TB', ({ disk }) => disk / 1e12),
          row('memory, GB', ({ memory }) => memory / 1e9),
          row('reports a second, busiest hour', ({ perSecond }) => perSecond),
          row('loads at once, busiest hour', ({ loads }) => loads),
          row('requests a second, busiest hour', ({ requests }) => requests),
          row('cores', ({ cores }) => cores),
          row('database servers, standbys too', ({ servers }) => servers),
          row('cost', ({ cost }) => cost),
          row('cost an account', ({ costPerAccount }) => costPerAccount),
        ],
      ),
  );
}

main();
