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
import { completed, type Packed } from './packed.ts';
import type { Column } from './row-columns.ts';
import { readerOf } from './row-decoder.ts';
import type { TextWriter } from './text-writer.ts';
import type { ValueKind } from './value-kind.ts';

/** A field of the JSON object that a row becomes. */
export interface JsonField {
  /** Its key. */
  name: string;
  /** The column that it shows, or the field of one in which several are kept together. */
  column: string;
  /** The kind of column whose bytes say what `text` would say. */
  kind?: ValueKind | undefined;
  isNullable: boolean;
  /** The JSON of a value as it is decoded. @throws {Error} for what is no value of the field */
  text(value: unknown): string;
}

/** In their order. They are known by their identity: what is compiled for them is kept with it. */
export type JsonFields = readonly JsonField[];

/**
 * Writes a row as a JSON object, in UTF-8, as far as possible without making a value of its bytes.
 * @param at where the body of its `DataRow` begins in `bytes`
 * @param end where it ends
 * @param writer which has `roomFor` the row
 * @throws {Error} where there is no such row, or a value that its field does not have
 */
export type WriteRow = (bytes: Buffer, at: number, end: number, writer: TextWriter) => void;

export interface RowWriter {
  write: WriteRow;
  /** The most bytes that a row takes, by the bytes that it came in. */
  roomFor(size: number): number;
}

type WriteValue = (bytes: Buffer, at: number, end: number, out: Uint8Array, to: number) => number;

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
const SPACE = ' '.charCodeAt(0);
const COMMA = ','.charCodeAt(0);
const MINUS = '-'.charCodeAt(0);
const ZERO = '0'.charCodeAt(0);

/** A value is at most so many times as long as what came: a control character becomes `\u0000`. */
export const LONGEST_ESCAPE = 6;

/** What `JSON.stringify` writes for each control character. */
const ESCAPES: readonly Buffer[] = Array.from({ length: SPACE }, (_, code) =>
  Buffer.from(JSON.stringify(String.fromCharCode(code)).slice(1, -1)),
);

/**
 * PostgreSQL sends UTF-8, and JSON is UTF-8: all but a few of its bytes stay as they are. In rows it stands as code,
 * since as a function it is too much for V8 to inline, and takes half as long again.
 */
const TEXT = `
    out[to++] = ${QUOTE};
    for (let index = at; index < end; index++) {
      const byte = bytes[index];
      if (byte === ${QUOTE} || byte === ${BACKSLASH}) out[to++] = ${BACKSLASH};
      if (byte >= ${SPACE}) out[to++] = byte;
      else to = controlAt(byte, out, to);
    }
    out[to++] = ${QUOTE};`;

function controlAt(byte: number, out: Uint8Array, to: number): number {
  for (const part of ESCAPES[byte]!) out[to++] = part;
  return to;
}

const textAt = new Function('controlAt', `return (bytes, at, end, out, to) => { ${TEXT} return to; };`)(
  controlAt,
) as WriteValue;

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

function ascii(text: string, out: Uint8Array, to: number): number {
  for (let index = 0; index < text.length; index++) out[to++] = text.charCodeAt(index);
  return to;
}

/** How values are written whose bytes say it all. */
const VALUES: Partial<Record<ValueKind, WriteValue>> = {
  text: textAt,
  integer: integerAt,
  boolean: booleanAt,
  number: numberAt,
  list: listAt,
  day: dayAt,
  instant: instantAt,
};

/**
 * The writer of rows with these columns, compiled as a `RowDecoder` is. Fields may stand in another order than columns.
 * @param packed a column in which several of the fields are kept together
 * @throws {Error} for a field that no column has
 */
