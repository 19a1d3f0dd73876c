import { type ChildProcess, execFileSync } from 'node:child_process';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_BOUNDS, type ImportOptions, Routes } from '@sightline/importer';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { aggregateXml, gzip, mailWith } from '../../packages/importer/test/reports.ts';
import { importWork } from '../../src/cli/import-watch.ts';
import { account, apiKey, createFeedDatabase, type FeedDatabase, report, toText } from '../feed/lines.ts';
import { freePort } from '../support/network.ts';
import { exitCode, sightlineHere, sightlineLasting, startSightline } from '../support/sightline.ts';
import { until } from '../support/until.ts';

let database: FeedDatabase;
let parent: string;
beforeAll(async () => {
  database = await createFeedDatabase();
  await database.load(account('a'));
  parent = await mkdtemp(join(tmpdir(), 'sightline-test-spool-'));
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await rm(parent, { recursive: true, force: true });
});

interface Watcher extends AsyncDisposable {
  spool: string;
  said(): string;
}

interface WatchingProcess extends Watcher {
  child: ChildProcess;
}

const newSpool = () => mkdtemp(join(parent, 'spool-'));
const watched = (spool: string, option = '--watch') => [option, spool, '--every', '100ms'];

/** Runs the command within this process. */
async function watching(command: string[], option?: string, found?: string): Promise<Watcher> {
  const spool = found ?? (await newSpool());
  const { written, end } = sightlineLasting([...command, ...watched(spool, option)], {
    DATABASE_URL: database.url,
  });
  await until(() => written.stderr.includes('Watching'));
  return {
    spool,
    said: () => written.stderr,
    async [Symbol.asyncDispose]() {
      expect((await end()).code).toBe(0);
    },
  };
}

/** Runs the command in a separate process, which can receive signals. */
async function watchingProcess(
  command: string[],
  more: Record<string, string> = {},
): Promise<WatchingProcess> {
  const spool = await newSpool();
  const child = startSightline([...command, ...watched(spool)], {
    env: { DATABASE_URL: database.url, ...more },
  });
  let text = '';
  child.stderr?.on('data', chunk => {
    text += chunk;
  });
  await until(() => text.includes('Watching'));
  return {
    child,
    spool,
    said: () => text,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await exitCode(child);
      }
    },
  };
}

const importing = ['import', '--account', 'a'];

/** Adds a complete file to the spool that has not changed for a minute. */
async function put(spool: string, name: string, content: string | Uint8Array): Promise<void> {
  const path = join(parent, `moving-${name.replace('/', '-')}`);
  await writeFile(path, content);
  await utimes(path, Date.now() / 1000 - 60, Date.now() / 1000 - 60);
  await rename(path, join(spool, name));
}

const has = (folder: string, name: string) => async () =>
  (await readdir(folder).catch((): string[] => [])).includes(name);

const count = async () => Number((await database.rows('select count(*) from report'))[0]!.count);

describe('import --watch', () => {
  it('imports new files, moves them to another folder, and exits on SIGTERM after the current batch', {
    tags: 'slow',
  }, async () => {
    await using watcher = await watchingProcess(importing);
    const { spool, child } = watcher;
    await put(spool, 'one.xml.gz', gzip(aggregateXml([{ count: 1 }], 'watched')));
    await until(has(join(spool, 'done'), 'one.xml.gz'));
    expect(await count()).toBe(1);
    await put(spool, 'one.xml.gz', gzip(aggregateXml([{ count: 1 }], 'watched')));
    await until(has(join(spool, 'done'), 'one.xml.gz.1'));
    expect(await count()).toBe(1);
    child.kill('SIGTERM');
    expect(await exitCode(child)).toBe(0);
    expect(watcher.said()).toMatch(/1 file: Imported dmarc 1;/);
    expect((await readdir(spool)).sort()).toEqual(['done', 'failed']);
  });

  it('moves unreadable files aside with the reason, and imports the rest', async () => {
    await using watcher = await watching([...importing, '--remove']);
    const { spool } = watcher;
    const before = await count();
    const rows = [{ sourceIp: '' }, { count: 7 }];
    await put(spool, 'half.xml', aggregateXml(rows, 'half'));
    await put(spool, 'fine.xml', aggregateXml([{ count: 8 }], 'fine'));
    // The file exists for a moment before it has content.
    await until(has(join(spool, 'failed'), 'half.xml.reason'));
    const reason = () => readFile(join(spool, 'failed/half.xml.reason'), 'utf8');
    await until(async () => (await reason()) !== '');
    expect(await reason()).toBe(`${join(spool, 'half.xml')}, record 1 has no source address\n`);
    await until(async () => !(await has(spool, 'fine.xml')()));
    expect(await readdir(join(spool, 'done'))).toEqual([]);
    expect(await count()).toBe(before + 2);
  });
});

