import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import {
  BadLine,
  BadLines,
  describeBadLine,
  LineSet,
  parseInstant,
  remembered,
  reportDays,
} from '@sightline/feed';
import {
  type FeedSource,
  fileSource,
  NoRegularFile,
  type NumberedLine,
  openRegular,
  RereadableSource,
  readLines,
  readSmallFile,
  regularSource,
  toLines as toSourceLines,
  totalSize,
} from '@sightline/feed/read';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { anyCharacter } from '../support/any-character.ts';
import { makeFolder } from '../support/folder.ts';
import { inZone, ZONES } from '../support/time-zone.ts';

/** In bytes. */
const LONGEST_LINE = 16 * 1024 ** 2;

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
    ['with a byte order mark that does not begin the file', 'a\n\u{feff}b', ['1 a', '2 \u{feff}b']],
    ['of an empty file', '', []],
    ['that begin with the first byte of gzip', '\x1fa\nb', ['1 \x1fa', '2 b']],
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

it('the last part of an overlong line ends it, even without a line feed', async () => {
  const lines = await toLines(Buffer.alloc(LONGEST_LINE + 1, 'x'));
  expect(lines.map(({ bytes: part, ...line }) => ({ ...line, length: part!.length }))).toEqual([
    { number: 1, tooLong: true, continued: false, unfinished: true, length: LONGEST_LINE + 1 },
    { number: 1, tooLong: true, continued: true, unfinished: false, length: 0 },
  ]);
});

describe('a source that can be read only once', () => {
  it('can be read again until it is closed', async () => {
    async function* once() {
      yield 'a\n';
      yield bytes('b\n');
    }
    vi.stubEnv('TMPDIR', file('folder'));
    onTestFinished(() => void vi.unstubAllEnvs());
    const source = new RereadableSource({ name: 'once', content: once() });
    const read = async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of source.read()) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    };
    expect([await read(), await read()]).toEqual(['a\nb\n', 'a\nb\n']);
    const [copy] = readdirSync(file('folder'));
    expect(statSync(join(file('folder'), copy!, 'content')).mode & 0o777).toBe(0o600);
    await source.close();
    expect(readdirSync(file('folder'))).toEqual([]);
    await expect(read()).rejects.toThrow('ENOENT');
  });
});

/** Reads all lines of a source, and the number of bytes before decompression. */
async function readSource(
  source: FeedSource,
  signal?: AbortSignal,
): Promise<[bytes: number, ...lines: string[]]> {
  let count = 0;
  const lines: string[] = [];
  const onBytes = (bytes: number) => {
    count += bytes;
  };
  for await (const some of toSourceLines(new RereadableSource(source), onBytes, signal))
    lines.push(...some.map(({ text }) => text!));
  return [count, ...lines];
}

