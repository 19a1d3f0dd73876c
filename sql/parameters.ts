import type { Parameter } from './client.ts';

/** A parameter as PostgreSQL reads it, whatever type it finds it to be of. */
export function parameterText(value: Parameter): string | null {
  if (typeof value === 'string' || value === null) return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return value instanceof Uint8Array ? toElement(value) : toArray(value);
}

/** An array literal. */
export function toArray(items: readonly (string | Uint8Array)[]): string {
  return `{${items.map(item => `"${toElement(item).replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

function toElement(item: string | Uint8Array): string {
  return typeof item === 'string' ? item : `\\x${Buffer.from(item).toString('hex')}`;
}
