import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Deadlines, Overdue } from '../../src/http/deadlines.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('wakes nobody once nothing is at work, and looks again when something is', async () => {
  const deadlines = new Deadlines(1000);
  for (let round = 0; round < 2; round++) {
    await deadlines.bound(performance.now(), Promise.resolve());
    vi.advanceTimersByTime(100);
    expect(vi.getTimerCount()).toBe(0);
    let end = () => {};
    const work = new Promise<void>(resolve => {
      end = resolve;
    });
    const late = deadlines.bound(performance.now(), work);
    vi.advanceTimersByTime(1100);
    await expect(late).rejects.toBeInstanceOf(Overdue);
    end();
    await work;
  }
});
