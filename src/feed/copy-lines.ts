const PIECE = 256 * 1024;
/** A character of a JavaScript string takes at most so many bytes of UTF-8. */
const BYTES_A_CHARACTER = 3;

/**
 * Lines of COPY text by their key, where a later line takes the place of an earlier one. They are kept as bytes:
 * as strings they would be moved about by every garbage collection until they are sent.
 */
export class CopyLines {
  #indexes = new Map<string, number>();
  #pieces: Buffer[] = [];
  #used = 0;
  /** Of each line: its piece, and where in that it begins and ends. */
  #places: number[] = [];
  /** The lines of each group. */
  #groups = new Map<string, number[]>();
  #dropped = new Set<number>();

  get size(): number {
    return this.#indexes.size;
  }

  /** @param group lines of one group come together: neighbours in an index are put in faster */
  set(key: string, line: string, group = ''): void {
    const index = this.#places.length / 3;
    const former = this.#indexes.get(key);
    if (former !== undefined) this.#dropped.add(former);
    this.#indexes.set(key, index);
    const ofGroup = this.#groups.get(group);
    if (ofGroup) ofGroup.push(index);
    else this.#groups.set(group, [index]);
    this.#append(line);
  }

  #append(line: string): void {
    const longest = line.length * BYTES_A_CHARACTER;
    let piece = this.#pieces.at(-1);
    if (!piece || piece.length - this.#used < longest) {
      piece = Buffer.allocUnsafeSlow(Math.max(PIECE, longest));
      this.#pieces.push(piece);
      this.#used = 0;
    }
    const begin = this.#used;
    this.#used += piece.write(line, begin);
    this.#places.push(this.#pieces.length - 1, begin, this.#used);
  }

  /** All lines: the groups in order, in each of them the lines as they came. */
  *pieces(): Generator<Buffer> {
    let lines: Buffer[] = [];
    let length = 0;
    for (const group of [...this.#groups.keys()].sort()) {
      for (const index of this.#groups.get(group)!) {
        if (this.#dropped.has(index)) continue;
        const line = this.#line(index);
        lines.push(line);
        length += line.length;
        if (length < PIECE) continue;
        yield Buffer.concat(lines, length);
        [lines, length] = [[], 0];
      }
    }
    if (length > 0) yield Buffer.concat(lines, length);
  }

  #line(index: number): Buffer {
    const place = index * 3;
    const [piece, begin, end] = [this.#places[place]!, this.#places[place + 1], this.#places[place + 2]];
    return this.#pieces[piece]!.subarray(begin, end);
  }
}
