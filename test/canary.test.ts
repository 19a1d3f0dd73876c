import { expect, it } from 'vitest';
import { createKey } from '../src/keys/format.ts';
import { guardKey, takeLeaks, watchOutput } from './support/canary.ts';

/** The output of every service that the tests run is looked at for parts of keys (`support/canary.ts`): that look itself. */
it('finds any dozen characters of a key in what a service writes', () => {
  const key = guardKey(createKey('team'));
  for (const at of [6, 11, 20, 30]) {
    watchOutput(`{"msg":"request","url":"/v1/me?key=${key.slice(at, at + 12)}"}`);
    expect(takeLeaks()).toHaveLength(1);
  }
});

it('leaves alone what tells no key from another, and what is no key', () => {
  const key = guardKey(createKey('team'));
  watchOutput(`the key ${key.slice(0, 10)}… of 4ae6d7c9-71a9-48f0-a463-4ae6d7c971a9 ${'a'.repeat(100)}`);
  expect(takeLeaks()).toEqual([]);
});
