/** The last message before a server waits: ReadyForQuery, with the state of its transaction. */
const READY = Buffer.from('Z\0\0\0\x05', 'latin1');
const STATES = 1;

/**
 * Puts small pieces together, in memory that is used again. PostgreSQL encrypts eight kilobytes at a time, and each
 * piece would cost as much as all that is read at once without TLS.
 */
export class Gathering {
  #take: (bytes: Buffer) => void;
  #memory: Buffer;
  #length = 0;
  #isWaiting = false;

  /**
   * @param take is given the bytes by the end of the turn at the latest; they are others' afterwards
   * @param memory for as many as are given at once, and for any piece
   */
  constructor(take: (bytes: Buffer) => void, memory: Buffer) {
    this.#take = take;
    this.#memory = memory;
  }

  /** @param piece a record of TLS, which is gone afterwards */
  add(piece: Buffer): void {
    const isLast = endsAnswer(piece);
    if (this.#length + piece.length > this.#memory.length) this.flush();
    this.#length += piece.copy(this.#memory, this.#length);
    free(piece);
    if (isLast) this.flush();
    else if (!this.#isWaiting) {
      this.#isWaiting = true;
      setImmediate(this.#flushLater);
    }
  }

  flush(): void {
    const length = this.#length;
    this.#length = 0;
    if (length > 0) this.#take(this.#memory.subarray(0, length));
  }

  #flushLater = (): void => {
    this.#isWaiting = false;
    this.flush();
  };
}

/** Other bytes may look like it, and are given a little earlier then. */
function endsAnswer(piece: Buffer): boolean {
  const at = piece.length - STATES - READY.length;
  return at >= 0 && READY.compare(piece, at, at + READY.length) === 0;
}

/**
 * For every 16 MB of pieces V8 would look through its whole heap. Where others have bytes in the same memory, it stays,
 * and so it does with Node 20, which cannot free it.
 */
function free({ buffer, length }: Buffer): void {
  if (length === buffer.byteLength) (buffer as { transfer?(bytes: number): void }).transfer?.(0);
}
