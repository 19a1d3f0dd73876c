import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { BadLine } from '@sightline/feed';
import { ImportTally } from '@sightline/importer';
import { CommandFailed } from '@sightline/tools';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  aggregateXml,
  gzip,
  mailWith,
  toMbox,
  toZip,
  YESTERDAY,
} from '../../packages/importer/test/reports.ts';
import { LoadMonths } from '../../src/feed/copy/months.ts';
import { account, createFeedDatabase, type FeedDatabase, plan } from '../feed/lines.ts';
import { exitCode, sightline, sightlineHere, startSightline } from '../support/sightline.ts';

let database: FeedDatabase;
let folder: string;
beforeAll(async () => {
  database = await createFeedDatabase();
  await database.load(account('a'));
  folder = await mkdtemp(join(tmpdir(), 'sightline-test-import-'));
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const run = (...args: string[]) =>
  sightlineHere(['import', '--account', 'a', ...args], { DATABASE_URL: database.url });

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, content);
  return path;
}

const counts = async () =>
  (await database.rows("select id, count from report where type = 'dmarc' order by id")).map(row => ({
    ...row,
  }));

describe('sightline import', () => {
  it('counts each report once, even if it is imported again', async () => {
    const mailbox = await file(
      'inbox',
      toMbox(mailWith({ bytes: gzip(aggregateXml([{ count: 3 }, { count: 4 }])) })),
    );
    const { code, stdout, stderr } = await run(mailbox);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(/^Imported dmarc 2; 1 items read; 0 repeated; 0 skipped; \d+\.\d s\n$/);
    const before = await counts();
    expect(before.map(({ count }) => Number(count)).sort()).toEqual([3, 4]);
    const repeated = await run(
      '--json',
      mailbox,
      await file('report.xml', aggregateXml([{ count: 4 }, { count: 3 }])),
    );
    expect(JSON.parse(repeated.stderr)).toMatchObject({
      items: 1,
      records: { dmarc: 0 },
      repeated: 4,
      skipped: {},
    });
    expect(await counts()).toEqual(before);
  });

  it('writes the records as feed lines without a database', async () => {
    const report = await file('one.xml', aggregateXml([{ count: 5 }], 'to-feed'));
    const target = join(folder, 'feed.ndjson');
    const outcome = await sightlineHere(['import', '--account', 'a', '--to-feed', target, report], {
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
    });
    expect(outcome.code).toBe(0);
    expect((await stat(target)).mode & 0o777).toBe(0o600);
    const { code } = await sightlineHere(['load', target], { DATABASE_URL: database.url });
    expect(code).toBe(0);
    const before = await counts();
    await run(report);
    expect(await counts()).toEqual(before);
  });

  it('writes to an existing pipe without replacing it', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reading = readFile(pipe, 'utf8');
    const report = await file('piped.xml', aggregateXml([{ count: 7 }], 'piped'));
    const { code } = await run('--to-feed', pipe, report);
    expect(code).toBe(0);
    expect(JSON.parse(await reading)).toMatchObject({ type: 'dmarc', count: 7 });
    expect((await stat(pipe)).isFIFO()).toBe(true);
  });

  it('reads standard input and writes to standard output', { tags: 'slow' }, async () => {
    const input = gzip(aggregateXml([{ count: 6 }]));
    const { code, stdout } = await sightline(['import', '--account', 'a', '--to-feed', '-', '-'], { input });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'report', accountId: 'a', type: 'dmarc', count: 6 });
  });

  it('reads standard input and files, writes to standard output, and counts what it repeats', async () => {
    const xml = aggregateXml([{ count: 6 }], 'standard');
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([gzip(xml)]) as never);
    try {
      const { code, stdout, stderr } = await run('--to-feed', '-', '-', await file('standard.xml', xml));
      expect([code, stderr]).toEqual([
        0,
        expect.stringMatching(/^Imported dmarc 1; 2 items read; 1 repeated; /),
      ]);
      const lines = stdout.trimEnd().split('\n');
      expect(lines.map(line => JSON.parse(line))).toMatchObject(Array(2).fill({ type: 'dmarc', count: 6 }));
    } finally {
      vi.restoreAllMocks();
    }
  });

  it('reads the fields of a log that its options name, and changes reports as they say', async () => {
    const report = {
      'document-uri': 'https://a.example/p?q=1',
      'blocked-uri': 'inline',
      'violated-directive': 'img-src',
    };
    const log = await file(
      'named.log',
      ['at', 'other']
        .map((name, index) =>
          JSON.stringify({
            [name]: `2026-05-1${index}T12:00:00Z`,
            agent: { name: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
            request: { body: JSON.stringify({ 'csp-report': report }) },
          }),
        )
        .join('\n'),
    );
    const fields = ['--body', 'request.body', '--time', 'at', '--user-agent', 'agent.name'];
    const changes = ['--action', 'reportOnly', '--strip-query', '--received', '2026-04-01T00:00:00Z'];
    const { stdout } = await run('--to-feed', '-', ...fields, ...changes, log);
    const records = stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    const common = { uri: 'https://a.example/p', action: 'reportOnly', browser: 'Firefox' };
    expect(records).toMatchObject([
      { ...common, date: '2026-05-10T12:00:00.000Z' },
      { ...common, date: '2026-04-01T00:00:00.000Z' },
    ]);
  });

  it('leaves no file of lines behind if it fails', async () => {
    const target = join(folder, 'unfinished', 'feed');
    await mkdir(join(target, '..'));
    const good = await file('before-failure.xml', aggregateXml([{ count: 1 }], 'before'));
    const failure = vi.spyOn(ImportTally.prototype, 'add').mockImplementation(() => {
      throw new CommandFailed('The records cannot be counted.');
    });
    const { code, stderr } = await run('--to-feed', target, good);
    failure.mockRestore();
    expect([code, stderr]).toEqual([1, 'The records cannot be counted.\n']);
    expect(await readdir(join(target, '..'))).toEqual([]);
    expect((await run('--to-feed', target, good)).code).toBe(0);
    expect(await readdir(join(target, '..'))).toEqual(['feed']);
  });

  it('exits with 1 if it skips everything, and with 3 if it repeats something', async () => {
    const [text, xml] = [await file('only.txt', 'hello'), aggregateXml([{ count: 1 }], 'codes')];
    expect((await run(text)).code).toBe(1);
    const good = await file('codes.xml', xml);
    expect((await run(good)).code).toBe(0);
    expect((await run(good, text)).code).toBe(3);
  });

  it('imports reports of more new months than a load of a feed accepts', async () => {
    const { admit } = LoadMonths.prototype;
    let isFirst = true;
    vi.spyOn(LoadMonths.prototype, 'admit').mockImplementation(function (this: LoadMonths, month) {
      if (!isFirst) return admit.call(this, month);
      isFirst = false;
      this.refused.add(month);
      return new BadLine('date', 'is of a month too many');
    });
    const { code, stderr } = await run(await file('months.xml', aggregateXml([{ count: 1 }], 'a month')));
    vi.restoreAllMocks();
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^Imported dmarc 1; .* 0 skipped; /)]);
  });

  it('reads a maildir and its folders, ignoring links, hidden files and unfinished mails', async () => {
    await file('Maildir/cur/1:2,S', mailWith({ bytes: aggregateXml([{ count: 1 }], 'cur') }));
    await file('Maildir/new/2', mailWith({ bytes: aggregateXml([{ count: 1 }], 'new') }));
    await file('Maildir/tmp/3', mailWith({ bytes: aggregateXml([{ count: 1 }], 'tmp') }));
    await file('Maildir/.DMARC/cur/4', mailWith({ bytes: aggregateXml([{ count: 1 }], 'folder') }));
    await file('Maildir/cur/.hidden', mailWith({ bytes: aggregateXml([{ count: 1 }], 'hidden') }));
    await symlink(
      await file('elsewhere', aggregateXml([{ count: 1 }], 'link')),
      join(folder, 'Maildir/cur/link'),
    );
    const { stderr } = await run('--json', '--to-feed', join(folder, 'walked'), join(folder, 'Maildir'));
    expect(JSON.parse(stderr)).toMatchObject({ records: { dmarc: 3 } });
    expect(await readFile(join(folder, 'walked'), 'utf8')).toMatch(/"folder".*\n.*"cur".*\n.*"new"/);
  });

  it('lists the number of records of each file with --verbose', async () => {
    const report = await file('two.xml', aggregateXml([{ count: 1 }, { count: 2 }], 'verbose'));
    const broken = await file('text.txt', 'hello');
    const { stderr } = await run('--verbose', '--to-feed', join(folder, 'verbose'), report, broken);
    expect(stderr.split('\n').slice(0, 3)).toEqual([
      `${report}: dmarc 2`,
      `${broken} is in an unknown format`,
      `${broken}: skipped 1`,
    ]);
  });

  it('imports the rest and exits with 3 when an item is skipped, which is printed and listed in a file', async () => {
    const broken = await file('broken\u001b[31m', gzip(aggregateXml()).subarray(0, 50));
    const list = join(folder, 'skipped');
    const { code, stderr } = await run(
      '--skipped',
      list,
      broken,
      await file('good', aggregateXml([{}], 'good')),
    );
    const [warning, summary] = stderr.split('\n');
    expect(code).toBe(3);
    expect(warning).toBe(`${broken.replace('\u001b', '\u{fffd}')} is a broken gzip: it ends too early`);
    expect(summary).toMatch(/^Imported dmarc 1; .*1 skipped \(is a broken gzip 1\)/);
    expect(JSON.parse(await readFile(list, 'utf8'))).toEqual({
      kind: 'skipped',
      place: broken,
      reason: 'is a broken gzip',
      detail: 'it ends too early',
    });
    expect((await stat(list)).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['with a plan of 60 days', [plan('old', { dataRetentionDays: 60 })], [10, 60, 61, 100], 2],
    ['without a plan, whose retention is 30 days', [], [29, 30, 31, 45, 60], 3],
  ])(
    'prints how many reports the next prune removes from an account %s',
    { tags: 'slow' },
    async (_, lines, ages, expiring) => {
      await database.load({ kind: 'account', id: 'old', deleted: true });
      await database.load(account('old'), ...lines);
      const members = ages.map(age => {
        const begin = YESTERDAY + (1 - age) * 86_400;
        const bytes = aggregateXml([{ count: 1 }], `of ${age} days`).replace(/<begin>\d+/, `<begin>${begin}`);
        return { name: `${age}`, bytes };
      });
      const path = await file('old.zip', toZip(...members));
      const { stderr } = await run('--account', 'old', path);
      expect(stderr).toContain(
        `; older than the retention, so that the next prune removes them: ${expiring}; `,
      );
      const summary = async () => JSON.parse((await run('--account', 'old', '--json', path)).stderr);
      expect(await summary()).toMatchObject({ repeated: ages.length, expiring: 0, pastRetention: 0 });
      expect((await sightlineHere(['prune'], { DATABASE_URL: database.url })).code).toBe(0);
      const [row] = await database.rows("select count(*)::int as left from report where account_id = 'old'");
      expect(row).toEqual({ left: ages.length - expiring });
      expect(await summary()).toMatchObject({ pastRetention: expiring, expiring: 0 });
    },
  );

  it('imports years of reports, creating the missing partitions', { tags: 'slow' }, async () => {
    const months = Array.from({ length: 40 }, (_, index) => {
      const begin = Math.floor(Date.now() / 1000) - index * 31 * 86_400;
      return aggregateXml([{ count: 1 }], `month ${index}`).replace(/<begin>\d+/, `<begin>${begin}`);
    });
    const before = (await counts()).length;
    const path = await file(
      'months.zip',
      toZip(...months.map((bytes, index) => ({ name: `${index}`, bytes }))),
    );
    const { code, stderr } = await run('--json', path);
    expect(code).toBe(0);
    expect(JSON.parse(stderr)).toMatchObject({ records: { dmarc: 40 }, skipped: {} });
    expect(await counts()).toHaveLength(before + 40);
  });

  it.each<[string, () => string[], number, string]>([
    ['the file does not exist', () => [join(folder, 'nowhere')], 1, 'no such file'],
    [
      'the account does not exist',
      () => ['--account', 'nobody', join(folder, 'one.xml')],
      1,
      'There is no account "nobody"',
    ],
    ['a format is unknown', () => ['--format', 'pdf', folder], 2, 'Allowed choices are'],
  ])('exits with an error when %s', async (_, args, expected, sentence) => {
    const { code, stderr } = await run(...args());
    expect(stderr).toContain(sentence);
    expect(code).toBe(expected);
  });

  it.each<[args: string[], message: string]>([
    [['a', '--account', 'x', '--time', 't'], 'error: --time and --user-agent need --body'],
    [['a', '--account', 'x', '--user-agent', 'u'], 'error: --time and --user-agent need --body'],
    [['--account', 'x'], 'error: name what to import, or a folder to watch, or a mailbox'],
    ...[
      ['--watch', 'b'],
      ['--watch-root', 'b'],
      ['--imap', 'imaps://me@mail.example'],
    ].map((from): [string[], string] => [
      ['a', ...from],
      'error: name what to import, or a folder to watch, or a mailbox',
    ]),
    [['a'], 'error: name the account with --account, or routes to accounts with --route'],
    [['a', '--account', 'x', '--password-file', 'p'], 'error: --password-file needs --imap'],
    [['a', '--account', 'x', '--follow'], 'error: --follow needs --imap'],
    [['a', '--account', 'x', '--again'], 'error: --again needs --imap'],
    [['a', '--account', 'x', '--folder', 'f'], 'error: --folder needs --imap'],
    [['a', '--account', 'x', '--ca', 'f'], 'error: --ca needs --imap'],
    [['a', '--account', 'x', '--token-command', 'f'], 'error: --token-command needs --imap'],
    [
      ['--account', 'x', '--imap', 'imaps://me@mail.example'],
      'error: use --password-file for the password, or --token-command for a token',
    ],
    [['--account', 'x', '--watch', 'b', '--to-feed', '-'], 'error: --to-feed and --watch exclude each other'],
    [['--watch-root', 'b', '--account', 'x'], "cannot be used with option '--account <id>'"],
    [['--watch-root', 'b', '--route', 'x'], "cannot be used with option '--route <file>'"],
    [['a', '--timeout', '99ms'], ', from 100 ms to 10 min.'],
    [['a', '--timeout', '601s'], ', from 100 ms to 10 min.'],
    [['a', '--timeout', 'long'], ', from 100 ms to 10 min.'],
    [['a', '--received', 'noon'], 'Give a time as 2026-01-31T12:00:00Z.'],
    [['a', '--max-mail', '25T'], 'Give a whole number, such as 1000 or 25M.'],
  ])('exits with a usage error for the arguments %j', async (args, message) => {
    const outcome = await sightlineHere(['import', ...args], { DATABASE_URL: database.url });
    expect(outcome).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
  });

  it.each(['100ms', '600s', '10m'])('accepts --timeout %s', async timeout => {
    const { stderr } = await sightlineHere(['import', 'a', '--timeout', timeout], {
      DATABASE_URL: database.url,
    });
    expect(stderr).toBe('error: name the account with --account, or routes to accounts with --route\n');
  });

  it('exits with 130 on Ctrl-C without importing anything', { tags: 'slow' }, async () => {
    const child = startSightline(['import', '--account', 'a', '-'], { env: { DATABASE_URL: database.url } });
    let said = '';
    child.stderr?.on('data', chunk => {
      said += chunk;
    });
    child.stdin?.on('error', () => {});
    const rows = Array.from({ length: 2000 }, (_, index) => ({ count: 1000 + index }));
    child.stdin?.write(aggregateXml(rows, 'interrupted').slice(0, -300));
    await atWork();
    child.kill('SIGINT');
    expect(await exitCode(child)).toBe(130);
    expect(said).toBe('Interrupted: nothing was imported.\n');
    expect((await counts()).filter(({ count }) => Number(count) >= 1000)).toEqual([]);
  });
});

async function atWork(): Promise<void> {
  const loaders = `select count(*) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state = 'idle in transaction'`;
  for (let left = 200; left > 0; left--) {
    const [row] = await database.rows(loaders);
    if (Number(row?.count) > 0) return;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  throw new Error('no import is at work');
}
