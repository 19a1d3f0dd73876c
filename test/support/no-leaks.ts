import { createRequire, syncBuiltinESMExports } from 'node:module';
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
/** Imports of `node:timers/promises` follow the properties of this object. */
const timers = createRequire(import.meta.url)(
  'node:timers/promises',
) as typeof import('node:timers/promises');
const { setTimeout: pause } = timers;

afterAll(() => {
  // Vitest restores spies between files. If a timer was simulated at the time, the spy would restore the simulated one,
  // and the next file would hang.
  vi.restoreAllMocks();
  const left = Object.entries(clocks).filter(([name, real]) => Reflect.get(globalThis, name) !== real);
  const names = left.map(([name]) => name);
  if (timers.setTimeout !== pause) names.push('timers/promises');
  Object.assign(globalThis, clocks);
  timers.setTimeout = pause;
  syncBuiltinESMExports();
  expect(names, 'clocks and timers that are simulated still').toEqual([]);
  expect(Error.stackTraceLimit, 'how much of a stack errors have').toBe(stackTraceLimit);
  expect(takeLeaks(), 'output that holds a part of a key').toEqual([]);
});
