import type { ExportResults } from '../measure-exports.ts';
import { printExports } from '../report-exports.ts';
import { number, table } from '../table.ts';
import type { Loaded } from './fill.ts';
import type { Group, Measured } from './queries.ts';
import type { MeasuredRoute } from './routes.ts';
import type { TableSize } from './sizes.ts';

export interface SizeResult {
  rows: number;
  /** The time of the feed, with its configuration records; the other sizes are multiplied in the database. */
  load?: Loaded;
  /** Seconds, and what it said. */
  maintain: { seconds: number; told: string[] };
  disk: TableSize[];
  queries: Measured[];
  routes: MeasuredRoute[];
  exported: ExportResults;
}

export interface ScaleResults {
  date: string;
  node: string;
  postgres: string;
  cpus: string[];
  sizes: SizeResult[];
}

/** The results without the single queries, which are by the hundred. */
export type ScaleSummary = Omit<ScaleResults, 'sizes'> & { sizes: Omit<SizeResult, 'queries'>[] };

export function summaryOf(results: ScaleResults): ScaleSummary {
  return { ...results, sizes: results.sizes.map(({ queries: _, ...size }) => size) };
}

/** The number of filters in the table: the slowest ones. The JSON has all. */
const SLOWEST = 12;

/** The results as Markdown. */
export function describe({ sizes }: ScaleResults): string {
  const heads = sizes.map(({ rows }) => rows.toLocaleString('en-GB'));
  const growthOf = (values: readonly number[]) =>
    values.length > 1 ? number(values.at(-1)! / values[0]!) : '–';
  const parts = [describeLoads(sizes)];
  for (const group of ['growth', 'count', 'filter'] as const) {
    const rows = indexesOf(sizes, group).map(index => {
      const { name } = sizes[0]!.queries[index]!;
      const measured = sizes.map(size => size.queries[index]!);
      return [
        name,
        ...measured.map(({ records }) => String(records)),
        ...measured.map(({ client }) => number(client)),
        growthOf(measured.map(({ client }) => client)),
        ...measured.map(({ database }) => number(database)),
        ...measured.map(({ least }) => number(least)),
      ];
    });
    parts.push(
      table(
        [
          'query',
          ...heads.map(head => `records of ${head}`),
          ...heads.map(head => `client, ms, ${head}`),
          'growth',
          ...heads.map(head => `database, ms, ${head}`),
          ...heads.map(head => `least, ${head}`),
        ],
        rows,
      ),
    );
  }
  const routes = sizes[0]!.routes.map(({ name }, index) => {
    const measured = sizes.map(({ routes }) => routes[index]!.client);
    return [`\`${name}\``, ...measured.map(number), growthOf(measured)];
  });
  parts.push(
    table(['route', ...heads.map(head => `ms, ${head}`), 'growth'], routes),
    ...sizes.map(({ exported }) => printExports(exported)),
    describeDisk(sizes, heads),
  );
  return parts.join('\n');
}

/** Where the queries of the group are in the list; of the filters the slowest in the database, slowest first. */
function indexesOf(sizes: readonly SizeResult[], group: Group): number[] {
  const { queries } = sizes.at(-1)!;
  const indexes = queries.flatMap((query, index) => (query.group === group ? [index] : []));
  if (group !== 'filter') return indexes;
  return indexes.sort((a, b) => queries[b]!.database - queries[a]!.database).slice(0, SLOWEST);
}

function describeLoads(sizes: readonly SizeResult[]): string {
  return sizes
    .map(({ rows, load, maintain }) => {
      const rate = load ? `loaded ${number(load.lines / load.seconds)} lines/s; ` : '';
      return `${rows.toLocaleString('en-GB')} reports: ${rate}maintain took ${maintain.seconds.toFixed(1)} s\n`;
    })
    .join('');
}

function describeDisk(sizes: readonly SizeResult[], heads: readonly string[]): string {
  const names = [
    ...new Set(
      sizes.flatMap(({ disk }) => disk.flatMap(({ table, indexes }) => [table, ...Object.keys(indexes)])),
    ),
  ];
  const bytesOf = ({ disk }: SizeResult, name: string) =>
    disk.reduce((sum, part) => sum + (part.table === name ? part.data : (part.indexes[name] ?? 0)), 0);
  const rows = names.map(name => [
    name,
    ...sizes.map(size => number(bytesOf(size, name) / 1e6)),
    ...sizes.map(size => number(bytesOf(size, name) / size.rows)),
  ]);
  return table(
    ['on disk', ...heads.map(head => `MB, ${head}`), ...heads.map(head => `bytes a report, ${head}`)],
    rows,
  );
}
