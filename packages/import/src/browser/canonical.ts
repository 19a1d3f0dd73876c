/** A JSON value as text that is the same in whatever order its fields come, and of no other value. */
export function canonical(value: unknown): string {
  // With its length, no text runs into what stands behind it: that takes less time than to escape it.
  if (typeof value === 'string') return `${value.length}"${value}`;
  if (typeof value !== 'object' || value === null) return `${value},`;
  if (Array.isArray(value)) return `[${value.map(canonical).join('')}]`;
  let text = '{';
  for (const name of Object.keys(value).sort())
    text += canonical(name) + canonical((value as Record<string, unknown>)[name]);
  return `${text}}`;
}
