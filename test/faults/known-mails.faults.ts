import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aggregateXml, gzip, mailWith } from '../../packages/importer/test/reports.ts';
import { account, createFeedDatabase, type FeedDatabase } from '../feed/lines.ts';
import { sightline } from '../support/sightline.ts';
import { IN_EARNEST } from './scale.ts';

/** Limits in seconds: for an hourly import, per 100,000 mails of a maildir; and for the start of a command. */
const [MAILS, SECONDS, START] = [IN_EARNEST ? 100_000 : 10_000, 30 / 100_000, 3];

let database: FeedDatabase;
let folder: string;
beforeAll(async () => {
  database = await createFeedDatabase();
  await database.load(account('a'));
  folder = mkdtempSync(join(tmpdir(), 'sightline-test-known-'));
  for (const name of ['cur', 'new', 'tmp']) await mkdir(join(folder, name));
  const received =
    'Received: from mx.receiver.example by mail.example.org; Fri, 20 Nov 2026 10:00:00 +0000\r\n';
  for (let index = 0; index < MAILS; index++) {
    const report = gzip(aggregateXml([{}, { sourceIp: '192.0.2.2' }], `report-${index}`));
    writeFileSync(
      join(folder, `cur/${index}:2,S`),
      received.repeat(20) + mailWith({ bytes: report, name: 'a.xml.gz' }),
    );
  }
}, 600_000);
afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const importing = async () => {
  const { code, stderr } = await sightline(['import', '--account', 'a', '--json', folder], {
    env: { DATABASE_URL: database.url },
  });
  expect(code).toBe(0);
  return JSON.parse(stderr.trim().split('\n').at(-1)!);
};

const state = async () => {
  const [row] = await database.rows(`select pg_current_wal_insert_lsn() - '0/0' as wal,
    (select max(version) from account) as version, (select max(position) from report) as position`);
  return { ...row, wal: Number(row!.wal) };
};

it(`an import of ${MAILS} known mails takes seconds and writes almost nothing`, {
  timeout: 900_000,
}, async () => {
  expect(await importing()).toMatchObject({ records: { dmarc: 2 * MAILS } });
  await database.rows('checkpoint');
  const { wal, ...before } = await state();
  const { seconds, repeated } = await importing();
  const { wal: later, ...after } = await state();
  process.stderr.write(`${MAILS} known mails: ${seconds} s, ${later - wal} bytes of WAL\n`);
  expect([repeated, after]).toEqual([2 * MAILS, before]);
  expect(later - wal).toBeLessThan(1e6);
  expect(seconds).toBeLessThan(START + MAILS * SECONDS);
});