describe('a batch of several files', () => {
  it('is imported file by file if the database refuses a line, which belongs to one of them', {
    tags: 'slow',
  }, async () => {
    const spool = await newSpool();
    await database.load(account('full'));
    const first = join(parent, 'first.xml');
    await writeFile(first, aggregateXml([{ count: 1 }], 'first'));
    await sightlineHere(['import', '--account', 'full', first], { DATABASE_URL: database.url });
    const most = Number.MAX_SAFE_INTEGER - 5;
    await database.rows(`update daily_count set total = ${most} where account_id = 'full'`);
    await put(spool, 'a-over.xml', aggregateXml([{ count: 6 }], 'over'));
    await put(spool, 'b-fine.xml', aggregateXml([{ count: 1 }], 'after'));
    await using _watcher = await watching(['import', '--account', 'full'], '--watch', spool);
    await until(has(join(spool, 'done'), 'b-fine.xml'));
    await until(has(join(spool, 'failed'), 'a-over.xml.reason'));
    const reason = () => readFile(join(spool, 'failed/a-over.xml.reason'), 'utf8');
    await until(async () => (await reason()) !== '');
    expect(await reason()).toMatch(/^dmarc \S+ is refused by the feed: count /);
    expect((await readdir(join(spool, 'failed'))).sort()).toEqual(['a-over.xml', 'a-over.xml.reason']);
  });

  const importNow = async (
    files: Readonly<Record<string, string>>,
    { limit = 60_000, ...more }: Partial<ImportOptions> & { limit?: number } = {},
  ) => {
    const spool = await newSpool();
    const options = { accountId: 'a', format: 'auto', action: 'enforced', stripQuery: false } as const;
    const listed = await Promise.all(
      Object.entries(files).map(async ([name, content]) => {
        const path = join(spool, name);
        await writeFile(path, content);
        return { name, path: name, source: path, size: content.length, modified: Date.now() };
      }),
    );
    const work = importWork({ databaseUrl: () => database.url }, async () => ({
      ...options,
      bounds: DEFAULT_BOUNDS,
      ...more,
    }));
    // The test runner sets its own.
    vi.stubEnv('BASE_URL', undefined);
    const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    return work.run(listed, limit).finally(() => {
      printed.mockRestore();
      vi.unstubAllEnvs();
    });
  };

  it('fails for the domains without an account, each of them in its own file', async () => {
    const page = { 'document-uri': 'about:blank', 'blocked-uri': 'inline', 'violated-directive': 'x' };
    const outcome = await importNow(
      {
        'a.xml': aggregateXml([{ count: 1 }, { count: 2 }], 'of another'),
        'b.json': JSON.stringify({ 'csp-report': page }),
        'c.xml': aggregateXml([{ count: 'many' }], 'of nobody'),
        'd.txt': 'text',
      },
      { accountId: undefined, routes: new Routes([['acme.example', 'a']]) },
    );
    const noAccount = (domain: string) => [`has reports of ${domain}, which belongs to no account`];
    expect(outcome).toMatchObject({ taken: 4, records: {} });
    expect([...outcome.failures].filter(([name]) => name !== 'c.xml')).toEqual([
      ['a.xml', noAccount('example.org')],
      ['b.json', noAccount('no domain')],
      ['d.txt', ['d.txt is in an unknown format']],
    ]);
    expect(outcome.failures.get('c.xml')).toMatchObject([expect.stringMatching(/^c\.xml, record 1 /)]);
    expect(outcome.summary).toMatch(/^Imported nothing; .* \d\.\d s$/);
  });

  it('starts no file after its time, but at least one', async () => {
    const files = { 'a.xml': aggregateXml([{}], 'limit a'), 'b.xml': aggregateXml([{}], 'limit b') };
    const clock = vi.spyOn(performance, 'now').mockReturnValue(5000);
    try {
      expect(await importNow(files, { limit: -1 })).toMatchObject({ taken: 1, records: { dmarc: 1 } });
      expect(await importNow(files, { limit: 0 })).toMatchObject({ taken: 2, records: { dmarc: 1 } });
    } finally {
      clock.mockRestore();
    }
  });

  it('is refused as a whole for a line that the database refuses, and a single file without it', async () => {
    await database.load(account('over'));
    const first = aggregateXml([{ count: 1 }], 'below');
    await importNow({ first }, { accountId: 'over' });
    const most = Number.MAX_SAFE_INTEGER - 5;
    await database.rows(`update daily_count set total = ${most} where account_id = 'over'`);
    const over = aggregateXml([{ count: 6 }], 'above');
    await expect(importNow({ over, first }, { accountId: 'over' })).rejects.toMatchObject({
      name: 'SpoolRefused',
      reasons: ['import:1: count: would raise the total of its day above 2^53-1'],
    });
    const { failures, records } = await importNow({ over }, { accountId: 'over' });
    expect([[...failures], records]).toEqual([
      [['over', [expect.stringMatching(/^dmarc \S+ is refused by the feed: count would raise /)]]],
      { dmarc: 0 },
    ]);
  });

  it('names the first hundred reasons of each file', async () => {
    const spool = await newSpool();
    const rows = (count: number) => aggregateXml(Array(count).fill({ count: 'many' }), `bad ${count}`);
    await put(spool, 'a-many.xml', rows(101));
    await put(spool, 'b-two.xml', rows(2));
    await using _watcher = await watching(importing, '--watch', spool);
    const reasons = async (name: string) =>
      (await readFile(join(spool, `failed/${name}.reason`), 'utf8').catch(() => '')).split('\n').length - 1;
    await until(async () => (await reasons('b-two.xml')) > 0 && (await reasons('a-many.xml')) > 0);
    expect([await reasons('a-many.xml'), await reasons('b-two.xml')]).toEqual([100, 2]);
  });
});

