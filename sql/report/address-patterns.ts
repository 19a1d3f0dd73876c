import { normalizeHost, normalizePath, reverseHost } from '@sightline/reports';
import { anyOf, type Bind, type ComparedColumn, toPartialIndexExpression } from './indexed-values.ts';

/** A column of addresses that patterns are compared with. */
export interface AddressColumn extends ComparedColumn {
  /** Hosts are stored in reverse. */
  kind: 'hosts' | 'paths';
}

/** Patterns of a filter in the form of their column. */
interface AddressPatterns {
  exact: string[];
  wild: WildPattern[];
}

interface WildPattern {
  /** The text before the first star. */
  prefix: string;
  /** True if the star is the pattern's last character, so that it only compares a prefix. */
  isPrefix: boolean;
  /** The pattern of LIKE. */
  like: string;
  /** True if a trigram index can find its matches. */
  hasTrigram: boolean;
}

/**
 * Checks whether a column matches any of the patterns. The column must be `collate "C"`, or the ranges would be wrong.
 * @param patterns hosts or paths, in which `*` matches any characters
 */
export function anyPattern(compared: AddressColumn, patterns: readonly string[], bind: Bind): string {
  const { exact, wild } = parsePatterns(compared.kind, patterns);
  const equal = exact.length === 0 ? [] : [anyOf(compared, exact, bind)];
  return `(${[...equal, ...wild.map(pattern => wildcard(compared, pattern, bind))].join(' or ')})`;
}

/** Returns the value of the column if the patterns allow only one. */
export function findExactValue(kind: AddressColumn['kind'], patterns: readonly string[]): string | undefined {
  const { exact, wild } = parsePatterns(kind, patterns);
  return exact.length === 1 && wild.length === 0 ? exact[0] : undefined;
}

const parsed = {
  hosts: new WeakMap<object, AddressPatterns>(),
  paths: new WeakMap<object, AddressPatterns>(),
};

/** Each list is parsed once, because the aliases of a request share it. */
function parsePatterns(kind: AddressColumn['kind'], patterns: readonly string[]): AddressPatterns {
  const existing = parsed[kind].get(patterns);
  if (existing) return existing;
  const isHost = kind === 'hosts';
  const all = patterns.map(text => (isHost ? reverseHost(normalizeHost(text)) : normalizePath(text)));
  const found = {
    exact: all.filter(text => !text.includes('*')),
    wild: all.filter(text => text.includes('*')).map(parsePattern),
  };
  parsed[kind].set(patterns, found);
  return found;
}

function parsePattern(text: string): WildPattern {
  const pattern = text.includes('**') ? text.replace(/\*+/g, '*') : text;
  const prefix = pattern.slice(0, pattern.indexOf('*'));
  return {
    prefix,
    isPrefix: pattern.length === prefix.length + 1,
    like: pattern
      .replace(/[\\%_]/g, '\\$&')
      .split('*')
      .join('%'),
    hasTrigram: hasTrigram(pattern),
  };
}

/**
 * The text before the first star of a host is an index range, which LIKE with a parameter would not use. Paths have no
 * ranges, because their index (GIN) would read everything above and everything below.
 */
function wildcard(compared: AddressColumn, pattern: WildPattern, bind: Bind): string {
  const { kind, column } = compared;
  const { prefix, isPrefix } = pattern;
  if (prefix === '' && isPrefix) return `(${column} is not null)`;
  if (kind !== 'hosts' || prefix === '') return likePattern(compared, pattern, bind);
  const range = `${column} >= ${bind(prefix)} and ${column} < ${bind(successor(prefix))}`;
  return isPrefix ? `(${range})` : `(${range} and ${likePattern(compared, pattern, bind)})`;
}

function likePattern(compared: AddressColumn, { like, hasTrigram }: WildPattern, bind: Bind): string {
  const condition = `${toPartialIndexExpression(compared)} like ${bind(like)}`;
  // PostgreSQL uses no index for an expression with coalesce, and expects half of the rows.
  return hasTrigram ? condition : `coalesce(${condition}, false)`;
}

/**
 * Checks whether a trigram index (`pg_trgm`) can narrow the pattern: the start of a word counts as two characters, its
 * end as one, and a star as none. Without a trigram the index would be read completely.
 */
function hasTrigram(pattern: string): boolean {
  return /(?:^|[^*a-z\d])[a-z\d]|[a-z\d]{2}(?:[^*a-z\d]|$)|[a-z\d]{3}/i.test(pattern);
}

/** The first text after all texts with the prefix, by code points. */
function successor(prefix: string): string {
  const characters = [...prefix];
  const last = characters.pop()!.codePointAt(0)!;
  // Surrogates are not characters, and U+10FFFF has no successor, so a shorter prefix is used.
  if (last === 0x10ffff) return successor(characters.join('') || '\u{10fffe}');
  return characters.join('') + String.fromCodePoint(last === 0xd7ff ? 0xe000 : last + 1);
}
