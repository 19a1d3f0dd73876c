/** Texts without white space and quotation marks, as addresses are. */
const WORD = /[^\s"'<>\\]+/g;

/** Query and fragment, but for what ends a part of a list or of a policy. */
const QUERY = /[?#].*?([,;]?)$/s;

/** A text without the queries and fragments of the addresses in it. */
function strippedText(text: string): string {
  if (!text.includes('?') && !text.includes('#')) return text;
  return text.replace(WORD, word => (word.includes('://') ? word.replace(QUERY, '$1') : word));
}

/** As `strippedText`, for every text in a value. */
export function stripAddresses(value: unknown): unknown {
  if (typeof value === 'string') return strippedText(value);
  if (Array.isArray(value)) return value.map(stripAddresses);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, stripAddresses(item)]));
}
