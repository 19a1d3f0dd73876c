/** Matches a text that can be a URL: it contains no white space, quotation marks or angle brackets. */
const WORD = /[^\s"'<>\\]+/g;

/** Matches the query and fragment of a URL. A final comma or semicolon separates list items and is captured. */
const QUERY = /[?#].*?([,;]?)$/s;

/** Removes the query and fragment of every URL in a text. */
function strippedText(text: string): string {
  if (!text.includes('?') && !text.includes('#')) return text;
  return text.replace(WORD, word => (word.includes('://') ? word.replace(QUERY, '$1') : word));
}

/** Removes the query and fragment of every URL in a value. */
export function stripAddresses(value: unknown): unknown {
  if (typeof value === 'string') return strippedText(value);
  if (Array.isArray(value)) return value.map(stripAddresses);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, stripAddresses(item)]));
}
