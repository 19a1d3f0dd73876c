import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { LONGEST_RETENTION } from '@sightline/feed';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aggregateXml, gzip, mailWith, toMbox } from '../../packages/importer/test/reports.ts';
import { account, createFeedDatabase, type FeedDatabase, plan, report, toText } from '../feed/lines.ts';
import { freePort } from '../support/network.ts';
import { onTerminal } from '../support/screen.ts';
import { type Outcome, sightlineHere, sightlineLasting } from '../support/sightline.ts';
import { until } from '../support/until.ts';

/** Tests what commands leave in files, on the terminal and in the process, besides their result. */

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
  await put('xml', aggregateXml([{ sourceIp: '198.51.100.7', count: 2 }], 'left'));
  await put('broken', gzip(aggregateXml()).subarray(0, 50));
  await put('names', 'base_reverse_dns,name,type\n198.51.100.0/24,Own Relay,Host\n');
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

describe('the port of the metrics', () => {
  const isOpen = (port: number) =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ status }) => status === 200,
      () => false,
    );

  it('of a watched folder is open until the command ends', async () => {
    const port = await freePort();
    const watching = sightlineLasting(importing('--watch', await mkdtemp(join(folder, 'watched-'))), {
      ...env(),
      ADMIN_PORT: String(port),
    });
    await until(() => isOpen(port));
    expect(await watching.end()).toMatchObject({ code: 0, stdout: '' });
    expect([await isOpen(port), handlers()]).toEqual([false, before]);
  });

  it('of a folder that cannot be watched is closed with the command', async () => {
    const port = await freePort();
    const args = ['load', '--watch', join(folder, 'nowhere')];
    const { code } = await sightlineHere(args, { ...env(), ADMIN_PORT: String(port) });
    expect([code, await isOpen(port), handlers()]).toEqual([1, false, before]);
  });

  it('of a service whose own port is taken is closed with the command', async () => {
    const port = await freePort();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const taken = String((other.address() as AddressInfo).port);
    const outcome = await sightlineHere(['serve'], { ...env(), PORT: taken, ADMIN_PORT: String(port) });
    other.close();
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining(`Port ${taken} of`) });
    expect(await isOpen(port)).toBe(false);
  });
});

describe('the skipped items of an import', () => {
  it.each([100, 101])('are printed up to the hundredth, and then counted: %i', async count => {
    const path = newPath();
    await writeFile(path, aggregateXml(Array(count).fill({ count: 'many' }), `skipped ${count}`));
    const { stderr } = await run(...importing(path));
    const lines = stderr.trimEnd().split('\n');
    expect(lines.slice(0, 100)).toEqual(
      Array.from({ length: 100 }, (_, row) => expect.stringContaining(`record ${row + 1} `)),
    );
    expect(lines.slice(100, -1)).toEqual(count > 100 ? ['… and 1 more'] : []);
    expect(lines.at(-1)).toContain(`; ${count} skipped (`);
  });

  it('that the database refuses are named by each import of their mail', async () => {
    const path = newPath();
    await database.load(account('full'));
    await writeFile(path, aggregateXml([{ count: 1 }], 'first'));
    await run('import', '--account', 'full', path);
    const most = Number.MAX_SAFE_INTEGER - 5;
    await database.rows(`update daily_count set total = ${most} where account_id = 'full'`);
    await writeFile(
      path,
      toMbox(mailWith({ bytes: aggregateXml([{ count: 2 }, { count: 3 }, { count: 4 }]) })),
    );
    for (let times = 0; times < 2; times++) {
      const { code, stderr } = await run(...importing('--account', 'full', '--verbose', path));
      expect(code).toBe(3);
      expect(stderr).toMatch(/^.*: dmarc 3\ndmarc \S+ is refused by the feed: count /);
    }
  });

  it('do not include records of a mail that was imported before, which are counted for each file', async () => {
    const path = newPath();
    await writeFile(path, toMbox(mailWith({ bytes: aggregateXml([{ count: 5 }, { count: 6 }], 'again') })));
    expect((await run(...importing('--verbose', path))).stderr).toMatch(`${path}: dmarc 2\n`);
    expect((await run(...importing('--verbose', path))).stderr).toMatch(`${path}: imported before 2\n`);
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
