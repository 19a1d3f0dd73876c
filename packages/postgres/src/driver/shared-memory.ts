/** Bytes below which memory is not worth sharing: Node has a pool of its own for less. */
const LEAST = 4 * 1024;

/** Bytes from which on a piece is hardly longer than asked for. */
const LARGE = 512 * 1024;

/** Bytes that are there for the next user while they are free. */
const MOST_FREE = 16 * 1024 * 1024;

/**
 * Memory outside V8's heap that is used again and again, in pieces whose sizes are powers of two. V8 collects what lies
 * there late and all at once, and looks through all of its heap for it.
 */
class SharedMemory {
  /** Free buffers by their size. */
  #free = new Map<number, Buffer[]>();
  #freeBytes = 0;

  /** So many bytes, or more; somebody else's are still in them. */
  take(size: number): Buffer {
    if (size < LEAST) return Buffer.allocUnsafe(size);
    const length = sizeFor(size);
    const piece = this.#free.get(length)?.pop();
    if (!piece) return Buffer.allocUnsafeSlow(length);
    this.#freeBytes -= length;
    return piece;
  }

  /** A piece that is not looked at any more. */
  give(piece: Buffer): void {
    const { length } = piece;
    if (length < LEAST || this.#freeBytes + length > MOST_FREE) return;
    this.#freeBytes += length;
    const alike = this.#free.get(length) ?? [];
    alike.push(piece);
    this.#free.set(length, alike);
  }
}

/** Half of a large piece would lie idle, and V8 counts all of it. */
function sizeFor(size: number): number {
  const power = 2 ** Math.ceil(Math.log2(size));
  const step = power / 16;
  return size < LARGE ? power : Math.ceil(size / step) * step;
}

/** The one of this process. */
export const sharedMemory = new SharedMemory();
