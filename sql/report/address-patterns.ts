import { anyOf, type Bind, type ComparedColumn, toPartialIndexExpression } from './indexed-values.ts';

/**
 * Checks whether a column matches any of the patterns. The column must be `collate "C"`, or the ranges would be wrong.
 */
export function anyPattern(compared: ComparedColumn, patterns: readonly string[], bind: Bind): string {
  const exact = patterns.filter(pattern => !pattern.includes('*'));
  const wild = patterns
    .filter(pattern => pattern.includes('*'))
    .map(pattern => wildcard(compared, pattern, bind));
  const equal = exact.length === 0 ? [] : [anyOf(compared, exact, bind)];
  return `(${[...equal, ...wild].join(' or ')})`;
}

/**
 * The text before the first star of a host is an index range, which LIKE with a parameter would not use. Paths have no
 * ranges, because their index (GIN) would read everything above and everything below.
 */
function wildcard(compared: ComparedColumn, pattern: string, bind: Bind): string {
  const { kind, column } = compared;
  const [prefix = ''] = pattern.split('*', 1);
  const rest = pattern.slice(prefix.length).replace(/\*+/g, '*');
  if (prefix === '' && rest === '*') return `(${column} is not null)`;
  const like = () => likePattern(compared, prefix + rest, bind);
  if (kind !== 'hosts' || prefix === '') return like();
  const range = `${column} >= ${bind(prefix)} and ${column} < ${bind(successor(prefix))}`;
  return rest === '*' ? `(${range})` : `(${range} and ${like()})`;
}

function likePattern(compared: ComparedColumn, pattern: string, bind: Bind): string {
  const like = `${toPartialIndexExpression(compared)} like ${bind(pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%'))}`;
  // PostgreSQL uses no index for an expression with coalesce, and expects half of the rows.
  return hasTrigram(pattern) ? like : `coalesce(${like}, false)`;
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
