import { LENGTH_BYTES } from './binary-values.ts';
import type { Packed } from './packed.ts';
import { compileDecoder, type RowDecoder } from './row-decoder.ts';
import { compileWriter, type JsonFields, type RowWriter } from './row-writer.ts';
import { type Column, kindOf, type ValueKind } from './value-kind.ts';

/** Bytes of a column's description behind its name: table, number, type, size, modifier, format. */
const COLUMN_TAIL = 18;

/** The index of the type among them. */
const TYPE_AT = 6;

/** Looks at a row as it came: `at` is where the body of its `DataRow` begins in `bytes`. */
type Look<Found> = (bytes: Buffer, at: number) => Found;

/** Writers and readers for rows with certain columns, compiled at their first use. */
export class RowFormat {
  #columns: readonly Column[];
  #decoders = new Map<Packed | undefined, RowDecoder>();
  /** A document of `/graphql` has fields of its own: what is made for them goes when they do. */
  #writers = new WeakMap<JsonFields, RowWriter>();

  constructor(columns: readonly Column[]) {
    this.#columns = columns;
  }

  /** @param packed whose fields become those of the rows */
  decode(packed: Packed | undefined): RowDecoder {
    const known = this.#decoders.get(packed) ?? compileDecoder(this.#columns, packed);
    this.#decoders.set(packed, known);
    return known;
  }

  /** @param packed with which these fields always go */
  writer(fields: JsonFields, packed: Packed | undefined): RowWriter {
    const known = this.#writers.get(fields) ?? compileWriter(this.#columns, fields, packed);
    this.#writers.set(fields, known);
    return known;
  }

  /** Tells whether a row has one of these texts in a column; a row without the column has none. */
  isOwnedBy(names: readonly string[], ownerColumn: string): Look<boolean> {
    const place = this.#placeOf(ownerColumn);
    if (!place) return () => false;
    const owners = names.map(name => Buffer.from(name));
    return (bytes, at) => {
      const column = place(bytes, at);
      const length = bytes.readInt32BE(column);
      return owners.some(owner => isSame(bytes, column + LENGTH_BYTES, length, owner));
    };
  }

  isNull(column: string): Look<boolean> {
    const place = this.#placeOf(column);
    return (bytes, at) => place !== undefined && bytes.readInt32BE(place(bytes, at)) < 0;
  }

  /** Returns the offset of the length of a column's value; undefined where there is no such column. */
  #placeOf(name: string): Look<number> | undefined {
    const index = this.#columns.findIndex(column => column.name === name);
    if (index < 0) return undefined;
    return (bytes, at) => {
      // Behind the number of columns.
      let place = at + 2;
      for (let before = 0; before < index; before++)
        place += LENGTH_BYTES + Math.max(0, bytes.readInt32BE(place));
      return place;
    };
  }
}

function isSame(bytes: Buffer, at: number, length: number, owner: Buffer): boolean {
  if (length !== owner.length) return false;
  for (let index = 0; index < length; index++) if (bytes[at + index] !== owner[index]) return false;
  return true;
}

/** The formats by their columns: there are as many as different statements. */
const formats = new Map<string, RowFormat>();

/** @throws {Error} for a column whose values are not read */
export function rowFormat(described: readonly DescribedColumn[]): RowFormat {
  const columns = described.map(({ name, type }) => ({ name, kind: requireKind(name, type) }));
  const key = JSON.stringify(columns);
  const known = formats.get(key) ?? new RowFormat(columns);
  formats.set(key, known);
  return known;
}

interface DescribedColumn {
  name: string;
  /** The number of its type in PostgreSQL's catalogue. */
  type: number;
}

/**
 * @param description the body of a `RowDescription` (PostgreSQL's protocol 3.0)
 * @throws {Error} where it is none
 */
export function describedColumns(description: Buffer): DescribedColumn[] {
  const columns: DescribedColumn[] = [];
  const count = description.readUInt16BE(0);
  let at = 2;
  while (columns.length < count) {
    const end = description.indexOf(0, at);
    if (end < 0) break;
    const type = description.readUInt32BE(end + 1 + TYPE_AT);
    columns.push({ name: description.toString('utf8', at, end), type });
    at = end + 1 + COLUMN_TAIL;
  }
  if (columns.length === count && at === description.length) return columns;
  throw new Error('a description that does not end where it should');
}

function requireKind(name: string, type: number): ValueKind {
  const kind = kindOf(type);
  if (kind) return kind;
  throw new Error(
    `column "${name}" has type ${type} of PostgreSQL, which is not read: its statement has to cast it`,
  );
}
