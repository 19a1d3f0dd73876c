import { setImmediate } from 'node:timers/promises';
import { HEAD } from './message-type.ts';
import type { PackedColumn } from './packed.ts';
import type { RowFormat } from './row-format.ts';
import type { JsonFields } from './row-writer.ts';
import { sharedMemory } from './shared-memory.ts';
import type { TextWriter } from './text-writer.ts';
import { LONGEST_ESCAPE } from './value-writers.ts';

const COMMA = ','.charCodeAt(0);
const OPENING_BRACE = '{'.charCodeAt(0);
export const NEWLINE = '\n'.charCodeAt(0);

/** Number of bytes that are measured per turn of the event loop. */
const BETWEEN_TURNS = 256 * 1024;
/** Number of bytes whose tenants are compared per turn, which reads only the start of each row. */
const BETWEEN_CHECKS = 8 * 1024 * 1024;

/** Resolves in a later turn of the event loop. */
export type NextTurn = () => Promise<void>;

/** The limit of a list of rows, in bytes of JSON. */
interface Bound<Row> {
  bytes: number;
  measureSize(row: Row): number;
}

/** A buffer of complete `DataRow` messages. */
interface Piece {
  bytes: Buffer;
  length: number;
}

/**
 * The result of a statement. Rows stay in wire format until they are read as objects or written as JSON, which creates
 * no object per row. They can be consumed only once, because their memory is then reused.
 */
export class Rows<Row extends object = object> implements Iterable<Row> {
  #count = 0;
  #isTruncated = false;
  #format: RowFormat | undefined;
  #packed: PackedColumn | undefined;
  #pieces: Piece[] = [];
  #objects: readonly Row[] | undefined;
  #isWritten = false;
  #bound: Bound<Row> | undefined;
  #typeName: string | undefined;
  /** The latest rows, in memory that the connection will reuse. */
  #bytes: Buffer | undefined;
  #from = 0;
  #to = 0;
  /** True if these rows are part of others, which own the memory. */
  #isPart = false;
  #measured: Promise<this> | undefined;

  /** Wraps rows that were already decoded. */
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
   * Adds a row in wire format.
   * @param at start of the `DataRow` body in `bytes`, which are reused after `keep`
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

