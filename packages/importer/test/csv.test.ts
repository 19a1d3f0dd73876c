import { describe, expect, it } from 'vitest';
import { LONGEST_VALUE } from '../src/bounds.ts';
import { csvRows } from '../src/text/csv.ts';
import { readNumberedLines } from '../src/text/lines.ts';

describe('the rows of a CSV file', () => {
  async function read(...texts: string[]) {
    const rows: [number, readonly string[] | undefined][] = [];
    const content = (async function* () {
      yield* texts;
    })();
    for await (const batch of csvRows(content))
      for (const { number, cells } of batch) rows.push([number, cells]);
    return rows;
  }

  it.each([
    [
      'plain cells',
      'a,,c\r\n,\n',
      [
        [1, ['a', '', 'c']],
        [2, ['', '']],
      ],
    ],
    ['quoted cells', '"a,""b""",c\n', [[1, ['a,"b"', 'c']]]],
    [
      'line breaks within quotes',
      '"a\r\nb",c\nd\n',
      [
        [2, ['a\r\nb', 'c']],
        [3, ['d']],
      ],
    ],
    ['an empty quoted cell', '"",x\n', [[1, ['', 'x']]]],
    [
      'no final line break',
      'a\n"b"',
      [
        [1, ['a']],
        [2, ['b']],
      ],
    ],
    [
      'text behind a quoted cell',
      '"a"b,c\nd\n',
      [
        [1, undefined],
        [2, ['d']],
      ],
    ],
    [
      'a quotation mark that is not closed',
      'a\n"b\nc\n',
      [
        [1, ['a']],
        [3, undefined],
      ],
    ],
  ])('with %s have their numbers', async (_, text, rows) => {
    expect(await read(text)).toEqual(rows);
    expect(await read(...text)).toEqual(rows);
  });

  it('end with 256 KiB within quotation marks', async () => {
    const open = `"${'x'.repeat(256 * 1024 - 1)}`;
    expect(await read(`${open}\n"\nb\n`)).toEqual([
      [2, [`${open.slice(1)}\n`]],
      [3, ['b']],
    ]);
    expect(await read(`${open}x\nb\n`)).toEqual([
      [1, undefined],
      [2, ['b']],
    ]);
  });

  it('end with lines of 256 KiB in all within quotation marks', async () => {
    const lines = ['', ...Array.from({ length: 8 }, () => 'x'.repeat(32 * 1024))];
    expect(await read(`"${lines.join('\n')}\nb\n`)).toEqual([
      [9, undefined],
      [10, ['b']],
    ]);
    const shorter = lines.join('\n').slice(0, -1);
    expect(await read(`"${shorter}\n"\nb\n`)).toEqual([
      [10, [`${shorter}\n`]],
      [11, ['b']],
    ]);
  });

  it('end before a line that is too long', async () => {
    expect(await read(`a\n"b\n${'x'.repeat(LONGEST_VALUE + 1)}\nc\n`)).toEqual([
      [1, ['a']],
      [3, undefined],
      [3, undefined],
      [4, ['c']],
    ]);
  });
});

it.each([
  ['the longest line', 0, 1],
  ['a longer line', 1, 0],
])('lines are read up to 16 Mi characters, in one part or in several: %s', async (_, more, count) => {
  const line = 'x'.repeat(LONGEST_VALUE + more);
  const texts = (async function* () {
    yield `${line}\n`;
    yield line.slice(9);
    yield 'x'.repeat(9);
    yield '\na';
  })();
  const lines: [number, number | undefined][] = [];
  for await (const some of readNumberedLines(texts))
    for (const { number, text } of some) lines.push([number, text?.length]);
  const length = count === 1 ? LONGEST_VALUE : undefined;
  expect(lines).toEqual([
    [1, length],
    [2, length],
    [3, 1],
  ]);
});