describe('a watched folder', () => {
  const others = { uid: 12_345, gid: 12_345 };
  const refused = async (...args: string[]) => {
    const { code, stderr } = await sightlineHere(args, { DATABASE_URL: database.url });
    expect(code).toBe(1);
    return stderr;
  };

  it('is rejected when other users can write to it', async () => {
    for (const command of [importing, ['load']]) {
      const open = await mkdtemp(join(parent, 'open-'));
      await chmod(open, 0o777);
      expect(await refused(...command, '--watch', open)).toContain(`${open} can be written by others`);
      const folder = await mkdtemp(join(parent, 'owned-'));
      if (process.getuid?.() !== 0) continue;
      await chown(folder, others.uid, others.gid);
      expect(await refused(...command, '--watch', folder)).toContain('can be written by others');
    }
  });

  it('is rejected when a subfolder is a link', async () => {
    const spool = await mkdtemp(join(parent, 'links-'));
    const elsewhere = await mkdtemp(join(parent, 'elsewhere-'));
    await symlink(elsewhere, join(spool, 'failed'));
    expect(await refused(...importing, '--shared', '--watch', spool)).toContain('failed is no folder');
    expect(await readdir(elsewhere)).toEqual([]);
  });

  it.each<[string, string[]]>([
    ['imports', importing],
    ['loads', ['load']],
  ])('ignores links and pipes, and %s the other files', async (_, command) => {
    await using watcher = await watching([...command, '--shared']);
    const { spool, said } = watcher;
    await chmod(spool, 0o777);
    const secret = join(parent, 'secret');
    await writeFile(secret, 'the private text');
    await symlink(secret, join(spool, 'a-link.xml'));
    execFileSync('mkfifo', [join(spool, 'b-pipe')]);
    const reason = join(spool, 'failed/c-bad.reason');
    await mkdir(join(spool, 'failed'), { recursive: true });
    await symlink(join(parent, 'planted'), reason);
    await put(spool, 'c-bad', '\u001b[31mnonsense');
    await until(has(join(spool, 'failed'), 'c-bad.reason.1'));
    expect(await readFile(`${reason}.1`, 'utf8')).not.toMatch(/[^\P{Cc}\n]/u);
    expect(await readdir(spool)).toEqual(expect.arrayContaining(['a-link.xml', 'b-pipe']));
    expect(await readdir(parent)).not.toContain('planted');
    expect(said()).not.toContain('private');
  });

  it('accepts accounts and keys only with --with-accounts', async () => {
    const lines = toText([account('planted'), apiKey('planted', 'a')]);
    {
      await using watcher = await watching(['load']);
      await put(watcher.spool, 'keys.ndjson', lines);
      await until(has(join(watcher.spool, 'failed'), 'keys.ndjson.reason'));
      const reasons = await readFile(join(watcher.spool, 'failed/keys.ndjson.reason'), 'utf8');
      expect(reasons).toContain('kind: account is not accepted from a folder without --with-accounts');
      expect(reasons).toContain('kind: apiKey is not accepted from a folder without --with-accounts');
    }
    expect(await database.rows("select id from api_key where id = 'planted'")).toEqual([]);
    await using watcher = await watching(['load', '--with-accounts']);
    await put(watcher.spool, 'keys.ndjson', lines);
    await until(has(join(watcher.spool, 'done'), 'keys.ndjson'));
    expect(await database.rows("select id from api_key where id = 'planted'")).toHaveLength(1);
  });
});

