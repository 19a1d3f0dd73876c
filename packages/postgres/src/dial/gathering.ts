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
   * @param memory for as many as are given at once
   */
  constructor(take: (bytes: Buffer) => void, memory: Buffer) {
    this.#take = take;
    this.#memory = memory;
  }

  add(piece: Buffer): void {
    if (this.#length + piece.length > this.#memory.length) this.flush();
    if (piece.length > this.#memory.length) {
      this.#take(piece);
      return;
    }
    piece.copy(this.#memory, this.#length);
    this.#length += piece.length;
    if (endsAnswer(piece)) this.flush();
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
