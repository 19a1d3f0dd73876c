import { REPORT_TYPES, type ReportType, reverseHost } from '@sightline/reports';
import { Random } from '../../packages/demo/src/random.ts';
import type { FilterValues, ReportFilter } from '../../sql/report/filter.ts';
import { REPORT_FILTERS } from '../../sql/report/filters.ts';
import type { Operator } from '../../test/support/operator.ts';

export interface NamedFilters {
  name: string;
  type: ReportType;
  filters: FilterValues;
}

/** The number of combinations per type, and of reports from which values are drawn. */
const COMBINATIONS = 60;
const SAMPLES = 200;

type Row = Record<string, unknown>;
type FilterValue = NonNullable<FilterValues[string]>;

/**
 * Draws combinations of two to four filters with a fixed seed. Half of them have all values from a single report, so
 * there is a result. The others take values from several reports, so there is usually none.
 * @param own the source of the reports, with its condition
 */
export async function drawnCombinations(sql: Operator, own: string): Promise<NamedFilters[]> {
  const random = new Random(1, 'combinations');
  const list: NamedFilters[] = [];
  for (const type of REPORT_TYPES) {
    const rows = await sql.query<Row>(
      `select * ${own} and type = '${type}' order by md5(id) limit ${SAMPLES}`,
    );
    const usable = REPORT_FILTERS.filter(filter => filter.types.includes(type) && filter.column !== 'id');
    if (rows.length === 0 || usable.length < 2) continue;
    for (let count = 0; count < COMBINATIONS; count++) list.push(draw(random, type, usable, rows));
  }
  return list;
}

function draw(
  random: Random,
  type: ReportType,
  usable: readonly ReportFilter[],
  rows: readonly Row[],
): NamedFilters {
  const filters: Record<string, FilterValue> = {};
  const one = random.chance(0.5) ? random.pick(rows) : undefined;
  const wanted = random.integer(2, Math.min(4, usable.length));
  // Many columns are mostly null, so a draw can fail.
  for (let tries = 0; tries < 100 && Object.keys(filters).length < wanted; tries++) {
    const filter = random.pick(usable);
    const value = drawnValue(random, filter, one ?? random.pick(rows));
    if (value !== undefined) filters[filter.name] = value;
  }
  return { name: `${type}: ${JSON.stringify(filters, shortened)}`, type, filters };
}

/** Shortens a value so that a name fits into the table. */
function shortened(_name: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > 40 ? `${value.slice(0, 40)}…` : value;
}

/** Returns the report's own value or, for patterns, one that matches it. */
function drawnValue(random: Random, { kind, column }: ReportFilter, row: Row): FilterValue | undefined {
  if (kind === 'anyFlag') return true;
  // A certificate has several hosts.
  const value = row[column] ?? (kind === 'hosts' && (row.hosts_reversed as string[] | null)?.[0]);
  if (value === null || value === undefined || value === '' || value === false) return undefined;
  switch (kind) {
    case 'hosts':
      return [hostPattern(random, reverseHost(value as string))];
    case 'paths':
      return [pathPattern(random, value as string)];
    case 'hashes':
      return [value as string];
    case 'contains':
      return computeMedian(value as string);
    case 'atMost':
      return Number(value);
    default:
      return value as string | boolean;
  }
}

function hostPattern(random: Random, host: string): string {
  const [first = '', ...parents] = host.split('.');
  const patterns = [host, host, `*.${parents.join('.')}`, `*${computeMedian(first)}*`];
  return random.pick(patterns);
}

function pathPattern(random: Random, path: string): string {
  const begin = path.slice(0, Math.ceil(path.length / 2));
  return random.pick([path, path, `${begin}*`, `*${computeMedian(path)}*`]);
}

/** Returns the middle third of a text, at least three characters. */
function computeMedian(text: string): string {
  const length = Math.max(3, Math.ceil(text.length / 3));
  return text.slice(Math.floor((text.length - length) / 2)).slice(0, length);
}
