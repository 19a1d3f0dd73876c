import { expect, it } from 'vitest';
import { foldWhiteSpace, truncateText } from '../src/index.ts';

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
