import { randomBytes, timingSafeEqual } from 'node:crypto';

/** Exchanges a one-time code for a key; undefined for any other code. */
export interface KeyForCode {
  take(code: unknown): string | undefined | Promise<string | undefined>;
}

/** A key that can be redeemed once with a code. A link can contain the code, because it is worthless after use. */
export class OneTimeKey implements KeyForCode {
  /** The code that becomes part of the link. */
  readonly code = randomBytes(18).toString('base64url');
  #key: string | undefined;

  constructor(key: string) {
    this.#key = key;
  }

  /** Returns the key the first time that the code is correct. */
  take(code: unknown): string | undefined {
    if (typeof code !== 'string' || !isSame(code, this.code)) return undefined;
    const key = this.#key;
    this.#key = undefined;
    return key;
  }
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
