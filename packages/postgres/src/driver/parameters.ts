/** A value that PostgreSQL takes as a parameter here; dates go in as ISO 8601 text. */
export type Parameter = string | number | boolean | null | readonly string[];

/** A parameter as PostgreSQL reads it, whatever type it finds it to be of. */
export function parameterText(value: Parameter): string | null {
  if (typeof value === 'string' || value === null) return value;
  return typeof value === 'object' ? arrayText(value) : String(value);
}

/** An array literal. */
export function arrayText(items: readonly string[]): string {
  return `{${items.map(item => `"${item.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
