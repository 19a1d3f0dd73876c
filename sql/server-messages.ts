import { COLUMN_TAIL, type RowDecoder } from './row-decoder.ts';

/** A message begins with its type, and its length without the type (PostgreSQL's protocol 3.0). */
const HEAD = 5;

/** Bytes. A row is read whole, and none of ours comes near it. */
const LARGEST = 64 * 1024 * 1024;

/** Bytes of a message that is looked into. */
const LARGEST_CHECKED = 1024 * 1024;

const [DESCRIPTION, ROW, READY] = [...'TDZ'].map(type => type.charCodeAt(0));

type Check = (body: Buffer) => boolean;

/** The messages that a server sends to one that only reads; with a check where the driver trusts their content. */
const MESSAGES = new Map<number, Check | undefined>(
  Object.entries({
    R: isAuthentication,
    T: isRowDescription,
    // Parse, bind and close complete, no data, parameters, status, key, notice, ready, row, complete, empty, error.
    ...Object.fromEntries([...'123ntSKNZDCIE'].map(type => [type, undefined])),
  }).map(([type, check]) => [type.charCodeAt(0), check]),
);

/** The statement that is being answered. */
export interface Result {
  /** Undefined until its rows are described. */
  decode: RowDecoder | undefined;
  rows: object[];
}

/** Who takes rows out of the stream before the driver sees them. */
export interface RowTaker {
  /** Where rows go now; undefined where the driver gets them. */
  readonly result: Result | undefined;
  /** Rows of such a description follow. @param body of the `RowDescription` */
  described(body: Buffer): void;
  /** The answer to a statement is complete. */
  ready(): void;
}

/**
 * Looks at what a server sends before the driver does: on a message that it does not expect, the driver can end the
 * process or run in a circle; and rows are decoded here, which takes the driver most of the time of an answer. It is
 * one pass over the messages.
 */
export class ServerMessages {
  #taker: RowTaker;
  /** Bytes that are still to come of a message that was passed on in part. */
  #missing = 0;
  /** The begin of a message that is wanted whole, and how many bytes that takes. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  #wanted = 0;

  constructor(taker: RowTaker) {
    this.#taker = taker;
  }

  /**
   * What of it is for the driver; undefined where these are no messages of a server.
   * @throws {Error} where a row is not what its description says
   */
  take(chunk: Buffer): Buffer | undefined {
    const bytes = this.#join(chunk);
    if (!bytes) return NOTHING;
    const passed: Buffer[] = [];
    let text = '';
    let from = 0;
    let at = this.#missing;
    let wanted = HEAD;
    while (at + HEAD <= bytes.length) {
      const type = bytes[at]!;
      const length = bytes.readUInt32BE(at + 1);
      const check = MESSAGES.get(type);
      if (length < 4 || length > (check ? LARGEST_CHECKED : LARGEST) || !MESSAGES.has(type)) return undefined;
      const end = at + 1 + length;
      if ((check || type === ROW) && end > bytes.length) {
        wanted = end - at;
        break;
      }
      if (check && !check(bytes.subarray(at + HEAD, end))) return undefined;
      const { result } = this.#taker;
      if (type === ROW && result?.decode) {
        text ||= bytes.toString('latin1');
        result.rows.push(result.decode(bytes, text, at + HEAD, end));
        if (at > from) passed.push(bytes.subarray(from, at));
        from = end;
      } else if (type === DESCRIPTION) this.#taker.described(bytes.subarray(at + HEAD, end));
      else if (type === READY) this.#taker.ready();
      at = end;
    }
    this.#missing = Math.max(0, at - bytes.length);
    this.#hold(bytes.subarray(at), wanted);
    if (from === 0) return bytes.subarray(0, at);
    if (at > from) passed.push(bytes.subarray(from, at));
    return passed.length === 1 ? passed[0]! : Buffer.concat(passed);
  }

  #hold(rest: Buffer, wanted: number): void {
    this.#held = rest.length > 0 ? [rest] : [];
    this.#heldBytes = rest.length;
    this.#wanted = wanted;
  }

  /** With what was held before it, once there is enough. */
  #join(chunk: Buffer): Buffer | undefined {
    if (this.#heldBytes === 0) return chunk;
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    return this.#heldBytes < this.#wanted ? undefined : Buffer.concat(this.#held);
  }
}

const NOTHING = Buffer.alloc(0);

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
