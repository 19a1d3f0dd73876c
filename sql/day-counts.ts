import { digits, plainTextAt, readInteger } from '@sightline/postgres';
import type { DirectiveTotalRow } from './analytics.ts';

export type DayCount = Pick<DirectiveTotalRow, 'directive' | 'total'>;

/** Counts reports without a directive, too. */
export const UNKNOWN = 'unknown';

const UNKNOWN_BYTES = Buffer.from(UNKNOWN);

/** Bytes of the length before a value, and of values: a day and a total. */
const HEAD = 4;
const DAY = 4;
const TOTAL = 8;

/** A name has quotes, a colon, a comma, and an integer of 16 digits at most. */
const BESIDE_A_NAME = 20;

/** An object has braces, and what is unknown. */
const LEAST_ROOM = 2 + UNKNOWN.length + BESIDE_A_NAME;

const OPEN = '{'.charCodeAt(0);
const CLOSE = '}'.charCodeAt(0);
const COLON = ':'.charCodeAt(0);
const COMMA = ','.charCodeAt(0);
const NINE = '9'.charCodeAt(0);

/** The counts of one day of an account, as they came: the rows of `directiveTotals`, whose columns have an order. */
export class DayCounts {
  /** Their sum. */
  total = 0;
  /** The most bytes that `write` writes. */
  room = LEAST_ROOM;
  #count = 0;
  #bytes: Buffer[] = [];
  /** The places of the directives. */
  #places: number[] = [];
  #totals: number[] = [];

  /** Returns the number of a row's day, counted from 2000-01-01. @param at where the body of its `DataRow` begins */
  static dayAt(bytes: Buffer, at: number): number {
    return bytes.readInt32BE(dayPlace(bytes, at));
  }

  /** @param at where the body of its `DataRow` begins; `bytes` stay as they are until `clear` */
  add(bytes: Buffer, at: number): void {
    const place = dayPlace(bytes, at) + DAY + HEAD;
    const end = place + bytes.readInt32BE(place - HEAD);
    this.#bytes[this.#count] = bytes;
    this.#places[this.#count] = place;
    const total = readInteger(bytes, end + HEAD, end + HEAD + TOTAL);
    this.#totals[this.#count] = total;
    this.#count++;
    this.total += total;
    this.room += end - place + BESIDE_A_NAME;
  }

  clear(): void {
    this.total = 0;
    this.room = LEAST_ROOM;
    this.#count = 0;
  }

  objects(): DayCount[] {
    return Array.from({ length: this.#count }, (_, index) => {
      const bytes = this.#bytes[index]!;
      const at = this.#places[index]!;
      const end = at + bytes.readInt32BE(at - HEAD);
      return { directive: bytes.toString('utf8', at, end), total: this.#totals[index]! };
    });
  }

  /**
   * Writes them as a JSON object, in the order in which they came, and what is unknown behind them.
   * @returns the end of what was written, or -1 where a name needs escapes, or JavaScript would order it otherwise
   */
  write(out: Uint8Array, start: number): number {
    let unknown = 0;
    let to = start;
    out[to++] = OPEN;
    for (let index = 0; index < this.#count; index++) {
      const bytes = this.#bytes[index]!;
      const at = this.#places[index]!;
      const end = at + bytes.readInt32BE(at - HEAD);
      if (isUnknown(bytes, at, end)) {
        unknown += this.#totals[index]!;
      } else {
        const named = bytes[at]! <= NINE ? -1 : plainTextAt(bytes, at, end, out, to);
        if (named < 0) return -1;
        out[named] = COLON;
        to = digits(this.#totals[index]!, out, named + 1);
        out[to++] = COMMA;
      }
    }
    to = plainTextAt(UNKNOWN_BYTES, 0, UNKNOWN.length, out, to);
    out[to] = COLON;
    to = digits(unknown, out, to + 1);
    out[to] = CLOSE;
    return to + 1;
  }
}

/** The place of a row's day: the account comes first, behind the number of columns. */
const dayPlace = (bytes: Buffer, at: number) => at + 2 + HEAD + bytes.readInt32BE(at + 2) + HEAD;

function isUnknown(bytes: Buffer, at: number, end: number): boolean {
  const length = end - at;
  return length === 0 || (length === UNKNOWN.length && UNKNOWN_BYTES.compare(bytes, at, end) === 0);
}
