import { onTestFinished, vi } from 'vitest';

/**
 * Simulates `setTimeout` and `clearTimeout` until the test ends, with `vi.advanceTimersByTime` as their clock.
 * Returns a function that counts the pending timers of a delay in milliseconds. Vitest's own count includes timers of
 * everything else that runs in the process, such as idle connections of other test files.
 */
export function simulateTimers(): (delay: number) => number {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const delays = new Map<unknown, number>();
  const { setTimeout: start, clearTimeout: stop } = globalThis;
  const startCounted = (call: (...values: unknown[]) => void, delay = 0, ...values: unknown[]) => {
    const run = () => {
      delays.delete(timer);
      call(...values);
    };
    const timer = start(run, delay);
    delays.set(timer, delay);
    return timer;
  };
  const stopCounted = (timer: Parameters<typeof stop>[0]) => {
    delays.delete(timer);
    stop(timer);
  };
  onTestFinished(() => {
    // Vitest replaces only its own timers with the real ones.
    Object.assign(globalThis, { setTimeout: start, clearTimeout: stop });
    vi.useRealTimers();
  });
  Object.assign(globalThis, { setTimeout: startCounted, clearTimeout: stopCounted });
  return delay => [...delays.values()].filter(other => other === delay).length;
}
