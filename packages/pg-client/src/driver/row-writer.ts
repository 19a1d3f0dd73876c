import { LENGTH_BYTES } from './binary-values.ts';
import { completeField, type PackedColumn } from './packed.ts';
import { VALUES as READERS } from './row-decoder.ts';
import type { TextWriter } from './text-writer.ts';
import type { Column, ValueKind } from './value-kind.ts';
import { controlAt, LONGEST_ESCAPE, TEXT, VALUES } from './value-writers.ts';

/** A field of the JSON object written for a row. */
export interface JsonField {
  name: string;
  /** The columns from which the value is made: usually one column, or a field of a packed column. */
  columns: readonly string[];
  /** The kind of column whose bytes can be written without calling `text`. */
  kind?: ValueKind | undefined;
  isNullable: boolean;
  /**
   * Formats the decoded values of the columns as JSON.
   * @throws {Error} if a value is not valid for the field
   */
  text(...values: unknown[]): string;
}

/** The fields in order. Compiled writers are cached by the identity of this array. */
export type JsonFields = readonly JsonField[];

/**
 * Writes a row as a UTF-8 JSON object, without decoding its values where possible.
 * @param at start of the `DataRow` body in `bytes`
 * @param end end of the body
 * @param writer must have room for the row (`roomFor`)
 * @throws {Error} for a malformed row, or a value that is not valid for its field
 */
export type WriteRow = (bytes: Buffer, at: number, end: number, writer: TextWriter) => void;

export interface RowWriter {
  write: WriteRow;
  /** Returns the maximum size of a row as JSON in bytes, given its size in wire format. */
  roomFor(size: number): number;
}

/**
 * Compiles a writer of rows with these columns, like a `RowDecoder`. Fields can be in a different order than columns.
 * @param packed a column that stores several of the fields
 * @throws {Error} for a field without a column
 */
export function compileWriter(
  columns: readonly Column[],
  fields: JsonFields,
  packed: PackedColumn | undefined,
): RowWriter {
  const values = fields.map(field => fieldValue(field, columns, packed));
  const isRestShown = values.some(({ of }) => of === 'kept');
  const restColumn = isRestShown ? columns.findIndex(({ name }) => name === packed!.column) : undefined;
  const roomFor = measureRoom(columns, fields);
  const existing = {
    places: new Int32Array(columns.length),
    roomFor,
    controlAt,
    keptAt: restColumn === undefined ? undefined : READERS[columns[restColumn]!.kind],
    ...Object.fromEntries(values.map(({ write }, index) => [`value${index}`, write])),
    ...Object.fromEntries(fields.map((field, index) => [`key${index}`, toKey(field, index)])),
    nullFor: (index: number) => new Error(`null for ${fields[index]!.name}`),
  };
  const source = `return (bytes, at, end, writer) => {
    const room = roomFor(end - at);
    if (((bytes[at] << 8) | bytes[at + 1]) !== ${columns.length})
      throw new Error('a row whose columns differ from its description');
    at += 2;
    let length = 0;
    for (let column = 0; column < ${columns.length}; column++) {
      // Separate variables would exceed the registers and slow down the loops below.
      places[column] = at;
      ${LENGTH}
      if (length > 0) at += length;
    }
    if (at !== end) throw new Error('a row that does not end where it should');
    ${restColumn === undefined ? '' : `${columnCode(restColumn)} const kept = length < 0 ? null : keptAt(bytes, at, end);`}
    let out = writer.bytes;
    let to = writer.length;
    ${valuesCode(fields, values)}
    ${constant(fields.length === 0 ? '{}' : '}')}
    writer.length = to;
  };`;
  return {
    write: new Function(...Object.keys(existing), source)(...Object.values(existing)) as WriteRow,
    roomFor,
  };
}

function measureRoom(columns: readonly Column[], fields: JsonFields): (size: number) => number {
  const names = fields.reduce((sum, { name }) => sum + Buffer.byteLength(JSON.stringify(name)) + 2, 2);
  const uses = columns.map(({ name }) => fields.filter(({ columns }) => columns.includes(name)).length);
  const longest = LONGEST_ESCAPE * Math.max(1, ...uses);
  return size => size * longest + names;
}

