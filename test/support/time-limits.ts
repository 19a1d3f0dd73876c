import { onTestFinished, vi } from 'vitest';

/**
 * Makes each request reach its time limit immediately, until the current test ends.
 * @returns the limits asked for so far, in milliseconds
 */
export function endTimeLimits(): readonly number[] {
  const limits: number[] = [];
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation(limit => {
    limits.push(limit);
    return AbortSignal.abort(new DOMException('The time limit is over', 'TimeoutError'));
  });
  onTestFinished(() => spy.mockRestore());
  return limits;
}
