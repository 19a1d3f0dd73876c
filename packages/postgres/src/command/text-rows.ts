import { describedColumns } from '../driver/row-format.ts';

/** A column of rows that come as text. */
export interface TextColumn {
  name: string;
  read(text: string): unknown;
}

const json = (text: string): unknown => JSON.parse(text);
const date = (text: string): Date => new Date(text);

/** Values that are no text, by the number of their type. A `bigint` stays one: a number does not hold all of them. */
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

/** @param description the body of a `RowDescription` */
export function textColumns(description: Buffer): TextColumn[] {
  return describedColumns(description).map(({ name, type }) => ({ name, read: READ[type] ?? String }));
}

/** @param at where the body of a `DataRow` begins in `bytes` */
export function readTextRow(columns: readonly TextColumn[], bytes: Buffer, at: number): object {
  const row: Record<string, unknown> = {};
  // The number of columns comes first, in two bytes.
  let place = at + 2;
  for (const { name, read } of columns) {
    const length = bytes.readInt32BE(place);
    place += 4;
    row[name] = length < 0 ? null : read(bytes.toString('utf8', place, place + length));
    if (length > 0) place += length;
  }
  return row;
}
