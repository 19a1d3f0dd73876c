import { mkdirSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseDuration } from '../../src/terminal/duration.ts';
import { untilEnded } from '../../src/terminal/ending.ts';
import { CommandFailed } from '../../src/terminal/failure.ts';
import { describeProgress, LoadMeter } from '../../src/terminal/meter.ts';
import { onOneLine, withoutControl } from '../../src/terminal/one-line.ts';
import { table } from '../../src/terminal/output.ts';
import { openTarget } from '../../src/terminal/target.ts';
import { collectValues, parsePort, parseTime, parseUrl, wholeNumber } from '../../src/terminal/values.ts';
import { readText, replaceText } from '../../src/terminal/whole-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'terminal-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('a target file that is replaced as a whole', () => {
  it('keeps its old content until everything is written, and leaves no other file', async () => {
    const path = join(folder, 'records');
    await writeFile(path, 'before');
    const target = await openTarget(path, false);
    await target.write(Buffer.from('half'));
    expect(await readFile(path, 'utf8')).toBe('before');
    // The file can contain reports, so only its owner can read it.
    expect((await stat(`${path}.partial`)).mode & 0o777).toBe(0o600);
    await target.write(Buffer.from(' and half'));
    await target.end();
    expect(await readFile(path, 'utf8')).toBe('half and half');
    expect(await readdir(folder)).toEqual(['records']);
  });

  it('keeps its old content if the work is aborted', async () => {
    const path = join(folder, 'records');
    await writeFile(path, 'before');
    const target = await openTarget(path, false);
    await target.write(Buffer.from('half'));
    await target.giveUp();
    expect(await readFile(path, 'utf8')).toBe('before');
    expect(await readdir(folder)).toEqual(['records']);
  });

  it.each([false, true])('is written directly if its name links to a device, appended: %s', async grows => {
    const path = join(folder, 'nothing');
    await symlink('/dev/null', path);
    const target = await openTarget(path, grows);
    await target.write(Buffer.from('gone'));
    await target.end();
    expect(await readdir(folder)).toEqual(['nothing']);
  });

  it('is named in the error if it cannot be written', async () => {
    const path = join(folder, 'no', 'records');
    await expect(openTarget(path, false)).rejects.toThrow(`${path} cannot be written`);
    await expect(openTarget(path, false)).rejects.toBeInstanceOf(CommandFailed);
  });
});

describe('a target file that is appended to', () => {
  it.each([
    ['nothing', ''],
    ['whole lines', 'one\ntwo\n'],
    ['a long line', `${'one'.repeat(50_000)}\n`],
  ])('keeps %s and drops the incomplete last line of an aborted run', async (_, whole) => {
    const path = join(folder, 'lines');
    await writeFile(path, `${whole}${'cut'.repeat(50_000)}`);
    const target = await openTarget(path, true);
    await target.write(Buffer.from('next\n'));
    await target.end();
    expect(await readFile(path, 'utf8')).toBe(`${whole}next\n`);
  });
});

it('a target file that is appended to has no part of a page that cannot be written', async () => {
  const path = join(folder, 'lines');
  await writeFile(path, 'one\n');
  const target = await openTarget(path, true);
  const chunks = [Buffer.from('half of'), 7 as unknown as Uint8Array];
  await expect(target.write(...chunks)).rejects.toThrow(`${path} cannot be written: `);
  await target.write(Buffer.from('two\n'));
  await target.giveUp();
  expect(await readFile(path, 'utf8')).toBe('one\ntwo\n');
});

it('a text that replaces a file leaves no other file if it cannot be put in place', async () => {
  const path = join(folder, 'state');
  await replaceText(path, 'one');
  expect(await readText(path)).toBe('one');
  expect(await readText(`${path}-2`)).toBeUndefined();
  await expect(readText(folder)).rejects.toThrow(`${folder} cannot be read: EISDIR`);
  await rm(path);
  const replaced = replaceText(path, 'two');
  // The name becomes that of a folder with a file while the text is written.
  mkdirSync(join(path, 'inner'), { recursive: true });
  await expect(replaced).rejects.toThrow(`${path} cannot be written: `);
  expect(await readdir(folder)).toEqual(['state']);
});

