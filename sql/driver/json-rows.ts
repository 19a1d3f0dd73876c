import type { AnswerSize } from '../answer-size.ts';
import type { RowFormat } from './row-format.ts';
import { ABRIDGED, FOREIGN, type RowWriter } from './row-writer.ts';
import { SharedMemory } from './shared-memory.ts';

/** What is to be written of a statement's rows. */
export interface Writing {
  /** The account that all of them have to belong to. */
  owner: string;
  /** Columns that are not shown, beside the one that says whose a row is. */
  hidden: readonly string[];
  /** Rows that are written at most; of what is beyond them it is only known that it is there. */
  limit: number;
  /** What they may come to in bytes; without a bound when left out. */
  size?: AnswerSize | undefined;
  /** A column that every row has, unless the statement left it out. */
  required?: string | undefined;
}

/** Where rows are written until they are taken from there: it is not known before how long they become. */
const DESK = 256 * 1024;
let desk = Buffer.allocUnsafeSlow(DESK);

/** Bytes of it that are in use, and by which answer: what another one has left there is nobody's. */
let used = 0;
let author: JsonRows | undefined;

const memory = new SharedMemory();

/** Bytes around the rows of a piece for what stands before and behind them. */
const MARGIN = 64;

/** Rows lie in `bytes` behind a margin, and before another one. */
interface Piece {
  bytes: Buffer;
  end: number;
}

const COMMA = ','.charCodeAt(0);

const NONE = Buffer.alloc(0);

/** Rows as the items of a JSON array, written as they come. */
export class JsonRows {
  /** Whether there are more than were wanted. */
  isTruncated = false;
  /** Whether one of them was another account's: then none of them may be used. */
  isForeign = false;
  /** Whether one came without the column that every row has: then what was written is of no use. */
  isAbridged = false;
  /** How many were written. */
  count = 0;
  #writing: Writing;
  #owner: Buffer;
  #format: RowFormat | undefined;
  #writer: RowWriter | undefined;
  #pieces: Piece[] = [];
  /** The last row: where it lies in what came, and in memory of its own once that is others'. */
  #last: Buffer | undefined;
  #lastAt = 0;
  #lastEnd = 0;
  #lastKept: Buffer = NONE;

  constructor(writing: Writing) {
    this.#writing = writing;
    this.#owner = Buffer.from(writing.owner);
  }

  /** The items with commas between them, and with these texts around all, in pieces. */
  within(before: string, after: string): readonly Buffer[] {
    const head = Buffer.from(before);
    const tail = Buffer.from(after);
    const pieces = this.#pieces;
    const isTight = pieces.length === 0 || head.length > MARGIN || tail.length > MARGIN;
    const texts = pieces.map(({ bytes, end }, index) => {
      const from = isTight || index > 0 ? MARGIN : MARGIN - head.copy(bytes, MARGIN - head.length);
      const to = isTight || index < pieces.length - 1 ? end : end + tail.copy(bytes, end);
      return bytes.subarray(from, to);
    });
    return isTight ? [head, ...texts, tail] : texts;
  }

  /** Nobody reads what was written any more: its memory is used for others. */
  release(): void {
    for (const { bytes } of this.#pieces.splice(0)) memory.give(bytes);
  }

  /** The last row that was written, with all of its columns. */
  last<Row extends object>(): Row | undefined {
    const row = this.#last?.subarray(this.#lastAt, this.#lastEnd);
    return row && (this.#format!.decode(row, row.toString('latin1'), 0, row.length) as Row);
  }

  describe(format: RowFormat): void {
    this.#format = format;
    this.#writer = format.writer(this.#writing.hidden, this.#writing.required);
  }

  add(bytes: Buffer, at: number, end: number): void {
    if (this.count === this.#writing.limit) this.isTruncated = true;
    if (this.isTruncated || this.isForeign || this.isAbridged) return;
    if (author !== this) used = 0;
    author = this;
    const { write, roomFor } = this.#writer!;
    this.#makeRoom(roomFor(end - at) + 1);
    const from = this.count > 0 ? used + 1 : used;
    const to = write(bytes, at, end, desk, from, this.#owner);
    this.isForeign = to === FOREIGN;
    this.isAbridged = to === ABRIDGED;
    if (this.isForeign || this.isAbridged) return;
    this.isTruncated = this.#writing.size?.takes(to - from) === false;
    if (this.isTruncated) return;
    if (this.count > 0) desk[used] = COMMA;
    used = to;
    this.count++;
    this.#last = bytes;
    this.#lastAt = at;
    this.#lastEnd = end;
  }

  flush(): void {
    if (author !== this || used === 0) return;
    const bytes = memory.take(used + 2 * MARGIN);
    this.#pieces.push({ bytes, end: MARGIN + desk.copy(bytes, MARGIN, 0, used) });
    this.#keepLast();
    used = 0;
    // A larger one was for a single row.
    if (desk.length > DESK) desk = Buffer.allocUnsafeSlow(DESK);
  }

  #keepLast(): void {
    const length = this.#lastEnd - this.#lastAt;
    if (this.#lastKept.length < length) this.#lastKept = Buffer.allocUnsafe(2 * length);
    this.#last!.copy(this.#lastKept, 0, this.#lastAt, this.#lastEnd);
    this.#last = this.#lastKept;
    this.#lastAt = 0;
    this.#lastEnd = length;
  }

  #makeRoom(size: number): void {
    if (desk.length - used >= size) return;
    this.flush();
    if (desk.length < size) desk = Buffer.allocUnsafeSlow(size);
  }
}
