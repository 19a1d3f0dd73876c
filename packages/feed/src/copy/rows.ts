import { type BinaryRow, COUNT, writeRow } from './binary.ts';

/** Size in bytes of the chunks in which rows are sent. The kernel sends one chunk while this process fills the next. */
const PIECE = 1024 * 1024;
/** Size in bytes from which a run of rows is sent without copying. Smaller runs are copied into one chunk. */
const LARGE = PIECE / 2;
/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const BYTES_A_CHARACTER = 3;

/** The size of a cell with a number, in bytes. */
const NUMBER = 8;

/**
 * Number of integers stored per row: its piece, and the positions of its start, of the end of its staged cells, and of
 * its end.
 */
const NUMBERS = 4;

/** A range of bytes in a piece. */
interface Run {
  piece: Buffer;
  begin: number;
  end: number;
}

/**
 * Rows for COPY by key. A later row replaces an earlier one with the same key. Rows are stored as bytes, because
 * garbage collections would repeatedly copy strings.
 */
export class CopyRows {
  #indexes = new Map<string, number>();
  #pieces: Buffer[] = [];
  #used = 0;
  #places: number[] = [];
  /** The rows of each group. */
  #groups = new Map<string, number[]>();
  #dropped = new Set<number>();

  get size(): number {
    return this.#places.length / NUMBERS - this.#dropped.size;
  }

  /**
   * Adds a row; returns true if it replaces one.
   * @param row as text, or in the binary format
   * @param group rows of one group are adjacent, which speeds up their insertion into an index
   */
  set(key: string, row: string | BinaryRow, group = ''): boolean {
    const index = this.#places.length / NUMBERS;
    const former = this.#indexes.get(key);
    if (former !== undefined) this.#dropped.add(former);
    this.#indexes.set(key, index);
    const ofGroup = this.#groups.get(group);
    if (ofGroup) ofGroup.push(index);
    else this.#groups.set(group, [index]);
    this.#append(row);
    return former !== undefined;
  }

  delete(key: string): void {
    const index = this.#indexes.get(key);
    if (index === undefined) return;
    this.#indexes.delete(key);
    this.#dropped.add(index);
  }

  #append(row: string | BinaryRow): void {
    const longest = typeof row === 'string' ? row.length * BYTES_A_CHARACTER : row.length;
    let piece = this.#pieces.at(-1);
    if (!piece || piece.length - this.#used < longest) {
      piece = Buffer.allocUnsafeSlow(Math.max(PIECE, longest));
      this.#pieces.push(piece);
      this.#used = 0;
    }
    const begin = this.#used;
    let head = begin;
    if (typeof row === 'string') this.#used += piece.write(row, begin);
    else {
      head = writeRow(row, piece, begin);
      this.#used += row.length;
    }
    this.#places.push(this.#pieces.length - 1, begin, head, this.#used);
  }

  /** Yields all rows by group, in order of arrival. */
  *pieces(): Generator<Buffer> {
    let runs: Buffer[] = [];
    let length = 0;
    for (const { piece, begin, end } of this.#runs()) {
      runs.push(piece.subarray(begin, end));
      length += end - begin;
      if (length < LARGE) continue;
      yield runs.length === 1 ? runs[0]! : Buffer.concat(runs, length);
      [runs, length] = [[], 0];
    }
    if (length > 0) yield Buffer.concat(runs, length);
  }

  /** Yields the staged cells of all rows in the same order, as separate rows that end with a number. */
  *heads(start: Buffer, first: number): Generator<Buffer> {
    let target = Buffer.alloc(0);
    let used = 0;
    let number = first;
    for (const place of this.#order()) {
      const [piece, begin, end] = [this.#places[place]!, this.#places[place + 1]!, this.#places[place + 2]!];
      const length = start.length + NUMBER + end - begin - COUNT;
      if (target.length - used < length) {
        if (used > 0) yield target.subarray(0, used);
        [target, used] = [Buffer.allocUnsafeSlow(Math.max(PIECE, length)), 0];
      }
      used += start.copy(target, used);
      used = target.writeInt32BE(number++, target.writeInt32BE(4, used));
      used = copyShort(this.#pieces[piece]!, begin + COUNT, end, target, used);
    }
    if (used > 0) yield target.subarray(0, used);
  }

  /** Removes rows by their numbers in `heads`, from 0. */
  drop(numbers: readonly number[]): void {
    const leaving = new Set(numbers);
    let number = 0;
    for (const place of [...this.#order()]) if (leaving.has(number++)) this.#dropped.add(place / NUMBERS);
  }

  /** Yields the ranges of bytes to send. Adjacent rows form one range. */
  *#runs(): Generator<Run> {
    let run: Run | undefined;
    for (const place of this.#order()) {
      const piece = this.#pieces[this.#places[place]!]!;
      const [begin, end] = [this.#places[place + 1]!, this.#places[place + 3]!];
      if (run && run.piece === piece && run.end === begin) run.end = end;
      else {
        if (run) yield run;
        run = { piece, begin, end };
      }
    }
    if (run) yield run;
  }

  /** Yields the positions of the rows' integers, in the order of the rows. */
  *#order(): Generator<number> {
    for (const group of [...this.#groups.keys()].sort()) {
      for (const index of this.#groups.get(group)!) if (!this.#dropped.has(index)) yield index * NUMBERS;
    }
  }
}

/**
 * Copies a short range byte by byte, which is faster than `Buffer.copy` for about a hundred bytes. Returns the end of
 * the copy.
 */
function copyShort(from: Buffer, begin: number, end: number, into: Buffer, at: number): number {
  let place = at;
  for (let byte = begin; byte < end; byte++) into[place++] = from[byte]!;
  return place;
}
