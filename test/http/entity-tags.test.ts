import { expect, it } from 'vitest';
import { entityTag, matches, toEntityTag } from '../../src/http/conditional.ts';

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

it('the tag of a response differs with each thing that the response depends on, in any order', () => {
  const account = { id: 'ada', version: 1n } as never;
  const ask = (release = 'r1', period = 'p1', target = '/one') => entityTag(release, account, period, target);
  const first = ask();
  const others = [ask('r2'), ask('r1', 'p2'), ask('r1', 'p1', '/two'), ask('r2', 'p2', '/two')];
  expect(new Set([first, ...others]).size).toBe(5);
  for (const change of [['r2'], ['r1', 'p2'], ['r1', 'p1', '/two']]) {
    expect(ask()).toBe(first);
    expect(ask(...change)).not.toBe(first);
  }
  const changed = [
    { id: 'bob', version: 1n },
    { id: 'ada', version: 2n },
  ].map(other => entityTag('r1', other as never, 'p1', '/one'));
  expect(new Set([first, ...changed]).size).toBe(3);
  expect(entityTag('r1', { id: 'ada', version: 1n } as never, 'p1', '/one')).toBe(first);
});
