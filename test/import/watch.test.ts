import type { ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { account, createFeedDatabase, type FeedDatabase, report, toText } from '../feed/lines.ts';
import { freePort } from '../support/network.ts';
import { exitCode, sightlineHere, startSightline } from '../support/sightline.ts';
import { until } from '../support/until.ts';
import { aggregateXml, gzip } from './reports.ts';

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
  child: ChildProcess;
  spool: string;
  said(): string;
}

async function watching(command: string[], more: Record<string, string> = {}): Promise<Watcher> {
  const spool = await mkdtemp(join(parent, 'spool-'));
  const child = startSightline([...command, '--watch', spool, '--every', '100ms'], {
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

/** Moved in whole, and not changed for a while. */
async function put(spool: string, name: string, content: string | Uint8Array): Promise<void> {
  const path = join(parent, `moving-${name}`);
  await writeFile(path, content);
  await utimes(path, Date.now() / 1000 - 60, Date.now() / 1000 - 60);
  await rename(path, join(spool, name));
}

const has = (folder: string, name: string) => async () =>
  (await readdir(folder).catch((): string[] => [])).includes(name);

const count = async () => Number((await database.rows('select count(*) from report'))[0]!.count);

describe('import --watch', () => {
  it('takes what comes in, moves it away, and ends on SIGTERM after its batch', async () => {
    await using watcher = await watching(importing);
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

  it('sets aside what cannot be read, with the reason beside it and the rest in', async () => {
    await using watcher = await watching([...importing, '--remove']);
    const { spool } = watcher;
    const before = await count();
    const rows = [{ sourceIp: '' }, { count: 7 }];
    await put(spool, 'half.xml', aggregateXml(rows, 'half'));
    await put(spool, 'fine.xml', aggregateXml([{ count: 8 }], 'fine'));
    // It is there a moment before its text is.
    await until(has(join(spool, 'failed'), 'half.xml.reason'));
    const reason = () => readFile(join(spool, 'failed/half.xml.reason'), 'utf8');
    await until(async () => (await reason()) !== '');
    expect(await reason()).toBe(`${join(spool, 'half.xml')}, record 1 has no source address\n`);
    await until(async () => !(await has(spool, 'fine.xml')()));
    expect(await readdir(join(spool, 'done'))).toEqual([]);
    expect(await count()).toBe(before + 2);
  });
});

describe('import --watch for a while', () => {
  let watcher: Watcher;
  let port: number;
  beforeAll(async () => {
    port = await freePort();
    watcher = await watching(importing, { ADMIN_PORT: String(port) });
  });
  afterAll(() => watcher?.[Symbol.asyncDispose]());

  it('tells what it does on ADMIN_PORT', async () => {
    const { spool } = watcher;
    await put(spool, 'metrics.xml', aggregateXml([{ count: 1 }, { sourceIp: '' }], 'metrics'));
    await until(has(join(spool, 'failed'), 'metrics.xml'));
    const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    await until(async () => (await metrics()).includes('sightline_spool_files_total{outcome="failed"} 1'));
    expect(await metrics()).toContain('sightline_spool_records_total{kind="dmarc"} 1');
    expect(await metrics()).toContain('sightline_spool_skipped_total 1');
    expect(await metrics()).toMatch(/sightline_spool_oldest_file_age_seconds \d/);
  });

  it('leaves a file that is still being written', async () => {
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

  it('is the only one that watches its folder, and takes the place of one that was killed', {
    timeout: 60_000,
  }, async () => {
    const { spool, child } = watcher;
    const args = [...importing, '--watch', spool, '--every', '100ms'];
    const env = { DATABASE_URL: database.url };
    const second = await sightlineHere(args, env);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(`${spool} is watched already, by process ${child.pid}`);
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
  it('loads feeds in the order in which they came, and sets aside those with bad lines', async () => {
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

  it('keeps what it cannot load while the database is away', async () => {
    const { url } = database;
    await mkdir(join(parent, 'away'), { recursive: true });
    const outcome = await sightlineHere(['load', '--watch', join(parent, 'away')], {
      DATABASE_URL: url.replace(/:\d+\//, ':1/'),
    });
    expect(outcome.code).toBe(1);
  });

  it.each<[string, string[], string]>([
    ['neither files nor a folder', ['load'], 'name files to load, or a folder to watch'],
    ['both', ['load', 'x', '--watch', 'y'], 'name files to load, or a folder to watch'],
    ['an interval that is none', ['load', '--watch', 'y', '--every', 'often'], 'Give a duration'],
    ['lines of the feed as well', [...importing, '--watch', 'y', '--to-feed', '-'], 'exclude each other'],
    ['no path', importing, 'name what to import, or a folder to watch'],
  ])('refuses %s', async (_, args, sentence) => {
    const { code, stderr } = await sightlineHere(args, { DATABASE_URL: database.url });
    expect(stderr).toContain(sentence);
    expect(code).toBe(2);
  });
});
