/** A message begins with its type, and its length without the type (PostgreSQL's protocol 3.0). */
const HEAD = 5;

/** Bytes. A row is read whole, and none of ours comes near it. */
const LARGEST = 64 * 1024 * 1024;

/** Bytes of a message that is looked into. */
const LARGEST_CHECKED = 1024 * 1024;

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

/**
 * Looks at what a server sends before the driver does: on a message that it does not expect, the driver can end the
 * process or run in a circle. It is one pass over the heads of the messages.
 */
export class ServerMessages {
  /** Bytes of the present message that are still to come. */
  #missing = 0;
  /** The begin of a message that cannot be judged yet. */
  #begun: Buffer = Buffer.alloc(0);

  /** False where these are no messages of a server. */
  accept(chunk: Buffer): boolean {
    const bytes = this.#begun.length === 0 ? chunk : Buffer.concat([this.#begun, chunk]);
    let at = this.#missing;
    while (at + HEAD <= bytes.length) {
      const type = bytes[at]!;
      const length = bytes.readUInt32BE(at + 1);
      const check = MESSAGES.get(type);
      if (!MESSAGES.has(type) || length < 4 || length > (check ? LARGEST_CHECKED : LARGEST)) return false;
      const end = at + 1 + length;
      if (check && end > bytes.length) break;
      if (check && !check(bytes.subarray(at + HEAD, end))) return false;
      at = end;
    }
    this.#missing = Math.max(0, at - bytes.length);
    this.#begun = bytes.subarray(at);
    return true;
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

/** Bytes of a column behind its name: table, number, type, size, modifier, format. */
const COLUMN = 18;

function isRowDescription(body: Buffer): boolean {
  if (body.length < 2) return false;
  let at = 2;
  for (let column = 0; column < body.readUInt16BE(0); column++) {
    const end = body.indexOf(0, at);
    if (end < 0) return false;
    at = end + 1 + COLUMN;
  }
  return at === body.length;
}
