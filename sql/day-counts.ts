import { digits, plainTextAt, readInteger } from '@sightline/pg-client';
import type { DirectiveTotalRow } from './analytics.ts';

export type DayCount = Pick<DirectiveTotalRow, 'directive' | 'total'>;

/** The name for reports without a directive. */
export const UNKNOWN = 'unknown';

const UNKNOWN_BYTES = Buffer.from(UNKNOWN);

/** Size in bytes of the length before a value, and of a day and a total. */
const HEAD = 4;
const DAY = 4;
const TOTAL = 8;

/** Additional room for a name: quotes, a colon, a comma, and an integer of up to 16 digits. */
const BESIDE_A_NAME = 20;

/** Room for the braces of the object, and the unknown counts. */
const LEAST_ROOM = 2 + UNKNOWN.length + BESIDE_A_NAME;

const OPEN = '{'.charCodeAt(0);
const CLOSE = '}'.charCodeAt(0);
const COLON = ':'.charCodeAt(0);
const COMMA = ','.charCodeAt(0);
const NINE = '9'.charCodeAt(0);

/**
 * The counts of one day of an account in wire format: the rows of `directiveTotals`, whose columns have a fixed
 * order.
 */
export class DayCounts {
  /** Their sum. */
  total = 0;
  /** The maximum number of bytes that `write` writes. */
  room = LEAST_ROOM;
  #count = 0;
  #bytes: Buffer[] = [];
  /** The offsets of the directives. */
  #places: number[] = [];
  #totals: number[] = [];

  /** Returns the number of a row's day, counted from 2000-01-01. @param at where the body of its `DataRow` begins */
  static dayAt(bytes: Buffer, at: number): number {
    return bytes.readInt32BE(dayPlace(bytes, at));
  }

  /** @param at where the body of its `DataRow` begins; `bytes` stay valid until `clear` */
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
   * Writes the counts as a JSON object in their order of arrival, followed by the unknown ones.
   * @returns the end of the text, or -1 if a name needs escapes or JavaScript would order it differently
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

/** The offset of a row's day: the account comes first, after the number of columns. */
const dayPlace = (bytes: Buffer, at: number) => at + 2 + HEAD + bytes.readInt32BE(at + 2) + HEAD;

function isUnknown(bytes: Buffer, at: number, end: number): boolean {
  const length = end - at;
  return length === 0 || (length === UNKNOWN.length && UNKNOWN_BYTES.compare(bytes, at, end) === 0);
}
