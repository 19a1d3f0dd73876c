/** Minimum size of a pooled buffer in bytes, because Node already pools smaller ones. */
const LEAST = 4 * 1024;

/** Size in bytes above which a buffer is not rounded up to a power of two. */
const LARGE = 512 * 1024;

/** Maximum number of free bytes retained for reuse. */
const MOST_FREE = 16 * 1024 * 1024;

/**
 * A pool of buffers outside V8's heap, because V8 would only free such memory after a full collection. Sizes are powers
 * of two.
 */
export class SharedMemory {
  /** Free buffers by their size. */
  #free = new Map<number, Buffer[]>();
  #freeBytes = 0;

  /** Returns a buffer of at least this size, with arbitrary content. */
  take(size: number): Buffer {
    if (size < LEAST) return Buffer.allocUnsafe(size);
    const length = sizeFor(size);
    const piece = this.#free.get(length)?.pop();
    if (!piece) return Buffer.allocUnsafeSlow(length);
    this.#freeBytes -= length;
    return piece;
  }

  /** Returns a buffer to the pool. */
  give(piece: Buffer): void {
    const { length } = piece;
    if (length < LEAST || this.#freeBytes + length > MOST_FREE) return;
    this.#freeBytes += length;
    const alike = this.#free.get(length) ?? [];
    alike.push(piece);
    this.#free.set(length, alike);
  }
}

/** Returns the size of the buffer. Large buffers are not rounded up, because up to half would be unused. */
function sizeFor(size: number): number {
  const power = 2 ** Math.ceil(Math.log2(size));
  const step = power / 16;
  return size < LARGE ? power : Math.ceil(size / step) * step;
}

/** The buffer pool of this process. */
export const sharedMemory = new SharedMemory();
