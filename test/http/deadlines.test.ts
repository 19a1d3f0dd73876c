import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { answerLimitOf, closeLimitOf, Deadlines, Overdue } from '../../src/http/deadlines.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const forEver = new Promise<never>(() => {});

/** Notes what becomes of the work. */
function watched(work: Promise<unknown>): { outcome: unknown } {
  const seen: { outcome: unknown } = { outcome: undefined };
  work.then(
    value => Object.assign(seen, { outcome: value }),
    error => Object.assign(seen, { outcome: error }),
  );
  return seen;
}

it('leave a statement its time, an answer a little more, and closing more than that', () => {
  expect([answerLimitOf(2000), closeLimitOf(2000)]).toEqual([2600, 2700]);
});

it('end what takes longer since its request began, and not before', async () => {
  const deadlines = new Deadlines(2600);
  const begun = performance.now();
  await vi.advanceTimersByTimeAsync(1000);
  const [late, later] = [begun, performance.now()].map(since => watched(deadlines.bound(since, forEver)));
  await vi.advanceTimersByTimeAsync(1550);
  expect(late!.outcome).toBeUndefined();
  await vi.advanceTimersByTimeAsync(50);
  expect(late!.outcome).toBeInstanceOf(Overdue);
  await vi.advanceTimersByTimeAsync(950);
  expect(later!.outcome).toBeUndefined();
  await vi.advanceTimersByTimeAsync(50);
  expect(later!.outcome).toBeInstanceOf(Overdue);
});

it('leave alone what ends in time', async () => {
  const deadlines = new Deadlines(2600);
  const work = [Promise.resolve('good'), Promise.reject(new Error('bad'))];
  const seen = work.map(one => watched(deadlines.bound(performance.now(), one)));
  await vi.advanceTimersByTimeAsync(5000);
  expect(seen.map(({ outcome }) => outcome)).toEqual(['good', new Error('bad')]);
});

it('wake no idle process, and are looked at again once there are some', async () => {
  const deadlines = new Deadlines(2600);
  await deadlines.bound(performance.now(), Promise.resolve());
  await vi.advanceTimersByTimeAsync(100);
  expect(vi.getTimerCount()).toBe(0);
  const late = watched(deadlines.bound(performance.now(), forEver));
  await vi.advanceTimersByTimeAsync(2650);
  expect(late.outcome).toBeInstanceOf(Overdue);
});
