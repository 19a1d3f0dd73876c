import { describe, expect, it } from 'vitest';
import { decode, parseQuery, UNREADABLE } from '../../src/rest/query-string.ts';

describe('a query string', () => {
  it.each([
    ['', []],
    ['&&', []],
    ['a=1', [['a', ['1']]]],
    [
      '&a=1&&b=2&',
      [
        ['a', ['1']],
        ['b', ['2']],
      ],
    ],
    [
      'a=1&b=2&a=3',
      [
        ['a', ['1', '3']],
        ['b', ['2']],
      ],
    ],
    ['a', [['a', ['']]]],
    ['a=', [['a', ['']]]],
    ['=1', [['', ['1']]]],
    ['a=b=c?d', [['a', ['b=c?d']]]],
    ['a+b=c+d%2B', [['a b', ['c d%2B']]]],
    ['%61%2e=1&a.=2', [['a.', ['1', '2']]]],
  ])('%j is parsed', (text, pairs) => {
    expect([...parseQuery(text)]).toEqual(pairs);
  });

  it.each(['%', '%4', '%zz', 'a%4g', '%80', '%c3%a4', '%FF', '%9f'])(
    'has no parameter with the name %s',
    name => {
      const impossible: string[] = [];
      expect([...parseQuery(`${name}=1&b=2`, given => impossible.push(given))]).toEqual([['b', ['2']]]);
      expect(impossible).toEqual([name]);
    },
  );

  it.each([
    ['a b', 'a b'],
    ['%c3%a4', 'ä'],
    ['%C3', UNREADABLE],
    ['100%', UNREADABLE],
    ['%7f', '\u007f'],
  ])('has values such as %s', (text, value) => {
    expect(decode(text)).toBe(value);
  });
});