const LENGTH = `
      length = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
      at += 4;`;

/** Code that sets `at` and `end` to the value of a column, and `length` to its length, which is -1 for null. */
const columnCode = (index: number) => `
    at = places[${index}];
    ${LENGTH}
    end = at + length;`;

/** The way to write a field's value: from its bytes, or as a string. */
interface FieldValue {
  /** The number of the column whose bytes are written; undefined for a string. */
  index?: number;
  /** The arguments of the function that returns the string. */
  of?: 'kept' | 'bytes, places';
  write: unknown;
}

function fieldValue(
  field: JsonField,
  columns: readonly Column[],
  packed: PackedColumn | undefined,
): FieldValue {
  const { columns: shown, kind, text } = field;
  const packedField = packed?.fields.find(({ name }) => name === shown[0]);
  if (packedField)
    return {
      of: 'kept',
      write: (row: CachedValues) => text(completeField(packedField, row?.[packedField.name])),
    };
  const indexes = shown.map(column => columns.findIndex(({ name }) => name === column));
  if (indexes.includes(-1)) throw new Error(`no column is shown as "${field.name}"`);
  const [index] = indexes;
  if (index === undefined || indexes.length > 1) {
    const values = indexes.map(index => valueIn(index, columns));
    return rowText((bytes, places) => text(...values.map(value => value(bytes, places))));
  }
  const write = columns[index]!.kind === kind ? VALUES[kind] : undefined;
  if (write) return { index, write };
  const value = valueIn(index, columns);
  return rowText((bytes, places) => text(value(bytes, places)));
}

const rowText = (write: ReadRow): FieldValue => ({ of: 'bytes, places', write });

/** Reads a value of a row, given the offsets of its columns. */
type ReadRow = (bytes: Buffer, places: Int32Array) => unknown;

function valueIn(index: number, columns: readonly Column[]): ReadRow {
  const read = READERS[columns[index]!.kind];
  return (bytes, places) => {
    const place = places[index]!;
    const length = bytes.readInt32BE(place);
    return length < 0 ? null : read(bytes, place + LENGTH_BYTES, place + LENGTH_BYTES + length);
  };
}

type CachedValues = Readonly<Record<string, unknown>> | null;

function valuesCode(fields: JsonFields, values: readonly FieldValue[]): string {
  let code = '';
  // Strings of consecutive fields are written together.
  let texts: string[] = [];
  const writeTexts = () => {
    if (texts.length > 0) code += textCode(texts.join(' + '));
    texts = [];
  };
  for (const [number, field] of fields.entries()) {
    const { index, of } = values[number]!;
    const value = `value${number}`;
    if (index === undefined) {
      texts.push(`key${number}`, `${value}(${of})`);
    } else {
      writeTexts();
      const call = `to = ${value}(bytes, at, end, out, to);`;
      code += bytesCode(field, number, field.kind === 'text' ? TEXT : call, index);
    }
  }
  writeTexts();
  return code;
}

const bytesCode = (field: JsonField, number: number, value: string, index: number) => `
    ${constant(toKey(field, number))}${columnCode(index)}
    if (length >= 0) { ${value} }
    else { ${field.isNullable ? constant('null') : `throw nullFor(${number});`} }`;

/** Returns the JSON text before a field's value. */
const toKey = ({ name }: JsonField, number: number) => `${number === 0 ? '{' : ','}${JSON.stringify(name)}:`;

const textCode = (text: string) => `
    writer.length = to;
    writer.write(${text});
    writer.makeRoom(room);
    out = writer.bytes;
    to = writer.length;`;

/** Returns code that writes a short text byte by byte, which is faster than copying. */
function constant(text: string): string {
  const bytes = [...Buffer.from(text)];
  return `${bytes.map((byte, index) => `out[to + ${index}] = ${byte};`).join(' ')} to += ${bytes.length};`;
}
