import { isHostPattern, isPathPattern, REPORT_TYPE_DEFINITIONS, type ReportType } from '@sightline/reports';

/**
 * The comparisons of filters.
 * - `hosts`, `paths`: any of a list; `*` matches any characters
 * - `hashes`: any of a list, exactly
 * - `equals`: ignoring case
 * - `contains`: ignoring case
 * - `policy`: ignoring case and runs of white space
 * - `flag`, `anyFlag`: `true` filters
 * - `atMost`: a number that is not larger
 * - `boolean`: `true` and `false` both filter
 * - `classes`: any of a list of classes of the blocked resource
 * - `details`: any of the report's details, ignoring case
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
  /** The column, an expression, or the key within `details`; '' if there are several. */
  column: string;
  /** The column or `extra` field that an expression reads; by default the column itself. */
  reads?: string;
  types: readonly ReportType[];
  description: string;
  /** The record's field whose values are the only valid ones. */
  field?: string;
  /** True if it needs the Threat Intelligence feature. */
  threatIntelligence?: boolean;
}

/** Values by the filters' names: lists for the plural ones. */
export type FilterValues = Readonly<
  Record<string, string | number | boolean | readonly string[] | null | undefined>
>;

/** True if an item of a list can match anything. An empty item would match nothing or everything. */
export function canMatch(kind: FilterKind, item: string): boolean {
  if (kind === 'hosts') return isHostPattern(item);
  return kind !== 'paths' || isPathPattern(item);
}

/** @throws {Error} for a filter on a type whose reports never have the field, which would match nothing */
export function fitting(filters: readonly ReportFilter[]): readonly ReportFilter[] {
  for (const { name, column, reads = column, types } of filters) {
    const wrong = types.find(type => reads !== '' && !filledBy(type).has(reads));
    if (wrong) throw new Error(`the filter ${name} reads ${reads}, which no ${wrong} report has`);
  }
  return filters;
}

/** Returns the columns of `report` that this type fills, and its fields in `extra`. */
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
