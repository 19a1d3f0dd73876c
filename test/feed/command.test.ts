import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CommandFailed, describeProgress } from '@sightline/tools';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOCK_REPORTS } from '../../sql/feed/lock.ts';
import { RejectsFile } from '../../src/cli/rejects.ts';
import { onTerminal } from '../support/screen.ts';
import { exitCode, sightline, sightlineHere, startSightline } from '../support/sightline.ts';
import { simulatePauses } from '../support/simulated-pauses.ts';
import { until } from '../support/until.ts';
import { account, createFeedDatabase, type FeedDatabase, plan, report, toText } from './lines.ts';

let database: FeedDatabase;
let folder: string;
beforeAll(async () => {
  database = await createFeedDatabase();
  folder = await mkdtemp(join(tmpdir(), 'sightline-test-feed-'));
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const env = () => ({ DATABASE_URL: database.url });
const load = (...args: string[]) => sightlineHere(['load', ...args], env());

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

async function reports(): Promise<unknown[]> {
  return (await database.rows('select id from report order by id')).map(({ id }) => id);
}

const WAITING = 'Another load is running: waiting for it.\n';

describe('sightline load', () => {
  it('loads several files together, gzipped or plain, and prints a summary', async () => {
    const first = await file('reports.ndjson.gz', gzipSync(toText([report('1'), report('2')])));
    const second = await file('accounts', toText([account('a')]).trimEnd());
    const { code, stdout, stderr } = await load(first, second);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Loaded report 2, account 1; rejected 0; \d+\.\d s\n$/);
    expect(await reports()).toEqual(['1', '2']);
  });

  it('loads standard input, and names its invalid lines', async () => {
    const input = gzipSync(toText([plan('a'), plan('nobody')]));
    const { code, stdout, stderr } = await sightline(['load', '-'], { env: env(), input });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      '-:2: accountId: there is no account "nobody"\nThe feed has a bad line: nothing was loaded.\n',
    );
  });

  it('lists the first twenty invalid lines and the number of further ones', async () => {
    const path = await file('bad', 'x\n'.repeat(23));
    const { code, stderr } = await load(path);
    const lines = stderr.trimEnd().split('\n');
    expect(code).toBe(1);
    expect(lines[0]).toBe(`${path}:1: is not JSON`);
    expect(lines.slice(19)).toEqual([
      `${path}:20: is not JSON`,
      '… and 3 more',
      'The feed has 23 bad lines: nothing was loaded.',
    ]);
  });

  it('writes the invalid lines to a file, and loads the valid ones', async () => {
    const bad = Buffer.concat([Buffer.from('{"kind":"x"'), Buffer.from([0xff]), Buffer.from('\r')]);
    const path = await file('mixed', Buffer.concat([bad, Buffer.from(`\n${toText([report('3')])}oops`)]));
    const rejects = join(folder, 'rejects');
    const { code, stdout, stderr } = await load('--skip-invalid', rejects, path);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^Loaded report 1; rejected 2;/);
    expect(stderr).toBe(
      `${path}:1: is not UTF-8\n${path}:3: is not JSON\n2 bad lines are in ${rejects}; the rest is loaded.\n`,
    );
    expect(await readFile(rejects)).toEqual(Buffer.concat([bad, Buffer.from('\noops\n')]));
    expect(await reports()).toContain('3');
  });

  it('says how many of the bad lines were truncated', async () => {
    const path = await file('long', `${'x'.repeat(2 ** 16 + 1)}\n`);
    const rejects = join(folder, 'rejects-of-long');
    const { stdout, stderr } = await load('--skip-invalid', rejects, path);
    expect(stdout).toMatch(/^Loaded nothing; rejected 1; /);
    expect(stderr).toContain(
      `\n1 of the bad lines are longer than 64 KiB, and truncated in ${rejects}.\n1 bad line is in `,
    );
  });

  it('makes the file of rejected lines readable only by its owner, even if it existed before', async () => {
    const path = await file('bad-once', 'x');
    const rejects = await file('rejects-of-all', 'what was there');
    await chmod(rejects, 0o644);
    expect(await load('--skip-invalid', rejects, path)).toMatchObject({ code: 3 });
    expect((await stat(rejects)).mode & 0o777).toBe(0o600);
    expect(await readFile(rejects, 'utf8')).toBe('x\n');
  });

  it('ends when the file of rejected lines is full', async () => {
    const path = join(folder, 'limited');
    const rejects = await RejectsFile.open(path, [], 5);
    await rejects.write(Buffer.from('ab\n'));
    await rejects.write(Buffer.from('c\n'));
    const tooMany = `The bad lines do not fit into ${path}, 1 GiB: nothing was loaded.`;
    await expect(rejects.write(Buffer.from('\n'))).rejects.toEqual(new CommandFailed(tooMany));
    await rejects.close();
    expect(await readFile(path, 'utf8')).toBe('ab\nc\n');
    const bad = await file('full', 'x\n');
    const { code, stderr } = await load('--skip-invalid', '/dev/full', bad);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^\/dev\/full cannot be written: ENOSPC: .*: nothing was loaded\.\n$/),
    ]);
  });

  it('is remembered as the last load, unless it is a trial or refused', async () => {
    const last = async () =>
      (await database.rows("select finished_at from last_run where command = 'load'"))[0];
    const good = await file('remembered', toText([account('a'), report('remembered')]));
    const [before, bad] = [await last(), await file('refused', 'x\n')];
    await load('--dry-run', good);
    await load(bad);
    expect(await last()).toEqual(before);
    await load(good);
    expect(await last()).not.toEqual(before);
  });

  it('prints no control characters from the feed to the terminal', async () => {
    const name = `\x1b[2J\n${folder}: all is well\r\x9b\u202e${'n'.repeat(300)}`;
    const path = await file('hostile', `${JSON.stringify({ kind: 'plan', [name]: 1 })}\n`);
    const { stderr } = await load(path);
    const [line, ...others] = stderr.trimEnd().split('\n');
    expect(line).toMatch(/n…: is not a field of plan$/);
    expect(others).toEqual(['The feed has a bad line: nothing was loaded.']);
    expect(stderr).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
  });

  it('names a damaged gzip file', async () => {
    const path = await file('broken.gz', gzipSync(toText([account('a')])).subarray(0, 40));
    const { code, stderr } = await load(path);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `${path} is a broken gzip: unexpected end of file\n`,
    });
  });

  it.each<[string, (path: string) => string[], string]>([
    ['a missing file', path => [`${path}x`], 'no such file'],
    ['a folder', () => [folder], 'is a folder'],
    [
      'a file of rejected lines that is also an input file',
      path => ['--skip-invalid', path, path],
      'one of the files to load',
    ],
    [
      'a file of rejected lines that cannot be written',
      path => ['--skip-invalid', join(folder, 'no', 'x'), path],
      'cannot be written',
    ],
  ])('rejects %s', async (_, args, sentence) => {
    const path = await file('good', toText([account('a')]));
    const { code, stderr } = await load(...args(path));
    expect(code).toBe(1);
    expect(stderr).toContain(sentence);
    expect(await readFile(path, 'utf8')).not.toBe('');
  });

  it.each([
    [[], 'error: name files to load, or a folder to watch'],
    [['a', '--watch', 'b'], 'error: name files to load, or a folder to watch'],
    [['--watch', 'b', '--dry-run'], 'error: --watch cannot be combined with --skip-invalid or --dry-run'],
    [
      ['--watch', 'b', '--skip-invalid', 'c'],
      'error: --watch cannot be combined with --skip-invalid or --dry-run',
    ],
    [['--watch', 'b', '--every', '99ms'], ', from 100 ms on.'],
    [['--watch', 'b', '--every', 'often'], ', from 100 ms on.'],
  ])('exits with a usage error for the arguments %j', async (args, message) => {
    expect(await load(...args)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
  });

  it.each<[string, string, number, RegExp]>([
    ['loads after another load, and says once that it waits', 'commit', 0, /^$/],
    ['can be interrupted while it waits', 'interrupt', 130, /^Interrupted: nothing was loaded\.\n$/],
  ])('%s', async (_, then, expected, rest) => {
    const path = await file('after', toText([account('a'), report(`after ${then}`)]));
    const other = await database.sql.begin();
    await other.query(LOCK_REPORTS);
    let ended: Promise<void> | undefined;
    let pauses = 0;
    const restore = simulatePauses(async (milliseconds, value, options) => {
      if (milliseconds === 100) pauses++;
      if (pauses === 2 && then === 'commit') ended ??= other.commit();
      if (pauses === 2 && then === 'interrupt') process.emit('SIGINT', 'SIGINT');
      options?.signal?.throwIfAborted();
      return value;
    });
    try {
      const { code, stderr } = await load(path);
      const [said, more] = [stderr.slice(0, WAITING.length), stderr.slice(WAITING.length)];
      expect([code, said]).toEqual([expected, WAITING]);
      expect(more).toMatch(rest);
    } finally {
      restore();
      await (ended ?? other.commit());
    }
    expect((await reports()).includes(`after ${then}`)).toBe(then === 'commit');
  });

  it('shows its progress on a terminal, and erases it', async () => {
    const path = await file('shown', toText([account('a'), report('shown')]));
    const { code, lines, written } = await onTerminal(output => sightlineHere(['load', path], env(), output));
    expect([code, lines]).toEqual([
      0,
      [expect.stringMatching(/^Loaded (account 1, )?report 1; (repeated 1; )?rejected 0; /)],
    ]);
    expect(written).toMatch(/^\r2 lines, \d+ a second, 0\.0 MB left/);
  });

  it('exits with 130 on Ctrl-C without loading anything', { tags: 'slow' }, async () => {
    const child = startSightline(['load', '-'], { env: env() });
    let said = '';
    child.stderr?.on('data', chunk => {
      said += chunk;
    });
    // The command stops reading when it is interrupted.
    child.stdin?.on('error', () => {});
    child.stdin?.write(toText(Array.from({ length: 30_000 }, (_, index) => report(`interrupted ${index}`))));
    await atWork();
    child.kill('SIGINT');
    expect(await exitCode(child)).toBe(130);
    expect(said).toBe('Interrupted: nothing was loaded.\n');
    expect((await reports()).filter(id => String(id).startsWith('interrupted'))).toEqual([]);
  });

  it('prints a single sentence when the database connection is lost', { tags: 'slow' }, async () => {
    const child = startSightline(['load', '-'], { env: env() });
    let said = '';
    child.stderr?.on('data', chunk => {
      said += chunk;
    });
    child.stdin?.on('error', () => {});
    await atWork();
    const end = LOADERS.replace('count(*)', 'count(pg_terminate_backend(pid))');
    // Between two samples, the session may be running a statement.
    await until(async () => Number((await database.rows(end))[0]?.count) > 0);
    child.stdin?.end(toText([report('lost')]));
    expect(await exitCode(child)).toBe(1);
    expect(said).toBe('The connection to the database was lost: nothing was loaded\n');
    expect(await reports()).not.toContain('lost');
  });
});

