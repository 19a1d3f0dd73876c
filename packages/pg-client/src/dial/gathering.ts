/** The start of ReadyForQuery, the last message of an answer; and the length of the transaction status that follows. */
const READY = Buffer.from('Z\0\0\0\x05', 'latin1');
const STATES = 1;

/**
 * Joins TLS records in reused memory, because PostgreSQL encrypts only 8 kB at a time and each call of the reader has a
 * fixed cost.
 */
export class RecordJoiner {
  #take: (bytes: Buffer) => void;
  #memory: Buffer;
  #length = 0;
  #isWaiting = false;

  /**
   * @param take receives the bytes, at the latest at the end of the turn; their memory is then reused
   * @param memory large enough for a batch, and for any single piece
   */
  constructor(take: (bytes: Buffer) => void, memory: Buffer) {
    this.#take = take;
    this.#memory = memory;
  }

  /**
   * Adds a TLS record.
   * @param piece is only valid during the call
   */
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

/**
 * Checks whether a record ends with ReadyForQuery. Row data that looks the same is harmless: it is only passed on
 * early.
 */
function endsAnswer(piece: Buffer): boolean {
  const at = piece.length - STATES - READY.length;
  return at >= 0 && READY.compare(piece, at, at + READY.length) === 0;
}

/**
 * Frees the memory of a chunk, because V8 would otherwise run a collection for every 16 MB of chunks. Has no effect on
 * shared memory and on Node 20.
 */
function free({ buffer, length }: Buffer): void {
  if (length === buffer.byteLength) (buffer as { transfer?(bytes: number): void }).transfer?.(0);
}
