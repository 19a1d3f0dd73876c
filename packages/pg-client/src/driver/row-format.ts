import { LENGTH_BYTES } from './binary-values.ts';
import type { PackedColumn } from './packed.ts';
import { compileDecoder, type RowDecoder } from './row-decoder.ts';
import { compileWriter, type JsonFields, type RowWriter } from './row-writer.ts';
import { type Column, classify, type ValueKind } from './value-kind.ts';

/** Size in bytes of a column's description after its name: table, number, type, size, modifier and format. */
const COLUMN_TAIL = 18;

/** Offset of the type in that description. */
const TYPE_AT = 6;

/** Examines a row in wire format; `at` is the offset of its `DataRow` body in `bytes`. */
type Look<Found> = (bytes: Buffer, at: number) => Found;

/** Writers and readers for rows with certain columns, compiled at their first use. */
export class RowFormat {
  #columns: readonly Column[];
  #decoders = new Map<PackedColumn | undefined, RowDecoder>();
  /** Compiled writers by field list. They are garbage-collected with the document that the fields belong to. */
  #writers = new WeakMap<JsonFields, RowWriter>();

  constructor(columns: readonly Column[]) {
    this.#columns = columns;
  }

  /**
   * Returns a decoder.
   * @param packed a column whose fields become fields of the row
   */
  decode(packed: PackedColumn | undefined): RowDecoder {
    const existing = this.#decoders.get(packed) ?? compileDecoder(this.#columns, packed);
    this.#decoders.set(packed, existing);
    return existing;
  }

  /**
   * Returns a writer for these fields.
   * @param packed must be the same for every call with these fields
   */
  writer(fields: JsonFields, packed: PackedColumn | undefined): RowWriter {
    const existing = this.#writers.get(fields) ?? compileWriter(this.#columns, fields, packed);
    this.#writers.set(fields, existing);
    return existing;
  }

  /** Checks whether a row has one of these texts in a column; false for a row without the column. */
  belongsTo(names: readonly string[], tenantColumn: string): Look<boolean> {
    const place = this.#findPlace(tenantColumn);
    if (!place) return () => false;
    const owners = names.map(name => Buffer.from(name));
    return (bytes, at) => {
      const column = place(bytes, at);
      const length = bytes.readInt32BE(column);
      return owners.some(owner => isSame(bytes, column + LENGTH_BYTES, length, owner));
    };
  }

  isNull(column: string): Look<boolean> {
    const place = this.#findPlace(column);
    return (bytes, at) => place !== undefined && bytes.readInt32BE(place(bytes, at)) < 0;
  }

  /** Returns a function that finds the offset of a column's value. */
  #findPlace(name: string): Look<number> | undefined {
    const index = this.#columns.findIndex(column => column.name === name);
    if (index < 0) return undefined;
    return (bytes, at) => {
      // Skips the number of columns.
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

/** A cache of formats by their columns. */
const formats = new Map<string, RowFormat>();

/**
 * Returns the format of rows with these columns.
 * @throws {Error} for a column of an unsupported type
 */
export function rowFormat(described: readonly DescribedColumn[]): RowFormat {
  const columns = described.map(({ name, type }) => ({ name, kind: requireKind(name, type) }));
  const key = JSON.stringify(columns);
  const existing = formats.get(key) ?? new RowFormat(columns);
  formats.set(key, existing);
  return existing;
}

interface DescribedColumn {
  name: string;
  /** The OID of the type. */
  type: number;
}

/**
 * Parses the description of a result's columns.
 * @param description the body of a `RowDescription` (PostgreSQL's protocol 3.0)
 * @throws {Error} if it is malformed
 */
export function readColumns(description: Buffer): DescribedColumn[] {
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
  const kind = classify(type);
  if (kind) return kind;
  throw new Error(
    `column "${name}" has type ${type} of PostgreSQL, which is not read: its statement has to cast it`,
  );
}
