import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { Ordinals } from '../src/ordinals.ts';
import { SeenIds } from '../src/seen-ids.ts';

const toId = (number: number) => hash('sha256', String(number), 'base64url');
/** Returns an id with these first 48 bits. */
const toIdOfBits = (bits: bigint) => {
  const bytes = Buffer.alloc(32);
  bytes.writeBigUInt64BE(bits << 16n);
  return bytes.toString('base64url');
};

it('SeenIds reports an id as seen exactly if it was added, up to its capacity', () => {
  const [most, seen] = [3000, new SeenIds(3000)];
  for (let number = 0; number < most; number++) {
    expect(seen.has(toId(number))).toBe(false);
    expect(seen.add(toId(number))).toBe(false);
  }
  for (let number = 0; number < most; number++)
    expect([seen.has(toId(number)), seen.add(toId(number))]).toEqual([true, true]);
  // Once the set is full, further ids always count as new, and earlier ids are not evicted.
  expect([seen.add(toId(most)), seen.add(toId(most)), seen.has(toId(most))]).toEqual([false, false, false]);
  expect(seen.has(toId(most - 1))).toBe(true);
});

it('SeenIds distinguishes ids at both ends of the digest range and in the same slot', () => {
  const last = 2n ** 48n - 1n;
  // The slots of these ids are adjacent, and wrap around at the end of the table.
  const bits = [0n, 1n, 2n, 1023n, 1024n, 1025n, 2047n, 2048n, last - 1n, last];
  const seen = new SeenIds(100);
  for (const id of bits.map(toIdOfBits))
    expect([seen.has(id), seen.add(id), seen.has(id)]).toEqual([false, false, true]);
});

it('Ordinals numbers equal items from 0 per group, and forgets them after two generations', () => {
  const ordinals = new Ordinals(2);
  expect([0, 0, 1, 0].map(number => ordinals.next(toId(number)))).toEqual([0, 1, 0, 2]);
  const apart = new Ordinals(5);
  expect(['', 'part', '', 'part', 'other'].map(part => apart.next(toId(0), part))).toEqual([0, 0, 1, 1, 0]);
  // The third key starts a new generation and the fifth another one, so the first generation is forgotten.
  const few = new Ordinals(2);
  expect([0, 1, 2, 3, 4, 0].map(number => few.next(toId(number)))).toEqual([0, 0, 0, 0, 0, 0]);
  const near = new Ordinals(2);
  expect([0, 1, 2, 3, 0].map(number => near.next(toId(number)))).toEqual([0, 0, 0, 0, 1]);
});