describe('import --watch of a maildir', () => {
  it('imports delivered mails, but not those still being delivered', async () => {
    await using watcher = await watching(importing);
    const { spool } = watcher;
    for (const name of ['tmp', 'cur', 'new']) await mkdir(join(spool, name));
    const mail = (id: string) => mailWith({ bytes: gzip(aggregateXml([{ count: 1 }], id)) });
    await put(spool, 'tmp/3.host', mail('unfinished'));
    await put(spool, 'cur/1.host:2,S', mail('seen'));
    await put(spool, 'new/2.host', mail('new'));
    await until(has(join(spool, 'done'), '1.host:2,S'));
    await until(has(join(spool, 'done'), '2.host'));
    expect(await readdir(join(spool, 'tmp'))).toEqual(['3.host']);
    expect(watcher.said()).toContain('Imported dmarc');
  });
});

describe('import --watch-root', () => {
  it('imports each folder for the account of that name, including new folders and accounts', async () => {
    await using watcher = await watching(['import'], '--watch-root');
    const { spool } = watcher;
    const stored = async (id: string) =>
      Number((await database.rows(`select count(*) from report where account_id = '${id}'`))[0]!.count);
    const before = await stored('a');
    await mkdir(join(spool, 'late'));
    await put(spool, 'late/one.xml', aggregateXml([{ count: 1 }, { count: 2 }], 'root late'));
    // A missing account delays only its own reports.
    await until(() => watcher.said().includes('late: Trying again later: There is no account "late"'));
    await mkdir(join(spool, 'a'));
    await put(spool, 'a/one.xml', aggregateXml([{ count: 1 }], 'root a'));
    await until(has(join(spool, 'a/done'), 'one.xml'));
    expect(await stored('a')).toBe(before + 1);
    await database.load(account('late'));
    await until(has(join(spool, 'late/done'), 'one.xml'));
    expect(await stored('late')).toBe(2);
    expect(await stored('a')).toBe(before + 1);
  });
});

