import { expect, it } from 'vitest';
import { Occurrences } from '../src/browser/occurrences.ts';

/** Returns the numbers of equal reports with these ages, in milliseconds. */
function assignNumbers(ages: readonly number[]): number[] {
  const occurrences = new Occurrences();
  return ages.map(age => occurrences.next('a'.repeat(44), age));
}

it.each([
  ['a retry after exactly 54 seconds', [0, 54_000], [0, 0]],
  ['a report that is a millisecond younger', [0, 53_999], [0, 1]],
  ['a retry of a retry', [0, 54_000, 108_000], [0, 0, 0]],
  ['a second visitor, and then the retries of both', [0, 1000, 55_000, 60_000], [0, 1, 0, 1]],
  ['a report of the same age as the first', [60_000, 60_000], [0, 1]],
])('%s gets the right number', (_, ages, numbers) => {
  expect(assignNumbers(ages)).toEqual(numbers);
});

it('a report is remembered for at least one generation of other reports', () => {
  const occurrences = new Occurrences(10);
  const next = (name: string) => occurrences.next(name.padEnd(44), 0);
  const addOthers = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => next(`other-${from + at}`));
  expect(next('a')).toBe(0);
  expect(new Set(addOthers(0, 10))).toEqual(new Set([0]));
  expect(next('a')).toBe(1);
  addOthers(10, 8);
  expect(next('a')).toBe(2);
  addOthers(20, 30);
  expect(next('a')).toBe(0);
});

it('retries are found for the first 100 of equal reports', () => {
  const deliveries = Array.from({ length: 101 }, () => 0);
  const retries = deliveries.map(() => 54_000);
  const numbers = assignNumbers([...deliveries, ...retries]);
  expect(numbers).toEqual(
    [...deliveries.keys(), ...deliveries.keys()].map((number, at) => (at === 201 ? 101 : number)),
  );
});
