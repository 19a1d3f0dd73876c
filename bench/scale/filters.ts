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

type FilterValue = NonNullable<FilterValues[string]>;
type Row = Record<string, unknown>;

/** The number of combinations per type, and of reports from which their values are drawn. */
const COMBINATIONS = 60;
const SAMPLES = 200;

/**
 * Lists each filter alone, with a rare value and with values that do not occur, and combinations of two to four
 * filters, drawn with a fixed seed. Half of the combinations have all values from one report, so there is a result.
 * @param reports the reports from which values are taken: a `from` clause with a condition
 */
export async function listFilters(
  sql: Operator,
  reports: string,
): Promise<{ single: NamedFilters[]; combined: NamedFilters[] }> {
  const random = new Random(1, 'combinations');
  const single: NamedFilters[] = [];
  const combined: NamedFilters[] = [];
  for (const type of REPORT_TYPES) {
    const usable = REPORT_FILTERS.filter(({ types, column }) => types.includes(type) && column !== 'id');
    const rows = await sql.query<Row>(
      `select * ${reports} and type = '${type}' order by md5(id) limit ${SAMPLES}`,
    );
    for (const filter of usable) {
      const values = await listValues(sql, `${reports} and type = '${type}'`, filter);
      single.push(...values.map(value => named(type, { [filter.name]: value })));
    }
    if (rows.length === 0 || usable.length < 2) continue;
    for (let count = 0; count < COMBINATIONS; count++)
      combined.push(named(type, combine(random, usable, rows)));
  }
  return { single, combined };
}

const named = (type: ReportType, filters: FilterValues): NamedFilters => {
  // Long values do not fit into the table.
  const shorten = (_: string, value: unknown) =>
    typeof value === 'string' && value.length > 40 ? `${value.slice(0, 40)}…` : value;
  return { name: `${type}: ${JSON.stringify(filters, shorten)}`, type, filters };
};

/** Values that do not occur. */
const ABSENT = {
  hosts: ['www.nowhere.example', '*.nowhere.example', '*nowhere*'],
  paths: ['/nowhere', '/nowhere*', '*/nowhere*'],
  hashes: ['nothing-has-this'],
};

async function listValues(
  sql: Operator,
  reports: string,
  { kind, column }: ReportFilter,
): Promise<FilterValue[]> {
  if (kind === 'flag' || kind === 'anyFlag') return [true];
  if (kind === 'atMost') return [5, 0];
  if (kind === 'hosts') return ABSENT.hosts.map(pattern => [pattern]);
  const [rare] = await sql.query<{ value: string }>(
    `select ${column} as value ${reports} and ${column} is not null group by 1 order by count(*), 1 limit 1`,
  );
  const values = rare ? [rare.value] : [];
  if (kind === 'paths' || kind === 'hashes') return [...values, ...ABSENT[kind]].map(value => [value]);
  return [...values, 'nothing-has-this'];
}

function combine(random: Random, usable: readonly ReportFilter[], rows: readonly Row[]): FilterValues {
  const filters: Record<string, FilterValue> = {};
  const one = random.chance(0.5) ? random.pick(rows) : undefined;
  const wanted = random.integer(2, Math.min(4, usable.length));
  // Many columns are mostly null, so a draw can fail.
  for (let tries = 0; tries < 100 && Object.keys(filters).length < wanted; tries++) {
    const filter = random.pick(usable);
    const value = drawValue(random, filter, one ?? random.pick(rows));
    if (value !== undefined) filters[filter.name] = value;
  }
  return filters;
}

/** Returns the report's own value or, for patterns, one that matches it. */
function drawValue(random: Random, { kind, column }: ReportFilter, row: Row): FilterValue | undefined {
  if (kind === 'anyFlag') return true;
  // A certificate has several hosts.
  const value = row[column] ?? (kind === 'hosts' && (row.hosts_reversed as string[] | null)?.[0]);
  if (value === null || value === undefined || value === '' || value === false) return undefined;
  const text = String(value);
  if (kind === 'hosts') {
    const [first = '', ...parents] = reverseHost(text).split('.');
    const host = reverseHost(text);
    return [random.pick([host, host, `*.${parents.join('.')}`, `*${takeMiddle(first)}*`])];
  }
  if (kind === 'paths') {
    const begin = text.slice(0, Math.ceil(text.length / 2));
    return [random.pick([text, text, `${begin}*`, `*${takeMiddle(text)}*`])];
  }
  if (kind === 'hashes') return [text];
  if (kind === 'contains') return takeMiddle(text);
  return kind === 'atMost' ? Number(value) : (value as string | boolean);
}

/** Returns the middle third of a text, at least three characters. */
function takeMiddle(text: string): string {
  const length = Math.max(3, Math.ceil(text.length / 3));
  return text.slice(Math.floor((text.length - length) / 2)).slice(0, length);
}
