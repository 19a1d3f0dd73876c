/**
 * Values in PostgreSQL's binary form: what the `…send` functions of its types write, numbers with their highest byte
 * first.
 */

/** Reads an integer of two, four or eight bytes. Beyond 2^53 it is rounded. */
export function readInteger(bytes: Buffer, at: number, end: number): number {
  if (end - at === 2) return bytes.readInt16BE(at);
  const high = bytes.readInt32BE(at);
  return end - at === 4 ? high : high * 2 ** 32 + bytes.readUInt32BE(at + 4);
}

/**
 * Counts the texts of an array: those of one dimension are stored, and no others. @throws for more than it has room for
 */
export function listLength(bytes: Buffer, at: number, end: number): number {
  const dimensions = bytes.readInt32BE(at);
  if (dimensions > 1) throw new Error('an array of several dimensions');
  const length = dimensions === 0 ? 0 : bytes.readInt32BE(at + LENGTH_AT);
  if (length > 0 && length * LENGTH_BYTES > end - at - FIRST_ITEM_AT)
    throw new Error('an array that does not end where it should');
  return length;
}

/** Behind the number of dimensions, whether there are nulls, and the type of the items. */
const LENGTH_AT = 12;

/** The offset of the first item's length in an array. */
export const FIRST_ITEM_AT = 20;

/** Bytes of the length that stands before a value, or an item; of one that is null it is -1. */
export const LENGTH_BYTES = 4;

/** @param at where the item's length stands. @param end that of the array */
export function itemEnd(bytes: Buffer, at: number, end: number): number {
  const length = bytes.readInt32BE(at);
  if (length < 0) throw new Error('an array with a null');
  if (length > end - at) throw new Error('an array that does not end where it should');
  return at + LENGTH_BYTES + length;
}

export const SECONDS_PER_DAY = 86_400;

/** 2^32 microseconds in whole seconds, and the microseconds that are left: no product of them is beyond 2^53. */
const SECONDS_PER_HIGH = 4294;
const REST_PER_HIGH = 967_296;

/** Whole seconds from the begin of 2000 to an instant, in UTC; negative ones before it. */
export function readSeconds(bytes: Buffer, at: number): number {
  const high = bytes.readInt32BE(at);
  const rest = high * REST_PER_HIGH + bytes.readUInt32BE(at + 4);
  return high * SECONDS_PER_HIGH + Math.floor(rest / 1e6);
}

/** The microseconds of an instant behind its whole second. */
export function readMicroseconds(bytes: Buffer, at: number): number {
  const rest = (bytes.readInt32BE(at) * REST_PER_HIGH + bytes.readUInt32BE(at + 4)) % 1e6;
  return rest < 0 ? rest + 1e6 : rest;
}

/** Days from 1970 to 2000, and from 2000 to the first day of year 1 and the last one of year 9999. */
const DAYS_BEFORE = 10_957;
const FIRST_DAY = -730_119;
const LAST_DAY = 2_921_939;

/** The number of a day, `YYYY-MM-DD`, counted from 2000-01-01. */
export function dayNumber(day: string): number {
  return Date.parse(day) / (SECONDS_PER_DAY * 1000) - DAYS_BEFORE;
}

/** Days that were asked for: they are few, and come again. */
const days = new Map<number, string>();
const MOST_DAYS = 5000;

/** `YYYY-MM-DD`, by the days from 2000-01-01 on. @throws {RangeError} outside the years 1 to 9999 */
export function dayText(day: number): string {
  const known = days.get(day);
  if (known !== undefined) return known;
  if (day < FIRST_DAY || day > LAST_DAY) throw new RangeError('a day outside the years 1 to 9999');
  const text = new Date((day + DAYS_BEFORE) * SECONDS_PER_DAY * 1000).toISOString().slice(0, 10);
  if (days.size === MOST_DAYS) days.clear();
  days.set(day, text);
  return text;
}
