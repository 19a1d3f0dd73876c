import type { ReportFilter } from './filter.ts';

/** Adds a parameter to the statement and returns its placeholder. */
export type Bind = (value: string | number | readonly string[]) => string;

/**
 * Maximum length of indexed values in characters: hosts are short, and a policy is indexed by hash. An index entry must
 * fit into a third of a page, 2704 bytes. This also applies to the longest values in all columns of a type together.
 */
const LONGEST = {
  equals: 64,
  paths: 255,
  hashes: 255,
  hosts: Number.POSITIVE_INFINITY,
  policy: Number.POSITIVE_INFINITY,
};

/** A column with its comparison. */
export interface ComparedColumn extends Pick<ReportFilter, 'column'> {
  kind: keyof typeof LONGEST;
}

export function isCompared<Of extends Pick<ReportFilter, 'kind' | 'column'>>(
  filter: Of,
): filter is Of & ComparedColumn {
  return filter.kind in LONGEST;
}

/** The indexed expression of a column, which filters must repeat exactly. */
export function toIndexExpression({ kind, column }: ComparedColumn): string {
  if (kind === 'hosts') return column;
  if (kind === 'policy') return `hashtext(lower(${column}))`;
  const begin = `left(${column}, ${LONGEST[kind]})`;
  return kind === 'equals' ? `lower(${begin})` : begin;
}

/** Returns the first characters of a value, up to the indexed length. */
function toIndexedPart({ kind }: ComparedColumn, value: string): string {
  return value.length <= LONGEST[kind] ? value : [...value].slice(0, LONGEST[kind]).join('');
}

/**
 * The expression of a column in the pattern index (`pg_trgm`), which filters must repeat exactly. It contains no host
 * column itself: PostgreSQL would also use it for a complete host and look up all of its parts, which takes twenty
 * times as long as the indexes on hosts.
 */
export function toPartialIndexExpression({ kind, column }: ComparedColumn): string {
  return kind === 'hosts' ? `(${column} || '')` : column;
}

/** Checks whether a column equals the value, ignoring case. */
export function equal(compared: ComparedColumn, value: string, bind: Bind): string {
  const { column, kind } = compared;
  const place = bind(value);
  // A text that exceeds the indexed length cannot equal such a value, because `lower` at most doubles a text.
  if (kind === 'equals' && value.length * 2 < LONGEST[kind])
    return `${toIndexExpression(compared)} = lower(${place})`;
  // Compared first, because converting an identical policy to lower case is far slower.
  const isSame = `${column} = ${place} or lower(${column}) = lower(${place})`;
  return `(${toIndexExpression(compared)} = ${toIndexExpression({ kind, column: place })} and ${confirmCondition(isSame)})`;
}

/** Checks whether a column equals one of the values. */
export function anyOf(compared: ComparedColumn, values: readonly string[], bind: Bind): string {
  const { column, kind } = compared;
  const begins = oneOf(
    toIndexExpression(compared),
    values.map(value => toIndexedPart(compared, value)),
    bind,
  );
  if (values.every(({ length }) => length < LONGEST[kind])) return begins;
  return `(${begins} and ${confirmCondition(oneOf(column, values, bind))})`;
}

/** A single value is compared directly: plans for lists use neither an index's order nor a bloom index. */
function oneOf(expression: string, values: readonly string[], bind: Bind): string {
  return values.length === 1
    ? `${expression} = ${bind(values[0]!)}`
    : `${expression} = any(${bind(values)}::text[])`;
}

/**
 * A condition that must not use an index and is nearly always true if the others are. PostgreSQL would assume
 * independence; for a comparison with a number it expects all but one row in 200.
 */
function confirmCondition(condition: string): string {
  return `(${condition})::int <> 0`;
}
