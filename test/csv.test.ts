import type { TextWriter } from '@sightline/pg-client';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { toCsv, writeCsv } from '../src/export/csv.ts';
import { detectForm } from '../src/export/forms.ts';

/** Several parts, of which no end coincides with the end of a character or an escape. */
const LENGTH = 40_000;

/** A cell can contain a megabyte of reported text, so the writer must yield within a cell. */
describe('a long cell', () => {
  it.each(['"', '\n', 'a"', '\u0001', '\u202e', '😀', 'a😀', ','])(
    'of %j is written completely in short parts',
    text => {
      const long = text.repeat(LENGTH);
      const parts = [...writeCsv([{ id: 1, long, last: null }])];
      expect(Math.max(...parts.map(part => part.length))).toBeLessThanOrEqual(6 * 32 * 1024);
      // Every part can be encoded on its own.
      const bytes = Buffer.concat(parts.map(part => Buffer.from(part)));
      const [[id, cell, last]] = parse(bytes) as [string[]];
      const unescaped = cell!.replace(/\\u([0-9a-f]{4})/g, (_, code) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      );
      expect([id, unescaped.replace(/^'/, '') === long, last]).toEqual(['1', true, '']);
    },
  );
});

describe('long rows', () => {
  const KIB = 1024;
  /** The texts of the pieces of an export of these lines. */
  function writeLines(format: string, ...lines: string[]): string[] {
    const rows = { write: (text: TextWriter) => text.write(lines.join('\n')) };
    const { pieces, release } = detectForm(format, undefined).write(rows as never, [], true);
    const texts = Array.from(pieces, String);
    release();
    return texts;
  }

  it.each(['', 'x', 'xy'])('as NDJSON are escaped in short parts, between characters: %j', before => {
    const texts = writeLines('ndjson', before + '\u2028'.repeat(50_000));
    expect(texts.join('') === `${before}${'\\u2028'.repeat(50_000)}\n`).toBe(true);
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(128 * KIB);
  });

  it('as CSV are written in pieces of 32 KiB', () => {
    const cell = 'a'.repeat(10 * KIB);
    const texts = writeLines('csv', ...Array<string>(10).fill(JSON.stringify({ cell })));
    expect(texts.join('')).toBe(`${cell}\r\n`.repeat(10));
    const lengths = texts.map(({ length }) => Math.floor(length / KIB));
    expect(lengths).toEqual([40, 40, 20]);
  });
});

describe('a cell', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@a', "'@a"],
    ['\t1', `"'\t1"`],
    ['\r1', `"'\r1"`],
    ['1=1', '1=1'],
    ['\uff1d1', "'\uff1d1"],
    ['\uff0b1', "'\uff0b1"],
    ['\uff0d1', "'\uff0d1"],
    ['\uff201', "'\uff201"],
    ['\n=1', `"'\n=1"`],
    ['a,b', '"a,b"'],
    ['a\tb', '"a\tb"'],
    ['a\rb', '"a\rb"'],
    ['a\u0000b\u007fc\u0085d', 'a\\u0000b\\u007fc\\u0085d'],
    ['a\u202eb\u2066c\u200fd', 'a\\u202eb\\u2066c\\u200fd'],
    ['a\u2028b\u2029c', 'a\\u2028b\\u2029c'],
    ['a\u200db', 'a\u200db'],
    ['say "a"', '"say ""a"""'],
    ['', ''],
    [null, ''],
    [-5, '-5'],
    [true, 'true'],
    [['a', 1], '"[""a"",1]"'],
    ['\u001b[0m', '\\u001b[0m'],
  ])('of %j is written as %s', (value, cell) => {
    expect(toCsv([{ first: value }])).toBe(`first\r\n${cell}\r\n`);
  });
});
