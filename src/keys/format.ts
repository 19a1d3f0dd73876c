import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The owner of a key: a person's account, a team's account, or an internal team with a token for `/graphql`. */
export type KeyKind = 'personal' | 'team' | 'internal';

export interface PresentedKey {
  kind: KeyKind;
  /** SHA-256 of the full key: stored, and used for look-ups. */
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

/** The number of base62 characters that encode 32 bits. */
const CHECKSUM_LENGTH = 6;

/** Recognises keys in text, for secret scanners and for redacting logs. */
export const KEY_PATTERN = /\bsvc_[dti]_[0-9A-Za-z]{36}\b/;

const WHOLE_KEY = new RegExp(`^${KEY_PATTERN.source}$`);

/** A new key. It is shown once and never stored. */
export function createKey(kind: KeyKind): string {
  const body = PREFIX[kind] + randomText(BODY_LENGTH);
  return body + checksum(body);
}

/** Parses a key; undefined if it is malformed or mistyped, which saves a look-up. */
export function parseKey(text: string): PresentedKey | undefined {
  if (!WHOLE_KEY.test(text)) return undefined;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  if (checksum(body) !== text.slice(-CHECKSUM_LENGTH)) return undefined;
  return { kind: KIND_BY_LETTER[text[4]!]!, digest: computeDigest(text) };
}

export function computeDigest(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

/** Returns random letters and digits with equal probability for each. */
export function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** CRC-32 in base62. It detects typing errors, not forgeries: only the digest in the database makes a key valid. */
function checksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = ALPHABET[rest % ALPHABET.length] + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
