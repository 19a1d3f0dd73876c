import { afterEach, beforeEach, vi } from 'vitest';

/** The simulated time at the beginning of each test. */
export const START = Date.parse('2026-03-02T00:00:00Z');

/** Simulates the clock and the timers of the client in the tests of a file, and pauses without a random part. */
export function simulateTime(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: START });
    vi.spyOn(Math, 'random').mockReturnValue(0);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
}

/** The seconds since the beginning of the test. */
export const seconds = () => (Date.now() - START) / 1000;

/** Resolves with the result or the error of a promise. */
export const settle = <Value>(promise: Promise<Value>) => promise.catch((error: unknown) => error);
