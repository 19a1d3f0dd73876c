import { sharedMemory } from './shared-memory.ts';

/** A text in UTF-8, in pieces whose memory is used for others once it is released. */
export interface WrittenText {
  readonly pieces: readonly Buffer[];
  release(): void;
}

/** Holds texts until they are taken: their length is unknown while they are written. */
const SCRATCH = 256 * 1024;

/** Bytes that are taken from there. With the row that was last they fit a piece of shared memory, of 128 KiB. */
const MANY = 112 * 1024;

let scratch = Buffer.allocUnsafeSlow(SCRATCH);

/** UTF-8 takes no more for each of JavaScript's characters. */
export const LONGEST_CHARACTER = 3;

/** Writes one text, from its first to its last byte without a pause: all of them write on the same scratch memory. */
export class TextWriter {
  /** Bytes on the scratch so far. */
  length = 0;
  #pieces: Buffer[] = [];
  /** In which the pieces lie. */
  #memory: Buffer[] = [];
  /** Bytes that were taken from the scratch. */
  #taken = 0;

  /** The scratch memory, until room is asked for again. */
  get bytes(): Buffer {
    return scratch;
  }

  /** Bytes of the text so far. */
  get size(): number {
    return this.#taken + this.length;
  }

  write(text: string): void {
    this.makeRoom(text.length * LONGEST_CHARACTER);
    this.length += scratch.write(text, this.length);
  }

  /** Makes room for so many bytes. Bytes on the scratch stay there, so that they can be taken back. */
  makeRoom(size: number): void {
    if (scratch.length - this.length >= size) return;
    const larger = Buffer.allocUnsafeSlow(2 * this.length + size);
    scratch.copy(larger, 0, 0, this.length);
    scratch = larger;
  }

  /** Keeps the bytes of the scratch for good, and makes room for more, where they are many. */
  settle(): void {
    if (this.length > MANY) this.#clear();
  }

  /** The bytes that were written. */
  end(): WrittenText {
    this.#clear();
    // A larger one was for the long rows of this text.
    if (scratch.length > SCRATCH) scratch = Buffer.allocUnsafeSlow(SCRATCH);
    const memory = this.#memory;
    return {
      pieces: this.#pieces,
      release() {
        for (const piece of memory.splice(0)) sharedMemory.give(piece);
      },
    };
  }

  #clear(): void {
    if (this.length === 0) return;
    const memory = sharedMemory.take(this.length);
    scratch.copy(memory, 0, 0, this.length);
    this.#memory.push(memory);
    this.#pieces.push(memory.subarray(0, this.length));
    this.#taken += this.length;
    this.length = 0;
  }
}
