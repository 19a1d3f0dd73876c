import { isIPv6, SocketAddress } from 'node:net';

/** Values of reports, as the feed has them: an unknown one is `''` or null. */

/** A text, also of a number or a truth value. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** An address in the form of RFC 5952, without a zone; anything else, an IPv4 address too, as it is. */
export function addressOf(text: string): string {
  return isIPv6(text) ? new SocketAddress({ address: text, family: 'ipv6' }).address : text;
}

const WHOLE = /^\s*\+?(\d{1,16})(?:\.0*)?\s*$/;

/** An integer from 0 on, of a number or a text that is exactly one; otherwise null. */
export function integerOf(value: unknown): number | null {
  const number = typeof value === 'string' ? Number(WHOLE.exec(value)?.[1] ?? Number.NaN) : value;
  return Number.isSafeInteger(number) && (number as number) >= 0 ? (number as number) : null;
}

/** A number, also one that is written as text. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

export function booleanOf(value: unknown): boolean | null {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : null;
}

/** The value where it is a known one, in any case of its letters; otherwise ''. */
export function oneOf<Known extends string>(known: readonly Known[], value: unknown): Known | '' {
  const text = textOf(value).trim().toLowerCase();
  return known.find(word => word.toLowerCase() === text) ?? '';
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A list, of which one alone may stand for itself; null and what is missing is none. */
export function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

const OFFSET = /(?:z|[+-]\d\d:?\d\d)\s*$/i;
const ISO = /^\s*\d{4}-\d\d-\d\d(?:[t ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?/i;

/** Beyond it an epoch counts milliseconds: seconds so large are in the year 5138. */
const LARGEST_SECONDS = 1e11;

/** An ISO 8601 time, in UTC where it has no offset, or an epoch in seconds or milliseconds: milliseconds, or undefined. */
export function timeOf(value: unknown): number | undefined {
  const text = textOf(value).trim();
  if (/^\d{1,17}(?:\.\d*)?$/.test(text)) {
    const number = Number(text);
    return number > LARGEST_SECONDS ? number : number * 1000;
  }
  if (!ISO.test(text)) return undefined;
  const isDay = text.length <= 10;
  const time = Date.parse(isDay || OFFSET.test(text) ? text : `${text.replace(' ', 'T')}Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** A time in milliseconds, as the feed writes times, or null. */
export function instantOf(time: number | undefined): string | null {
  const date = new Date(time ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
