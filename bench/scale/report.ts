import type { ExportResults } from '../measure-exports.ts';
import { printExports } from '../report-exports.ts';
import { number, table } from '../table.ts';
import type { ExportCommandResult } from './export-command.ts';
import type { LoadSummary } from './fill.ts';
import type { MeasuredGrouping } from './groupings.ts';
import { GROUPS, type Group, type QueryMeasure } from './queries.ts';
import type { MeasuredRoute } from './routes.ts';
import type { DiskSize } from './sizes.ts';

export interface SizeResult {
  rows: number;
  /** The load of the feed, with its configuration records. The other sizes are copied within the database. */
  load?: LoadSummary;
  /** The duration and output, then the cost of commands that have nothing to do. */
  maintain: { seconds: number; printed: string[]; idle: Idle[] };
  disk: DiskSize[];
  queries: QueryMeasure[];
  /** The queries of an account that has the same number of reports at every size. */
  steady: QueryMeasure[];
  routes: MeasuredRoute[];
  groupings: MeasuredGrouping[];
  exported: ExportResults;
  command: ExportCommandResult;
}

export interface Idle {
  command: string;
  seconds: number;
  blocks: number;
}

export interface ScaleResults {
  date: string;
  node: string;
  postgres: string;
  cpus: string[];
  sizes: SizeResult[];
}

/** The number of filters in the table, slowest first. The JSON contains all of them. */
const SLOWEST = 12;

/** Formats the results as Markdown. */
export function describe({ sizes }: ScaleResults): string {
  const heads = sizes.map(({ rows }) => rows.toLocaleString('en-GB'));
  const computeGrowth = (values: readonly number[]) => verdictOn(values, sizes.at(-1)!.rows / sizes[0]!.rows);
  const parts = [describeLoads(sizes)];
  for (const group of GROUPS) {
    const rows = listIndexes(sizes, group).map(index => {
      const { name } = sizes[0]!.queries[index]!;
      const measured = sizes.map(size => size.queries[index]!);
      return [
        name,
        ...measured.map(({ records }) => String(records)),
        ...measured.map(({ client }) => number(client)),
        computeGrowth(measured.map(({ client }) => client)),
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
    return [`\`${name}\``, ...measured.map(number), computeGrowth(measured)];
  });
  parts.push(
    describeSteady(sizes, heads),
    describeGroupings(sizes, heads, computeGrowth),
    describeIdle(sizes, heads, computeGrowth),
    table(
      ['sightline export ÷ curl', ...heads],
      [['all CSP reports', ...sizes.map(({ command }) => number(command.command / command.curl))]],
    ),
    table(['route', ...heads.map(head => `ms, ${head}`), 'growth'], routes),
    ...sizes.map(({ exported }) => printExports(exported)),
    describeDisk(sizes, heads),
  );
  return parts.join('\n');
}

/** Describes the growth from the first size to the last, relative to the growth of the data. */
function verdictOn(values: readonly number[], ofData: number): string {
  if (values.length < 2) return '–';
  const growth = values.at(-1)! / values[0]!;
  const kind = growth <= 3 ? 'flat' : growth <= 1.2 * ofData ? 'linear' : 'worse';
  return `${number(growth)} (${kind})`;
}

/** The indexes of a group's queries in the list. For filters, those of the slowest ones, by time in the database. */
function listIndexes(sizes: readonly SizeResult[], group: Group): number[] {
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

/** Describes how other accounts' reports affect an account's cost. A ratio of 1 means that they do not. */
function describeSteady(sizes: readonly SizeResult[], heads: readonly string[]): string {
  const rows = sizes[0]!.steady.map(({ name }, index) => {
    const measured = sizes.map(({ steady }) => steady[index]!);
    const [first, last] = [measured[0]!, measured.at(-1)!];
    return [
      name,
      ...measured.map(({ blocks }) => String(blocks)),
      number(last.blocks / first.blocks),
      ...measured.map(({ least }) => number(least)),
      number(last.least / first.least),
    ];
  });
  const names = ['while only other accounts grow', ...heads.map(head => `pages, ${head}`), 'ratio'];
  return table([...names, ...heads.map(head => `ms, ${head}`), 'ratio'], rows);
}

type Growth = (values: readonly number[]) => string;

/** Lists the slowest groupings, and all that slow down as the reports grow. */
function describeGroupings(sizes: readonly SizeResult[], heads: readonly string[], growth: Growth): string {
  const { groupings } = sizes.at(-1)!;
  const described = groupings.map(({ name, client, refused }, index) => {
    const measured = sizes.map(({ groupings }) => groupings[index]!.client);
    const verdict = refused ? 'refused' : growth(measured);
    return { client, verdict, row: [name, ...measured.map(number), verdict] };
  });
  const slowest = described.toSorted((one, other) => other.client - one.client).slice(0, SLOWEST);
  const shown = described.filter(one => slowest.includes(one) || !one.verdict.endsWith('(flat)'));
  return table(
    [`a year in groups, ${groupings.length} requests`, ...heads, 'growth'],
    shown.map(({ row }) => row),
  );
}

function describeIdle(sizes: readonly SizeResult[], heads: readonly string[], growth: Growth): string {
  const rows = sizes[0]!.maintain.idle.map(({ command }, index) => {
    const measured = sizes.map(({ maintain }) => maintain.idle[index]!);
    return [
      command,
      ...measured.map(({ seconds }) => number(seconds)),
      growth(measured.map(({ seconds }) => seconds)),
      ...measured.map(({ blocks }) => String(blocks)),
    ];
  });
  const names = ['with nothing to do', ...heads.map(head => `s, ${head}`), 'growth'];
  return table([...names, ...heads.map(head => `pages, ${head}`)], rows);
}

function describeDisk(sizes: readonly SizeResult[], heads: readonly string[]): string {
  const names = [
    ...new Set(
      sizes.flatMap(({ disk }) => disk.flatMap(({ table, indexes }) => [table, ...Object.keys(indexes)])),
    ),
  ];
  const toBytes = ({ disk }: SizeResult, name: string) =>
    disk.reduce((sum, part) => sum + (part.table === name ? part.data : (part.indexes[name] ?? 0)), 0);
  const rows = names.map(name => [
    name,
    ...sizes.map(size => number(toBytes(size, name) / 1e6)),
    ...sizes.map(size => number(toBytes(size, name) / size.rows)),
  ]);
  return table(
    ['on disk', ...heads.map(head => `MB, ${head}`), ...heads.map(head => `bytes a report, ${head}`)],
    rows,
  );
}
