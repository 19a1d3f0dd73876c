import { HEAD } from './message-type.ts';
import type { Packed } from './packed.ts';
import type { RowFormat } from './row-format.ts';
import type { JsonFields } from './row-writer.ts';
import { sharedMemory } from './shared-memory.ts';
import type { TextWriter } from './text-writer.ts';
import { LONGEST_ESCAPE } from './value-writers.ts';

const COMMA = ','.charCodeAt(0);
export const NEWLINE = '\n'.charCodeAt(0);

/** The number of rows at which a list would be too long. */
interface Bound<Row> {
  bytes: number;
  sizeOf(row: Row): number;
}

/** Whole `DataRow` messages, one behind the other. */
interface Piece {
  bytes: Buffer;
  length: number;
}

/**
 * The result of a statement: holds its rows as they came, until they are read or written. A reader gets objects. A
 * writer of JSON names its fields, and no object is made of any row. Rows are given away once: what was written can be
 * neither written nor read again, since its memory is used for others.
 */
export class Rows<Row extends object = object> implements Iterable<Row> {
  #count = 0;
  #isTruncated = false;
  #format: RowFormat | undefined;
  #packed: Packed | undefined;
  #pieces: Piece[] = [];
  #objects: readonly Row[] | undefined;
  #isWritten = false;
  #bound: Bound<Row> | undefined;
  #typeName: string | undefined;
  /** Those that came last still lie in memory that is others' in a moment. */
  #bytes: Buffer | undefined;
  #from = 0;
  #to = 0;

  /** Rows that somebody else has read. */
  static of<Row extends object>(objects: readonly Row[]): Rows<Row> {
    const rows = new Rows<Row>(undefined);
    rows.#objects = objects;
    rows.#count = objects.length;
    return rows;
  }

  constructor(format: RowFormat | undefined) {
    this.#format = format;
  }

  /**
   * One more, as it came.
   * @param at where the body of its `DataRow` begins in `bytes`, which are others' after `keep`
   */
  add(bytes: Buffer, at: number, end: number): void {
    if (this.#bytes !== bytes || this.#to !== at - HEAD) {
      this.keep();
      this.#bytes = bytes;
      this.#from = at - HEAD;
    }
    this.#to = end;
    this.#count++;
  }

