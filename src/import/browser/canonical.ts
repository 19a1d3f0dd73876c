/** A JSON value as text that is the same in whatever order its fields come. */
export function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const fields = value as Record<string, unknown>;
  return `{${Object.keys(fields)
    .sort()
    .map(name => `${JSON.stringify(name)}:${canonical(fields[name])}`)
    .join(',')}}`;
}
