import { expect, it } from 'vitest';
import { createKey } from '../src/keys/format.ts';
import { guardKey, takeLeaks, watchOutput } from './support/canary.ts';

/**
 * All output of services in tests is searched for parts of keys (`support/canary.ts`). This tests the search itself.
 */
it('any twelve characters of a key are found in the output of a service', () => {
  const key = guardKey(createKey('team'));
  for (const at of [6, 11, 20, 30]) {
    watchOutput(`{"msg":"request","url":"/v1/me?key=${key.slice(at, at + 12)}"}`);
    expect(takeLeaks()).toHaveLength(1);
  }
});

it('short prefixes of keys and other identifiers are not reported', () => {
  const key = guardKey(createKey('team'));
  watchOutput(`the key ${key.slice(0, 10)}… of 4ae6d7c9-71a9-48f0-a463-4ae6d7c971a9 ${'a'.repeat(100)}`);
  expect(takeLeaks()).toEqual([]);
});