/** A folder with the file `plain`, and a folder, a link and a pipe. */
let folder: string;
const file = (name: string) => join(folder, name);
beforeAll(() => {
  folder = makeFolder();
  writeFileSync(file('plain'), 'a\nb\n');
  mkdirSync(file('folder'));
  symlinkSync(file('plain'), file('link'));
  execFileSync('mkfifo', [file('pipe')]);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a source', () => {
  beforeAll(() => {
    writeFileSync(file('zipped'), gzipSync('a\nb\n'));
    writeFileSync(file('cut'), gzipSync('a\nb\n').subarray(0, 20));
  });

  it('of a file has its size and can be read repeatedly', async () => {
    const source = await fileSource(file('plain'));
    expect([source.name, source.size]).toEqual([file('plain'), 4]);
    expect([await readSource(source), await readSource(source)]).toEqual(Array(2).fill([4, 'a', 'b']));
    expect(await readSource(await fileSource(file('link')))).toEqual([4, 'a', 'b']);
  });

  it('of a gzip counts its compressed bytes', async () => {
    const source = await fileSource(file('zipped'));
    expect(await readSource(source)).toEqual([gzipSync('a\nb\n').length, 'a', 'b']);
    const broken = readSource(await fileSource(file('cut')));
    await expect(broken).rejects.toThrow(`${file('cut')} is a broken gzip: unexpected end of file`);
  });

  it('of a pipe is opened once, and read once', async () => {
    const written = writeFile(file('pipe'), 'a\nb\n');
    const source = await fileSource(file('pipe'));
    expect([source.size, typeof source.content]).toEqual([undefined, 'object']);
    expect(await readSource(source)).toEqual([4, 'a', 'b']);
    await written;
  });

  it('cannot be a folder or a file that does not exist', async () => {
    await expect(fileSource(file('folder'))).rejects.toThrow(`${file('folder')} is a folder`);
    await expect(fileSource(file('none'))).rejects.toThrow('ENOENT');
    const removed = readSource({ name: 'removed', content: (await fileSource(file('plain'))).content });
    expect(await removed).toEqual([4, 'a', 'b']);
    const missing = readSource(regularSource('first', file('none'), 4));
    await expect(missing).rejects.toThrow('first cannot be read: ENOENT');
  });

  it('of a folder that others can write to must be a regular file', async () => {
    const source = regularSource('name', file('plain'), 4);
    expect([source.name, source.size, await readSource(source)]).toEqual(['name', 4, [4, 'a', 'b']]);
    for (const name of ['link', 'pipe', 'folder'])
      await expect(readSource(regularSource('name', file(name), 4))).rejects.toThrow(
        new NoRegularFile(`${file(name)} is not a regular file`),
      );
  });

  it('of several chunks contains each of them, of any kind', async () => {
    const part = Uint8Array.from(bytes('xxb\nyy')).subarray(2, 4);
    expect(await readSource({ name: 'list', content: ['a\n', part, bytes('ü')] })).toEqual([
      6,
      'a',
      'b',
      'ü',
    ]);
  });

  it('is not read further after it is aborted', async () => {
    const content = ['a\n', 'b\n'];
    await expect(readSource({ name: 'list', content }, AbortSignal.abort())).rejects.toThrow(
      'This operation was aborted',
    );
  });

  it('that waits for its writer ends when it is aborted', async () => {
    const ending = new AbortController();
    const content = new Readable({ read: () => ending.abort() });
    await expect(readSource({ name: 'stream', content }, ending.signal)).rejects.toThrow(
      'The operation was aborted',
    );
  });

  it('adds to the total size, which is unknown if one size is', () => {
    const sources = [3, 4, undefined].map(
      size => new RereadableSource({ name: '', content: [], ...(size !== undefined && { size }) }),
    );
    expect([totalSize(sources.slice(0, 2)), totalSize(sources), totalSize([])]).toEqual([7, undefined, 0]);
  });
});

describe('a small file', () => {
  it('is read with its time, unless it is too large', () => {
    utimesSync(file('plain'), 1, 1_700_000_000);
    const modified = 1_700_000_000_000;
    expect(readSmallFile(file('plain'), 4)).toEqual({ modified, bytes: bytes('a\nb\n') });
    expect(readSmallFile(file('plain'), 3)).toEqual({ modified, bytes: undefined });
  });

  // The system states the size of a page for this file.
  const SHORTER = '/sys/devices/system/cpu/online';
  it.runIf(existsSync(SHORTER))('can be shorter than its size', () => {
    expect(readSmallFile(SHORTER, 4096).bytes).toEqual(readFileSync(SHORTER));
  });

  it.each(['link', 'pipe', 'folder', 'socket'])('cannot be a %s', async kind => {
    const server = createServer();
    if (kind === 'socket') await new Promise<void>(resolve => server.listen(file(kind), resolve));
    const error = new NoRegularFile(`${file(kind)} is not a regular file`);
    expect(() => readSmallFile(file(kind), 4)).toThrow(error);
    await expect(openRegular(file(kind))).rejects.toThrow(error);
    server.close();
  });

  it.skipIf(process.platform !== 'linux')('is closed again if it is not a regular one', async () => {
    await expect(openRegular(file('folder'))).rejects.toThrow(NoRegularFile);
    expect(() => readSmallFile(file('folder'), 4)).toThrow(NoRegularFile);
    const opened = readdirSync('/proc/self/fd').filter(descriptor => {
      try {
        return readlinkSync(`/proc/self/fd/${descriptor}`) === file('folder');
      } catch {
        return false;
      }
    });
    expect(opened).toEqual([]);
  });

  it('that does not exist has the error of the system', async () => {
    expect(() => readSmallFile(file('none'), 4)).toThrow('ENOENT');
    await expect(openRegular(file('none'))).rejects.toThrow('ENOENT');
  });
});

