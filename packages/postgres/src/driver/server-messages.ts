import { HEAD, messageType } from './message-type.ts';

/** Bytes. A row is read whole, and none of ours comes near it. */
const LARGEST = 64 * 1024 * 1024;

/** Bytes of any other message. */
const LARGEST_OTHER = 1024 * 1024;

/** Bytes that are held of a message as a rule, and those that are not kept for the next one. */
const HELD = 4 * 1024;
const MOST_HELD = 256 * 1024;

const ROW = messageType('D');

/**
 * The messages that a server sends to a reader. They are authentication, row description, parse, bind and close
 * complete; no data, parameters, status, key, notice, ready, row, complete, empty, COPY in, error.
 */
const KNOWN = new Set([...'RT123ntSKNZDCIGE'].map(messageType));

/** The reader of the messages. */
export interface Reader {
  /**
   * @param at where the message's body begins in `bytes`
   * @param end where it ends
   * @throws {Error} for an unexpected one, or that is not what it should be
   */
  read(type: number, bytes: Buffer, at: number, end: number): void;
  /** The bytes are others' from now on. */
  flush(): void;
}

/** Tells apart the messages in what a server sends, and gives each of them whole to its reader. */
export class ServerMessages {
  reader: Reader;
  /** The begin of a message, in memory that is used again, and how many bytes the whole takes. */
  #held = Buffer.allocUnsafeSlow(HELD);
  #heldBytes = 0;
  #wanted = 0;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /**
   * @param chunk whose bytes may be others' afterwards: the rest for later is copied
   * @throws {Error} where these are no messages of a server, or none that the reader expects
   */
  take = (chunk: Buffer): void => {
    let rest = chunk;
    while (rest.length > 0) {
      const wanted = this.#heldBytes > 0 ? this.#wanted - this.#heldBytes : rest.length;
      const bytes = this.#join(rest.subarray(0, wanted));
      rest = rest.subarray(wanted);
      if (bytes) this.#read(bytes);
    }
  };

  #read(bytes: Buffer): void {
    let at = 0;
    let wanted = HEAD;
    while (at + HEAD <= bytes.length) {
      const type = bytes[at]!;
      const length = bytes.readUInt32BE(at + 1);
      const isRow = type === ROW;
      if (length < 4 || length > (isRow ? LARGEST : LARGEST_OTHER) || !(isRow || KNOWN.has(type)))
        throw new Error('no message of a server');
      const end = at + 1 + length;
      if (end > bytes.length) {
        wanted = end - at;
        break;
      }
      this.reader.read(type, bytes, at + HEAD, end);
      at = end;
    }
    this.reader.flush();
    this.#hold(bytes, at, wanted);
  }

  #hold(bytes: Buffer, from: number, wanted: number): void {
    const rest = bytes.subarray(from);
    this.#heldBytes = 0;
    this.#wanted = wanted;
    if (rest.length > 0) this.#keep(rest);
    // A larger one was for long rows, and no more of them came behind the last.
    else if (this.#held.length > MOST_HELD && bytes.buffer !== this.#held.buffer)
      this.#held = Buffer.allocUnsafeSlow(HELD);
  }

  /** With what was held before it, once there is enough. */
  #join(chunk: Buffer): Buffer | undefined {
    if (this.#heldBytes === 0) return chunk;
    this.#keep(chunk);
    return this.#heldBytes === this.#wanted ? this.#held.subarray(0, this.#wanted) : undefined;
  }

  /** @param bytes which may lie in the held ones */
  #keep(bytes: Buffer): void {
    const length = this.#heldBytes + bytes.length;
    let target = this.#held;
    if (length > target.length) {
      target = Buffer.allocUnsafeSlow(2 * length);
      this.#held.copy(target, 0, 0, this.#heldBytes);
    }
    bytes.copy(target, this.#heldBytes);
    this.#held = target;
    this.#heldBytes = length;
  }
}
