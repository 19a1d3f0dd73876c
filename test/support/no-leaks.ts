import { afterAll, expect, vi } from 'vitest';
import { takeLeaks } from './canary.ts';

/** Shared by the test files of a process. */
const { stackTraceLimit } = Error;
const clocks = {
  Date,
  performance,
  setTimeout,
  setInterval,
  setImmediate,
  clearTimeout,
  clearInterval,
  clearImmediate,
};

afterAll(() => {
  // Vitest restores spies between files. If a timer was simulated at the time, the spy would restore the simulated one,
  // and the next file would hang.
  vi.restoreAllMocks();
  const left = Object.entries(clocks).filter(([name, real]) => Reflect.get(globalThis, name) !== real);
  Object.assign(globalThis, clocks);
  expect(
    left.map(([name]) => name),
    'clocks and timers that are simulated still',
  ).toEqual([]);
  expect(Error.stackTraceLimit, 'how much of a stack errors have').toBe(stackTraceLimit);
  expect(takeLeaks(), 'output that holds a part of a key').toEqual([]);
});
