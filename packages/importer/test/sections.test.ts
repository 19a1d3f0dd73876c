import { describe, expect, it } from 'vitest';
import { Sections } from '../src/containers/sections.ts';
import { inParts } from './reports.ts';

const KIB = 1024;

const split = (text: string, length?: number) => new Sections(inParts(Buffer.from(text, 'latin1'), length));

async function read(content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
}

/** Returns the content and the last line of each section. */
async function listSections(sections: Sections): Promise<[content: string, end: string | undefined][]> {
  const found: [string, string | undefined][] = [];
  for (;;) {
    const section = sections.section('--', line => line.startsWith('--end'));
    const content = await read(section.content);
    const end = await section.end();
    found.push([content, end]);
    if (end === undefined) return found;
  }
}

describe('the lines of a stream', () => {
  it.each([1, 2, 5, 100])('are the same in chunks of %i bytes', async length => {
    const sections = split('one\r\n\ntwo\r\r\nlast', length);
    const lines: (string | undefined)[] = [];
    for (let index = 0; index < 5; index++) lines.push(await sections.line());
    expect(lines).toEqual(['one', '', 'two\r', 'last', undefined]);
  });

  it('are truncated to 64 KiB', async () => {
    const long = 'x'.repeat(64 * KIB);
    const sections = split(`${long}\n${long}y\nnext\n`, 10 ** 6);
    const lines = [await sections.line(), await sections.line(), await sections.line()];
    expect(lines.map(line => line!.length)).toEqual([64 * KIB, 64 * KIB, 4]);
    expect(await sections.line()).toBeUndefined();
  });
});

describe('the sections of a stream', () => {
  const text = '--end 1\r\nfirst\n--other\n x--end of a sentence\n--end 2 \n\n\n--end 3\n--end 4\nlast\n--en';

  it.each([1, 2, 3, 7, 15, 16, 17, 1000])('are the same in chunks of %i bytes', async length => {
    expect(await listSections(split(text, length))).toEqual([
      ['', '--end 1'],
      ['first\n--other\n x--end of a sentence\n', '--end 2'],
      ['\n\n', '--end 3'],
      ['', '--end 4'],
      ['last\n--en', undefined],
    ]);
  });

  it('can end at the last line without a line break', async () => {
    expect(await listSections(split('a\n--end'))).toEqual([
      ['a\n', '--end'],
      ['', undefined],
    ]);
  });

  it('are skipped to their end if they are not read, or read in part', async () => {
    const sections = split(`${'a'.repeat(5000)}\n--end 1\n${'b'.repeat(5000)}\n--end 2\nc`);
    const isEnd = (line: string) => line.startsWith('--end');
    expect(await sections.section('--', isEnd).end()).toBe('--end 1');
    const second = sections.section('--', isEnd);
    for await (const chunk of second.content) {
      expect(Buffer.from(chunk).toString()).toMatch(/^b+$/);
      break;
    }
    expect(await second.end()).toBe('--end 2');
    expect(await read(sections.section('--', isEnd).content)).toBe('c');
  });

  it('are decided with 512 bytes before a line, and 1 KiB after it on request', async () => {
    const [before, after] = ['b'.repeat(600), 'a'.repeat(2000)];
    for (const looksAhead of [false, true]) {
      const seen: [string, string, string][] = [];
      const sections = split(`${before}\n--end\r\n${after}`, 10 ** 6);
      const section = sections.section('--', (...given) => seen.push(given) > 0, looksAhead);
      expect(await read(section.content)).toBe(`${before}\n`);
      expect(seen).toEqual([['--end', `${'b'.repeat(511)}\n`, looksAhead ? 'a'.repeat(KIB) : '']]);
      expect(await section.end()).toBe('--end');
    }
  });

  it('are decided with a long line and what follows it, however late it arrives', async () => {
    const seen: [line: string, after: string][] = [];
    const line = `--${'x'.repeat(64 * KIB - 3)}`;
    const sections = split(`${line}\n${'a'.repeat(3000)}`, 100);
    await sections.section('--', (given, _, after) => seen.push([given, after]) > 0, true).end();
    expect(seen).toEqual([[line, 'a'.repeat(KIB)]]);
  });

  it.each([1, 3, 5])('are decided with the empty line before a line, in chunks of %i bytes', async length => {
    const seen: string[] = [];
    const sections = split('a: b\r\n\r\n--end', length);
    await sections.section('--', (_, before) => seen.push(before) > 0).end();
    expect(seen).toEqual(['a: b\r\n\r\n']);
  });

  it('can end shortly after a long chunk with other lines', async () => {
    const content = async function* () {
      yield Buffer.from(`${'a'.repeat(900)}\n--other\n`);
      yield Buffer.from('b\n--end\nc');
    };
    expect(await listSections(new Sections(content()))).toEqual([
      [`${'a'.repeat(900)}\n--other\nb\n`, '--end'],
      ['c', undefined],
    ]);
  });

  it('are decided with the first 64 KiB of a line, whose other bytes belong to it', async () => {
    const long = `--${'x'.repeat(64 * KIB - 2)}`;
    for (const length of [KIB, 10 ** 6]) {
      const sections = split(`${long}yz\nnext`, length);
      const lines: string[] = [];
      const section = sections.section('--', line => lines.push(line) > 10);
      expect(await read(section.content)).toBe(`${long}yz\nnext`);
      expect(lines).toEqual([long]);
    }
    const sections = split(`${long}yz\nnext`, 10 ** 6);
    expect((await sections.section('--', () => true).end())!.length).toBe(64 * KIB);
    expect(await sections.line()).toBe('next');
  });

  it('are decided with 1 KiB after a line, also if it arrives byte by byte', async () => {
    const seen: string[] = [];
    const sections = split(`--end\n${'a'.repeat(2000)}`, 1);
    await sections.section('--', (_, __, after) => seen.push(after) > 0, true).end();
    expect(seen).toEqual(['a'.repeat(KIB)]);
  });

  it('close the stream before its end', async () => {
    let isClosed = false;
    const content = async function* () {
      try {
        for (;;) yield Buffer.from('a\n');
      } finally {
        isClosed = true;
      }
    };
    const sections = new Sections(content());
    expect(await sections.line()).toBe('a');
    await sections.close();
    expect(isClosed).toBe(true);
  });
});

describe('a stream that fails', () => {
  async function* failing(error: Error) {
    yield Buffer.from('one\ntwo');
    throw error;
  }
  const broken = new Error('broken');
  const aborted = new DOMException('ended', 'AbortError');

  it('has its error thrown once, after the lines before it', async () => {
    const sections = new Sections(failing(broken));
    expect(await sections.line()).toBe('one');
    await expect(sections.line()).rejects.toBe(broken);
    expect(await sections.line()).toBeUndefined();
  });

  it.each([
    ['after the bytes before it', broken, 'one\ntwo'],
    ['at once if it aborts the import', aborted, ''],
  ])('has its error thrown %s', async (_, error, before) => {
    const { content } = new Sections(failing(error)).section('--', () => true);
    let text = '';
    const reading = (async () => {
      for await (const chunk of content) text += Buffer.from(chunk).toString();
    })();
    await expect(reading).rejects.toBe(error);
    expect(text).toBe(before);
  });
});
