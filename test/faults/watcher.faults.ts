import { mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aggregateXml } from '../../packages/importer/test/reports.ts';
import { account, createFeedDatabase, type FeedDatabase } from '../feed/lines.ts';
import { exitCode, startSightline } from '../support/sightline.ts';

const KILLS = 100;

let database: FeedDatabase;
let spool: string;
beforeAll(async () => {
  database = await createFeedDatabase();
  await database.load(account('a'));
  spool = await mkdtemp(join(tmpdir(), 'sightline-faults-spool-'));
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await rm(spool, { recursive: true, force: true });
});

async function put(number: number): Promise<void> {
  const rows = Array.from({ length: 20 }, (_, index) => ({ count: index + 1 }));
  const path = join(spool, `.${number}`);
  await writeFile(path, aggregateXml(rows, `report ${number}`));
  await utimes(path, Date.now() / 1000 - 60, Date.now() / 1000 - 60);
  await rename(path, join(spool, `${number}.xml`));
}

it(`a watcher that is killed ${KILLS} times loses and duplicates no records`, {
  timeout: 900_000,
}, async () => {
  const args = ['import', '--account', 'a', '--watch', spool, '--every', '100ms'];
  let files = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const watcher = startSightline(args, { env: { DATABASE_URL: database.url } });
    let isAtWork = false;
    watcher.stderr?.on('data', () => {
      isAtWork = true;
    });
    await put(files++);
    while (!isAtWork) await sleep(10);
    await put(files++);
    // At any time between the start of a batch and the moment when its files are moved.
    await sleep(Math.random() * 600);
    watcher.kill('SIGKILL');
    await exitCode(watcher);
  }
  const last = startSightline(args, { env: { DATABASE_URL: database.url } });
  const total = async () => (await database.rows('select count(*), sum(count) from report'))[0]!;
  while (Number((await total()).count) < files * 20) await sleep(100);
  await sleep(1000);
  last.kill('SIGTERM');
  expect(await exitCode(last)).toBe(0);
  expect(Number((await total()).count)).toBe(files * 20);
  expect(Number((await total()).sum)).toBe(files * 210);
  const [daily] = await database.rows("select sum(total) as sum from daily_count where type = 'dmarc'");
  expect(Number(daily!.sum)).toBe(files * 210);
});
