import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKey, KEY_PATTERN, type KeyKind, parseKey } from '../src/keys/format.ts';

const KINDS: KeyKind[] = ['personal', 'team', 'internal'];

describe('a key', () => {
  it.each([
    ['personal', 'svc_d_'],
    ['team', 'svc_t_'],
    ['internal', 'svc_i_'],
  ] as const)('of kind %s starts with %s', (kind, prefix) => {
    const key = createKey(kind);
    expect(key.startsWith(prefix)).toBe(true);
    expect(key).toHaveLength(42);
    expect(key).toMatch(KEY_PATTERN);
  });

  it('parses to its kind and its SHA-256 hash', () => {
    for (const kind of KINDS) {
      const key = createKey(kind);
      expect(parseKey(key)).toEqual({ kind, digest: createHash('sha256').update(key).digest() });
    }
  });

  it('is unique and uses the whole alphabet', () => {
    const keys = Array.from({ length: 2000 }, () => createKey('team'));
    expect(new Set(keys).size).toBe(2000);
    expect(new Set(keys.join('').replaceAll('svc_t_', '')).size).toBe(62);
  });

  it('is rejected with any single mistyped character', () => {
    const character = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_- ');
    fc.assert(
      fc.property(fc.constantFrom(...KINDS), fc.nat(41), character, (kind, place, typed) => {
        const key = createKey(kind);
        fc.pre(key[place] !== typed);
        expect(parseKey(key.slice(0, place) + typed + key.slice(place + 1))).toBeUndefined();
      }),
    );
  });

  it('is rejected with any two adjacent characters swapped', () => {
    const key = createKey('personal');
    for (let place = 0; place < key.length - 1; place++) {
      const swapped = key.slice(0, place) + key[place + 1] + key[place] + key.slice(place + 2);
      if (swapped !== key) expect(parseKey(swapped)).toBeUndefined();
    }
  });

  it.each([
    '',
    'svc_t_',
    'Bearer',
    `${createKey('team')} `,
    `${createKey('team')}\n`,
    ` ${createKey('team')}`,
  ])('is not parsed from %j', text => {
    expect(parseKey(text)).toBeUndefined();
  });

  it('ends with the CRC-32 of the rest in base62, so keys stay valid across versions', () => {
    const body = `svc_t_${'0'.repeat(30)}`;
    expect(parseKey(`${body}2P343s`)?.kind).toBe('team');
    expect(parseKey(`${body}2P343t`)).toBeUndefined();
  });
});
