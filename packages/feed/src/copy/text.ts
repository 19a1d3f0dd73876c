/** The null of PostgreSQL's text format for COPY. */
export const NULL = '\\N';

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

export function textCell(value: string): string {
  return needsEscape(value) ? value.replace(/[\\\t\n\r]/g, found => ESCAPES[found]!) : value;
}

/** Four searches for a character are several times as fast as one expression, where the text is long. */
function needsEscape(value: string): boolean {
  return value.includes('\\') || value.includes('\n') || value.includes('\t') || value.includes('\r');
}

/** Any of the above by its JavaScript type; what is missing is null, a Buffer is bytes, an object is JSON. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return NULL;
  if (typeof value === 'string') return textCell(value);
  if (typeof value === 'boolean') return value ? 't' : 'f';
  if (Buffer.isBuffer(value)) return `\\\\x${value.toString('hex')}`;
  return typeof value === 'number' ? String(value) : textCell(JSON.stringify(value));
}
