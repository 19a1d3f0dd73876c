import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { aggregateXml, mailWith, toMbox } from '../../packages/importer/test/reports.ts';
import { Announcer } from '../../sql/changes/announcer.ts';
import { prune } from '../../sql/maintenance/prune.ts';
import { account, createFeedDatabase, type FeedDatabase } from '../feed/lines.ts';
import { sightlineHere } from '../support/sightline.ts';

let database: FeedDatabase;
let folder: string;
beforeAll(async () => {
  database = await createFeedDatabase();
  folder = await mkdtemp(join(tmpdir(), 'sightline-known-'));
});
afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  await database.load(...['a', 'b'].map(id => ({ kind: 'account', id, deleted: true })));
  await database.load(account('a'));
});

async function imported(mails: readonly string[], ...options: string[]) {
  const mailbox = join(folder, 'inbox');
  await writeFile(mailbox, toMbox(...mails));
  const { code, stderr } = await sightlineHere(['import', '--account', 'a', '--json', ...options, mailbox], {
    DATABASE_URL: database.url,
  });
  const { items, records, repeated, skipped } = JSON.parse(stderr.trim().split('\n').at(-1)!);
  return { code, items, records, repeated, skipped };
}

const report = (id: string) => aggregateXml([{ count: 1 }, { count: 2 }], id);
const mail = (id: string) => mailWith({ bytes: report(id) });
const existing = () => database.rows('select records from imported_mail');

it('skips mails that were read completely, and counts their records as repeated', async () => {
  expect(await imported([mail('one'), mail('two')])).toMatchObject({ items: 2, records: { dmarc: 4 } });
  const repeated = await imported([mail('one'), mail('two'), mail('three')]);
  expect(repeated).toMatchObject({ code: 0, items: 1, records: { dmarc: 2 }, repeated: 4 });
});

it('recognizes an attachment in another mail', async () => {
  await imported([mail('one')]);
  const forwarded = mail('one').replace('Subject:', 'X-Forwarded: yes\r\nSubject:');
  expect(await imported([forwarded])).toMatchObject({ items: 0, records: {}, repeated: 2 });
});

it('reads a mail again with other options or for another account', async () => {
  await imported([mail('one')]);
  expect(await imported([mail('one')], '--max-parts', '999')).toMatchObject({ items: 1, repeated: 2 });
  await database.load(account('b'));
  expect(await imported([mail('one')], '--account', 'b')).toMatchObject({ items: 1, records: { dmarc: 2 } });
});

it('reads a mail again after the load refused one of its rows', async () => {
  const full = aggregateXml([{ count: Number.MAX_SAFE_INTEGER }, { count: 1 }], 'full');
  const first = await imported([mailWith({ bytes: full })]);
  expect(first).toMatchObject({ code: 3, items: 1, records: { dmarc: 1 } });
  const { code, items, skipped } = await imported([mailWith({ bytes: full })]);
  expect([code, items, skipped]).toEqual([3, 1, first.skipped]);
});

it('reports skipped items on every import', async () => {
  const broken = mailWith({ bytes: report('one') }, { bytes: report('two').slice(0, -20) });
  const first = await imported([broken, mailWith()]);
  expect([first.code, first.items]).toEqual([3, 2]);
  // The first attachment was read completely, so it is not read again.
  const { code, items, skipped } = await imported([broken, mailWith()]);
  expect([code, items, skipped]).toEqual([3, 1, first.skipped]);
});

it('reads a mail again when one of its reports was deleted', async () => {
  await imported([mail('one')]);
  const [row] = await database.rows('select id from report order by count limit 1');
  const line = { kind: 'report', accountId: 'a', type: 'dmarc', id: row!.id };
  await database.load({ ...line, deleted: true });
  expect(await imported([mail('one')])).toMatchObject({ items: 1, records: { dmarc: 1 }, repeated: 1 });
  expect(await imported([mail('one')])).toMatchObject({ items: 0, repeated: 2 });
});

it('remembers the rejected reports of an account when one of its reports was deleted', async () => {
  await imported([mail('one')]);
  await database.rows(`insert into imported_mail (account_id, digest, records) values ('a', '\\x00', 0)`);
  const [row] = await database.rows('select id from report order by count limit 1');
  await database.load({ kind: 'report', accountId: 'a', type: 'dmarc', id: row!.id, deleted: true });
  expect(await existing()).toEqual([{ records: 0 }]);
});

it('does not read a mail again when a browser report was deleted', async () => {
  await imported([mail('one')]);
  const line = { kind: 'report', accountId: 'a', type: 'csp', id: 'r' };
  await database.load({ ...line, date: '2026-05-10T12:00:00Z' });
  await database.load({ ...line, deleted: true });
  expect(await imported([mail('one')])).toMatchObject({ items: 0, repeated: 2 });
});

it('forgets a mail after the retention', async () => {
  await imported([mail('one')]);
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  await prune(database.sql, new Announcer(database.sql, 0), inDays(30));
  expect(await existing()).toEqual([{ records: 2 }, { records: 2 }]);
  await prune(database.sql, new Announcer(database.sql, 0), inDays(32));
  expect(await existing()).toEqual([]);
  expect(await imported([mail('one')])).toMatchObject({ items: 1, records: { dmarc: 0 } });
});