  /** Copies the pending bytes into an owned buffer. */
  keep(): void {
    if (!this.#bytes) return;
    const length = this.#to - this.#from;
    const bytes = sharedMemory.take(length);
    this.#bytes.copy(bytes, 0, this.#from, this.#to);
    this.#pieces.push({ bytes, length });
    this.#bytes = undefined;
  }

  /** Checks whether any row belongs to another tenant, or lacks the tenant column. */
  hasForeign(names: string | readonly string[], tenantColumn: string): boolean {
    const owners = typeof names === 'string' ? [names] : names;
    if (this.#objects)
      return this.#objects.some(row => !owners.includes((row as Record<string, string>)[tenantColumn]!));
    if (this.#count === 0) return false;
    const belongs = this.#format!.belongsTo(owners, tenantColumn);
    return this.#some((bytes, at) => !belongs(bytes, at));
  }

  /** Does the same as `hasForeign`, but yields to the event loop in between. */
  async hasForeignInTurns(names: string | readonly string[], tenantColumn: string): Promise<boolean> {
    if (this.#objects || this.bytes < BETWEEN_CHECKS) return this.hasForeign(names, tenantColumn);
    let sinceTurn = 0;
    for (const part of this.#listParts(BETWEEN_CHECKS)) {
      if (part.hasForeign(names, tenantColumn)) return true;
      sinceTurn += part.bytes;
      if (sinceTurn < BETWEEN_CHECKS) continue;
      sinceTurn = 0;
      await setImmediate();
    }
    return false;
  }

  /** True if a row lacks a value in this column. */
  hasNull(column: string): boolean {
    if (this.#objects) return this.#objects.some(row => (row as Record<string, unknown>)[column] === null);
    return this.#count > 0 && this.#some(this.#format!.isNull(column));
  }

  /** Returns the same rows with the fields of a packed column as separate fields. */
  unpacking(packed: PackedColumn): this {
    this.#packed = packed;
    if (this.#objects) this.#objects = this.#objects.map(row => packed.unpack(row) as Row);
    return this;
  }

  /** Returns the same rows with the name of their schema type. */
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
   * Limits the rows to those whose JSON list fits into this many bytes, but to no fewer than one.
   * @param sizeOf the JSON size of a row in bytes, for rows that are not written
   */
  limitBytes(bytes: number, sizeOf: (row: Row) => number): this {
    this.#bound = { bytes, measureSize: sizeOf };
    return this;
  }

  get length(): number {
    this.#measure();
    return this.#count;
  }

  /** Size of the buffered rows in wire format, in bytes. */
  get bytes(): number {
    return this.#pieces.reduce((sum, { length }) => sum + length, 0);
  }

  /** True if the limit has removed rows. */
  get isTruncated(): boolean {
    this.#measure();
    return this.#isTruncated;
  }

  objects(): readonly Row[] {
    this.#measure();
    this.#objects ??= this.#decode();
    return this.#objects;
  }

  /** Returns the same as `objects`, but yields to the event loop in between. */
  async objectsInTurns(nextTurn: NextTurn): Promise<readonly Row[]> {
    if (this.#objects || this.bytes < BETWEEN_TURNS) return this.objects();
    await this.measured(nextTurn);
    const rows: Row[] = [];
    for (const part of this.inParts(BETWEEN_TURNS)) {
      for (const row of part.objects()) rows.push(row);
      await nextTurn();
    }
    this.#objects = rows;
    return rows;
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

  /** True while the rows are in wire format. */
  get isRaw(): boolean {
    return this.#objects === undefined;
  }

  /**
   * Writes the rows as items of a JSON array.
   * @param separator byte between them
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

  /**
   * Yields the rows in parts of about this many bytes, so that the caller can pause. A part is valid until the next one
   * is requested.
   */
  *inParts(bytes: number): Generator<Rows<Row>> {
    if (this.#objects) return yield this;
    this.#isWritten = true;
    try {
      yield* this.#listParts(bytes);
    } finally {
      this.#release();
    }
  }

  *#listParts(bytes: number): Generator<Rows<Row>> {
    let left = this.#count;
    for (const { bytes: memory, length } of this.#pieces) {
      for (let at = 0; at < length && left > 0; ) {
        const begin = at;
        const part = new Rows<Row>(this.#format);
        for (; at < length && left > 0 && at - begin < bytes; left--, part.#count++)
          at += 1 + memory.readUInt32BE(at + 1);
        part.#pieces = [{ bytes: memory.subarray(begin, at), length: at - begin }];
        part.#isPart = true;
        part.#packed = this.#packed;
        part.#typeName = this.#typeName;
        yield part;
      }
    }
  }

  /**
   * Passes each row to the callback in wire format; `at` is the offset of its `DataRow` body. The memory is reused
   * afterwards.
   */
  giveAway(look: (bytes: Buffer, at: number) => void): void {
    this.#some(look);
    this.#isWritten = true;
    this.#release();
  }

  /** Removes the rows that exceed the limit. */
  #measure(): void {
    const bound = this.#bound;
    if (!bound) return;
    this.#bound = undefined;
    if (!this.#mayExceed(bound.bytes)) return;
    let left = bound.bytes;
    const end = this.objects().findIndex((row, index) => {
      left -= bound.measureSize(row) + (index > 0 ? 1 : 0);
      return left < 0 && index > 0;
    });
    if (end > 0) this.upTo(end);
  }

  /** Removes the rows that exceed the limit, but yields to the event loop in between. The rows stay in wire format. */
  measured(nextTurn: NextTurn): Promise<this> {
    this.#measured ??= this.#measureInTurns(nextTurn);
    return this.#measured;
  }

  async #measureInTurns(nextTurn: NextTurn): Promise<this> {
    const bound = this.#bound;
    if (!bound || this.#objects || !this.#mayExceed(bound.bytes)) return this;
    this.#bound = undefined;
    const decode = this.#format!.decode(this.#packed);
    let [left, count, sinceTurn] = [bound.bytes, 0, 0];
    for (const { bytes, length } of this.#pieces) {
      for (let at = 0; at < length && count < this.#count; count++) {
        const end = at + 1 + bytes.readUInt32BE(at + 1);
        left -= bound.measureSize(decode(bytes, at + HEAD, end) as Row) + (count > 0 ? 1 : 0);
        if (left < 0 && count > 0) return this.upTo(count);
        sinceTurn += end - at;
        at = end;
        if (sinceTurn < BETWEEN_TURNS) continue;
        sinceTurn = 0;
        await nextTurn();
      }
    }
    return this;
  }

  /** Checks whether the rows can exceed the limit, because measuring them takes as long as writing them. */
  #mayExceed(bytes: number): boolean {
    if (this.#objects) return true;
    const { emptySize = 0, emptyItemSize = 0 } = this.#packed ?? {};
    const longest = this.bytes * LONGEST_ESCAPE + this.#count * emptySize;
    if (longest > bytes || emptyItemSize === 0) return longest > bytes;
    return longest + this.#countObjects() * emptyItemSize > bytes;
  }

  /** Returns an upper bound for the number of JSON objects in the rows. */
  #countObjects(): number {
    let count = 0;
    for (const { bytes, length } of this.#pieces) {
      for (let at = 0; at < length; at++) {
        if (bytes[at] === OPENING_BRACE) count++;
      }
    }
    return count;
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

  /** Returns true once the callback returns a truthy value for a row. */
  #some(look: (bytes: Buffer, at: number, end: number, length: number) => unknown): boolean {
    if (this.#isWritten) throw new Error('rows can be consumed only once');
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
    const pieces = this.#pieces.splice(0);
    if (!this.#isPart) for (const { bytes } of pieces) sharedMemory.give(bytes);
  }
}
