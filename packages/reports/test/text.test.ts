import { expect, it } from 'vitest';
import { foldWhiteSpace, measureEditDistance, truncateText } from '../src/index.ts';

it.each([
  ['a b', 'a b'],
  ['a\tb', 'a b'],
  ['a\nb', 'a b'],
  ['a\r\n\tb', 'a b'],
  ['a\u00a0b', 'a b'],
  ['a  b', 'a b'],
  [' a', 'a'],
  ['a ', 'a'],
  ['\ta\n', 'a'],
  [' ', ''],
  ['', ''],
])('white space in %j is folded to %j', (text, folded) => {
  expect(foldWhiteSpace(text)).toBe(folded);
});

it.each([
  ['abcd', 4, 'abcd'],
  ['abcde', 4, 'abc…'],
  ['', 4, ''],
  ['ab😀d', 4, 'ab…'],
  ['ab😀d', 5, 'ab😀d'],
  ['ab😀de', 5, 'ab😀…'],
])('%j is truncated to %i characters: %j', (text, length, truncated) => {
  expect(truncateText(text, length)).toBe(truncated);
});

it.each([
  ['', '', 0],
  ['', 'ab', 2],
  ['', 'abc', 3],
  ['abcd', 'abdc', 1],
  ['abc', 'abc', 0],
  ['abc', 'acb', 1],
  ['abcd', 'badc', 2],
  ['abc', 'abxc', 1],
  ['abc', 'ac', 1],
  ['kitten', 'sitting', 3],
  ['ca', 'abc', 3],
  ['abc', 'xyz', 3],
  ['abc', 'ABC', 3],
  ['aaab', 'abbb', 2],
])('the distance of %j and %j is %i', (one, other, distance) => {
  expect([measureEditDistance(one, other), measureEditDistance(other, one)]).toEqual([distance, distance]);
  expect([distance, distance - 1].map(limit => measureEditDistance(one, other, limit))).toEqual([
    distance,
    Number.POSITIVE_INFINITY,
  ]);
});
