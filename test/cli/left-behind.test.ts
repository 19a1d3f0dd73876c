import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { LONGEST_RETENTION } from '@sightline/feed';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aggregateXml, gzip } from '../../packages/importer/test/reports.ts';
import { account, createFeedDatabase, type FeedDatabase, plan, report, toText } from '../feed/lines.ts';
import { onTerminal } from '../support/screen.ts';
import { type Outcome, sightlineHere } from '../support/sightline.ts';

/** What commands leave in files, on the terminal and in the process, besides their result. */

let database: FeedDatabase;
let folder: string;
const files = {} as Record<'good' | 'bad' | 'xml' | 'broken' | 'names', string>;

beforeAll(async () => {
  database = await createFeedDatabase();
  await database.load(
    account('a'),
    plan('a', { dataRetentionDays: LONGEST_RETENTION }),
    account('b'),
    report('old', { accountId: 'b', date: '2017-01-01T00:00:00Z' }),
  );
  folder = await mkdtemp(join(tmpdir(), 'sightline-test-left-'));
  const put = async (name: keyof typeof files, content: string | Uint8Array) => {
    files[name] = join(folder, name);
    await writeFile(files[name], content);
  };
  await put('good', toText([report('good')]));
  await put('bad', `oops\n${toText([report('beside')])}`);
  await put('xml', aggregateXml([{ sourceIp: '192.0.2.1', count: 2 }], 'left'));
  await put('broken', gzip(aggregateXml()).subarray(0, 50));
  await put('names', 'base_reverse_dns,name,type\n192.0.2.0/24,Own Relay,Host\n');
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const env = () => ({ DATABASE_URL: database.url });
const run = (...args: string[]) => sightlineHere(args, env());
const importing = (...args: string[]) => ['import', '--account', 'a', ...args];
let outputs = 0;
const newPath = () => join(folder, `output-${outputs++}`);

/** Runs a command that receives SIGINT when it has written its first line. */
function interrupted(...args: string[]): Promise<Outcome> {
  let stderr = '';
  const written = {
    stdout: '',
    get stderr() {
      return stderr;
    },
    set stderr(text) {
      if (stderr === '') process.emit('SIGINT', 'SIGINT');
      stderr = text;
    },
  };
  return sightlineHere(args, env(), written);
}

const handlers = () => ['SIGINT', 'SIGTERM', 'SIGHUP'].map(name => process.listenerCount(name));
let before: number[];
beforeEach(() => {
  before = handlers();
});

describe('an output file', () => {
  it('of skipped items is replaced by the next import, which makes no other file', async () => {
    const path = newPath();
    const args = importing('--skipped', path, files.broken);
    await run(...args);
    const first = await readFile(path, 'utf8');
    expect(first.split('\n')).toHaveLength(2);
    await run(...args);
    expect(await readFile(path, 'utf8')).toBe(first);
    await run(...importing('--skipped', path, files.xml));
    expect(await readFile(path, 'utf8')).toBe('');
    expect((await readdir(folder)).filter(name => name.startsWith('output-'))).toHaveLength(outputs);
  });

  it('of bad lines is replaced by the next load', async () => {
    const path = newPath();
    for (let times = 0; times < 2; times++) {
      expect(await run('load', '--skip-invalid', path, files.bad)).toMatchObject({ code: 3 });
      expect(await readFile(path, 'utf8')).toBe('oops\n');
    }
    expect(await run('load', '--skip-invalid', path, files.good)).toMatchObject({ code: 0 });
    expect(await readFile(path, 'utf8')).toBe('');
  });

  it('of lines of the feed is replaced as a whole, and stays as it was if the import is interrupted', async () => {
    const path = newPath();
    const old = 'before\n'.repeat(1000);
    await writeFile(path, old, { mode: 0o644 });
    const args = importing('--to-feed', path, '--verbose', files.xml);
    expect(await interrupted(...args, files.xml)).toEqual({
      code: 130,
      stdout: '',
      stderr: `${files.xml}: dmarc 1\nInterrupted: nothing was imported.\n`,
    });
    expect(await readFile(path, 'utf8')).toBe(old);
    expect(await readdir(folder)).not.toContain(`${basename(path)}.partial`);
    for (let times = 0; times < 2; times++) {
      expect(await run(...args)).toMatchObject({ code: 0 });
      const lines = (await readFile(path, 'utf8')).split('\n');
      expect([lines.length, JSON.parse(lines[0]!)]).toMatchObject([2, { type: 'dmarc', count: 2 }]);
    }
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).not.toContain(`${basename(path)}.partial`);
  });

  it.each<[string, () => string[]]>([
    ['skipped items', () => importing('--skipped', join(folder, 'no/list'), files.xml)],
    ['lines of the feed', () => importing('--to-feed', join(folder, 'no/feed'), files.xml)],
    ['bad lines', () => ['load', '--skip-invalid', join(folder, 'no/bad'), files.good]],
  ])('of %s in a missing folder fails before anything is done', async (_, args) => {
    const path = args().find(arg => arg.includes('/no/'));
    const { code, stdout, stderr } = await run(...args());
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(`${path} cannot be written: ENOENT`);
  });
});

/** The parts of sentences that differ in each run. */
const plain = (line: string) => line.replaceAll(`${folder}/`, '').replace(/\d+\.\d s$/, '# s');

describe('on a terminal, progress is shown, and is erased before each sentence', () => {
  it.each<[string, () => string[], number, RegExp, string[]]>([
    ['a load', () => ['load', files.good], 0, /lines, /, ['Loaded nothing; repeated 1; rejected 0; # s']],
    [
      'a load of bad lines',
      () => ['load', files.bad],
      1,
      /lines, /,
      ['bad:1: is not JSON', 'The feed has a bad line: nothing was loaded.'],
    ],
    [
      'a load without bad lines',
      () => ['load', '--skip-invalid', join(folder, 'rest'), files.bad],
      3,
      /lines, /,
      [
        'bad:1: is not JSON',
        'Loaded nothing; repeated 1; rejected 1; # s',
        '1 bad line is in rest; the rest is loaded.',
      ],
    ],
    [
      'an import',
      () => importing(files.xml, files.broken, '--verbose'),
      3,
      /\r1 items, 0\.0 MB, \d+ items a second/,
      [
        'xml: dmarc 1',
        'broken is a broken gzip: it ends too early',
        'broken: skipped 1',
        'Imported nothing; 1 items read; 1 repeated; 1 skipped (is a broken gzip 1); # s',
      ],
    ],
    [
      'enrich',
      () => ['enrich', '--names', files.names],
      0,
      /Filling in DMARC reports … 0 s.*Filling in NEL reports … 0 s/s,
      ['Filled in 1 DMARC and 0 NEL reports.'],
    ],
    ['prune', () => ['prune'], 0, /Looking for reports past their retention … 0 s/, ['Removed 1 report.']],
    ['prune without anything to remove', () => ['prune'], 0, / … 0 s/, ['Removed 0 reports.']],
    [
      'migrate',
      () => ['migrate'],
      0,
      /Migrating the database … 0 s/,
      ['Nothing to do: the database is up to date.'],
    ],
    [
      'maintain',
      () => ['maintain', '--groups'],
      0,
      / … 0 s/,
      ['All days and hours with many reports have rollups.'],
    ],
  ])('by %s', async (_, args, code, progress, lines) => {
    const screen = await onTerminal(written => sightlineHere(args(), env(), written));
    expect({ code: screen.code, lines: screen.lines.map(plain) }).toEqual({ code, lines });
    expect(screen.written).toMatch(progress);
    expect(handlers()).toEqual(before);
  });
});
