/** A growing buffer outside V8's heap, so that garbage collections do not copy it. */
export class Bytes {
  /** The allocated memory. Its size doubles, so that many small chunks cause few copies. */
  #room: Buffer = NONE;
  /** The number of bytes added. */
  length = 0;

  /** The size of the memory in bytes. */
  get size(): number {
    return this.#room.length;
  }

  add(piece: Buffer): void {
    const length = this.length + piece.length;
    if (this.size === 0) this.#room = piece;
    else {
      const before = this.#room;
      if (length > this.size) this.#room = Buffer.allocUnsafeSlow(Math.max(512, 2 * length));
      if (before !== this.#room) before.copy(this.#room, 0, 0, this.length);
      piece.copy(this.#room, this.length);
    }
    this.length = length;
  }

  /** Returns all bytes, valid until more are added. */
  whole(): Buffer {
    return this.#room.subarray(0, this.length);
  }
}

const NONE = Buffer.alloc(0);
