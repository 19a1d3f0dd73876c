import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Deadlines, getAnswerLimit, getCloseLimit, Overdue } from '../../src/http/deadlines.ts';
import { LiveSet } from '../../src/http/live-set.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const forEver = new Promise<never>(() => {});

/** Records the outcome of an operation. */
function watched(work: Promise<unknown>): { outcome: unknown } {
  const seen: { outcome: unknown } = { outcome: undefined };
  work.then(
    value => Object.assign(seen, { outcome: value }),
    error => Object.assign(seen, { outcome: error }),
  );
  return seen;
}

/** Not a spy: Vitest restores spies between files, which would install fake timers in the next file. */
function countTimers(): Disposable & { made: number } {
  type MakeTimer = (...options: unknown[]) => unknown;
  const simulated: Record<string, MakeTimer> = { setTimeout, setInterval } as never;
  const timers = { made: 0, [Symbol.dispose]: () => void Object.assign(globalThis, simulated) };
  for (const [name, make] of Object.entries(simulated))
    Reflect.set(globalThis, name, (...options: unknown[]) => {
      timers.made++;
      return make(...options);
    });
  return timers;
}

it('response and close limits exceed the statement timeout', () => {
  expect([getAnswerLimit(2000), getCloseLimit(2000)]).toEqual([2600, 2700]);
});

it('work is rejected as overdue exactly at the limit after its request began', async () => {
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

it('work that ends in time keeps its outcome', async () => {
  const deadlines = new Deadlines(2600);
  const work = [Promise.resolve('good'), Promise.reject(new Error('bad'))];
  const seen = work.map(one => watched(deadlines.bound(performance.now(), one)));
  await vi.advanceTimersByTimeAsync(5000);
  expect(seen.map(({ outcome }) => outcome)).toEqual(['good', new Error('bad')]);
});

it('work is forgotten once it has ended', async () => {
  const add = vi.spyOn(LiveSet.prototype, 'add');
  const deadlines = new Deadlines(2600);
  const work = [Promise.resolve('good'), Promise.reject(new Error('bad')), forEver];
  for (const one of work) watched(deadlines.bound(performance.now(), one));
  await vi.advanceTimersByTimeAsync(1);
  expect([...(add.mock.contexts[0] as LiveSet<unknown>)]).toHaveLength(1);
  add.mockRestore();
});

it('a steady stream of requests needs only one timer per time limit', async () => {
  using timers = countTimers();
  const deadlines = new Deadlines(2600);
  for (let requests = 0; requests < 260; requests++) {
    await deadlines.bound(performance.now(), Promise.resolve());
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(timers.made).toBeLessThanOrEqual(10);
  await vi.advanceTimersByTimeAsync(2600);
  expect(vi.getTimerCount()).toBe(0);
  const late = watched(deadlines.bound(performance.now(), forEver));
  await vi.advanceTimersByTimeAsync(2600);
  expect(late.outcome).toBeInstanceOf(Overdue);
});

it('an earlier deadline is met even if a later one was added first', async () => {
  const deadlines = new Deadlines(2600);
  const begun = performance.now();
  await vi.advanceTimersByTimeAsync(1000);
  watched(deadlines.bound(performance.now(), forEver));
  const late = watched(deadlines.bound(begun, forEver));
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(1600);
  expect(late.outcome).toBeInstanceOf(Overdue);
});

it('a set of pending work contains what was added and not removed, in any order', () => {
  const set = new LiveSet<number>();
  const leave = [0, 1, 2, 3, 4].map(item => set.add(item));
  const items = () => [...set].sort();
  const left = new Set([0, 1, 2, 3, 4]);
  for (const removed of [1, 4, 0, 3]) {
    leave[removed]!();
    left.delete(removed);
    expect(items()).toEqual([...left]);
  }
  const seen: number[] = [];
  leave.push(set.add(5), set.add(6));
  for (const item of set) {
    seen.push(item);
    leave[item]!();
  }
  expect([seen.sort(), items()]).toEqual([[2, 5, 6], []]);
});
