import { expect, it } from 'vitest';
import { OtherTypes } from '../src/browser/other.ts';

const DAY = '2026-11-28';
const listNames = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);

it('an account stores 10,000 reports of unknown types per day', () => {
  const types = new OtherTypes();
  const stored = listNames(10_001).filter(() => types.take('a', DAY, 'x'));
  expect(stored).toHaveLength(10_000);
  expect([types.take('b', DAY, 'x'), types.take('a', '2026-11-29', 'x')]).toEqual([true, true]);
});

it('an account stores reports of the first 50 unknown types of a day', () => {
  const types = new OtherTypes();
  expect(listNames(60).filter(name => types.take('a', DAY, name))).toEqual(listNames(50));
  expect([types.take('a', DAY, 'n49'), types.take('a', DAY, 'n50')]).toEqual([true, false]);
});

it('the counts of the 5000 days and accounts that were used last are remembered', () => {
  const types = new OtherTypes();
  const accounts = listNames(5000);
  for (const account of accounts) types.take(account, DAY, 'x');
  types.take('n0', DAY, 'y');
  types.take('new', DAY, 'x');
  const remembered = new Map(types.save());
  expect([...remembered.keys()]).toEqual([...accounts.slice(2), 'n0', 'new'].map(name => `${DAY} ${name}`));
  expect(remembered.get(`${DAY} n0`)).toEqual({ names: ['x', 'y'], reports: 2 });
});

it('the next process continues with the counts of this one', () => {
  const types = new OtherTypes();
  for (const name of listNames(50)) types.take('a', DAY, name);
  for (let report = 1; report < 10_000; report++) types.take('b', DAY, 'x');
  const next = new OtherTypes();
  next.restore(JSON.parse(JSON.stringify(types.save())));
  expect([next.take('a', DAY, 'new'), next.take('a', DAY, 'n7')]).toEqual([false, true]);
  expect([next.take('b', DAY, 'x'), next.take('b', DAY, 'x')]).toEqual([true, false]);
});
