/** Null in PostgreSQL's text format for COPY. */
export const NULL = '\\N';

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

export function textCell(value: string): string {
  return needsEscape(value) ? value.replace(/[\\\t\n\r]/g, found => ESCAPES[found]!) : value;
}

/**
 * Checks whether a text contains a character that must be escaped. On long texts, four searches are faster than a
 * regular expression.
 */
function needsEscape(value: string): boolean {
  return value.includes('\\') || value.includes('\n') || value.includes('\t') || value.includes('\r');
}

/** Formats a value by its JavaScript type: undefined is null, a Buffer is bytea, any other object is JSON. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return NULL;
  if (typeof value === 'string') return textCell(value);
  if (typeof value === 'boolean') return value ? 't' : 'f';
  if (Buffer.isBuffer(value)) return `\\\\x${value.toString('hex')}`;
  return typeof value === 'number' ? String(value) : textCell(JSON.stringify(value));
}
