import { readColumns } from '../driver/row-format.ts';

/** A column in text format. */
export interface TextColumn {
  name: string;
  read(text: string): unknown;
}

const json = (text: string): unknown => JSON.parse(text);
const date = (text: string): Date => new Date(text);

/**
 * Parsers of types other than text, by type OID. A `bigint` is not converted to a number, which cannot represent all
 * values.
 */
const READ: Readonly<Record<number, TextColumn['read']>> = {
  16: text => text === 't',
  17: text => Buffer.from(text.slice(2), 'hex'),
  21: Number,
  23: Number,
  26: Number,
  114: json,
  700: Number,
  701: Number,
  1082: date,
  1114: date,
  1184: date,
  3802: json,
};

/**
 * Parses the description of the columns.
 * @param description the body of a `RowDescription`
 */
export function textColumns(description: Buffer): TextColumn[] {
  return readColumns(description).map(({ name, type }) => ({ name, read: READ[type] ?? String }));
}

/**
 * Parses a row.
 * @param at offset of the `DataRow` body in `bytes`
 */
export function readTextRow(columns: readonly TextColumn[], bytes: Buffer, at: number): object {
  const row: Record<string, unknown> = {};
  // The first two bytes contain the number of columns.
  let place = at + 2;
  for (const { name, read } of columns) {
    const length = bytes.readInt32BE(place);
    place += 4;
    row[name] = length < 0 ? null : read(bytes.toString('utf8', place, place + length));
    if (length > 0) place += length;
  }
  return row;
}
