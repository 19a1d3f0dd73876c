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
  #dropped = new Set<number>();

  get size(): number {
    return this.#indexes.size;
  }

  set(key: string, line: string): void {
    const index = this.#places.length / 3;
    const former = this.#indexes.get(key);
    if (former !== undefined) this.#dropped.add(former);
    this.#indexes.set(key, index);
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

  /** All lines, as many at once as lie together. */
  *pieces(): Generator<Buffer> {
    const places = this.#places;
    let [piece, begin, end] = [0, 0, 0];
    for (let index = 0; index * 3 < places.length; index++) {
      if (this.#dropped.has(index)) continue;
      const place = index * 3;
      const continues = places[place] === piece && places[place + 1] === end;
      if (!continues) {
        if (end > begin) yield this.#pieces[piece]!.subarray(begin, end);
        [piece, begin] = [places[place]!, places[place + 1]!];
      }
      end = places[place + 2]!;
    }
    if (end > begin) yield this.#pieces[piece]!.subarray(begin, end);
  }
}
