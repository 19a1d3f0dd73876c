/** Serializes a JSON value so that equal values have the same text, whatever the order of their fields. */
export function canonical(value: unknown): string {
  // The length delimits the text, which is faster than escaping it.
  if (typeof value === 'string') return `${value.length}"${value}`;
  if (typeof value !== 'object' || value === null) return `${value},`;
  if (Array.isArray(value)) return `[${value.map(canonical).join('')}]`;
  let text = '{';
  for (const name of Object.keys(value).sort())
    text += canonical(name) + canonical((value as Record<string, unknown>)[name]);
  return `${text}}`;
}
