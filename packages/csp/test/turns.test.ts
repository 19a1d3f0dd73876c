import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { beginTurn, eachInTurns, isTurnOver, nextTurn } from '../src/index.ts';

it('nextTurn resumes one task per turn of the event loop, in the order of arrival', async () => {
  const continued: number[] = [];
  const done = Promise.all(
    Array.from({ length: 20 }, async (_, number) => {
      await nextTurn();
      continued.push(number);
    }),
  );
  let most = 0;
  for (let before = 0; continued.length < 20; before = continued.length) {
    await setImmediate();
    most = Math.max(most, continued.length - before);
  }
  await done;
  expect(most).toBe(1);
  expect(continued).toEqual(Array.from({ length: 20 }, (_, number) => number));
});

it('eachInTurns blocks the event loop for at most the same time with many tasks as with one', {
  tags: 'slow',
}, async () => {
  /** The maximum number of steps between two turns. */
  async function countSteps(pieces: number): Promise<number> {
    let steps = 0;
    const step = () => {
      steps++;
      for (const start = performance.now(); performance.now() - start < 0.2; );
    };
    let isDone = false;
    const works = Array.from({ length: pieces }, () => eachInTurns(Array(200), step));
    const done = Promise.all(works).then(() => {
      isDone = true;
    });
    let most = 0;
    for (let before = steps; !isDone; before = steps) {
      await setImmediate();
      most = Math.max(most, steps - before);
    }
    await done;
    return most;
  }
  expect(await countSteps(10)).toBeLessThan(3 * (await countSteps(1)));
});

/** Blocks the event loop. */
function block(milliseconds: number): void {
  for (const start = performance.now(); performance.now() - start < milliseconds; );
}

it('work that begins shares the time of a turn, which ends with it', async () => {
  await setImmediate();
  expect(isTurnOver()).toBe(false);
  block(11);
  expect(isTurnOver()).toBe(true);
  let isBegun = false;
  const work = eachInTurns([1], () => {
    isBegun = true;
  });
  expect(isBegun).toBe(false);
  await work;
  expect(isBegun).toBe(true);
  block(11);
  await beginTurn();
  expect(isTurnOver()).toBe(false);
});

it('work that begins takes turns with work that continues', async () => {
  const order: string[] = [];
  const record = async (name: string, wait: () => Promise<void>) => {
    await wait();
    order.push(name);
  };
  const continuing = Array.from({ length: 4 }, () => record('continues', nextTurn));
  const beginning = Array.from({ length: 3 }, () => record('begins', beginTurn));
  await Promise.all([...continuing, ...beginning]);
  expect(order.slice(0, 6).sort()).toEqual([...Array(3).fill('begins'), ...Array(3).fill('continues')]);
  expect(order.every((name, at) => at === 0 || at > 5 || name !== order[at - 1])).toBe(true);
  expect(order[6]).toBe('continues');
});
