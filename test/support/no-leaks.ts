import { afterAll, expect } from 'vitest';
import { takeLeaks } from './canary.ts';

/** Files of one process share it. */
const { stackTraceLimit } = Error;

afterAll(() => {
  expect(Error.stackTraceLimit, 'how much of a stack errors have').toBe(stackTraceLimit);
  expect(takeLeaks(), 'output that holds a part of a key').toEqual([]);
});
