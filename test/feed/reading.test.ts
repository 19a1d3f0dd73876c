import { gzipSync } from 'node:zlib';
import { parseInstant } from '@sightline/feed';
import { LONGEST_LINE, type NumberedLine, RereadableSource, readLines } from '@sightline/feed/read';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../support/any-character.ts';

async function* each(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
}

async function toLines(...chunks: Buffer[]): Promise<NumberedLine[]> {
  const lines: NumberedLine[] = [];
  for await (const some of readLines(each(chunks))) lines.push(...some);
  return lines;
}

async function toTexts(...chunks: Buffer[]): Promise<string[]> {
  return (await toLines(...chunks)).map(({ number, text }) => `${number} ${text}`);
}

const bytes = (text: string) => Buffer.from(text);

describe('the line reader', () => {
  it.each([
    ['that each end with a line feed', 'a\nb\n', ['1 a', '2 b']],
    ['without a final line feed', 'a\nb', ['1 a', '2 b']],
    ['with carriage returns', 'a\r\nb\r\n', ['1 a\r', '2 b\r']],
    ['between empty ones, which are counted', '\n\na\n \n\r\nb\n\n', ['3 a', '6 b']],
    ['after a byte order mark', '\u{feff}a\nb', ['1 a', '2 b']],
    ['of an empty file', '', []],
  ])('reads lines %s', async (_, text, expected) => {
    expect(await toTexts(bytes(text))).toEqual(expected);
  });

  it.each([
    [-1, false],
    [0, false],
    [1, true],
  ])('reads lines of up to 16 MiB: %i bytes more, too long: %s', async (more, isTooLong) => {
    const half = Buffer.alloc(LONGEST_LINE / 2, 'x');
    const rest = Buffer.alloc(LONGEST_LINE / 2 + more, 'x');
    for (const chunks of [
      [half, rest],
      [half, Buffer.concat([rest, bytes('\n')])],
      [half, rest, bytes('\n')],
    ]) {
      const lines = await toLines(...chunks);
      expect(lines.map(({ number, tooLong = false }) => [number, tooLong])).toContainEqual([1, isTooLong]);
      expect(lines[0]!.text?.length).toBe(isTooLong ? undefined : LONGEST_LINE + more);
    }
  });

  it('reads the same lines regardless of where the chunks are split', async () => {
    const lines = fc.array(
      fc.string({ unit: anyCharacter, minLength: 1 }).map(text => `x${text.replaceAll('\n', '')}`),
    );
    await fc.assert(
      fc.asyncProperty(lines, fc.array(fc.nat(40)), async (texts, lengths) => {
        const whole = bytes(texts.join('\n'));
        const chunks: Buffer[] = [];
        for (let at = 0, index = 0; at < whole.length; index++) {
          const length = lengths[index] ?? whole.length;
          chunks.push(whole.subarray(at, at + length));
          at += length;
          if (length === 0) lengths.splice(index--, 1);
        }
        expect(await toTexts(...chunks)).toEqual(texts.map((text, index) => `${index + 1} ${text}`));
      }),
      { numRuns: 100 },
    );
  });

  it('detects gzip by its first bytes, even in small chunks and with several members', async () => {
    const zipped = Buffer.concat([gzipSync('a\nb'), gzipSync('c\nd\n')]);
    const chunks = Array.from(zipped, byte => Buffer.from([byte]));
    expect(await toTexts(...chunks)).toEqual(['1 a', '2 bc', '3 d']);
  });

  it('throws when gzip ends too early', async () => {
    await expect(toLines(gzipSync('a\n'.repeat(1000)).subarray(0, -9))).rejects.toThrow(
      'unexpected end of file',
    );
  });

  it('marks lines that are not valid UTF-8', async () => {
    const lines = await toLines(Buffer.concat([bytes('a\nb\n'), Buffer.from([0xc3, 0x28]), bytes('\nc\nd')]));
    expect(lines).toEqual([
      { number: 1, text: 'a' },
      { number: 2, text: 'b' },
      { number: 3, bytes: Buffer.from([0xc3, 0x28]) },
      { number: 4, text: 'c' },
      { number: 5, text: 'd' },
    ]);
  });

  it('returns overlong lines in parts that contain all their bytes', async () => {
    const half = Buffer.alloc(LONGEST_LINE / 2 + 1, 'x');
    const lines = await toLines(bytes('a\n'), half, half, half, bytes('y\nb\n'));
    expect(lines.map(({ bytes: _, ...line }) => line)).toEqual([
      { number: 1, text: 'a' },
      { number: 2, tooLong: true, continued: false, unfinished: true },
      { number: 2, tooLong: true, continued: true, unfinished: true },
      { number: 2, tooLong: true, continued: true, unfinished: false },
      { number: 3, text: 'b' },
    ]);
    const content = Buffer.concat(lines.flatMap(line => (line.bytes ? [line.bytes] : [])));
    expect(content.equals(Buffer.concat([half, half, half, bytes('y')]))).toBe(true);
  });
});

describe('a source that can be read only once', () => {
  it('can be read again until it is closed', async () => {
    async function* once() {
      yield 'a\n';
      yield bytes('b\n');
    }
    const source = new RereadableSource({ name: 'once', content: once() });
    const read = async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of source.read()) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    };
    expect([await read(), await read()]).toEqual(['a\nb\n', 'a\nb\n']);
    await source.close();
    await expect(read()).rejects.toThrow('ENOENT');
  });
});

describe('the parsing of timestamps', () => {
  it.each([
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00Z'],
    ['2026-01-31T12:00Z', '2026-01-31T12:00:00Z'],
    ['2026-01-31T12:00:00+00:00', '2026-01-31T12:00:00Z'],
    ['2026-01-31T23:30:15.5-01:00', '2026-02-01T00:30:15.5Z'],
    ['2024-02-29T00:10:00+0545', '2024-02-28T18:25:00Z'],
    ['2000-02-29T12:00:00Z', '2000-02-29T12:00:00Z'],
    ['2026-01-01T00:00:00+14', '2025-12-31T10:00:00Z'],
    ['2026-01-31T23:59:59.9999999Z', '2026-01-31T23:59:59.999999Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'],
  ])('reads %s as %s', (text, instant) => {
    expect(parseInstant(text)).toBe(instant);
  });

  it.each([
    '2026-01-31',
    '2026-01-31 12:00:00Z',
    '2026-01-31T12:00:00',
    '2026-01-31T12:00:60Z',
    '2026-01-31T12:60:00Z',
    '2026-02-30T12:00:00Z',
    '1900-02-29T12:00:00Z',
    '2023-02-29T12:00:00Z',
    '2100-02-29T12:00:00Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-00:01',
    '2026-01-31T12:00:00+24:00',
    '2026-01-31T12:00:00Z\n',
    '+2026-01-31T12:00:00Z',
  ])('rejects %s', text => {
    expect(parseInstant(text)).toBeUndefined();
  });
});
