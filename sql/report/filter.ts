import { REPORT_TYPE_DEFINITIONS, type ReportType } from '@sightline/reports';
import { isHostPattern, isPathPattern } from '@sightline/reports/addresses';

/**
 * The ways in which a filter compares.
 * - `hosts`, `paths`: any of a list; `*` stands for any run of characters
 * - `hashes`: any of a list, exactly
 * - `equals`: ignoring case
 * - `contains`: ignoring case
 * - `policy`: ignoring case and runs of white space
 * - `flag`, `anyFlag`: `true` filters
 * - `atMost`: a number not above
 * - `boolean`: `true` and `false` both filter
 * - `classes`: any of a list of classes of the blocked resource
 * - `details`: any of the report's details has it, ignoring case
 */
export type FilterKind =
  | 'hosts'
  | 'paths'
  | 'hashes'
  | 'equals'
  | 'contains'
  | 'policy'
  | 'flag'
  | 'anyFlag'
  | 'atMost'
  | 'boolean'
  | 'classes'
  | 'details';

export interface ReportFilter {
  /** The parameter's public name. */
  name: string;
  kind: FilterKind;
  /** Or an expression; of `details` the key of one; '' where it is no single one. */
  column: string;
  /** The column or the field of `extra` that an expression reads; the column itself when left out. */
  reads?: string;
  types: readonly ReportType[];
  description: string;
  /** The record's field whose values are the only ones that make sense. */
  field?: string;
  /** True: it needs the Threat Intelligence feature. */
  threatIntelligence?: boolean;
}

/** Values by the filters' names: lists for the plural ones. */
export type FilterValues = Readonly<
  Record<string, string | number | boolean | readonly string[] | null | undefined>
>;

/** Tells whether an item of a list can match anything: one that cannot would match nothing, or everything. */
export function canMatch(kind: FilterKind, item: string): boolean {
  if (kind === 'hosts') return isHostPattern(item);
  return kind !== 'paths' || isPathPattern(item);
}

/** @throws {Error} for a filter with a type whose reports never have what it reads: it would match nothing */
export function fitting(filters: readonly ReportFilter[]): readonly ReportFilter[] {
  for (const { name, column, reads = column, types } of filters) {
    const wrong = types.find(type => reads !== '' && !filledBy(type).has(reads));
    if (wrong) throw new Error(`the filter ${name} reads ${reads}, which no ${wrong} report has`);
  }
  return filters;
}

/** The columns of `report` that reports of the type fill, and their fields in `extra`. */
function filledBy(type: ReportType): ReadonlySet<string> {
  const { fields, filterOnly, addresses, fromBrowser } = REPORT_TYPE_DEFINITIONS.find(
    one => one.type === type,
  )!;
  const { blocked, subresource } = addresses;
  return new Set([
    ...[...fields, ...filterOnly].map(({ name, column = name }) => column),
    'id',
    'host_reversed',
    ...(fromBrowser ? ['path'] : []),
    ...(blocked ? ['blocked_host_reversed', 'blocked_path', 'source_class'] : []),
    ...(subresource ? ['subresource_host_reversed', 'subresource_path'] : []),
  ]);
}
