import { LENGTH_BYTES } from './binary-values.ts';
import { completed, type Packed } from './packed.ts';
import { VALUES as READERS } from './row-decoder.ts';
import type { TextWriter } from './text-writer.ts';
import type { Column, ValueKind } from './value-kind.ts';
import { controlAt, LONGEST_ESCAPE, TEXT, VALUES } from './value-writers.ts';

/** A field of the JSON object that a row becomes. */
export interface JsonField {
  name: string;
  /** The source of its text: as a rule a column, or a field of a column that packs several. */
  columns: readonly string[];
  /** The kind of column whose bytes say what `text` would say. */
  kind?: ValueKind | undefined;
  isNullable: boolean;
  /** The JSON of their values as they are decoded. @throws {Error} for what is no value of the field */
  text(...values: unknown[]): string;
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
  const values = fields.map(field => fieldValue(field, columns, packed));
  const isKeptShown = values.some(({ of }) => of === 'kept');
  const kept = isKeptShown ? columns.findIndex(({ name }) => name === packed!.column) : undefined;
  const roomFor = roomOf(columns, fields);
  const known = {
    places: new Int32Array(columns.length),
    roomFor,
    controlAt,
    keptAt: kept === undefined ? undefined : READERS[columns[kept]!.kind],
    ...Object.fromEntries(values.map(({ write }, index) => [`value${index}`, write])),
    ...Object.fromEntries(fields.map((field, index) => [`key${index}`, keyOf(field, index)])),
    nullFor: (index: number) => new Error(`null for ${fields[index]!.name}`),
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
  const uses = columns.map(({ name }) => fields.filter(({ columns }) => columns.includes(name)).length);
  const longest = LONGEST_ESCAPE * Math.max(1, ...uses);
  return size => size * longest + names;
}

const LENGTH = `
      length = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
      at += 4;`;

/** From here on `at` and `end` are those of this column's value; its `length` is -1 where that is null. */
const columnCode = (index: number) => `
    at = places[${index}];
    ${LENGTH}
    end = at + length;`;

/** The way to write the value of a field: as bytes, or by way of a string. */
interface FieldValue {
  /** The number of the column whose bytes are written; undefined for a string. */
  index?: number;
  /** The sources of a string. */
  of?: 'kept' | 'bytes, places';
  write: unknown;
}

function fieldValue(field: JsonField, columns: readonly Column[], packed: Packed | undefined): FieldValue {
  const { columns: shown, kind, text } = field;
  const kept = packed?.fields.find(({ name }) => name === shown[0]);
  if (kept) return { of: 'kept', write: (row: Kept) => text(completed(kept, row?.[kept.name])) };
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

/** Reads of a row, by the places of its columns. */
type ReadRow = (bytes: Buffer, places: Int32Array) => unknown;

function valueIn(index: number, columns: readonly Column[]): ReadRow {
  const read = READERS[columns[index]!.kind];
  return (bytes, places) => {
    const place = places[index]!;
    const length = bytes.readInt32BE(place);
    return length < 0 ? null : read(bytes, place + LENGTH_BYTES, place + LENGTH_BYTES + length);
  };
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
    ${constant(keyOf(field, number))}${columnCode(index)}
    if (length >= 0) { ${value} }
    else { ${field.isNullable ? constant('null') : `throw nullFor(${number});`} }`;

/** Writes a field, with the text before it. It can be somebody else's text, so it gets into code as numbers alone. */
const keyOf = ({ name }: JsonField, number: number) => `${number === 0 ? '{' : ','}${JSON.stringify(name)}:`;

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