describe('a running import --watch', () => {
  let watcher: WatchingProcess;
  let port: number;
  beforeAll(async () => {
    port = await freePort();
    watcher = await watchingProcess(importing, { ADMIN_PORT: String(port) });
  });
  afterAll(() => watcher?.[Symbol.asyncDispose]());

  it('exposes metrics on ADMIN_PORT', async () => {
    const { spool } = watcher;
    await put(spool, 'metrics.xml', aggregateXml([{ count: 1 }, { sourceIp: '' }], 'metrics'));
    await until(has(join(spool, 'failed'), 'metrics.xml'));
    const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    await until(async () => (await metrics()).includes('sightline_spool_files_total{outcome="failed"} 1'));
    expect(await metrics()).toContain('sightline_spool_records_total{kind="dmarc"} 1');
    expect(await metrics()).toContain('sightline_spool_skipped_total 1');
    expect(await metrics()).toMatch(/sightline_spool_oldest_file_age_seconds \d/);
  });

  it('waits for a file that is still being written', { tags: 'slow' }, async () => {
    const { spool } = watcher;
    const path = join(spool, 'slow.xml');
    const whole = aggregateXml([{ count: 1 }, { count: 2 }], 'slow');
    await writeFile(path, whole.slice(0, 300));
    await writeFile(join(spool, '.hidden'), whole);
    await sleep(500);
    await writeFile(path, whole);
    await until(has(join(spool, 'done'), 'slow.xml'));
    expect(watcher.said()).toContain('Imported dmarc 2; 1 items read; 0 repeated; 0 skipped');
    expect(await readdir(spool)).toContain('.hidden');
  });

  it('is the only process that watches its folder, and is replaced after it was killed', {
    tags: 'slow',
    timeout: 60_000,
  }, async () => {
    const { spool, child } = watcher;
    const args = [...importing, '--watch', spool, '--every', '100ms'];
    const env = { DATABASE_URL: database.url };
    const second = await sightlineHere(args, env);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(`${spool} is already watched by process ${child.pid}`);
    child.kill('SIGKILL');
    await exitCode(child);
    expect(await readdir(spool)).toContain('.sightline-watch');
    await put(spool, 'next.xml', aggregateXml([{ count: 1 }], 'next'));
    const third = startSightline(args, { env });
    await until(has(join(spool, 'done'), 'next.xml'));
    third.kill('SIGTERM');
    expect(await exitCode(third)).toBe(0);
  });
});

describe('load --watch', () => {
  it('loads feeds in the order of arrival, and moves files with invalid lines aside', async () => {
    await using watcher = await watching(['load']);
    const { spool } = watcher;
    await put(spool, 'b.ndjson', toText([report('first', { date: new Date().toISOString() })]));
    await put(spool, 'bad.ndjson', 'oops\n');
    await put(spool, 'c.ndjson.gz', gzip(toText([report('second', { date: new Date().toISOString() })])));
    await until(has(join(spool, 'done'), 'c.ndjson.gz'));
    await until(has(join(spool, 'failed'), 'bad.ndjson.reason'));
    expect(await readFile(join(spool, 'failed/bad.ndjson.reason'), 'utf8')).toMatch(
      /bad.ndjson:1: is not JSON\n$/,
    );
    expect(await readdir(join(spool, 'done'))).toEqual(expect.arrayContaining(['b.ndjson', 'c.ndjson.gz']));
    const rows = await database.rows("select id from report where id in ('first', 'second') order by id");
    expect(rows.map(({ id }) => id)).toEqual(['first', 'second']);
  });

  it('exits with an error when the database is unreachable at the start', async () => {
    const { url } = database;
    await mkdir(join(parent, 'away'), { recursive: true });
    const outcome = await sightlineHere(['load', '--watch', join(parent, 'away')], {
      DATABASE_URL: url.replace(/:\d+\//, ':1/'),
    });
    expect(outcome.code).toBe(1);
  });

  it.each<[string, string[], string]>([
    ['a load without files or a folder', ['load'], 'name files to load, or a folder to watch'],
    [
      'a load with both files and a folder',
      ['load', 'x', '--watch', 'y'],
      'name files to load, or a folder to watch',
    ],
    ['an invalid interval', ['load', '--watch', 'y', '--every', 'often'], 'Give a duration'],
    [
      '--watch together with --to-feed',
      [...importing, '--watch', 'y', '--to-feed', '-'],
      'exclude each other',
    ],
    ['an import without a path', importing, 'name what to import, or a folder to watch'],
  ])('rejects %s', async (_, args, sentence) => {
    const { code, stderr } = await sightlineHere(args, { DATABASE_URL: database.url });
    expect(stderr).toContain(sentence);
    expect(code).toBe(2);
  });
});
