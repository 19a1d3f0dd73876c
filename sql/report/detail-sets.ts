import { REPORT_TYPES, type ReportType } from '@sightline/reports';
import { ANY_FLAG } from './conditions.ts';
import type { DailySet } from './daily-sets.ts';
import { type Dimension, listDimensions, UTC_DAY, withoutQuery } from './dimensions.ts';
import { listFilters } from './filters.ts';
import { hasNonce, toPolicyDigest } from './policy-digests.ts';

/**
 * Rollups of details: a group for all reports of a day with equal values in a list of columns. A group is a row of
 * `report` with only these columns, as JSON, so any grouping and filter over them can read it like a report.
 */
export interface DetailSet extends DailySet {
  columns: readonly string[];
  /** Marks a day with too many groups, whose details are not stored. */
  nameOfTooMany: string;
}

/** The number of reports per day from which details are not stored, because a PostgreSQL value is limited to 1 GB. */
export const MOST_DETAILED = 200_000;

/** Types of the columns that groupings and filters can read; `extra` holds the fields without a column. */
const COLUMN_TYPES: Readonly<Record<string, string>> = {
  ...ofType(
    'text collate "C"',
    'host_reversed blocked_host_reversed subresource_host_reversed path blocked_path',
  ),
  ...ofType('text collate "C"', 'subresource_path hash'),
  ...ofType(
    'text',
    'uri blocked_uri subresource_uri browser platform action directive policy_id destination',
  ),
  ...ofType(
    'text',
    'property disposition nel_type phase organisation message cert_type issuer source_class sender',
  ),
  ...ofType(
    'boolean',
    'generated_domain indicator_of_compromise recently_registered_domain low_reputation_domain',
  ),
  ...ofType('boolean', 'suspicious'),
  ...ofType('text[]', 'policy_ioc_hosts policy_concern_hosts hosts_reversed'),
  domain_reputation_score: 'smallint',
  policy: 'text',
  extra: 'jsonb',
};

/** Columns with a different value in nearly every report. */
const UNGROUPED = ['id', 'date', 'sha256_spki', 'sha256', 'raw'];

/** Columns of CSP reports with few values; without page and address, a day has few groups. */
const FEW_VALUES = [
  ...['blocked_host_reversed', 'source_class', 'directive', 'action', 'policy_id', 'browser', 'platform'],
];

function ofType(type: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map(name => [name, type]));
}

const mentions = (text: string, name: string) => new RegExp(`\\b${name}\\b`).test(text);

/** Returns the columns that expressions or conditions read; undefined if details lack one of them. */
export function listReadColumns(texts: readonly string[]): string[] | undefined {
  if (UNGROUPED.some(name => texts.some(text => mentions(text, name)))) return undefined;
  return Object.keys(COLUMN_TYPES).filter(name => texts.some(text => mentions(text, name)));
}

/** Returns the expression of a dimension over a row of details, in which the day is a column. */
const toRead = ({ expression }: Dimension) => (expression === UTC_DAY ? '' : expression);

const EXPRESSIONS = new Map(
  REPORT_TYPES.map(type => [
    type,
    [
      ...listDimensions(type).map(toRead),
      ...listFilters(type).map(({ kind, column }) => (kind === 'anyFlag' ? ANY_FLAG : column)),
    ].filter(text => listReadColumns([text]) !== undefined),
  ]),
);

/** Returns the fields of `extra` that groupings and filters of a type read. */
function listExtraFields(type: ReportType): string[] {
  const found = EXPRESSIONS.get(type)!.flatMap(text => [...text.matchAll(/extra->>?'(\w+)'/g)]);
  const isDetailed = listFilters(type).some(({ kind }) => kind === 'details');
  return [...new Set([...found.map(([, name]) => name!), ...(isDetailed ? ['failureDetails'] : [])])].sort();
}

/** A stored column: addresses without their query, policies by digest, and defaults left out. */
function toStored(type: ReportType, column: string): string {
  if (column === 'policy')
    return `case when ${hasNonce('policy')} then null else ${toPolicyDigest('policy')} end`;
  if (column === 'extra') {
    const fields = listExtraFields(type).map(name =>
      name === 'sourceFile'
        ? `'${name}', ${withoutQuery(`extra->>'${name}'`)}`
        : `'${name}', extra->'${name}'`,
    );
    return `nullif(jsonb_strip_nulls(jsonb_build_object(${fields.join(', ')})), '{}')`;
  }
  if (column === 'uri' || column.endsWith('_uri')) return withoutQuery(column);
  return COLUMN_TYPES[column] === 'boolean' ? `nullif(${column}, false)` : column;
}

function detailSet(type: ReportType, name: string, columns: readonly string[]): DetailSet {
  const pairs = columns.map(column => `'${column}', ${toStored(type, column)}`);
  const all: Dimension = {
    name: 'DETAILS',
    types: [type],
    description: 'The columns of a report that groupings and filters read.',
    expression: `jsonb_strip_nulls(jsonb_build_object(${pairs.join(', ')}))::text`,
    formatValue: value => value,
  };
  return { name, nameOfTooMany: `${name}, too many`, dimensions: [all], columns };
}

/** The coarsest set that contains all columns is used. */
const SETS = new Map(
  REPORT_TYPES.map(type => {
    const columns = listReadColumns(EXPRESSIONS.get(type)!)!;
    const all = detailSet(type, 'details of reports', columns);
    return [type, type === 'csp' ? [detailSet(type, 'details of hosts', FEW_VALUES), all] : [all]];
  }),
);

export function detailSets(type: ReportType): readonly DetailSet[] {
  return SETS.get(type)!;
}

/** The column list to read a record from details. */
export function defineColumns(columns: readonly string[]): string {
  return columns.map(column => `${column} ${COLUMN_TYPES[column]}`).join(', ');
}
