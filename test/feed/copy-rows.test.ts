import fc from 'fast-check';
import { expect, it } from 'vitest';
import { binaryRow } from '../../packages/feed/src/copy/binary.ts';
import { CopyRows } from '../../packages/feed/src/copy/rows.ts';
import { cell, textCell } from '../../packages/feed/src/copy/text.ts';

const toText = (rows: CopyRows) => Buffer.concat([...rows.pieces()]).toString();

/** Makes a row of one repeated letter, so that its bytes can be recognized. */
const row = (letter: string, length: number) => `${letter.repeat(length)}\n`;

const change = fc.record({
  kind: fc.constantFrom('set', 'set', 'set', 'delete'),
  key: fc.constantFrom('k', 'l', 'm', 'n'),
  group: fc.constantFrom('', 'b', 'a'),
  letter: fc.constantFrom('x', 'y', 'é', '木'),
  // A chunk holds one megabyte; parts of at least half a megabyte are sent without being copied.
  length: fc.constantFrom(0, 1, 2, 300, 180_000, 600_000),
});

it('returns the last row of each key, grouped and in order, across all piece boundaries', {
  tags: 'slow',
}, () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), fc.nat(5), (changes, dropped) => {
      const rows = new CopyRows();
      const model = new Map<string, { group: string; text: string }>();
      for (const { kind, key, group, letter, length } of changes) {
        const had = model.delete(key);
        if (kind === 'delete') rows.delete(key);
        else {
          expect(rows.set(key, row(letter, length), group)).toBe(had);
          model.set(key, { group, text: row(letter, length) });
        }
        expect(rows.size).toBe(model.size);
      }
      const order = [...model.values()].sort((one, other) =>
        one.group === other.group ? 0 : one.group < other.group ? -1 : 1,
      );
      expect(toText(rows) === order.map(({ text }) => text).join('')).toBe(true);
      // Few large chunks, so that there are few writes.
      const sizes = [...rows.pieces()].slice(0, -1).map(({ length }) => length);
      expect(sizes.filter(size => size < 512 * 1024)).toEqual([]);
      rows.drop([dropped]);
      const left = order.filter((_, index) => index !== dropped);
      expect(rows.size).toBe(left.length);
      expect(toText(rows) === left.map(({ text }) => text).join('')).toBe(true);
    }),
    { numRuns: 60 },
  );
});

type Change = [kind: 'set' | 'delete', key: string, row?: string, group?: string];
const LONG = row('x', 349_500);

it.each<[string, Change[], string[]]>([
  [
    'a row that replaces another one',
    [
      ['set', 'k', row('x', 1)],
      ['set', 'l', row('y', 2)],
      ['set', 'k', row('z', 3)],
    ],
    [row('y', 2), row('z', 3)],
  ],
  [
    'a row of a deleted key',
    [
      ['set', 'k', row('x', 1)],
      ['delete', 'k'],
      ['delete', 'l'],
      ['set', 'k', row('y', 2)],
    ],
    [row('y', 2)],
  ],
  [
    'a row that is longer than a chunk',
    [
      ['set', 'k', row('x', 1)],
      ['set', 'l', row('y', 1_200_000)],
      ['set', 'm', row('z', 2)],
    ],
    [row('x', 1), row('y', 1_200_000), row('z', 2)],
  ],
  [
    'a row whose bytes do not fit into the chunk, as its characters would',
    [
      ['set', 'k', LONG],
      ['set', 'l', row('木', 240_000)],
      ['set', 'm', row('z', 2)],
    ],
    [LONG, row('木', 240_000), row('z', 2)],
  ],
  [
    'a row that begins in its chunk where the row before it ends in another one',
    [
      ['set', 'k', LONG],
      ['set', 'l', LONG],
      ['set', 'm', row('z', 2)],
      ['delete', 'l'],
    ],
    [LONG, row('z', 2)],
  ],
])('returns the rows in order with %s', (_, changes, texts) => {
  const rows = new CopyRows();
  const keys = new Set<string>();
  for (const [kind, key, text = ''] of changes) {
    if (kind === 'set') expect(rows.set(key, text)).toBe(keys.has(key));
    else rows.delete(key);
    if (kind === 'set') keys.add(key);
    else keys.delete(key);
    expect(rows.size).toBe(keys.size);
  }
  expect(toText(rows) === texts.join('')).toBe(true);
});

