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

it('wake a process that is asked ten times a second once in the time of a request', async () => {
  const timers = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'setInterval')];
  const deadlines = new Deadlines(2600);
  for (let requests = 0; requests < 260; requests++) {
    await deadlines.bound(performance.now(), Promise.resolve());
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(timers.flatMap(({ mock }) => mock.calls).length).toBeLessThanOrEqual(10);
  await vi.advanceTimersByTimeAsync(2600);
  expect(vi.getTimerCount()).toBe(0);
  const late = watched(deadlines.bound(performance.now(), forEver));
  await vi.advanceTimersByTimeAsync(2600);
  expect(late.outcome).toBeInstanceOf(Overdue);
});

it('end work of a request that began before another one', async () => {
  const deadlines = new Deadlines(2600);
  const begun = performance.now();
  await vi.advanceTimersByTimeAsync(1000);
  watched(deadlines.bound(performance.now(), forEver));
  const late = watched(deadlines.bound(begun, forEver));
  await vi.advanceTimersByTimeAsync(1600);
  expect(late.outcome).toBeInstanceOf(Overdue);
});
