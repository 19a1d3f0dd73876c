import { afterAll, expect } from 'vitest';
import { takeLeaks } from './canary.ts';

afterAll(() => {
  expect(takeLeaks(), 'output that holds a part of a key').toEqual([]);
});