it('returns short rows of alternating groups together, and rows of half a megabyte by themselves', () => {
  const rows = new CopyRows();
  for (const [index, letter] of [...'abcdef'].entries())
    rows.set(letter, row(letter, 2), index % 2 === 0 ? 'odd' : 'even');
  rows.set('long', row('x', 600_000), 'z');
  expect([...rows.pieces()].map(piece => piece.toString().slice(0, 18))).toEqual([
    'bb\ndd\nff\naa\ncc\nee\n',
  ]);
  rows.set('more', row('y', 2), 'z');
  rows.set('last', row('y', 600_000), 'zz');
  expect([...rows.pieces()].map(({ length }) => length)).toEqual([600_022, 600_001]);
  rows.drop([0, 7]);
  expect(rows.size).toBe(7);
  expect([...rows.pieces()].map(({ length }) => length)).toEqual([600_016, 600_001]);
});

it('writes heads that are one byte too long for a chunk into two', () => {
  const rows = new CopyRows();
  // A head has 12 bytes more than its text.
  const texts = ['x'.repeat(512 * 1024 - 12), 'y'.repeat(512 * 1024 - 11)];
  for (const text of texts) rows.set(text[0]!, binaryRow([text], 1));
  const heads = [...rows.heads(Buffer.alloc(0), 0)];
  expect(heads.map(head => head.toString('latin1', 12) === texts.shift())).toEqual([true, true]);
});

it('writes the heads of rows after their numbers, in the same order', () => {
  const rows = new CopyRows();
  const cells = (name: string) => [name, undefined, `${name} behind`];
  for (const [name, group] of [
    ['one', 'b'],
    ['two', 'a'],
    ['three', 'b'],
  ])
    rows.set(name!, binaryRow(cells(name!), 2), group);
  const start = Buffer.from('start');
  const bytes = Buffer.concat([...rows.heads(start, 7)]);
  const expected = ['two', 'one', 'three'].flatMap((name, index) => {
    const number = Buffer.alloc(8);
    number.writeInt32BE(4, 0);
    number.writeInt32BE(7 + index, 4);
    const length = Buffer.alloc(4);
    length.writeInt32BE(name.length, 0);
    return [start, number, length, Buffer.from(name), Buffer.from([0xff, 0xff, 0xff, 0xff])];
  });
  expect(bytes.toString('hex')).toBe(Buffer.concat(expected).toString('hex'));
  rows.drop([1]);
  expect(Buffer.concat([...rows.heads(start, 0)]).toString('latin1')).not.toContain('one');
});

// PostgreSQL manual, COPY, "Text Format".
it.each([
  ['plain', 'plain'],
  ['', ''],
  ['a\rb', 'a\\rb'],
  ['a\nb', 'a\\nb'],
  ['a\r\nb', 'a\\r\\nb'],
  ['a\tb\tc', 'a\\tb\\tc'],
  ['a\\b', 'a\\\\b'],
  ['\\N', '\\\\N'],
  ['\\\r\n\t', '\\\\\\r\\n\\t'],
])('the text %j is escaped as the cell %j', (text, escaped) => {
  expect(textCell(text)).toBe(escaped);
  expect(cell(text)).toBe(escaped);
});

it.each([
  [null, '\\N'],
  [undefined, '\\N'],
  [true, 't'],
  [false, 'f'],
  [0, '0'],
  [1.5, '1.5'],
  [Buffer.from([0, 0xab]), '\\\\x00ab'],
  [['a\n'], '["a\\\\n"]'],
  [{ a: '"' }, '{"a":"\\\\""}'],
])('the value %j is the cell %j', (value, text) => {
  expect(cell(value)).toBe(text);
});
