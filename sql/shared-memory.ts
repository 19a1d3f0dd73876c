/** Bytes by which pieces grow, so that most who want one find one that was used before. */
const STEP = 16 * 1024;

/** Pieces that are there for the next, while nobody uses them. */
const MOST = 64;

/**
 * Memory outside V8's heap that is used again and again. V8 collects what lies there late and all at once, and looks
 * through all of its heap for it.
 */
export class SharedMemory {
  #free: Buffer[] = [];

  /** So many bytes, or more; somebody else's are still in them. */
  take(size: number): Buffer {
    if (size < STEP) return Buffer.allocUnsafe(size);
    const place = this.#free.findIndex(({ length }) => length >= size);
    const [piece] = place < 0 ? [] : this.#free.splice(place, 1);
    return piece ?? Buffer.allocUnsafeSlow(Math.ceil(size / STEP) * STEP);
  }

  /** Nobody looks at it any more. */
  give(piece: Buffer): void {
    if (piece.length >= STEP && this.#free.push(piece) > MOST) this.#free.shift();
  }
}