export function compileWriter(
  columns: readonly Column[],
  fields: JsonFields,
  packed: Packed | undefined,
): RowWriter {
  const kept = packed && columns.findIndex(({ name }) => name === packed.column);
  const values = fields.map(field => fieldValue(field, columns, packed));
  const roomFor = roomOf(columns, fields);
  const known = {
    places: new Int32Array(columns.length),
    roomFor,
    controlAt,
    keptAt: kept === undefined ? undefined : readerOf(columns[kept]!.kind),
    ...Object.fromEntries(values.map(({ write }, index) => [`value${index}`, write])),
  };
  const source = `return (bytes, at, end, writer) => {
    const room = roomFor(end - at);
    if (((bytes[at] << 8) | bytes[at + 1]) !== ${columns.length})
      throw new Error('a row with other columns than were described');
    at += 2;
    let length = 0;
    for (let column = 0; column < ${columns.length}; column++) {
      // In variables they would be too many for registers, and the loops below would take longer.
      places[column] = at;
      ${LENGTH}
      if (length > 0) at += length;
    }
    if (at !== end) throw new Error('a row that does not end where it should');
    ${kept === undefined ? '' : `${columnCode(kept)} const kept = length < 0 ? null : keptAt(bytes, at, end);`}
    let out = writer.bytes;
    let to = writer.length;
    ${valuesCode(fields, values)}
    ${constant(fields.length === 0 ? '{}' : '}')}
    writer.length = to;
  };`;
  return { write: new Function(...Object.keys(known), source)(...Object.values(known)) as WriteRow, roomFor };
}

function roomOf(columns: readonly Column[], fields: JsonFields): (size: number) => number {
  const names = fields.reduce((sum, { name }) => sum + Buffer.byteLength(JSON.stringify(name)) + 2, 2);
  const uses = columns.map(({ name }) => fields.filter(({ column }) => column === name).length);
  const longest = LONGEST_ESCAPE * Math.max(1, ...uses);
  return size => size * longest + names;
}

/** Bytes of the length that stands before a value. */
const HEAD = 4;

const LENGTH = `
      length = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
      at += 4;`;

/** From here on `at` and `end` are those of this column's value; its `length` is -1 where that is null. */
const columnCode = (index: number) => `
    at = places[${index}];
    ${LENGTH}
    end = at + length;`;

/** How the value of a field is written: as bytes, or by way of a string. */
interface FieldValue {
  /** The number of its column; undefined for one that is kept together with others. */
  index?: number;
  isBytes: boolean;
  write: unknown;
}

function fieldValue(field: JsonField, columns: readonly Column[], packed: Packed | undefined): FieldValue {
  const { column, kind, text } = field;
  const kept = packed?.fields.find(({ name }) => name === column);
  if (kept) return { isBytes: false, write: (row: Kept) => text(completed(kept, row?.[column])) };
  const index = columns.findIndex(({ name }) => name === column);
  if (index < 0) throw new Error(`no column is shown as "${field.name}"`);
  const write = columns[index]!.kind === kind ? VALUES[kind] : undefined;
  if (write) return { index, isBytes: true, write };
  const read = readerOf(columns[index]!.kind);
  const textAt = (bytes: Buffer, place: number) => {
    const length = bytes.readInt32BE(place);
    return text(length < 0 ? null : read(bytes, place + HEAD, place + HEAD + length));
  };
  return { index, isBytes: false, write: textAt };
}

type Kept = Readonly<Record<string, unknown>> | null;

function valuesCode(fields: JsonFields, values: readonly FieldValue[]): string {
  let code = '';
  // Strings of fields that stand behind each other are written together.
  let texts: string[] = [];
  const writeTexts = () => {
    if (texts.length > 0) code += textCode(texts.join(' + '));
    texts = [];
  };
  for (const [number, field] of fields.entries()) {
    const { index, isBytes } = values[number]!;
    const name = `${number === 0 ? '{' : ','}${JSON.stringify(field.name)}:`;
    const value = `value${number}`;
    if (isBytes) {
      writeTexts();
      const call = `to = ${value}(bytes, at, end, out, to);`;
      code += bytesCode(field, name, field.kind === 'text' ? TEXT : call, index!);
    } else {
      const argument = index === undefined ? 'kept' : `bytes, places[${index}]`;
      texts.push(JSON.stringify(name), `${value}(${argument})`);
    }
  }
  writeTexts();
  return code;
}

const bytesCode = (field: JsonField, name: string, value: string, index: number) => `
    ${constant(name)}${columnCode(index)}
    if (length >= 0) { ${value} }
    else { ${field.isNullable ? constant('null') : `throw new Error(${JSON.stringify(`null for ${field.name}`)});`} }`;

const textCode = (text: string) => `
    writer.length = to;
    writer.write(${text});
    writer.makeRoom(room);
    out = writer.bytes;
    to = writer.length;`;

/** The bytes of a text, one by one: for so few that is faster than any copying. */
function constant(text: string): string {
  const bytes = [...Buffer.from(text)];
  return `${bytes.map((byte, index) => `out[to + ${index}] = ${byte};`).join(' ')} to += ${bytes.length};`;
}
