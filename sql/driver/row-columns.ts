import type { ValueKind } from './value-kind.ts';

/** A column of a statement's rows. */
export interface Column {
  name: string;
  kind: ValueKind;
}

/** The column that says whose a row is. */
const OWNER = 'account_id';

/** Bytes of the length that stands before a value; of one that is null it is -1. */
const HEAD = 4;

/** Looks at a row as it came: `at` is where the body of its `DataRow` begins in `bytes`. */
export type Look<Found> = (bytes: Buffer, at: number) => Found;

/** Where the length of a column's value stands; undefined where there is no such column. */
function placeOf(columns: readonly Column[], name: string): Look<number> | undefined {
  const index = columns.findIndex(column => column.name === name);
  if (index < 0) return undefined;
  return (bytes, at) => {
    // Behind the number of columns.
    let place = at + 2;
    for (let before = 0; before < index; before++) place += HEAD + Math.max(0, bytes.readInt32BE(place));
    return place;
  };
}

/** Whether a row with these columns is of one of these accounts; one that does not say whose it is, is of none. */
export function isOwnedBy(columns: readonly Column[], accounts: readonly string[]): Look<boolean> {
  const place = placeOf(columns, OWNER);
  if (!place) return () => false;
  const owners = accounts.map(account => Buffer.from(account));
  return (bytes, at) => {
    const column = place(bytes, at);
    const length = bytes.readInt32BE(column);
    return owners.some(owner => isSame(bytes, column + HEAD, length, owner));
  };
}

/** Whether a row with these columns has no value in one of them. */
export function isNull(columns: readonly Column[], name: string): Look<boolean> {
  const place = placeOf(columns, name);
  return (bytes, at) => place !== undefined && bytes.readInt32BE(place(bytes, at)) < 0;
}

function isSame(bytes: Buffer, at: number, length: number, owner: Buffer): boolean {
  if (length !== owner.length) return false;
  for (let index = 0; index < length; index++) if (bytes[at + index] !== owner[index]) return false;
  return true;
}
