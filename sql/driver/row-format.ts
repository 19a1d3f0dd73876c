import type { Packed } from './packed.ts';
import { type Column, isNull, isOwnedBy, type Look } from './row-columns.ts';
import { compileDecoder, type RowDecoder } from './row-decoder.ts';
import { compileWriter, type JsonFields, type RowWriter } from './row-writer.ts';
import { kindOf, type ValueKind } from './value-kind.ts';

/** Bytes of a column's description behind its name: table, number, type, size, modifier, format. */
export const COLUMN_TAIL = 18;

/** Where the type stands among them. */
const TYPE_AT = 6;

/** What is made of rows with certain columns: compiled when it is wanted first. */
export class RowFormat {
  #columns: readonly Column[];
  #decoders = new Map<Packed | undefined, RowDecoder>();
  #writers = new Map<JsonFields, RowWriter>();

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

  /** Whether a row is of one of these accounts. */
  isOwnedBy(accounts: readonly string[]): Look<boolean> {
    return isOwnedBy(this.#columns, accounts);
  }

  /** Whether a row has no value in this column. */
  isNull(column: string): Look<boolean> {
    return isNull(this.#columns, column);
  }
}

/** By their columns: there are as many as different statements. */
const formats = new Map<string, RowFormat>();

/**
 * @param description the body of a `RowDescription` (PostgreSQL's protocol 3.0)
 * @throws {Error} for a column whose values are not read
 */
export function rowFormat(description: Buffer): RowFormat {
  const columns = columnsOf(description);
  const key = JSON.stringify(columns);
  const known = formats.get(key) ?? new RowFormat(columns);
  formats.set(key, known);
  return known;
}

function columnsOf(description: Buffer): Column[] {
  const columns: Column[] = [];
  let at = 2;
  while (columns.length < description.readUInt16BE(0)) {
    const end = description.indexOf(0, at);
    const name = description.toString('utf8', at, end);
    columns.push({ name, kind: requireKind(name, description.readUInt32BE(end + 1 + TYPE_AT)) });
    at = end + 1 + COLUMN_TAIL;
  }
  return columns;
}

function requireKind(name: string, type: number): ValueKind {
  const kind = kindOf(type);
  if (kind) return kind;
  throw new Error(
    `column "${name}" has type ${type} of PostgreSQL, which is not read: its statement has to cast it`,
  );
}
