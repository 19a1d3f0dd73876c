import { COLUMN_TAIL, type RowFormat, rowFormat } from './row-format.ts';

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

/** Where the rows of a statement go. */
export interface RowSink {
  /** Rows of this format follow. */
  describe(format: RowFormat): void;
  /**
   * @param at where the body of its `DataRow` begins in `bytes`
   * @param end where it ends
   * @param text the bytes as Latin-1
   * @throws {Error} where there is no row of the format
   */
  add(bytes: Buffer, at: number, end: number, text: () => string): void;
  /** The bytes are others' from now on, and rows of others may come before there are more of these. */
  flush(): void;
}

/** Who takes rows out of the stream before the driver sees them. */
export interface RowTaker {
  /** Where rows go now; undefined where the driver gets them. */
  readonly sink: RowSink | undefined;
  /** Rows of this format follow. */
  described(format: RowFormat): void;
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
    let from = 0;
    let at = this.#missing;
    let wanted = HEAD;
    while (at + HEAD <= bytes.length) {
      const type = bytes[at]!;
      const length = bytes.readUInt32BE(at + 1);
      const isRow = type === ROW;
      const check = isRow ? undefined : MESSAGES.get(type);
      if (length < 4 || length > (check ? LARGEST_CHECKED : LARGEST)) return false;
      if (!isRow && !MESSAGES.has(type)) return false;
      const end = at + 1 + length;
      if ((check || isRow) && end > bytes.length) {
        wanted = end - at;
        break;
      }
      if (check && !check(bytes.subarray(at + HEAD, end))) return false;
      const { sink } = this.#taker;
      if (isRow && sink) {
        sink.add(bytes, at + HEAD, end, text);
        if (at > from) passed.push(bytes.subarray(from, at));
        from = end;
      } else if (type === DESCRIPTION) this.#taker.described(rowFormat(bytes.subarray(at + HEAD, end)));
      else if (type === READY) this.#ready();
      at = end;
    }
    this.#taker.sink?.flush();
    this.#missing = Math.max(0, at - bytes.length);
    const read = Math.min(at, bytes.length);
    this.#hold(bytes.subarray(read), wanted);
    if (read > from) passed.push(bytes.subarray(from, read));
    return true;
  }

  #ready(): void {
    this.#taker.sink?.flush();
    this.#taker.ready();
  }

  #hold(rest: Buffer, wanted: number): void {
    this.#held = rest.length > 0 ? [Buffer.from(rest)] : [];
    this.#heldBytes = rest.length;
    this.#wanted = wanted;
  }

  /** With what was held before it, once there is enough. */
  #join(chunk: Buffer): Buffer | undefined {
    if (this.#heldBytes === 0) return chunk;
    this.#heldBytes += chunk.length;
    if (this.#heldBytes === this.#wanted) return Buffer.concat([...this.#held, chunk]);
    this.#held.push(Buffer.from(chunk));
    return undefined;
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
