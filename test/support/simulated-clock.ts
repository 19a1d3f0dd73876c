import { onTestFinished, vi } from 'vitest';

/**
 * Simulates `performance.now` until the test ends.
 * @returns a function that advances it by some milliseconds
 */
export function simulateClock(): (milliseconds: number) => void {
  let now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => void clock.mockRestore());
  return milliseconds => {
    now += milliseconds;
  };
}
