import fc from 'fast-check';
import { expect, it } from 'vitest';
import { getPath, matchPath } from '../src/index.ts';

it.each([
  // The beginning and the end of a pattern share no character of the path.
  ['/ab*ba', '/aba', false],
  ['/ab*ba', '/abba', true],
  ['/a*/a', '/a', false],
  ['*aa*aa*', 'aaa', false],
  ['*aa*aa*', 'aaaa', true],
  // A piece in the middle ends before the last one begins.
  ['/a*bc*cd', '/abcd', false],
  ['/a*bc*cd', '/abccd', true],
  ['/a*bc*cd', '/a-bc-cd', true],
  ['/a*b', '/a/x', false],
  ['/a*b', 'x/ab', false],
  ['/a', '/ab', false],
  ['/a', '/a', true],
  ['*', '', true],
  ['', '/', false],
  ['/.*', '/x', false],
])('pattern %s against path %s: %s', (pattern, path, fits) => {
  expect(matchPath(pattern, path)).toBe(fits);
});

it('a path matches a pattern exactly when the equivalent regular expression matches', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 7 });
  fc.assert(
    fc.property(text, fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 }), (pattern, path) => {
      const expression = new RegExp(`^${pattern.replaceAll('*', '.*')}$`);
      expect(matchPath(pattern, path)).toBe(expression.test(path));
    }),
    { numRuns: 2000 },
  );
});

it.each([
  ['https://a.example', '/'],
  ['https://a.example?x=/y', '/'],
  ['https://a.example#/y', '/'],
  ['https://a.example:8443/b/c?d#e', '/b/c'],
  ['inline', '/'],
])('the path of %s is %s', (address, path) => {
  expect(getPath(address)).toBe(path);
});
