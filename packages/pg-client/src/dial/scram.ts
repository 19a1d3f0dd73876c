import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { preparedPassword } from './prepared-password.ts';

const HASH = 'sha256';
const LENGTH = 32;

/**
 * Matches the server's first message (RFC 5802, section 7): nonce, salt and iteration count. The count is limited,
 * because it determines the computing time.
 */
const SERVER_FIRST = /^r=([^,]+),s=([A-Za-z0-9+/=]+),i=([1-9]\d{0,5})$/;

/** The client's channel binding (RFC 5802, section 6): in use, supported, or unsupported. */
export type Binding = Buffer | 'y' | 'n';

/** The client side of one SCRAM-SHA-256 authentication (RFC 5802, RFC 7677). */
export class Scram {
  readonly mechanism: string;
  /** True if the server has proved that it knows the password. */
  isVerified = false;
  #password: string;
  /** The GS2 header, followed by the channel binding data. */
  #header: string;
  #bound: Buffer;
  #nonce = randomBytes(18).toString('base64');
  #serverSignature: Buffer | undefined;

  constructor(password: string, binding: Binding) {
    const isBound = typeof binding !== 'string';
    this.mechanism = isBound ? 'SCRAM-SHA-256-PLUS' : 'SCRAM-SHA-256';
    this.#password = preparedPassword(password);
    this.#header = isBound ? 'p=tls-server-end-point,,' : `${binding},,`;
    this.#bound = Buffer.concat([Buffer.from(this.#header), isBound ? binding : Buffer.alloc(0)]);
  }

  /** The client's first message. Its user name is empty, because the server uses that of the startup message. */
  get #firstBare(): string {
    return `n=,r=${this.#nonce}`;
  }

  first(): string {
    return this.#header + this.#firstBare;
  }

  /**
   * Responds to the server's first message.
   * @throws {Error} if the message is malformed, or its nonce does not continue the client's
   */
  async final(serverFirst: string): Promise<string> {
    const [, nonce = '', salt = '', iterations = ''] = SERVER_FIRST.exec(serverFirst) ?? [];
    if (!nonce.startsWith(this.#nonce) || nonce === this.#nonce)
      throw new Error('the server does not follow the SCRAM protocol');
    const bytes = Buffer.from(salt, 'base64');
    const salted = await promisify(pbkdf2)(this.#password, bytes, Number(iterations), LENGTH, HASH);
    const bare = `c=${this.#bound.toString('base64')},r=${nonce}`;
    const message = `${this.#firstBare},${serverFirst},${bare}`;
    const clientKey = hmac(salted, 'Client Key');
    const signature = hmac(createHash(HASH).update(clientKey).digest(), message);
    this.#serverSignature = hmac(hmac(salted, 'Server Key'), message);
    const proof = clientKey.map((byte, index) => byte ^ signature[index]!);
    return `${bare},p=${Buffer.from(proof).toString('base64')}`;
  }

  /**
   * Verifies the server's final message.
   * @throws {Error} if the server does not know the password
   */
  verify(serverFinal: string): undefined {
    const [, text = ''] = /^v=([A-Za-z0-9+/=]+)/.exec(serverFinal) ?? [];
    const signature = Buffer.from(text, 'base64');
    const expected = this.#serverSignature;
    this.isVerified =
      expected !== undefined && signature.length === LENGTH && timingSafeEqual(signature, expected);
    if (!this.isVerified) throw new Error('the server did not prove that it knows the password');
  }
}

function hmac(key: Uint8Array, text: string): Buffer {
  return createHmac(HASH, key).update(text).digest();
}
