import { expect, it } from 'vitest';
import { matches, toEntityTag } from '../../src/http/conditional.ts';

it.each([
  ['W/"abc"', true],
  ['"abc"', true],
  ['"x", W/"abc"', true],
  ['"x","abc","y"', true],
  ['W/"abc" , "y"', true],
  ['"x"\t"abc"', true],
  ['"xabc", "abc"', true],
  ['x"abc", "abc"', true],
  ['"abc"x, "abc"x, W/"abc"', true],
  ['xW/"abc"', false],
  ['W/ "abc"', true],
  ['"x"', false],
  ['abc', false],
  ['w/"abc"', false],
  ['x"abc"', false],
  ['"abc"x', false],
  ['"x"abc"y"', false],
  ['', false],
  [undefined, false],
])('If-None-Match: %s contains the tag: %s', (header, isMatch) => {
  expect(matches(header, 'W/"abc"')).toBe(isMatch);
});

it('several If-None-Match headers are one list', () => {
  expect(matches(['"x"', '"abc"'], 'W/"abc"')).toBe(true);
});

it('the tag of a content is weak, and differs with the content', () => {
  expect(toEntityTag('abc')).toBe('W/"qZk-NkcGgWq6PiVxeFDCbJzQ2J0"');
  expect(toEntityTag(Buffer.from('abc'))).toBe(toEntityTag('abc'));
  expect(toEntityTag('abd')).not.toBe(toEntityTag('abc'));
});
