import type { ReportFilter } from './filter.ts';

/** Takes a value and names its place in the statement. */
export type Bind = (value: string | number | readonly string[]) => string;

/**
 * Characters of a column that indexes hold: hosts are short, and of a policy they hold a hash. An index entry must fit
 * into a third of a page, 2704 bytes. That holds for the longest values in all columns of a type, too.
 */
const LONGEST = {
  equals: 64,
  paths: 255,
  hashes: 255,
  hosts: Number.POSITIVE_INFINITY,
  policy: Number.POSITIVE_INFINITY,
};

/** A column by the way in which it is compared. */
export interface Compared extends Pick<ReportFilter, 'column'> {
  kind: keyof typeof LONGEST;
}

export function isCompared<Of extends Pick<ReportFilter, 'kind' | 'column'>>(
  filter: Of,
): filter is Of & Compared {
  return filter.kind in LONGEST;
}

/** The indexed form of a column, to the letter: filters ask for it. */
export function indexed({ kind, column }: Compared): string {
  if (kind === 'hosts') return column;
  if (kind === 'policy') return `hashtext(lower(${column}))`;
  const begin = `left(${column}, ${LONGEST[kind]})`;
  return kind === 'equals' ? `lower(${begin})` : begin;
}

/** The first characters of a value, as many as indexes hold. */
function indexedPart({ kind }: Compared, value: string): string {
  return value.length <= LONGEST[kind] ? value : [...value].slice(0, LONGEST[kind]).join('');
}

/**
 * The index of patterns (`pg_trgm`) has this form of a column, to the letter. It holds no column of hosts itself.
 * PostgreSQL would use it for a whole host as well, and look for all its parts. That takes twenty times as long as
 * the indexes of hosts.
 */
export function partlyIndexed({ kind, column }: Compared): string {
  return kind === 'hosts' ? `(${column} || '')` : column;
}

/** Tells whether a column is equal to the value, ignoring case. */
export function equal(compared: Compared, value: string, bind: Bind): string {
  const { column, kind } = compared;
  const place = bind(value);
  // A text that is longer than an index holds is equal to no such value, as `lower` at most doubles a text.
  if (kind === 'equals' && value.length * 2 < LONGEST[kind]) return `${indexed(compared)} = lower(${place})`;
  // A policy that is the same takes far longer to be put into small letters than to be compared.
  const isSame = `${column} = ${place} or lower(${column}) = lower(${place})`;
  return `(${indexed(compared)} = ${indexed({ kind, column: place })} and ${confirmed(isSame)})`;
}

/** Tells whether a column is exactly one of the values. */
export function anyOf(compared: Compared, values: readonly string[], bind: Bind): string {
  const { column, kind } = compared;
  const begins = oneOf(
    indexed(compared),
    values.map(value => indexedPart(compared, value)),
    bind,
  );
  if (values.every(({ length }) => length < LONGEST[kind])) return begins;
  return `(${begins} and ${confirmed(oneOf(column, values, bind))})`;
}

/** A single one as such: the plans of lists know neither an index's order nor a bloom index. */
function oneOf(expression: string, values: readonly string[], bind: Bind): string {
  return values.length === 1
    ? `${expression} = ${bind(values[0]!)}`
    : `${expression} = any(${bind(values)}::text[])`;
}

/**
 * A condition that no index is to be used for, and that is nearly always fulfilled where the others are. PostgreSQL
 * would expect it to be independent of them; of what is compared with a number it expects all but one row in 200.
 */
function confirmed(condition: string): string {
  return `(${condition})::int <> 0`;
}
