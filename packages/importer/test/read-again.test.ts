import { expect, it } from 'vitest';
import { canonical } from '../src/browser/canonical.ts';
import { readAgain } from '../src/browser/read-again.ts';
import { stripAddresses } from '../src/browser/strip.ts';

const YESTERDAY = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 86_400_000;
const body = { reason: 'oom', is_top_level: true };
const report = { age: 1, type: 'crash', url: 'https://a.example/', body };
const stored = {
  account_id: 'a',
  id: 'x'.repeat(43),
  date: YESTERDAY,
  count: 3,
  raw: JSON.stringify(report),
  browser: 'Chrome',
  platform: 'macOS',
  samplingRate: 0.5,
};
const read = (changed: Partial<typeof stored> | object = {}) =>
  readAgain({ ...stored, ...changed })
    ?.trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));

it('a report of a type that has become known replaces the stored one under the same id', () => {
  expect(read()).toEqual([
    { kind: 'report', accountId: 'a', type: 'other', id: stored.id, deleted: true },
    {
      kind: 'report',
      accountId: 'a',
      type: 'crash',
      id: stored.id,
      date: new Date(YESTERDAY).toISOString(),
      uri: 'https://a.example/',
      reason: 'oom',
      isTopLevel: true,
      visibilityState: '',
      stack: '',
      count: 3,
      browser: 'Chrome',
      platform: 'macOS',
      samplingRate: 0.5,
      raw: stored.raw,
    },
  ]);
});

it('a report that is read again has only the details that were stored', () => {
  const [, line] = read({ browser: null, platform: '', samplingRate: null })!;
  expect(Object.keys(line).filter(name => /browser|platform|sampling/.test(name))).toEqual([]);
});

it.each<[string, unknown]>([
  ['of an unknown type', { ...report, type: 'unknown' }],
  ['of a type that is named like a method', { ...report, type: 'constructor' }],
  ['without a type', { ...report, type: null }],
  ['whose body is a text', { ...report, body: JSON.stringify(body) }],
  ['without a body', { type: 'crash', url: 'https://a.example/' }],
  ['in a list', [report]],
  ['that is null', null],
])('a report %s stays as it is', (_, value) => {
  expect(read({ raw: JSON.stringify(value) })).toBeUndefined();
});

it('a report that is no JSON, or that the feed would refuse, stays as it is', () => {
  expect(read({ raw: stored.raw.slice(0, -1) })).toBeUndefined();
  expect(read({ date: 0 })).toBeUndefined();
  expect(read({ date: Number.NaN })).toBeUndefined();
  expect(read({ raw: JSON.stringify({ ...report, Type: 'x', TYPE: 'y' }) })).toHaveLength(2);
});

it('values have the same canonical text if they are equal as JSON, and only then', () => {
  const values = [
    ...[null, true, false, 0, 1, -1, 1.5, '', '0', '1', 'null', 'true', '1"1', [], {}, [[]], [{}], [null]],
    ...[
      ['1'],
      ['1"1'],
      [1],
      [1, 1],
      [11],
      ['1', '1'],
      ['11'],
      [[1], 1],
      [1, [1]],
      { a: 1 },
      { a: '1' },
      { b: 1 },
    ],
    ...[
      { a: { b: 1 } },
      { a: 1, b: 1 },
      { 'a,b': 1 },
      { a: [] },
      { a: {} },
      { a: null },
      ['a', 1],
      { '': '' },
    ],
  ];
  expect(new Set(values.map(canonical)).size).toBe(values.length);
  expect(canonical({ b: [{ d: 1, c: 2 }], a: 3 })).toBe(canonical({ a: 3, b: [{ c: 2, d: 1 }] }));
  expect(canonical([1, 2])).not.toBe(canonical([2, 1]));
});

it.each([
  ['https://a.example/p?q=1', 'https://a.example/p'],
  ['https://a.example/p#f', 'https://a.example/p'],
  ['https://a.example/p?q=1#f', 'https://a.example/p'],
  ['https://a.example/?', 'https://a.example/'],
  ['wss://a.example?q', 'wss://a.example'],
  ['a.example/p?q=1', 'a.example/p?q=1'],
  ['why? https://a.example/ #1', 'why? https://a.example/ #1'],
  ['at f (https://a.example/a.js?v=1:2:3)', 'at f (https://a.example/a.js'],
  ['https://a.example/?a, https://b.example/?b; c', 'https://a.example/, https://b.example/; c'],
  ['https://a.example/?a,b;', 'https://a.example/;'],
  ['"https://a.example/?a" <https://b.example/#b>', '"https://a.example/" <https://b.example/>'],
  ["'https://a.example/?a'\\https://b.example/?b", "'https://a.example/'\\https://b.example/"],
  ['https://a.example/?a\nhttps://b.example/?b', 'https://a.example/\nhttps://b.example/'],
])('the query and fragment of addresses are removed from a text: %j', (text, stripped) => {
  expect(stripAddresses(text)).toBe(stripped);
  expect(stripAddresses({ a: [text, 1, null, true, { 'x?': text }] })).toEqual({
    a: [stripped, 1, null, true, { 'x?': stripped }],
  });
});
