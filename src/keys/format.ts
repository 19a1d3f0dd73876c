import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The owner of a key: a person's account, a team's, or an internal team's token for `/graphql`. */
export type KeyKind = 'personal' | 'team' | 'internal';

export interface PresentedKey {
  kind: KeyKind;
  /** SHA-256 of the full key: what is stored, and looked up by. */
  digest: Buffer;
}

const PREFIX = { personal: 'svc_d_', team: 'svc_t_', internal: 'svc_i_' } as const satisfies Record<
  KeyKind,
  string
>;

const KIND_BY_LETTER: Readonly<Record<string, KeyKind>> = { d: 'personal', t: 'team', i: 'internal' };

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 178 bits. */
const BODY_LENGTH = 30;

/** Characters that hold 32 bits. */
const CHECKSUM_LENGTH = 6;

/** Finds keys in text, for secret scanners and for keeping them out of logs. */
export const KEY_PATTERN = /\bsvc_[dti]_[0-9A-Za-z]{36}\b/;

const WHOLE_KEY = new RegExp(`^${KEY_PATTERN.source}$`);

/** A new key. It is shown once and never stored: only its digest is. */
export function createKey(kind: KeyKind): string {
  const body = PREFIX[kind] + randomText(BODY_LENGTH);
  return body + checksum(body);
}

/** The key behind this text; undefined when it is malformed or mistyped, which takes no look-up to tell. */
export function parseKey(text: string): PresentedKey | undefined {
  if (!WHOLE_KEY.test(text)) return undefined;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  if (checksum(body) !== text.slice(-CHECKSUM_LENGTH)) return undefined;
  return { kind: KIND_BY_LETTER[text[4]!]!, digest: digestOf(text) };
}

export function digestOf(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

/** Text of letters and digits, every one of them equally likely. */
export function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** CRC-32 in base62. It tells typing errors, not forgeries: only the digest in the database makes a key good. */
function checksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = ALPHABET[rest % ALPHABET.length] + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
