/**
 * PostgreSQL's binary format for COPY (its documentation of COPY, "Binary Format"): a row is the number of its cells, a
 * cell the number of its bytes and these. Reports come in it, since PostgreSQL takes it apart in half of the time that
 * text takes. All that is made here are strings of bytes: a character stands for a byte, so that a row is joined and
 * written as fast as text is.
 */

/** Nearly all are lengths of short texts. */
const SMALL = Array.from({ length: 1024 }, (_, value) => fourBytes(value));

/** What stands for null. */
export const NULL = '\xff\xff\xff\xff';

/** What a row of so many cells begins with, two bytes. */
export function rowBegin(cells: number): string {
  return String.fromCharCode(cells >> 8, cells & 0xff);
}

export function textCell(value: string): string {
  const length = Buffer.byteLength(value);
  // Only letters of ASCII are bytes already.
  return int32(length) + (length === value.length ? value : Buffer.from(value).toString('latin1'));
}

const [TRUE, FALSE] = [`${int32(1)}\x01`, `${int32(1)}\0`];

export function booleanCell(value: boolean | number): string {
  return value ? TRUE : FALSE;
}

/** Of a column `smallint`. */
export function smallintCell(value: number): string {
  return int32(2) + String.fromCharCode((value >> 8) & 0xff, value & 0xff);
}

/** Of a column `bigint`. */
export function bigintCell(value: number): string {
  return int32(8) + int64(value);
}

/** The first instant of 2000, which PostgreSQL counts from, in milliseconds since that of 1970. */
const EPOCH = Date.UTC(2000);

/**
 * Of a column `timestamptz`, which counts microseconds.
 * @param instant in UTC, `YYYY-MM-DDTHH:mm:ss[.ffffff]Z`, in the years 1970 to 2200
 */
export function instantCell(instant: string): string {
  const microseconds = Number(instant.slice(20, -1).padEnd(6, '0'));
  return bigintCell((Date.parse(`${instant.slice(0, 19)}Z`) - EPOCH) * 1000 + microseconds);
}

/** PostgreSQL's number for the type of an array's items. */
const TEXT = 25;

/** Of a column `text[]`: one dimension, no nulls, items of the type text, counted from 1. */
export function textsCell(values: readonly string[]): string {
  const head = int32(1) + int32(0) + int32(TEXT) + int32(values.length) + int32(1);
  return bytesCell(head + values.map(textCell).join(''));
}

/** Of a column `jsonb`: the version of its format, and the text. */
export function jsonCell(value: unknown): string {
  return bytesCell(`\x01${textCell(JSON.stringify(value)).slice(4)}`);
}

function bytesCell(bytes: string): string {
  return int32(bytes.length) + bytes;
}

function int64(value: number): string {
  return int32(Math.floor(value / 2 ** 32)) + int32(value % 2 ** 32);
}

function int32(value: number): string {
  return SMALL[value] ?? fourBytes(value);
}

function fourBytes(value: number): string {
  return String.fromCharCode((value >> 24) & 0xff, (value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff);
}