const LOADERS = `
  select count(*) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and state = 'idle in transaction'`;

async function atWork(): Promise<void> {
  await until(async () => Number((await database.rows(LOADERS))[0]?.count) > 0);
}

describe('a dry run', () => {
  it('prints what a load would do, without loading anything', async () => {
    const path = await file(
      'trial',
      `${toText([account('trial'), report('t', { accountId: 'trial' })])}oops\n`,
    );
    const rejects = join(folder, 'rejects-of-trial');
    const { code, stdout, stderr } = await load('--dry-run', '--skip-invalid', rejects, path);
    expect(stdout).toMatch(/^Would load account 1, report 1; rejected 1;/);
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: `${path}:3: is not JSON\n1 bad line is in ${rejects}; the rest would be loaded.\n`,
    });
    expect(await database.rows(`select from account where id = 'trial'`)).toEqual([]);
    expect(await load('--dry-run', path)).toMatchObject({ code: 1, stdout: '' });
  });

  it('prints what a prune would remove, without removing anything', async () => {
    await database.load(account('dry'), report('stale', { accountId: 'dry', date: '2017-02-01T00:00:00Z' }));
    const { code, stdout } = await sightlineHere(['prune', '--dry-run'], env());
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^Would remove [1-9]/) });
    expect(await reports()).toContain('stale');
    const [, count] = /(\d+)/.exec(stdout) ?? [];
    expect((await sightlineHere(['prune'], env())).stdout).toBe(
      `Removed ${count} report${count === '1' ? '' : 's'}.\n`,
    );
  });
});

describe('sightline prune', () => {
  it('prints how many reports it removed', async () => {
    await database.load(
      account('old'),
      report('ancient', { accountId: 'old', date: '2017-01-01T00:00:00Z' }),
    );
    const { code, stdout } = await sightlineHere(['prune'], env());
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Removed \d+ reports?\.\n$/);
    expect(await reports()).not.toContain('ancient');
    const ancient = report('ancient', { accountId: 'old', date: '2017-01-01T00:00:00Z' });
    const again = await load(await file('ancient', toText([account('old'), ancient])));
    expect(again.stdout).toMatch(/^Loaded nothing; repeated 1; past retention: 1; rejected 0; /);
  });
});

describe('the progress line on a terminal', () => {
  it('shows the lines, the rate, and the remaining bytes if they are known', () => {
    const progress = { lines: 50_000, bytes: 1_000_000, totalBytes: 3_500_000 };
    expect(describeProgress(progress, 2)).toBe('50000 lines, 25000 a second, 2.5 MB left');
    expect(describeProgress({ ...progress, totalBytes: undefined }, 2)).toBe('50000 lines, 25000 a second');
  });
});