it.each(['SIGTERM', 'SIGINT'] as const)('%s aborts work, and is left alone after it', async name => {
  const before = process.listenerCount(name);
  const states: boolean[] = [];
  const answer = untilEnded(async signal => {
    states.push(signal.aborted);
    process.listeners(name).at(-1)!(name);
    states.push(signal.aborted);
    return 'answer';
  });
  expect(process.listenerCount(name)).toBe(before + 1);
  expect([await answer, ...states]).toEqual(['answer', false, true]);
  await expect(untilEnded(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(process.listenerCount(name)).toBe(before);
});

it.each([
  ['EPIPE', 'ReaderGone', ''],
  ['EIO', 'CommandFailed', 'Standard output cannot be written: input/output error'],
])('standard output that fails with %s ends an export with %s', async (code, name, message) => {
  const problem = Object.assign(new Error('input/output error'), { code });
  const write = vi.spyOn(process.stdout, 'write').mockImplementation(((
    _: unknown,
    done: (e: Error) => void,
  ) => {
    done(problem);
    return false;
  }) as never);
  const target = await openTarget('-', true);
  const failure = await target.write(Buffer.from('a'), Buffer.from('b')).catch(error => error);
  const calls = write.mock.calls.length;
  write.mockRestore();
  expect([failure.constructor.name, failure.message, calls]).toEqual([name, message, 1]);
});

it('a terminal on which no progress was shown is left as it is', () => {
  const written: string[] = [];
  new LoadMeter({ isTTY: true, write: (text: string) => written.push(text) } as never).clear();
  expect(written).toEqual([]);
});

describe('an option value', () => {
  it.each([
    ['60', 60_000],
    ['60s', 60_000],
    ['500ms', 500],
    ['5m', 300_000],
    ['1h', 3_600_000],
    ['30d', 2_592_000_000],
    [' 5m ', 300_000],
    ['1234567', 1_234_567_000],
    ['12345678', undefined],
    ['5M', undefined],
    ['5 m', undefined],
    ['1.5h', undefined],
    ['1w', undefined],
    ['-1', undefined],
    ['', undefined],
  ])('is parsed as a duration: %j is %s ms', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each([
    ['a duration without length', () => parseTime('0')],
    ['a port beyond the maximum', () => parsePort('65536')],
    ['a number out of range', () => wholeNumber(1, 5)('6')],
    ['a number with a fraction', () => wholeNumber(1, 5)('1.5')],
    ['an address with a user name', () => parseUrl('https://user@reports.example.com')],
    ['an address with a password', () => parseUrl('https://:secret@reports.example.com')],
    ['an address with a query', () => parseUrl('https://reports.example.com/?key=secret')],
    ['an address with a fragment', () => parseUrl('https://reports.example.com/#secret')],
    ['an address with another scheme', () => parseUrl('ftp://reports.example.com')],
  ])('is rejected if it is %s', (_, parse) => {
    expect(parse).toThrow(/^Give /);
  });
});

describe('an option value at its limit', () => {
  it.each<[what: string, read: () => unknown, value: unknown]>([
    ['one millisecond', () => parseTime('1ms'), 1],
    ['port 0', () => parsePort('0'), 0],
    ['port 65535', () => parsePort('65535'), 65_535],
    ['the smallest number', () => wholeNumber(1, 5)('1'), 1],
    ['the largest number', () => wholeNumber(1, 5)('5'), 5],
    ['http', () => parseUrl('http://a.example/b').href, 'http://a.example/b'],
    ['repeated values', () => collectValues('b', ['a']), ['a', 'b']],
  ])('is accepted: %s', (_, read, value) => {
    expect(read()).toEqual(value);
  });

  it.each<[what: string, read: () => unknown, message: string]>([
    ['an empty port', () => parsePort(''), 'Give a number from 0 to 65535.'],
    ['a negative port', () => parsePort('-1'), 'Give a number from 0 to 65535.'],
    ['a number below the smallest', () => wholeNumber(1, 5)('0'), 'Give a whole number from 1 to 5.'],
    ['a number with an exponent', () => wholeNumber(1, 5)('1e0'), 'Give a whole number from 1 to 5.'],
    ['no number', () => wholeNumber(0, 5)(''), 'Give a whole number from 0 to 5.'],
    ['no duration', () => parseTime('x'), 'Give a duration such as 60, 60s, 500ms, 5m, 1h or 30d.'],
  ])('is rejected beyond it: %s', (_, read, message) => {
    expect(read).toThrow(message);
  });
});

describe('terminal output', () => {
  it.each([
    ['a\nb\tc\u001b[0m', 'a\nb\ufffdc\ufffd[0m', 'a\ufffdb\ufffdc\ufffd[0m'],
    ['\u202eé\u2066\u009b', '\ufffdé\ufffd\ufffd', '\ufffdé\ufffd\ufffd'],
    ['a\n\nb\n', 'a\n\nb\n', 'a\ufffd\ufffdb\ufffd'],
    ['a\u00ad\u2028b', 'a\u00ad\u2028b', 'a\u00ad\u2028b'],
  ])('has no control characters: %j', (text, lines, line) => {
    expect([withoutControl(text), onOneLine(text)]).toEqual([lines, line]);
  });

  it('has cells with two spaces between and none at the end', () => {
    expect(
      table([
        ['a', 'b', 'c'],
        ['long', '', ''],
        ['', 'x', 'yz'],
      ]),
    ).toBe('a     b  c\nlong\n      x  yz');
  });

  it('has columns that fit the content and contains no control characters', () => {
    expect(
      table([
        ['name', 'count'],
        ['a\u001b[31m\nlong name', '7'],
      ]),
    ).toMatch(/^name +count\na\S* ?long name +7$/);
  });

  it('shows progress four times a second at most', () => {
    let time = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => time);
    onTestFinished(() => void clock.mockRestore());
    const written: string[] = [];
    const meter = new LoadMeter({ isTTY: true, write: (text: string) => written.push(text) } as never);
    for (time of [1000, 1249, 1250, 1300, 1500]) meter.show(seconds => `${seconds} s`);
    expect(written).toEqual(['1 s', '1.25 s', '1.5 s'].map(text => `\r${text}\u001b[K`));
  });

  it('shows progress only on a terminal', () => {
    const written: string[] = [];
    for (const isTTY of [false, true]) {
      const meter = new LoadMeter({ isTTY, write: (text: string) => written.push(text) } as never);
      meter.show(() => 'half');
      meter.clear();
    }
    expect(written).toEqual(['\rhalf\u001b[K', '\r\u001b[K']);
    expect(describeProgress({ lines: 10, bytes: 1, totalBytes: 2_000_001 }, 5)).toBe(
      '10 lines, 2 a second, 2.0 MB left',
    );
    // The file has grown, and nothing is read yet.
    expect(describeProgress({ lines: 0, bytes: 2_000_000, totalBytes: 1_000_000 }, 0)).toBe(
      '0 lines, 0 a second, 0.0 MB left',
    );
  });
});