it('a set of lines contains exactly those that were added, of each source', () => {
  const lines = [
    { position: 0, number: 1 },
    { position: 0, number: 511 },
    { position: 0, number: 512 },
    { position: 2, number: 100_000 },
    { position: 2, number: 7 },
  ];
  const set = new LineSet();
  for (const line of lines) set.add(line);
  const found = [0, 1, 2].flatMap(position =>
    Array.from({ length: 100_010 }, (_, number) => ({ position, number })).filter(line => set.has(line)),
  );
  const inOrder = [...lines.slice(0, 3), lines[4], lines[3]];
  expect(found).toEqual(inOrder);
});

it('the first twenty bad lines are listed in the order of the sources', () => {
  const bad = new BadLines();
  for (const position of [1, 0])
    for (let number = 15; number > 0; number--)
      bad.add(
        { source: `source-${position}`, position, number, text: '' },
        new BadLine('field', `${number}`),
      );
  expect(bad.count).toBe(30);
  expect(bad.first).toEqual(
    Array.from({ length: 20 }, (_, index) => ({
      source: `source-${index < 15 ? 0 : 1}`,
      line: (index % 15) + 1,
      field: 'field',
      reason: `${(index % 15) + 1}`,
    })),
  );
});

it('a bad line is described by its place, field and reason', () => {
  const describeField = (field: string) => describeBadLine({ source: 'f', line: 7, field, reason: 'is bad' });
  expect(describeField('')).toBe('f:7: is bad');
  expect(describeField('a'.repeat(200))).toBe(`f:7: ${'a'.repeat(200)}: is bad`);
  expect(describeField('a'.repeat(201))).toBe(`f:7: ${'a'.repeat(200)}…: is bad`);
});

it.each([
  ['2026-05-20T12:00:00Z', '2016-05-20', '2026-05-21'],
  ['2024-02-29T23:59:59Z', '2014-03-01', '2024-03-01'],
  ['2026-12-31T00:00:00Z', '2016-12-31', '2027-01-01'],
])('at %s reports of %s to %s are accepted, in each time zone', (now, first, last) => {
  for (const zone of ZONES) expect(inZone(zone, () => reportDays(new Date(now)))).toEqual({ first, last });
});

it('answers for texts are cached up to a number of texts, each of at most 500 characters', () => {
  const asked: string[] = [];
  const measure = remembered(text => asked.push(text) && text.length, 2);
  const [long, longer] = ['x'.repeat(500), 'x'.repeat(501)];
  expect([long, longer, long, longer, 'a', 'a', long].map(measure)).toEqual([500, 501, 500, 501, 1, 1, 500]);
  expect(asked).toEqual([long, longer, longer, 'a']);
  // A third text empties the cache.
  for (const text of ['b', 'b', 'a', long]) measure(text);
  expect(asked.slice(4)).toEqual(['b', 'a', long]);
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
    ['2026-01-31T00:00:00+23:59', '2026-01-30T00:01:00Z'],
    ['2026-01-31T12:00:00.250-00:00', '2026-01-31T12:00:00.250Z'],
    ['2026-01-31T12:00:00.1234567+01', '2026-01-31T11:00:00.123456Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
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
    '2026-01-31T12:00:00+05:60',
    '2026-01-31T12:00:00+00:60',
    '2026-01-31T12:00:00-24',
    '2026-01-00T12:00:00Z',
    '2026-00-31T12:00:00Z',
    '2026-13-01T12:00:00Z',
    '2026-04-31T12:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T24:00Z',
    '2026-02-30T12:00:00Z',
    '1900-02-29T12:00:00Z',
    '2023-02-29T12:00:00Z',
    '2100-02-29T12:00:00Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-00:01',
    '0001-01-01T00:00:00+00:01',
    '2026-01-31T12:00:00+24:00',
    '2026-01-31T12:00:00Z\n',
    '+2026-01-31T12:00:00Z',
  ])('rejects %s', text => {
    expect(parseInstant(text)).toBeUndefined();
  });
});
