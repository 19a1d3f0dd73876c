import { type BinaryRow, COUNT, writeRow } from './binary.ts';

/** Bytes that rows are written into, and handed over, at once: the system sends them while this process reads on. */
const PIECE = 1024 * 1024;
/** Bytes that go by themselves: fewer are put together with others, which copies them. */
const LARGE = PIECE / 2;
/** Bytes that a character of text takes at most. */
const BYTES_A_CHARACTER = 3;

/** Bytes of a cell with a number. */
const NUMBER = 8;

/** Numbers that are kept of each row: its piece, where in that it begins, its first cells end, and it ends. */
const NUMBERS = 4;

/** From one byte of a piece up to another. */
interface Run {
  piece: Buffer;
  begin: number;
  end: number;
}

/**
 * Rows for COPY by their key, where a later row takes the place of an earlier one. They are kept as bytes: as strings
 * they would be moved about by every garbage collection until they are sent.
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
   * Answers with whether there was a row with this key.
   * @param row as text, or in the binary format
   * @param group rows of one group come together: neighbours in an index are put in faster
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

  /** All rows: the groups in order, in each of them the rows as they came. */
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

  /** The first cells of all rows, in the same order, as rows of their own: each behind its number among them. */
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

  /** Leaves rows out, by their numbers in `heads` where the first one was 0. */
  drop(numbers: readonly number[]): void {
    const leaving = new Set(numbers);
    let number = 0;
    for (const place of [...this.#order()]) if (leaving.has(number++)) this.#dropped.add(place / NUMBERS);
  }

  /** Rows that lie behind one another come as one. */
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

  /** The place of each row's numbers, in their order. */
  *#order(): Generator<number> {
    for (const group of [...this.#groups.keys()].sort()) {
      for (const index of this.#groups.get(group)!) if (!this.#dropped.has(index)) yield index * NUMBERS;
    }
  }
}

/** Copies a hundred bytes or so, in a fraction of the time that a call of `Buffer.copy` takes. Answers with where they end. */
function copyShort(from: Buffer, begin: number, end: number, into: Buffer, at: number): number {
  let place = at;
  for (let byte = begin; byte < end; byte++) into[place++] = from[byte]!;
  return place;
}
