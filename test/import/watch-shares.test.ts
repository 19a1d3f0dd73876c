import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { violation } from '../../packages/collector/test/collecting.ts';
import { account, createFeedDatabase, type FeedDatabase } from '../feed/lines.ts';
import { exitCode, startSightline } from '../support/sightline.ts';
import { until } from '../support/until.ts';

/** The number of waiting files of half a MiB for the flooded account, and the reports in each. */
const FILES = 16;
const REPORTS = 700;

let database: FeedDatabase;
let spool: string;
beforeAll(async () => {
  database = await createFeedDatabase();
  await database.load(account('flooded'), account('other'));
  spool = await mkdtemp(join(tmpdir(), 'sightline-test-shares-'));
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await rm(spool, { recursive: true, force: true });
});

/** Writes a spool file as the collector does. */
async function put(of: string, file: string, reports: number): Promise<void> {
  const path = join(spool, of, `.${file}`);
  const line = (number: number) =>
    `{"id":"${file}-${number}","time":"${new Date().toISOString()}","kind":"","user_agent":"","body":${violation(
      {
        'script-sample': 'x'.repeat(400),
      },
    )}}\n`;
  await mkdir(join(spool, of), { recursive: true });
  await writeFile(path, Array.from({ length: reports }, (_, number) => line(number)).join(''));
  await utimes(path, Date.now() / 1000 - 60, Date.now() / 1000 - 60);
  await rename(path, join(spool, of, file));
}

const count = async (of: string) =>
  Number((await database.rows(`select count(*) from report where account_id = '${of}'`))[0]!.count);

it('a flood of reports for one account does not delay another account', { tags: 'slow' }, async () => {
  for (let file = 0; file < FILES; file++) await put('flooded', `${file}.ndjson`, REPORTS);
  await put('other', 'first.ndjson', 1);
  const importer = startSightline(
    ['import', '--watch-root', spool, '--format', 'collected', '--every', '100ms'],
    { env: { DATABASE_URL: database.url } },
  );
  try {
    await until(async () => (await count('other')) === 1);
    const before = await count('flooded');
    expect(before).toBeLessThanOrEqual((FILES * REPORTS) / 2);
    // A file that arrives during the flood waits for one or two batches.
    await until(async () => (await count('flooded')) > before);
    await put('other', 'second.ndjson', 1);
    await until(async () => (await count('other')) === 2);
    expect(await count('flooded')).toBeLessThan(FILES * REPORTS);
    await until(async () => (await count('flooded')) === FILES * REPORTS);
  } finally {
    importer.kill('SIGTERM');
    await exitCode(importer);
  }
});
