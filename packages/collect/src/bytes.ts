/** Bytes one behind the other, outside of V8's heap: its collections would copy them again and again. */
export class Bytes {
  /** It doubles: a body that comes byte by byte takes no more than another. */
  #room: Buffer = NONE;
  /** Bytes that were added. */
  length = 0;

  /** Bytes of memory. */
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

  /** All of it, until more is added. */
  whole(): Buffer {
    return this.#room.subarray(0, this.length);
  }
}

const NONE = Buffer.alloc(0);
