import type { GraphQLScalarType } from 'graphql';
import { expect, it } from 'vitest';
import { graphSchema, restSchema } from '../schema/index.ts';

function parse(name: string, value: unknown): unknown {
  try {
    return ((graphSchema.getType(name) ?? restSchema.getType(name)) as GraphQLScalarType).parseValue(value);
  } catch (error) {
    return (error as Error).message.startsWith(`not a value of ${name}. `) ? 'refused' : error;
  }
}

it.each([
  ['2026-05-20', '2026-05-20T00:00:00.000Z'],
  ['2026-05-20T10:30Z', '2026-05-20T10:30:00.000Z'],
  ['2026-05-20t10:30:15z', '2026-05-20T10:30:15.000Z'],
  ['2026-05-20 10:30:15Z', '2026-05-20T10:30:15.000Z'],
  ['2026-05-20T10:30:15.123456789Z', '2026-05-20T10:30:15.123Z'],
  ['2026-05-20T10:30:15+02:00', '2026-05-20T08:30:15.000Z'],
  ['2026-05-20T10:30:15 02:00', '2026-05-20T08:30:15.000Z'],
  ['2026-05-20T10:30:15-0530', '2026-05-20T16:00:15.000Z'],
  ['2026-05-20T23:30-01:00', '2026-05-21T00:30:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2026-02-29', 'refused'],
  ['2026-02-30T10:00Z', 'refused'],
  ['2026-13-01', 'refused'],
  ['2026-05-20T25:00Z', 'refused'],
  ['2026-05-20T10:30', 'refused'],
  ['2026-05-20T10Z', 'refused'],
  ['2026-05-20T10:30:15+2:00', 'refused'],
  ['2026-05-20T10:30:15.1234567890Z', 'refused'],
  ['20260520', 'refused'],
  [' 2026-05-20', 'refused'],
  ['', 'refused'],
  [20260520, 'refused'],
])('an instant can be given as %j: %s', (text, instant) => {
  expect(parse('Instant', text)).toBe(instant);
});

it.each([
  ['ReputationScore', ['0', '9', '10', '99', '100', 50], ['-1', '101', '05', '1.5', '', '1e1', ' 1']],
  ['GraphAmount', ['1', '2', '3', '4', '6', '12', 12], ['0', '5', '7', '8', '11', '13', '121', '']],
])('%s accepts %j, but not %j', (name, good, bad) => {
  expect(good.map(text => parse(name, text))).toEqual(good.map(Number));
  expect(bad.map(text => parse(name, text))).toEqual(bad.map(() => 'refused'));
});

it.each([
  ['2026', false],
  ['2026-05', true],
  ['2026-05-20', true],
  ['2026-05-20T10', true],
  ['2026-05-20T10:00', false],
  ['2026-05-20 10', false],
])('the date of a period can be %s: %s', (text, isGood) => {
  expect(parse('PeriodDate', text)).toBe(isGood ? text : 'refused');
});

it('a page has at most 1000 entries, and so has one of an invalid size', () => {
  const sizes = ['1', '999', '1000', '1001', '0', '-5', '', 'many', '1.5', 7, 0, 2.5];
  expect(sizes.map(size => parse('PageLimit', size))).toEqual([
    ...[1, 999, 1000, 1000, 1000, 1000, 1000, 1000, 1000],
    ...[7, 1000, 1000],
  ]);
});

it('a hash has 64 hexadecimal digits, in any case', () => {
  expect(parse('Sha256', 'AB'.repeat(32))).toBe('ab'.repeat(32));
  for (const bad of ['ab'.repeat(31), 'ab'.repeat(33), `${'ab'.repeat(31)}xg`, ''])
    expect(parse('Sha256', bad)).toBe('refused');
});

it.each([
  ['FilterText', 2048],
  ['PathPattern', 2048],
  ['HostPattern', 253],
  ['HostName', 2048],
  ['PathText', 2048],
  ['DmarcText', 4096],
  ['PolicyText', 16_384],
])('%s has 1 to %d characters, and no NUL', (name, longest) => {
  for (const character of ['a', 'ä', '😀']) {
    const text = character.repeat(longest);
    expect(parse(name, text)).toBe(text);
    expect(parse(name, text + character)).toBe('refused');
  }
  for (const bad of ['', 'a\0b', 5]) expect(parse(name, bad)).toBe('refused');
});
