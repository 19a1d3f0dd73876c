import { messageType } from './message-type.ts';
import { COLUMN_TAIL } from './row-format.ts';

/** A message begins with its type, and its length without the type (PostgreSQL's protocol 3.0). */
const HEAD = 5;

/** Bytes. A row is read whole, and none of ours comes near it. */
const LARGEST = 64 * 1024 * 1024;

/** Bytes of any other message. */
const LARGEST_OTHER = 1024 * 1024;

/** Bytes that are held of a message as a rule, and those that are not kept for the next one. */
const HELD = 4 * 1024;
const MOST_HELD = 256 * 1024;

const ROW = messageType('D');

type Check = (body: Buffer) => boolean;

/** The messages that a server sends to one that only reads; with a check where the driver trusts their content. */
const MESSAGES = new Map<number, Check | undefined>(
  Object.entries({
    R: isAuthentication,
    T: isRowDescription,
    // Parse, bind and close complete, no data, parameters, status, key, notice, ready, row, complete, empty, error.
    ...Object.fromEntries([...'123ntSKNZDCIE'].map(type => [type, undefined])),
  }).map(([type, check]) => [messageType(type), check]),
);

/** Who reads messages instead of the driver. */
export interface Reader {
  /**
   * @param at where the message's body begins in `bytes`
   * @param end where it ends
   * @param text the bytes as Latin-1
   * @throws {Error} for one that nobody expects, or that is not what it should be
   */
  read(type: number, bytes: Buffer, at: number, end: number, text: () => string): void;
  /** The bytes are others' from now on. */
  flush(): void;
}

/**
 * Looks at what a server sends before the driver does, which opens connections: on a message that it does not expect it
 * can end the process or run in a circle. Once the connection is open, whole messages go to their reader instead.
 */
export class ServerMessages {
  /** Undefined while the driver reads. */
  reader: Reader | undefined;
  /** Bytes that are still to come of a message that was passed on in part. */
  #missing = 0;
  /** The begin of a message that is wanted whole, in memory that is used again, and how many bytes that takes. */
  #held = Buffer.allocUnsafeSlow(HELD);
  #heldBytes = 0;
  #wanted = 0;

  /**
   * What of it is for the driver; undefined where these are no messages of a server.
   * @param chunk whose bytes may be others' afterwards: what is kept of it is copied
   * @throws {Error} where a row is not what its description says
   */
  take(chunk: Buffer): Buffer | undefined {
    const passed: Buffer[] = [];
    let rest = chunk;
    while (rest.length > 0) {
      const wanted = this.#heldBytes > 0 ? this.#wanted - this.#heldBytes : rest.length;
      const bytes = this.#join(rest.subarray(0, wanted));
      rest = rest.subarray(wanted);
      if (bytes && !this.#read(bytes, passed)) return undefined;
    }
    return Buffer.concat(passed);
  }

  /** Adds to what is passed on. Answers false where these are no messages of a server. */
  #read(bytes: Buffer, passed: Buffer[]): boolean {
    let latin1 = '';
    const text = () => {
      latin1 ||= bytes.toString('latin1');
      return latin1;
    };
    const { reader } = this;
    let at = this.#missing;
    let wanted = HEAD;
    while (at + HEAD <= bytes.length) {
      const type = bytes[at]!;
      const length = bytes.readUInt32BE(at + 1);
      const isRow = type === ROW;
      const check = isRow ? undefined : MESSAGES.get(type);
      if (length < 4 || length > (isRow ? LARGEST : LARGEST_OTHER)) return false;
      if (!isRow && !MESSAGES.has(type)) return false;
      const end = at + 1 + length;
      if ((check || reader) && end > bytes.length) {
        wanted = end - at;
        break;
      }
      if (check && !check(bytes.subarray(at + HEAD, end))) return false;
      reader?.read(type, bytes, at + HEAD, end, text);
      at = end;
    }
    const read = Math.min(at, bytes.length);
    this.#missing = at - read;
    if (reader) reader.flush();
    // A copy: where it lies, what is held next may come.
    else passed.push(Buffer.from(bytes.subarray(0, read)));
    this.#hold(bytes.subarray(read), wanted);
    return true;
  }

  #hold(rest: Buffer, wanted: number): void {
    this.#heldBytes = 0;
    this.#wanted = wanted;
    if (rest.length > 0) this.#keep(rest);
    // A larger one was for a single message.
    else if (this.#held.length > MOST_HELD) this.#held = Buffer.allocUnsafeSlow(HELD);
  }

  /** With what was held before it, once there is enough. */
  #join(chunk: Buffer): Buffer | undefined {
    if (this.#heldBytes === 0) return chunk;
    this.#keep(chunk);
    return this.#heldBytes === this.#wanted ? this.#held.subarray(0, this.#wanted) : undefined;
  }

  /** @param bytes which may lie in what is held */
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

const SASL_CONTINUE = 11;
const KNOWN_REQUESTS = [0, 3, 5, 10, SASL_CONTINUE, 12];

function isAuthentication(body: Buffer): boolean {
  if (body.length < 4) return false;
  const request = body.readUInt32BE(0);
  if (!KNOWN_REQUESTS.includes(request)) return false;
  // RFC 5802, section 7: nonce, salt, iterations.
  return request !== SASL_CONTINUE || /^r=[^,]+,s=[^,]+,i=[1-9]\d{0,5}$/.test(body.toString('latin1', 4));
}

function isRowDescription(body: Buffer): boolean {
  if (body.length < 2) return false;
  let at = 2;
  for (let column = 0; column < body.readUInt16BE(0); column++) {
    const end = body.indexOf(0, at);
    if (end < 0) return false;
    at = end + 1 + COLUMN_TAIL;
  }
  return at === body.length;
}
