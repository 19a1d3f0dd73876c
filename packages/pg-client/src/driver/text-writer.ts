import { sharedMemory } from './shared-memory.ts';

/** A UTF-8 text in pieces. Their memory is reused once `release` is called. */
export interface WrittenText {
  readonly pieces: readonly Buffer[];
  release(): void;
}

/** Size of the buffer for texts whose length is not yet known. */
const SCRATCH = 256 * 1024;

/**
 * Number of bytes after which the scratch buffer is emptied. Together with the last row, they usually fit into a buffer
 * of 128 KiB.
 */
const MANY = 112 * 1024;

/** The scratch buffer, which all writers share. One writer uses it at a time. */
let scratch = Buffer.allocUnsafeSlow(SCRATCH);
/** The writer whose bytes are in the scratch buffer. */
let owner: TextWriter | undefined;

/** Replaces a scratch buffer that has grown for long rows. */
function dropScratch(): void {
  owner = undefined;
  if (scratch.length > SCRATCH) scratch = Buffer.allocUnsafeSlow(SCRATCH);
}

/** Maximum UTF-8 bytes per UTF-16 code unit. */
export const LONGEST_CHARACTER = 3;

/**
 * Writes a text. Its last bytes are in the scratch buffer. When another writer needs the buffer, they are moved, so
 * texts can be written alternately.
 */
export class TextWriter {
  /** The number of bytes in the scratch buffer. */
  length = 0;
  #pieces: Buffer[] = [];
  /** The buffers of the finished pieces. */
  #memory: Buffer[] = [];
  /** Number of bytes that were already moved out of the scratch buffer. */
  #taken = 0;

  /** The scratch buffer, valid until the next call of `makeRoom`. */
  get bytes(): Buffer {
    return scratch;
  }

  /** Size of the text so far, in bytes. */
  get size(): number {
    return this.#taken + this.length;
  }

  write(text: string): void {
    this.makeRoom(text.length * LONGEST_CHARACTER);
    this.length += scratch.write(text, this.length);
  }

  /** Makes room for this many bytes. Bytes in the scratch buffer stay there, so that they can be withdrawn. */
  makeRoom(size: number): void {
    if (owner !== this) this.#takeScratch();
    if (scratch.length - this.length >= size) return;
    const larger = Buffer.allocUnsafeSlow(2 * this.length + size);
    scratch.copy(larger, 0, 0, this.length);
    scratch = larger;
  }

  /** Moves the bytes out of the scratch buffer if there are many. */
  settle(): void {
    if (this.length > MANY) this.#clear();
  }

  /** Returns the written bytes. */
  end(): WrittenText {
    this.#clear();
    if (owner === this) dropScratch();
    const memory = this.#memory;
    return {
      pieces: this.#pieces,
      release() {
        for (const piece of memory.splice(0)) sharedMemory.give(piece);
      },
    };
  }

  #takeScratch(): void {
    if (owner) owner.#clear();
    owner = this;
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
