/** A parameter value; dates are passed as ISO 8601 text. */
export type Parameter = string | number | boolean | null | readonly string[];

/** Formats a parameter in PostgreSQL's text format, which works for any type. */
export function parameterText(value: Parameter): string | null {
  if (typeof value === 'string' || value === null) return value;
  return typeof value === 'object' ? arrayText(value) : String(value);
}

/** Formats an array literal. */
export function arrayText(items: readonly string[]): string {
  return `{${items.map(item => `"${item.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
