/** A text whose percent-encoding is broken: it has no value, but it was there. */
export const UNREADABLE: unique symbol = Symbol('broken percent-encoding');
export type Text = string | typeof UNREADABLE;

/** The values of each parameter, in the order in which they were given. */
export type Query = ReadonlyMap<string, readonly Text[]>;

const EMPTY: Query = new Map();

/** Reads `application/x-www-form-urlencoded`, as browsers write it: every `?` but the first is an ordinary character. */
export function parseQuery(text: string): Query {
  if (text === '') return EMPTY;
  const query = new Map<string, Text[]>();
  for (const pair of text.split('&')) {
    const [name, value] = splitPair(pair.replaceAll('+', ' '));
    if (name === UNREADABLE) continue;
    const known = query.get(name);
    if (known) known.push(value);
    else query.set(name, [value]);
  }
  return query;
}

function splitPair(pair: string): [Text, Text] {
  const equals = pair.indexOf('=');
  return equals < 0 ? [decode(pair), ''] : [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))];
}

export function decode(text: string): Text {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return UNREADABLE;
  }
}
