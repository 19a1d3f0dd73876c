/** Query and fragment of an address, up to what cannot be in one. */
const QUERY = /(\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'<>\\?#]*)[?#][^\s"'<>\\,;]*/gi;

/** A text without the queries and fragments of the addresses in it. */
export function strippedText(text: string): string {
  return text.includes('?') || text.includes('#') ? text.replace(QUERY, '$1') : text;
}

/** As `strippedText`, for every text in a value. */
export function stripAddresses(value: unknown): unknown {
  if (typeof value === 'string') return strippedText(value);
  if (Array.isArray(value)) return value.map(stripAddresses);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, stripAddresses(item)]));
}