  /** Keeps what came in memory of its own. */
  keep(): void {
    if (!this.#bytes) return;
    const length = this.#to - this.#from;
    const bytes = sharedMemory.take(length);
    this.#bytes.copy(bytes, 0, this.#from, this.#to);
    this.#pieces.push({ bytes, length });
    this.#bytes = undefined;
  }

  /** Tells whether one is of none of these owners, or does not say whose it is. */
  hasForeign(names: string | readonly string[], ownerColumn: string): boolean {
    const owners = typeof names === 'string' ? [names] : names;
    if (this.#objects)
      return this.#objects.some(row => !owners.includes((row as Record<string, string>)[ownerColumn]!));
    if (this.#count === 0) return false;
    const isOwned = this.#format!.isOwnedBy(owners, ownerColumn);
    return this.#some((bytes, at) => !isOwned(bytes, at));
  }

  /** Tells whether one has no value in this column. */
  hasNull(column: string): boolean {
    if (this.#objects) return this.#objects.some(row => (row as Record<string, unknown>)[column] === null);
    return this.#count > 0 && this.#some(this.#format!.isNull(column));
  }

  /** The same rows, whose fields that are kept together in one column are fields of their own. */
  unpacking(packed: Packed): this {
    this.#packed = packed;
    if (this.#objects) this.#objects = this.#objects.map(row => packed.unpack(row) as Row);
    return this;
  }

  /** The same rows, all of one type of a schema: as objects they name it. */
  ofType(typeName: string): this {
    this.#typeName = typeName;
    if (this.#objects) this.#objects = this.#objects.map(row => this.#typed(row));
    return this;
  }

  get typeName(): string | undefined {
    return this.#typeName;
  }

  upTo(limit: number): this {
    if (this.#count <= limit) return this;
    this.#isTruncated = true;
    this.#count = limit;
    if (this.#objects) this.#objects = this.#objects.slice(0, limit);
    return this;
  }

  /**
   * As many of them as come to so many bytes at most as a JSON list, and one at least.
   * @param sizeOf bytes of the JSON of a row, for those that are not written
   */
  within(bytes: number, sizeOf: (row: Row) => number): this {
    this.#bound = { bytes, sizeOf };
    return this;
  }

  get length(): number {
    this.#measure();
    return this.#count;
  }

  /** Bytes that came and are still kept so. */
  get bytes(): number {
    return this.#pieces.reduce((sum, { length }) => sum + length, 0);
  }

  /** Tells whether the statement answered with more. */
  get isTruncated(): boolean {
    this.#measure();
    return this.#isTruncated;
  }

  objects(): readonly Row[] {
    this.#measure();
    this.#objects ??= this.#decode();
    return this.#objects;
  }

  [Symbol.iterator](): Iterator<Row> {
    return this.objects()[Symbol.iterator]();
  }

  last(): Row | undefined {
    this.#measure();
    if (this.#objects) return this.#objects.at(-1);
    let last: Row | undefined;
    let left = this.#count;
    this.#some((bytes, at, end) => {
      if (--left === 0) last = this.#format!.decode(this.#packed)(bytes, at, end) as Row;
    });
    return last;
  }

  /** Tells whether they can still be written as they came. */
  get isRaw(): boolean {
    return this.#objects === undefined;
  }

  /**
   * Writes them as the items of a JSON array, with commas between them.
   * @param separator another byte that stands between them
   */
  write(text: TextWriter, fields: JsonFields, separator = COMMA): void {
    const { bytes: most = Number.POSITIVE_INFINITY } = this.#bound ?? {};
    this.#bound = undefined;
    let written = 0;
    const writer = this.#format?.writer(fields, this.#packed);
    const start = text.size;
    const isTooLong = this.#some((bytes, at, end) => {
      const before = text.length;
      text.makeRoom(writer!.roomFor(end - at) + 1);
      if (written > 0) text.bytes[text.length++] = separator;
      writer!.write(bytes, at, end, text);
      if (written > 0 && text.size - start > most) {
        text.length = before;
        return true;
      }
      written++;
      text.settle();
      return false;
    });
    if (isTooLong) this.upTo(written);
    this.#isWritten = true;
    this.#release();
  }

  /** Shows each as it came: `at` is where the body of its `DataRow` begins. Its bytes are others' afterwards. */
  giveAway(look: (bytes: Buffer, at: number) => void): void {
    this.#some(look);
    this.#isWritten = true;
    this.#release();
  }

  /** Ends them before the one that would make a list of them too long, where that may be. */
  #measure(): void {
    const bound = this.#bound;
    if (!bound) return;
    this.#bound = undefined;
    if (!this.#mayExceed(bound.bytes)) return;
    let left = bound.bytes;
    const end = this.objects().findIndex((row, index) => {
      left -= bound.sizeOf(row) + (index > 0 ? 1 : 0);
      return left < 0 && index > 0;
    });
    if (end > 0) this.upTo(end);
  }

  /** Measuring takes as long as writing, and few come near a bound. */
  #mayExceed(bytes: number): boolean {
    if (this.#objects) return true;
    return this.bytes * Math.max(LONGEST_ESCAPE, this.#packed?.growth ?? 0) > bytes;
  }

  #decode(): readonly Row[] {
    const rows: Row[] = [];
    if (this.#count === 0) return rows;
    const decode = this.#format!.decode(this.#packed);
    let piece: Buffer | undefined;
    let text = '';
    this.#some((bytes, at, end, length) => {
      if (bytes !== piece) text = bytes.toString('latin1', 0, length);
      piece = bytes;
      rows.push(this.#typed(decode(bytes, at, end, text) as Row));
    });
    this.#release();
    return rows;
  }

  #typed(row: Row): Row {
    return this.#typeName === undefined ? row : Object.assign(row, { __typename: this.#typeName });
  }

  /** Looks at each, until it is told that one is such a row. */
  #some(look: (bytes: Buffer, at: number, end: number, length: number) => unknown): boolean {
    if (this.#isWritten) throw new Error('rows are given away once');
    let left = this.#count;
    for (const { bytes, length } of this.#pieces) {
      for (let at = 0; at < length && left > 0; left--) {
        const end = at + 1 + bytes.readUInt32BE(at + 1);
        if (look(bytes, at + HEAD, end, length) === true) return true;
        at = end;
      }
    }
    return false;
  }

  #release(): void {
    for (const { bytes } of this.#pieces.splice(0)) sharedMemory.give(bytes);
  }
}
