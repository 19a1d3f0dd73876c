/** The value of a parameter with broken percent-encoding. */
export const UNREADABLE: unique symbol = Symbol('broken percent-encoding');
export type Text = string | typeof UNREADABLE;

/** The values of each parameter in order, not yet decoded, because few of them are used. */
export type QueryString = ReadonlyMap<string, readonly string[]>;

const EMPTY: QueryString = new Map();

/**
 * Parses `application/x-www-form-urlencoded` as browsers write it: any further `?` is an ordinary character.
 * @param onImpossible receives, still encoded, each name that no parameter has: outside ASCII, or with a broken
 * encoding
 */
export function parseQuery(text: string, onImpossible?: (name: string) => void): QueryString {
  if (text === '') return EMPTY;
  const query = new Map<string, string[]>();
  const spaced = text.replaceAll('+', ' ');
  for (let start = skipAmpersands(spaced, 0); start < spaced.length; ) {
    const ampersand = spaced.indexOf('&', start);
    const end = ampersand < 0 ? spaced.length : ampersand;
    addPair(query, spaced.slice(start, end), onImpossible);
    start = skipAmpersands(spaced, end);
  }
  return query;
}

/** Skips ampersands, since a query can consist only of them. */
function skipAmpersands(text: string, start: number): number {
  let position = start;
  while (text.charCodeAt(position) === AMPERSAND) position++;
  return position;
}

const AMPERSAND = 0x26;

function addPair(query: Map<string, string[]>, pair: string, onImpossible?: (name: string) => void): void {
  const equals = pair.indexOf('=');
  const name = equals < 0 ? pair : pair.slice(0, equals);
  const isEncoded = name.includes('%');
  if (isEncoded && (BROKEN.test(name) || BEYOND_ASCII.test(name))) {
    onImpossible?.(name);
    return;
  }
  const decoded = isEncoded ? decodeURIComponent(name) : name;
  const value = equals < 0 ? '' : pair.slice(equals + 1);
  const existing = query.get(decoded);
  if (existing) existing.push(value);
  else query.set(decoded, [value]);
}

/** An exception costs a hundred times as much, and there can be many names. */
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
