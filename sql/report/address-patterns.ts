import { anyOf, type Bind, type Compared, partlyIndexed } from './indexed-values.ts';

/**
 * Tells whether a column matches any of the patterns. The column must be `collate "C"`, or the ranges would be wrong.
 */
export function anyPattern(compared: Compared, patterns: readonly string[], bind: Bind): string {
  const exact = patterns.filter(pattern => !pattern.includes('*'));
  const wild = patterns
    .filter(pattern => pattern.includes('*'))
    .map(pattern => wildcard(compared, pattern, bind));
  const equal = exact.length === 0 ? [] : [anyOf(compared, exact, bind)];
  return `(${[...equal, ...wild].join(' or ')})`;
}

/**
 * A host's text before the first star is a range of an index; LIKE alone would not be one, with a parameter. A
 * range of paths would be looked for in an index that does not know ranges (GIN reads all above and all below), so they
 * have none.
 */
function wildcard(compared: Compared, pattern: string, bind: Bind): string {
  const { kind, column } = compared;
  const [prefix = ''] = pattern.split('*', 1);
  const rest = pattern.slice(prefix.length).replace(/\*+/g, '*');
  if (prefix === '' && rest === '*') return `(${column} is not null)`;
  const like = () => likePattern(compared, prefix + rest, bind);
  if (kind !== 'hosts' || prefix === '') return like();
  const range = `${column} >= ${bind(prefix)} and ${column} < ${bind(successor(prefix))}`;
  return rest === '*' ? `(${range})` : `(${range} and ${like()})`;
}

function likePattern(compared: Compared, pattern: string, bind: Bind): string {
  const like = `${partlyIndexed(compared)} like ${bind(pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%'))}`;
  // PostgreSQL uses no index for what is in coalesce, and expects half of the rows.
  return hasTrigram(pattern) ? like : `coalesce(${like}, false)`;
}

/**
 * Tells whether an index of trigrams (`pg_trgm`) knows anything of the pattern: a word's beginning counts for two
 * characters, its end for one, and a star is neither. Asked for nothing, it would be read as a whole.
 */
function hasTrigram(pattern: string): boolean {
  return /(?:^|[^*a-z\d])[a-z\d]|[a-z\d]{2}(?:[^*a-z\d]|$)|[a-z\d]{3}/i.test(pattern);
}

/** The first text behind all that begin with the prefix, in the order of code points. */
function successor(prefix: string): string {
  const characters = [...prefix];
  const last = characters.pop()!.codePointAt(0)!;
  // Surrogates are no characters, and nothing comes behind U+10FFFF: there the prefix before it does.
  if (last === 0x10ffff) return successor(characters.join('') || '\u{10fffe}');
  return characters.join('') + String.fromCodePoint(last === 0xd7ff ? 0xe000 : last + 1);
}
