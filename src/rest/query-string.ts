/** A text whose percent-encoding is broken: it has no value, but it was there. */
export const UNREADABLE: unique symbol = Symbol('broken percent-encoding');
export type Text = string | typeof UNREADABLE;

/** The values of each parameter, in the order in which they were given, before `decode`: few of them are asked for. */
export type Query = ReadonlyMap<string, readonly string[]>;

const EMPTY: Query = new Map();

/**
 * Reads `application/x-www-form-urlencoded`, as browsers write it: every `?` but the first is an ordinary character.
 */
export function parseQuery(text: string): Query {
  if (text === '') return EMPTY;
  const query = new Map<string, string[]>();
  const spaced = text.split('+').join(' ');
  for (const pair of spaced.split('&')) if (pair !== '') addPair(query, pair);
  return query;
}

function addPair(query: Map<string, string[]>, pair: string): void {
  const equals = pair.indexOf('=');
  const name = equals < 0 ? pair : pair.slice(0, equals);
  // No parameter has such a name.
  if (BROKEN.test(name) || BEYOND_ASCII.test(name)) return;
  const decoded = name.includes('%') ? decodeURIComponent(name) : name;
  const value = equals < 0 ? '' : pair.slice(equals + 1);
  const known = query.get(decoded);
  if (known) known.push(value);
  else query.set(decoded, [value]);
}

/** An exception costs a hundred times as much, and there may be many names. */
const BROKEN = /%(?![\da-f]{2})/i;
const BEYOND_ASCII = /%[89a-f]/i;

export function decode(text: string): Text {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return UNREADABLE;
  }
}
