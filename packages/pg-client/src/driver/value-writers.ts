import {
  dayText,
  FIRST_ITEM_AT,
  itemEnd,
  LENGTH_BYTES,
  listLength,
  readInteger,
  readSeconds,
  SECONDS_PER_DAY,
} from './binary-values.ts';
import type { ValueKind } from './value-kind.ts';

/**
 * Writes a value as JSON from its bytes.
 * @returns the end of the text
 */
type WriteValue = (bytes: Buffer, at: number, end: number, out: Uint8Array, to: number) => number;

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
const SPACE = ' '.charCodeAt(0);
const LAST_PLAIN = '~'.charCodeAt(0);
const COMMA = ','.charCodeAt(0);
const MINUS = '-'.charCodeAt(0);
const ZERO = '0'.charCodeAt(0);

/** Maximum number of bytes for one byte of a value: a control character becomes `\u0000`. */
export const LONGEST_ESCAPE = 6;

/** The escape that `JSON.stringify` writes for each control character. */
const ESCAPES: readonly Buffer[] = Array.from({ length: SPACE }, (_, code) =>
  Buffer.from(JSON.stringify(String.fromCharCode(code)).slice(1, -1)),
);

/**
 * Code that writes a text. PostgreSQL sends UTF-8, as JSON requires, so few bytes need escaping. It is code rather than
 * a function, because V8 does not inline a function of this size.
 */
export const TEXT = `
    out[to++] = ${QUOTE};
    for (let index = at; index < end; index++) {
      const byte = bytes[index];
      if (byte === ${QUOTE} || byte === ${BACKSLASH}) out[to++] = ${BACKSLASH};
      if (byte >= ${SPACE}) out[to++] = byte;
      else to = controlAt(byte, out, to);
    }
    out[to++] = ${QUOTE};`;

export function controlAt(byte: number, out: Uint8Array, to: number): number {
  for (const part of ESCAPES[byte]!) out[to++] = part;
  return to;
}

const textAt = new Function('controlAt', `return (bytes, at, end, out, to) => { ${TEXT} return to; };`)(
  controlAt,
) as WriteValue;

/**
 * Writes a text of plain ASCII. Returns the end of the text, or -1 if it contains other characters or needs escapes.
 */
export function plainTextAt(bytes: Uint8Array, at: number, end: number, out: Uint8Array, to: number): number {
  out[to++] = QUOTE;
  for (let index = at; index < end; index++) {
    const byte = bytes[index]!;
    if (byte < SPACE || byte > LAST_PLAIN || byte === QUOTE || byte === BACKSLASH) return -1;
    out[to++] = byte;
  }
  out[to] = QUOTE;
  return to + 1;
}

function integerAt(bytes: Buffer, at: number, end: number, out: Uint8Array, to: number): number {
  const value = readInteger(bytes, at, end);
  if (value < 0) out[to++] = MINUS;
  return digits(Math.abs(value), out, to);
}

/**
 * Writes a non-negative integer up to 2^53.
 * @returns the end of the text
 */
export function digits(value: number, out: Uint8Array, to: number): number {
  let end = to + 1;
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) end++;
  for (let index = end - 1, rest = value; index >= to; index--, rest = Math.floor(rest / 10)) {
    out[index] = ZERO + (rest % 10);
  }
  return end;
}

function listAt(bytes: Buffer, at: number, listEnd: number, out: Uint8Array, to: number): number {
  const length = listLength(bytes, at, listEnd);
  let item = at + FIRST_ITEM_AT;
  out[to++] = '['.charCodeAt(0);
  for (let index = 0; index < length; index++) {
    if (index > 0) out[to++] = COMMA;
    const end = itemEnd(bytes, item, listEnd);
    to = textAt(bytes, item + LENGTH_BYTES, end, out, to);
    item = end;
  }
  out[to++] = ']'.charCodeAt(0);
  return to;
}

function dayAt(bytes: Buffer, at: number, _end: number, out: Uint8Array, to: number): number {
  out[to++] = QUOTE;
  to = ascii(dayText(bytes.readInt32BE(at)), out, to);
  out[to++] = QUOTE;
  return to;
}

/** Writes an instant in the format of `formatInstant`: `2026-11-20T11:25:00+00:00`. */
function instantAt(bytes: Buffer, at: number, _end: number, out: Uint8Array, to: number): number {
  const seconds = readSeconds(bytes, at);
  const day = Math.floor(seconds / SECONDS_PER_DAY);
  const time = seconds - day * SECONDS_PER_DAY;
  out[to++] = QUOTE;
  to = ascii(dayText(day), out, to);
  to = twoDigits('T', Math.floor(time / 3600), out, to);
  to = twoDigits(':', Math.floor(time / 60) % 60, out, to);
  to = twoDigits(':', time % 60, out, to);
  return ascii('+00:00"', out, to);
}

function twoDigits(before: string, value: number, out: Uint8Array, to: number): number {
  out[to] = before.charCodeAt(0);
  out[to + 1] = ZERO + Math.floor(value / 10);
  out[to + 2] = ZERO + (value % 10);
  return to + 3;
}

function ascii(text: string, out: Uint8Array, to: number): number {
  for (let index = 0; index < text.length; index++) out[to++] = text.charCodeAt(index);
  return to;
}

/** Writers by kind of value, for kinds that can be written from their bytes. */
export const VALUES: Partial<Record<ValueKind, WriteValue>> = {
  text: textAt,
  integer: integerAt,
  boolean: (bytes, at, _, out, to) => ascii(bytes[at] === 1 ? 'true' : 'false', out, to),
  number: (bytes, at, _, out, to) => ascii(JSON.stringify(bytes.readDoubleBE(at)), out, to),
  list: listAt,
  day: dayAt,
  instant: instantAt,
};
