import {
  dayText,
  FIRST_ITEM_AT,
  ITEM_HEAD,
  itemEnd,
  listLength,
  readInteger,
  readSeconds,
  SECONDS_PER_DAY,
} from './binary-values.ts';
import type { Column } from './row-format.ts';
import type { ValueKind } from './value-kind.ts';

/**
 * Writes a row as a JSON object, in UTF-8, without making an object of it: the bytes that `JSON.stringify` makes of
 * the decoded row, with instants in the form in which they are shown.
 * @param at where the body of its `DataRow` begins in `bytes`
 * @param end where it ends
 * @param to where to write in `out`, which has `roomFor` the row from there on
 * @param owner whose row it has to be
 * @returns where the object ends in `out`, or `FOREIGN`, or `ABRIDGED`
 * @throws {Error} where there is no such row
 */
export type WriteRow = (
  bytes: Buffer,
  at: number,
  end: number,
  out: Uint8Array,
  to: number,
  owner: Uint8Array,
) => number;

export interface RowWriter {
  write: WriteRow;
  /** The most bytes that a row takes, by the bytes that it came in. */
  roomFor(size: number): number;
}

/** Answered by a `WriteRow` for a row of another account. */
export const FOREIGN = -1;

/** Answered by a `WriteRow` for a row whose statement left out a value that it always has. */
export const ABRIDGED = -2;

/** The column that says whose a row is: it is looked at, and never shown. */
const OWNER = 'account_id';

type WriteValue = (bytes: Buffer, at: number, end: number, out: Uint8Array, to: number) => number;

/** How a value of each kind is written. */
const VALUES = {
  textAt,
  integerAt,
  booleanAt,
  numberAt,
  jsonAt,
  jsonbAt,
  listAt,
  dayAt,
  instantAt,
} satisfies Record<`${ValueKind}At`, WriteValue>;

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
const SPACE = ' '.charCodeAt(0);
const COMMA = ','.charCodeAt(0);
const MINUS = '-'.charCodeAt(0);
const ZERO = '0'.charCodeAt(0);

/** A value is at most so many times as long as what came: a control character becomes `\u0000`. */
const LONGEST_ESCAPE = 6;

/** What `JSON.stringify` writes for each control character. */
const ESCAPES: readonly Buffer[] = Array.from({ length: SPACE }, (_, code) =>
  Buffer.from(JSON.stringify(String.fromCharCode(code)).slice(1, -1)),
);

/** PostgreSQL sends UTF-8, and JSON is UTF-8: all but a few of its bytes stay as they are. */
function textAt(bytes: Buffer, at: number, end: number, out: Uint8Array, to: number): number {
  out[to++] = QUOTE;
  for (let index = at; index < end; index++) {
    const byte = bytes[index]!;
    if (byte === QUOTE || byte === BACKSLASH) out[to++] = BACKSLASH;
    if (byte >= SPACE) out[to++] = byte;
    else for (const part of ESCAPES[byte]!) out[to++] = part;
  }
  out[to++] = QUOTE;
  return to;
}

function integerAt(bytes: Buffer, at: number, end: number, out: Uint8Array, to: number): number {
  const value = readInteger(bytes, at, end);
  if (value < 0) out[to++] = MINUS;
  return digits(Math.abs(value), out, to);
}

function digits(value: number, out: Uint8Array, to: number): number {
  let end = to + 1;
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) end++;
  for (let index = end - 1, rest = value; index >= to; index--, rest = Math.floor(rest / 10)) {
    out[index] = ZERO + (rest % 10);
  }
  return end;
}

function booleanAt(bytes: Buffer, at: number, _end: number, out: Uint8Array, to: number): number {
  return ascii(bytes[at] === 1 ? 'true' : 'false', out, to);
}

function numberAt(bytes: Buffer, at: number, _end: number, out: Uint8Array, to: number): number {
  return ascii(JSON.stringify(bytes.readDoubleBE(at)), out, to);
}

