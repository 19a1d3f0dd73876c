import { randomBytes, timingSafeEqual } from 'node:crypto';

/** Gives a key for a code, once; undefined for any other. */
export interface KeyForCode {
  take(code: unknown): string | undefined | Promise<string | undefined>;
}

/** A key that is given away once, for a code. A link can carry the code: it is worth nothing when it was used. */
export class OneTimeKey implements KeyForCode {
  /** For the address. */
  readonly code = randomBytes(18).toString('base64url');
  #key: string | undefined;

  constructor(key: string) {
    this.#key = key;
  }

  /** The key, the first time that the code is right. */
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
