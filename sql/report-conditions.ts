import { normalizeHost, normalizePath, reverseHost } from './addresses.ts';
import { reportKey } from './feed/report-key.ts';
import { type FilterValues, REPORT_FILTERS, type ReportFilter } from './report-filters.ts';
import type { ReportType } from './report-types.ts';

/** The predicate of the partial index `report_threat`, to the letter. */
const ANY_FLAG = `(generated_domain or indicator_of_compromise or recently_registered_domain or low_reputation_domain
  or suspicious or policy_ioc_hosts is not null or policy_concern_hosts is not null)`;

type Bind = (value: string | number | readonly string[]) => string;

/**
 * The conditions of the filters that apply to the type and are given. `bind` takes a value and names its place;
 * the statement's $1 is the account.
 */
export function conditions(type: ReportType, values: FilterValues, bind: Bind): string[] {
  const given = REPORT_FILTERS.filter(({ name, types }) => types.includes(type) && isGiven(values[name]));
  const any = given.some(({ kind }) => kind === 'anyFlag');
  return given
    .filter(({ kind, threatIntelligence }) => !any || kind === 'anyFlag' || !threatIntelligence)
    .map(filter => condition(type, filter, values[filter.name]!, bind));
}

function isGiven(value: FilterValues[string]): boolean {
  return value !== undefined && value !== null && value !== false;
}

function condition(
  type: ReportType,
  { kind, column }: ReportFilter,
  value: NonNullable<FilterValues[string]>,
  bind: Bind,
): string {
  switch (kind) {
    case 'hosts':
      return hostCondition(type, column, value as string[], bind);
    case 'paths':
      return anyPattern(column, (value as string[]).map(normalizePath), bind);
    case 'hashes':
      return anyHash(column, value as string[], bind);
    case 'equals':
      return column === 'id'
        ? idCondition(type, bind(value as string))
        : equal(column, value as string, bind);
    case 'policy':
      return equal(column, foldWhiteSpace(value as string), bind);
    case 'contains':
      return `position(lower(${bind(value as string)}) in lower(${column})) > 0`;
    case 'atMost':
      return `${column} <= ${bind(value as number)}`;
    case 'flag':
      return column;
    case 'anyFlag':
      return ANY_FLAG;
  }
}

/** Characters of a column that an index holds: longer entries do not fit into one. */
const INDEXED = 255;
/** A value up to this long is equal to no text that goes on behind those, as `lower` at most doubles a text. */
const SHORT = 100;

/** What indexes hold of a column, to the letter: a filter for equality asks for it. */
export function indexed({ kind, column }: Pick<ReportFilter, 'kind' | 'column'>): string {
  const begin = `left(${column}, ${INDEXED})`;
  return kind === 'hashes' ? begin : `lower(${begin})`;
}

function equal(column: string, value: string, bind: Bind): string {
  const place = bind(value);
  const begin = indexed({ kind: 'equals', column });
  if (value.length <= SHORT) return `${begin} = lower(${place})`;
  return `(${begin} = lower(left(${place}, ${INDEXED})) and lower(${column}) = lower(${place}))`;
}

function anyHash(column: string, hashes: readonly string[], bind: Bind): string {
  const begin = indexed({ kind: 'hashes', column });
  if (hashes.every(({ length }) => length <= SHORT)) return oneOf(begin, hashes, bind);
  const begins = hashes.map(hash => [...hash].slice(0, INDEXED).join(''));
  return `(${oneOf(begin, begins, bind)} and ${oneOf(column, hashes, bind)})`;
}

/** The locator knows the dates of an id, so that nothing else of the period is looked at. $1 is the account. */
function idCondition(type: ReportType, value: string): string {
  const id = `(${value} collate "C")`;
  const key = reportKey({ account: '$1', type: `'${type}'`, id });
  const dates = `select date from report_locator where account_id = $1 and key = ${key}`;
  return `(lower(id) = lower(${id}) and date = any(array(${dates})))`;
}

/** The form in which policies are stored and compared. */
export function foldWhiteSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** A certificate has many host names, any of which may match. */
function hostCondition(type: ReportType, column: string, hosts: readonly string[], bind: Bind): string {
  const reversed = hosts.map(host => reverseHost(normalizeHost(host)));
  if (type !== 'certificate_transparency') return anyPattern(column, reversed, bind);
  return `exists (select from unnest(hosts_reversed) as host where ${anyPattern('host', reversed, bind)})`;
}

/** Whether a column matches any of the patterns. The column must be `collate "C"`, or the ranges would be wrong. */
function anyPattern(column: string, patterns: readonly string[], bind: Bind): string {
  const exact = patterns.filter(pattern => !pattern.includes('*'));
  const wild = patterns
    .filter(pattern => pattern.includes('*'))
    .map(pattern => wildcard(column, pattern, bind));
  const equal = exact.length === 0 ? [] : [oneOf(column, exact, bind)];
  return `(${[...equal, ...wild].join(' or ')})`;
}

/** A single one as such: the plans of lists know neither an index's order nor a bloom index. */
function oneOf(column: string, values: readonly string[], bind: Bind): string {
  return values.length === 1 ? `${column} = ${bind(values[0]!)}` : `${column} = any(${bind(values)}::text[])`;
}

/**
 * What stands before the first star is a range of the index; LIKE alone would not be, with a parameter. Paths have
 * no such index, but one for LIKE.
 */
function wildcard(column: string, pattern: string, bind: Bind): string {
  const prefix = pattern.slice(0, pattern.indexOf('*'));
  const rest = pattern.slice(prefix.length).replace(/\*+/g, '*');
  const isRange = rest === '*' && (prefix === '' || !column.endsWith('path'));
  const like = isRange ? [] : [`${column} like ${bind(toLike(prefix + rest))}`];
  const range =
    prefix === '' ? [] : [`${column} >= ${bind(prefix)} and ${column} < ${bind(successor(prefix))}`];
  const parts = [...range, ...like];
  return `(${parts.length === 0 ? `${column} is not null` : parts.join(' and ')})`;
}

function toLike(pattern: string): string {
  return pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%');
}

/** The first text behind all that begin with the prefix, in the order of code points. */
function successor(prefix: string): string {
  const characters = [...prefix];
  const last = characters.pop()!.codePointAt(0)!;
  // Surrogates are no characters, and nothing comes behind U+10FFFF: there the prefix before it does.
  if (last === 0x10ffff) return successor(characters.join('') || '\u{10fffe}');
  return characters.join('') + String.fromCodePoint(last === 0xd7ff ? 0xe000 : last + 1);
}
