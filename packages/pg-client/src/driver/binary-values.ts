/** Readers of PostgreSQL's binary format, which is big-endian. */

/** Reads an integer of two, four or eight bytes. Values over 2^53 are rounded. */
export function readInteger(bytes: Buffer, at: number, end: number): number {
  if (end - at === 2) return bytes.readInt16BE(at);
  const high = bytes.readInt32BE(at);
  return end - at === 4 ? high : high * 2 ** 32 + bytes.readUInt32BE(at + 4);
}

/**
 * Returns the number of items in a one-dimensional array of texts.
 * @throws {Error} if the value is too short for them
 */
export function listLength(bytes: Buffer, at: number, end: number): number {
  const dimensions = bytes.readInt32BE(at);
  if (dimensions > 1) throw new Error('an array of several dimensions');
  const length = dimensions === 0 ? 0 : bytes.readInt32BE(at + LENGTH_AT);
  if (length > 0 && length * LENGTH_BYTES > end - at - FIRST_ITEM_AT)
    throw new Error('an array that does not end where it should');
  return length;
}

/** Offset of the number of items in an array: after the number of dimensions, the null flag and the element type. */
const LENGTH_AT = 12;

/** The offset of the first item's length in an array. */
export const FIRST_ITEM_AT = 20;

/** Size of the length before a value or element; the length of null is -1. */
export const LENGTH_BYTES = 4;

/**
 * Returns the end of an array item.
 * @param at offset of the item's length
 * @param end end of the array
 */
export function itemEnd(bytes: Buffer, at: number, end: number): number {
  const length = bytes.readInt32BE(at);
  if (length < 0) throw new Error('an array with a null');
  if (length > end - at) throw new Error('an array that does not end where it should');
  return at + LENGTH_BYTES + length;
}

export const SECONDS_PER_DAY = 86_400;

/**
 * 2^32 microseconds as whole seconds and remaining microseconds. Computing with them separately avoids products above
 * 2^53.
 */
const SECONDS_PER_HIGH = 4294;
const REST_PER_HIGH = 967_296;

/** Returns the whole seconds from 2000-01-01 UTC to an instant, which can be negative. */
export function readSeconds(bytes: Buffer, at: number): number {
  const high = bytes.readInt32BE(at);
  const rest = high * REST_PER_HIGH + bytes.readUInt32BE(at + 4);
  return high * SECONDS_PER_HIGH + Math.floor(rest / 1e6);
}

/** Returns the microseconds of an instant within its second. */
export function readMicroseconds(bytes: Buffer, at: number): number {
  const rest = (bytes.readInt32BE(at) * REST_PER_HIGH + bytes.readUInt32BE(at + 4)) % 1e6;
  return rest < 0 ? rest + 1e6 : rest;
}

/** Days from 1970 to 2000, and from 2000 to the first day of year 1 and the last day of year 9999. */
const DAYS_BEFORE = 10_957;
const FIRST_DAY = -730_119;
const LAST_DAY = 2_921_939;

/** Returns the number of days from 2000-01-01 to a date, `YYYY-MM-DD`. */
export function dayNumber(day: string): number {
  return Date.parse(day) / (SECONDS_PER_DAY * 1000) - DAYS_BEFORE;
}

/** A cache of formatted dates, because a result repeats a few of them. */
const days = new Map<number, string>();
const MOST_DAYS = 5000;

/**
 * Formats a number of days since 2000-01-01 as `YYYY-MM-DD`.
 * @throws {RangeError} outside the years 1 to 9999
 */
export function dayText(day: number): string {
  const existing = days.get(day);
  if (existing !== undefined) return existing;
  if (day < FIRST_DAY || day > LAST_DAY) throw new RangeError('a day outside the years 1 to 9999');
  const text = new Date((day + DAYS_BEFORE) * SECONDS_PER_DAY * 1000).toISOString().slice(0, 10);
  if (days.size === MOST_DAYS) days.clear();
  days.set(day, text);
  return text;
}
