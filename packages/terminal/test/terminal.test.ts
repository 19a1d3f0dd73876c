import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDuration } from '@sightline/terminal/duration';
import { CommandFailed } from '@sightline/terminal/failure';
import { describeProgress, LoadMeter } from '@sightline/terminal/meter';
import { table } from '@sightline/terminal/output';
import { openTarget } from '@sightline/terminal/target';
import { parsePort, parseTime, parseUrl, wholeNumber } from '@sightline/terminal/values';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'terminal-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('a whole file', () => {
  it('stays as it was until all is written, and is for its owner alone', async () => {
    const path = join(folder, 'records');
    await writeFile(path, 'before');
    const target = await openTarget(path, false);
    await target.write(Buffer.from('half'));
    expect(await readFile(path, 'utf8')).toBe('before');
    await target.write(Buffer.from(' and half'));
    await target.end();
    expect(await readFile(path, 'utf8')).toBe('half and half');
    expect(await readdir(folder)).toEqual(['records']);
  });

  it('stays as it was where the work is given up', async () => {
    const path = join(folder, 'records');
    await writeFile(path, 'before');
    const target = await openTarget(path, false);
    await target.write(Buffer.from('half'));
    await target.giveUp();
    expect(await readFile(path, 'utf8')).toBe('before');
    expect(await readdir(folder)).toEqual(['records']);
  });

  it('is written in place where the name leads to a device', async () => {
    const path = join(folder, 'nothing');
    await symlink('/dev/null', path);
    const target = await openTarget(path, false);
    await target.write(Buffer.from('gone'));
    await target.end();
    expect(await readdir(folder)).toEqual(['nothing']);
  });

  it('says which file cannot be written', async () => {
    const path = join(folder, 'no', 'records');
    await expect(openTarget(path, false)).rejects.toThrow(`${path} cannot be written`);
    await expect(openTarget(path, false)).rejects.toBeInstanceOf(CommandFailed);
  });
});

describe('a file that grows', () => {
  it.each([
    ['nothing', ''],
    ['whole lines', 'one\ntwo\n'],
  ])('keeps %s, and drops the half line of a run that was cut', async (_, whole) => {
    const path = join(folder, 'lines');
    await writeFile(path, `${whole}${'cut'.repeat(50_000)}`);
    const target = await openTarget(path, true);
    await target.write(Buffer.from('next\n'));
    await target.end();
    expect(await readFile(path, 'utf8')).toBe(`${whole}next\n`);
  });
});

describe('a value of an option', () => {
  it.each([
    ['60', 60_000],
    ['60s', 60_000],
    ['500ms', 500],
    ['5m', 300_000],
    ['1h', 3_600_000],
    ['30d', 2_592_000_000],
    ['1w', undefined],
    ['-1', undefined],
    ['', undefined],
  ])('takes %j for %s ms', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each([
    ['no duration at all', () => parseTime('0')],
    ['a port beyond the last', () => parsePort('65536')],
    ['a number beyond its bounds', () => wholeNumber(1, 5)('6')],
    ['a number with a fraction', () => wholeNumber(1, 5)('1.5')],
    ['an address with a name in it', () => parseUrl('https://user@reports.example.com')],
    ['an address of another scheme', () => parseUrl('ftp://reports.example.com')],
  ])('refuses %s', (_, parse) => {
    expect(parse).toThrow(/^Give /);
  });
});

describe('output', () => {
  it('has columns as wide as they need to be, and nothing that a terminal obeys', () => {
    expect(
      table([
        ['name', 'count'],
        ['a\u001b[31m\nlong name', '7'],
      ]),
    ).toMatch(/^name +count\na\S* ?long name +7$/);
  });

  it('shows progress on a terminal alone', () => {
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
  });
});
