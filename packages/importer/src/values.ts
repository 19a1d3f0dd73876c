import { isDate } from '@sightline/reports';

export { isObject } from '@sightline/reports';

/** Converts reported values to the feed's form. An unknown value is `''` or null. */

/** Converts a text, number or boolean to text. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

const WHOLE = /^\s*\+?(\d{1,16})(?:\.0*)?\s*$/;

/** Returns a non-negative integer from a number or an exact text; otherwise null. */
export function toInteger(value: unknown): number | null {
  const number = typeof value === 'string' ? Number(WHOLE.exec(value)?.[1] ?? Number.NaN) : value;
  return Number.isSafeInteger(number) && (number as number) >= 0 ? (number as number) : null;
}

/** Returns a number, which can also be given as text. */
export function toNumber(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

export function toBoolean(value: unknown): boolean | null {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : null;
}

/** Returns the listed value that equals this one, ignoring case, or ''. */
export function oneOf(values: readonly string[], value: unknown): string {
  const text = toText(value).trim().toLowerCase();
  return values.find(word => word.toLowerCase() === text) ?? '';
}

/** Returns a list; a single value becomes a list of one, null and undefined an empty list. */
export function toList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

const OFFSET = /(?:z|[+-]\d\d:?\d\d)\s*$/i;
const ISO = /^\s*\d{4}-\d\d-\d\d(?:[t ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?/i;

/** Numbers above this are epochs in milliseconds, because in seconds they would be after the year 5138. */
const LARGEST_SECONDS = 1e11;

/**
 * Parses an ISO 8601 time (UTC if it has no offset) or an epoch in seconds or milliseconds; returns milliseconds or
 * undefined.
 */
export function toTime(value: unknown): number | undefined {
  const text = toText(value).trim();
  if (/^\d{1,17}(?:\.\d*)?$/.test(text)) {
    const number = Number(text);
    return number > LARGEST_SECONDS ? number : number * 1000;
  }
  if (!ISO.test(text) || !isDate(text.slice(0, 10))) return undefined;
  const isDay = text.length <= 10;
  const time = Date.parse(isDay || OFFSET.test(text) ? text : `${text.replace(' ', 'T')}Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** Formats a time in milliseconds as in the feed, or returns null. */
export function toInstant(time: number | undefined): string | null {
  const date = new Date(time ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
