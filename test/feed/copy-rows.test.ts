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
