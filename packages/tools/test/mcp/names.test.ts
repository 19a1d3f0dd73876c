import { SightlineError } from '@sightline/client';
import { expect, it } from 'vitest';
import { type ChosenNames, checkNames } from '../../src/mcp/names.ts';
import { markUntrusted } from '../../src/mcp/untrusted.ts';

const names = { groupings: () => ['HOST', 'DAY'], filters: () => ['hosts', 'paths'] };
const check = (chosen: Omit<ChosenNames, 'type'>) => checkNames({ type: 'csp', ...chosen }, names);

it('a tool accepts the names of a report type, and none', () => {
  expect(() => check({})).not.toThrow();
  expect(() => check({ by: ['DAY', 'HOST'], where: { hosts: [] }, not: { paths: [] } })).not.toThrow();
});

it.each([
  [{ by: ['DAY', 'hosts'] }, 'Reports of type csp have no grouping hosts, only HOST, DAY'],
  [{ where: { hosts: [], DAY: [] } }, 'Reports of type csp have no filter DAY, only hosts, paths'],
  [{ not: { host: [] } }, 'Reports of type csp have no filter host, only hosts, paths'],
])('a tool lists the valid names if one of %j is unknown', (chosen, message) => {
  expect(() => check(chosen)).toThrow(new SightlineError(message, 0));
});

/** Returns the data between the marks. */
const marked = (data: unknown, longest?: number) =>
  markUntrusted(data, longest).split('\n').slice(2, -1).join('\n');

it('texts are shortened beyond 500 characters and lists beyond 256 items', () => {
  expect(marked('a'.repeat(500))).toBe(`"${'a'.repeat(500)}"`);
  expect(marked('a'.repeat(502))).toBe(`"${'a'.repeat(500)}… (2 more characters)"`);
  expect(marked('abcd', 3)).toBe('"abc… (1 more characters)"');
  expect(JSON.parse(marked(Array(256).fill(1)))).toHaveLength(256);
  expect(JSON.parse(marked(Array(259).fill(1))).slice(255)).toEqual([1, '… (3 more items)']);
});

it('a long answer has fewer items first and shorter texts only then', () => {
  const many = JSON.parse(marked(Array(200).fill('a'.repeat(400))));
  expect(many.slice(63)).toEqual(['a'.repeat(400), '… (136 more items)']);
  const inBytes = JSON.parse(marked(Array(200).fill('ä'.repeat(200))));
  expect(inBytes.slice(63)).toEqual(['ä'.repeat(200), '… (136 more items)']);
  const long = JSON.parse(
    marked(
      Array.from({ length: 8 }, () => Array(8).fill('a'.repeat(10_000))),
      10_000,
    ),
  );
  expect(long).toHaveLength(5);
  expect(long[0]).toEqual([
    ...Array(4).fill(`${'a'.repeat(1250)}… (8750 more characters)`),
    '… (4 more items)',
  ]);
});

it.each([
  ['<b>', '\\u003cb\\u003e'],
  ['a\u200b\u202e', 'a\\u200b\\u202e'],
  ['\u007f\u009f\u2028\u2029', '\\u007f\\u009f\\u2028\\u2029'],
  ['x\ufe0f', 'x\\ufe0f'],
  ['\u{e0041}\u{e0100}', '\\udb40\\udc41\\udb40\\udd00'],
  ['é😀木', 'é😀木'],
])('the text %j is marked with its active characters escaped: %s', (text, expected) => {
  expect(marked(text)).toBe(`"${expected}"`);
  expect(JSON.parse(marked(text))).toBe(text);
});