function jsonAt(bytes: Buffer, at: number, end: number, out: Uint8Array, to: number): number {
  return stringified(JSON.parse(bytes.toString('utf8', at, end)), out, to);
}

/** Behind the number of its form, of which there is one. */
function jsonbAt(bytes: Buffer, at: number, end: number, out: Uint8Array, to: number): number {
  return jsonAt(bytes, at + 1, end, out, to);
}

function listAt(bytes: Buffer, at: number, _end: number, out: Uint8Array, to: number): number {
  const length = listLength(bytes, at);
  let item = at + FIRST_ITEM_AT;
  out[to++] = '['.charCodeAt(0);
  for (let index = 0; index < length; index++) {
    if (index > 0) out[to++] = COMMA;
    const end = itemEnd(bytes, item);
    to = textAt(bytes, item + ITEM_HEAD, end, out, to);
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

/** As `formatInstant` has it: `2026-11-20T11:25:00+00:00`. */
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

function stringified(value: unknown, out: Uint8Array, to: number): number {
  const text = Buffer.from(JSON.stringify(value));
  out.set(text, to);
  return to + text.length;
}

function ascii(text: string, out: Uint8Array, to: number): number {
  for (let index = 0; index < text.length; index++) out[to++] = text.charCodeAt(index);
  return to;
}

/**
 * The writer of rows with these columns, compiled as a `RowDecoder` is.
 * @param hidden columns that are not shown, beside the one that says whose a row is
 * @param required a column without which a row is `ABRIDGED`
 */
export function compileWriter(
  columns: readonly Column[],
  hidden: readonly string[],
  required?: string,
): RowWriter {
  const isShown = ({ name }: Column) => name !== OWNER && !hidden.includes(name);
  const names = columns.reduce((sum, { name }) => sum + Buffer.byteLength(JSON.stringify(name)) + 2, 2);
  return { write: compile(columns, isShown, required), roomFor: size => size * LONGEST_ESCAPE + names };
}

function compile(
  columns: readonly Column[],
  isShown: (column: Column) => boolean,
  required: string | undefined,
): WriteRow {
  let before = '{';
  const steps = columns.map(column => {
    if (!isShown(column)) return column.name === OWNER ? CHECK : SKIP;
    const step = `${constant(`${before}${JSON.stringify(column.name)}:`)}
    if (length < 0) { ${column.name === required ? `return ${ABRIDGED};` : constant('null')} }
    else to = ${column.kind}At(bytes, at, at += length, out, to);`;
    before = ',';
    return step;
  });
  // Rows that do not say whose they are, are nobody's.
  if (!columns.some(({ name }) => name === OWNER)) return () => FOREIGN;
  const source = `return (bytes, at, end, out, to, owner) => {
    let length = (bytes[at] << 8) | bytes[at + 1];
    at += 2;
    if (length !== ${columns.length}) throw new Error('a row with other columns than were described');
    ${steps.map(step => LENGTH + step).join('')}
    if (at !== end) throw new Error('a row that does not end where it should');
    ${constant(before === '{' ? '{}' : '}')}
    return to;
  };`;
  const known = { ...VALUES, isSame };
  return new Function(...Object.keys(known), source)(...Object.values(known)) as WriteRow;
}

const LENGTH = `
    length = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
    at += 4;
    `;

const SKIP = 'if (length > 0) at += length;';

const CHECK = `if (!isSame(bytes, at, length, owner)) return ${FOREIGN};
    at += length;`;

/** The bytes of a text, one by one: for so few that is faster than any copying. */
function constant(text: string): string {
  const bytes = [...Buffer.from(text)];
  return `${bytes.map((byte, index) => `out[to + ${index}] = ${byte};`).join(' ')} to += ${bytes.length};`;
}

function isSame(bytes: Buffer, at: number, length: number, owner: Uint8Array): boolean {
  if (length !== owner.length) return false;
  for (let index = 0; index < length; index++) if (bytes[at + index] !== owner[index]) return false;
  return true;
}
