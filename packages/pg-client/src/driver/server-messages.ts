import { HEAD, messageType } from './message-type.ts';

/** Maximum size of a row in bytes. The service's rows are much smaller. */
const LARGEST = 64 * 1024 * 1024;

/** Maximum size of any other message, in bytes. */
const LARGEST_OTHER = 1024 * 1024;

/** Initial size of the buffer for an incomplete message, and the size above which it is not reused, in bytes. */
const HELD = 4 * 1024;
const MOST_HELD = 256 * 1024;

const ROW = messageType('D');

/**
 * The message types that are passed to the reader: authentication, row description, parse, bind and close complete, no
 * data, parameter description and status, key data, notice, ready, row, command complete, empty query, COPY in, and
 * error.
 */
const KNOWN = new Set([...'RT123ntSKNZDCIGE'].map(messageType));

/** The reader of the messages. */
export interface Reader {
  /**
   * @param at start of the message's body in `bytes`
   * @param end end of the body
   * @throws {Error} for an unexpected or malformed message
   */
  read(type: number, bytes: Buffer, at: number, end: number): void;
  /** Called before the memory of the bytes is reused. */
  flush(): void;
}

/** Splits a server's stream into messages and passes them to its reader. */
export class ServerMessages {
  reader: Reader;
  /** An incomplete message in reused memory, and its complete size. */
  #held = Buffer.allocUnsafeSlow(HELD);
  #heldBytes = 0;
  #wanted = 0;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /**
   * Passes the complete messages of a chunk to the reader.
   * @param chunk can be reused afterwards, because incomplete messages are copied
   * @throws {Error} for invalid messages, or those that the reader does not expect
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
        throw new Error('not a server message');
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
    // The long message has been read, so its large buffer is released.
    else if (this.#held.length > MOST_HELD && bytes.buffer !== this.#held.buffer)
      this.#held = Buffer.allocUnsafeSlow(HELD);
  }

  /** Appends a chunk to the incomplete message. Returns the message once it is complete. */
  #join(chunk: Buffer): Buffer | undefined {
    if (this.#heldBytes === 0) return chunk;
    this.#keep(chunk);
    return this.#heldBytes === this.#wanted ? this.#held.subarray(0, this.#wanted) : undefined;
  }

  /**
   * Stores an incomplete message.
   * @param bytes can be part of the buffer
   */
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
