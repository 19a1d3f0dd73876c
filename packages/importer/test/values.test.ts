import { describe, expect, it } from 'vitest';
import { oneOf, toBoolean, toInstant, toInteger, toList, toNumber, toText, toTime } from '../src/values.ts';

describe('a reported value', () => {
  it.each([
    ['text', 'text'],
    ['', ''],
    [0, '0'],
    [1.5, '1.5'],
    [false, 'false'],
    [null, ''],
    [undefined, ''],
    [['a'], ''],
    [{}, ''],
  ])('%j is the text %j', (value, text) => {
    expect(toText(value)).toBe(text);
  });

  it.each([
    [0, 0],
    [7, 7],
    ['7', 7],
    [' +07 ', 7],
    ['7.00', 7],
    ['7.', 7],
    ['7.5', null],
    [7.5, null],
    [-1, null],
    ['-1', null],
    ['', null],
    ['1e3', null],
    ['0x10', null],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740992', null],
    ['00000000000000007', null],
    [true, null],
    [null, null],
  ])('%j is the count %j', (value, count) => {
    expect(toInteger(value)).toBe(count);
  });

  it.each([
    [-1.5, -1.5],
    ['-1.5', -1.5],
    ['1e3', 1000],
    ['', null],
    [' ', null],
    ['x', null],
    ['Infinity', null],
    [Number.NaN, null],
    [null, null],
    [true, null],
  ])('%j is the number %j', (value, number) => {
    expect(toNumber(value)).toBe(number);
  });

  it.each([
    [true, true],
    ['true', true],
    [false, false],
    ['false', false],
    ['TRUE', null],
    [1, null],
    [0, null],
    [undefined, null],
  ])('%j is the truth %j', (value, truth) => {
    expect(toBoolean(value)).toBe(truth);
  });

  it.each([
    ['pass', 'pass'],
    [' PASS ', 'pass'],
    ['SoftFail', 'softFail'],
    ['passed', ''],
    [null, ''],
  ])('%j is the word %j', (value, word) => {
    expect(oneOf(['pass', 'softFail'], value)).toBe(word);
  });

  it('is a list, even alone', () => {
    expect([toList([1]), toList('a'), toList(''), toList(0), toList(null), toList(undefined)]).toEqual([
      [1],
      ['a'],
      [''],
      [0],
      [],
      [],
    ]);
  });
});

describe('a reported time', () => {
  it.each([
    ['2026-03-08', '2026-03-08T00:00:00.000Z'],
    ['2026-03-08T10:30', '2026-03-08T10:30:00.000Z'],
    ['2026-03-08 10:30:01.5', '2026-03-08T10:30:01.500Z'],
    ['2026-03-08T10:30:00Z', '2026-03-08T10:30:00.000Z'],
    ['2026-03-08t10:30:00z', '2026-03-08T10:30:00.000Z'],
    ['2026-03-08T10:30:00+05:45', '2026-03-08T04:45:00.000Z'],
    ['2026-03-08T10:30:00-0330', '2026-03-08T14:00:00.000Z'],
    [' 2026-03-08T10:30:00Z ', '2026-03-08T10:30:00.000Z'],
    // There is no such local time in New York.
    ['2026-03-08 02:30:00', '2026-03-08T02:30:00.000Z'],
    ['0', '1970-01-01T00:00:00.000Z'],
    [1_772_965_800, '2026-03-08T10:30:00.000Z'],
    ['1772965800', '2026-03-08T10:30:00.000Z'],
    ['1772965800.5', '2026-03-08T10:30:00.500Z'],
    [1_772_965_800_000, '2026-03-08T10:30:00.000Z'],
    [100_000_000_000, '5138-11-16T09:46:40.000Z'],
    [100_000_000_001, '1973-03-03T09:46:40.001Z'],
  ])('%j is %s', (value, instant) => {
    expect(toInstant(toTime(value))).toBe(instant);
  });

  it.each(['', 'yesterday', '2026-13-01', '2026-03', '08/03/2026', '-5', '123456789012345678', null, {}])(
    '%j is none',
    value => {
      expect(toTime(value)).toBeUndefined();
    },
  );

  it('beyond the dates of JavaScript is none', () => {
    expect([toInstant(8.64e15 + 1), toInstant(undefined)]).toEqual([null, null]);
  });
});
