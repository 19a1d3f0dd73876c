import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { aggregateXml, mailWith, toMbox } from '../../packages/importer/test/reports.ts';
import { noteImportedMails } from '../../sql/feed/imported-mails.ts';
import { getSubject, RejectedReports } from '../../src/cli/rejected.ts';
import { account, createFeedDatabase, type FeedDatabase } from '../feed/lines.ts';
import { sightlineHere } from '../support/sightline.ts';

let database: FeedDatabase;
let folder: string;
beforeAll(async () => {
  database = await createFeedDatabase();
  folder = await mkdtemp(join(tmpdir(), 'sightline-rejected-'));
});
afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  await database.load(...['a', 'b'].map(id => ({ kind: 'account', id, deleted: true })));
  await database.load(account('a'), account('b'));
});

async function importing(content: string | Uint8Array, ...options: string[]): Promise<number | null> {
  const file = join(folder, 'file');
  await writeFile(file, content);
  const given = options.length > 0 ? options : ['--account', 'a'];
  return (await sightlineHere(['import', ...given, file], { DATABASE_URL: database.url })).code;
}

const rejected = () =>
  database.rows(
    'select account_id, type, sum(rejected)::int as n from report_usage group by 1, 2 order by 1, 2',
  );
const version = async () => (await database.rows("select version from account where id = 'a'"))[0]!.version;

const ofDmarc = (n: number) => [{ account_id: 'a', type: 'dmarc', n }];
const broken = (id: string) => aggregateXml([{}], id).slice(0, -20);
const mail = (report: string) => mailWith({ bytes: report });
const toRows = (...counts: (number | string)[]) => aggregateXml(counts.map(count => ({ count })));

it('counts an unreadable report as rejected once, even if it is imported repeatedly', {
  tags: 'slow',
}, async () => {
  await importing(toMbox(mail(broken('one'))));
  expect(await rejected()).toEqual(ofDmarc(1));
  const before = await version();
  await importing(toMbox(mail(broken('one'))));
  await importing(gzipSync(broken('one')));
  await importing(broken('one'));
  expect([await rejected(), await version()]).toEqual([ofDmarc(1), before]);
  await importing(toMbox(mail(broken('one')), mail(broken('two'))));
  expect(await rejected()).toEqual(ofDmarc(2));
  expect(await version()).not.toBe(before);
});

it('remembers a rejected report from its last arrival on', async () => {
  await importing(broken('one'));
  await importing(broken('two'));
  await database.rows('update imported_mail set imported_on = imported_on - 5');
  await importing(broken('two'));
  expect(
    await database.rows('select current_date - imported_on as age from imported_mail order by age'),
  ).toEqual([{ age: 0 }, { age: 5 }]);
});

it('remembers a mail from its last import on, with the number of records that it then had', async () => {
  const note = (...mails: [digest: string, records: number][]) =>
    database.loadText('', { onEnd: session => noteImportedMails(session, 'a', new Map(mails)) });
  await note(['AAAA', 3], ['BBBB', -1]);
  await database.rows('update imported_mail set imported_on = imported_on - 5');
  await note(['BBBB', 7]);
  const mails = `select encode(digest, 'base64') as digest, records, current_date - imported_on as age
    from imported_mail order by 1`;
  expect(await database.rows(mails)).toEqual([
    { digest: 'AAAA', records: 3, age: 5 },
    { digest: 'BBBB', records: 7, age: 0 },
  ]);
});

it('changes the account once for each rejected report, although none is stored', async () => {
  const versions = [await version()];
  for (const counts of [['many'], ['many'], ['many', 'more'], ['many', 'more']]) {
    await importing(toRows(...counts));
    versions.push(await version());
  }
  const [before, first, same, second, last] = versions;
  expect([first === before, same === first, second === first, last === second]).toEqual([
    ...[false, true, false, true],
  ]);
  expect([await rejected(), await database.rows('select id from report')]).toEqual([ofDmarc(2), []]);
});

it.each<[line: string, subject: ReturnType<typeof getSubject>]>([
  ['{"kind":"report","accountId":"a","type":"dmarc","id":"r-1"}', { account: 'a', type: 'dmarc', id: 'r-1' }],
  [
    `{"kind":"report","accountId":"a\\"\\u00e9","type":"tls_rpt","id":"0_Z","raw":"${'x'.repeat(3000)}`,
    { account: 'a"\u00e9', type: 'tls_rpt', id: '0_Z' },
  ],
  [
    `{"kind":"report","accountId":"${'a'.repeat(2000)}","type":"dmarc","id":"r"}`,
    { account: '', type: '', id: '' },
  ],
  ['{"kind":"plan","accountId":"a"}', { account: '', type: '', id: '' }],
  ['{"accountId":"a","type":"dmarc","id":"r 1"}', { account: '', type: '', id: '' }],
])('the refused line %j has the subject %j', (line, subject) => {
  expect(getSubject(Buffer.from(line))).toEqual(subject);
});

it('counts each rejected report once by its type and id, but none of a collector', async () => {
  const line = (type: string, id: string, account = 'a') =>
    Buffer.from(`{"kind":"report","accountId":"${account}","type":"${type}","id":"${id}"}`);
  const counted = async (format: 'auto' | 'collected') => {
    const parameters: unknown[] = [];
    const query = async (_: string, given: unknown[]) => {
      parameters.push(given);
      return [];
    };
    const left = new RejectedReports({ accountId: 'a', format });
    const lines = [
      line('csp', 'r'),
      line('nel', 'r'),
      line('csp', 'r'),
      line('csp', 's'),
      line('csp', 'r', 'b'),
    ];
    for (const one of [...lines, line('plan', 'r'), line('csp', 'r', '')]) left.addLine(one);
    await left.count({ query, touched: new Set() } as never);
    return parameters.map(given => [(given as string[])[1], JSON.parse((given as string[])[0]!).length]);
  };
  const once = (of: string, digests: number) => [
    [of, digests],
    [of, digests],
  ];
  expect(await counted('auto')).toEqual([...once('a', 3), ...once('b', 1)]);
  expect(await counted('collected')).toEqual([]);
});

it('counts only the unreadable rows of a report', async () => {
  const report = toRows(1, 'many', 'more', 2, ...Array(2000).fill('most'));
  await importing(report);
  await importing(mail(report));
  expect(await rejected()).toEqual(ofDmarc(2002));
});

it('counts reports rejected by the feed, including those that exceed the total of a day', async () => {
  await importing(toRows('9007199254740993'));
  expect(await rejected()).toEqual(ofDmarc(1));
  await importing(toRows(9_007_199_254_740_991, 9_007_199_254_740_990));
  const before = await rejected();
  expect(before[0]!.n).toBeGreaterThan(1);
  await importing(toRows(9_007_199_254_740_991, 9_007_199_254_740_990));
  expect(await rejected()).toEqual(before);
});

it('counts browser reports and TLS reports that are too old', async () => {
  const report = { 'csp-report': { 'document-uri': 'https://a.example/', 'violated-directive': 'img-src' } };
  await importing(JSON.stringify(report), '--account', 'a', '--received', '1960-01-01T00:00:00Z');
  await importing(JSON.stringify({ 'organization-name': 'A', 'report-id': '1', policies: [{}] }));
  expect(await rejected()).toEqual([
    { account_id: 'a', type: 'csp', n: 1 },
    { account_id: 'a', type: 'tls_rpt', n: 1 },
  ]);
});

it('counts for the account of the host, ignoring hosts without an account and files without a type', async () => {
  const routes = join(folder, 'routes.yaml');
  await writeFile(routes, 'b.example: b\n');
  const report = (host: string) =>
    JSON.stringify({ 'csp-report': { 'document-uri': `https://${host}/`, 'violated-directive': 'img-src' } });
  const lines = `${report('b.example')}\n${report('nobody.example')}\n`;
  await importing(lines, '--route', routes, '--received', '1960-01-01T00:00:00Z');
  await importing('no report at all');
  expect(await rejected()).toEqual([{ account_id: 'b', type: 'csp', n: 1 }]);
});

/** Makes the recorded imports this many days older, and prunes. */
async function pruneAfter(days: number): Promise<void> {
  if (days > 0) await database.rows(`update imported_mail set imported_on = imported_on - ${days}`);
  expect((await sightlineHere(['prune'], { DATABASE_URL: database.url })).code).toBe(0);
}

it('does not count rejected reports again after the retention', async () => {
  const mails = toMbox(mail(broken('one')), mail(toRows('many', 2)));
  await importing(mails);
  expect(await rejected()).toEqual(ofDmarc(2));
  await pruneAfter(4000);
  await importing(mails);
  expect(await rejected()).toEqual(ofDmarc(2));
});

it('forgets the oldest of more than 100,000 rejected reports past the retention', {
  tags: 'slow',
}, async () => {
  await importing(broken('one'));
  await pruneAfter(4000);
  const noted = (digest: string, before: number, to: number) =>
    database.rows(`insert into imported_mail (account_id, digest, records, imported_on)
      select 'a', decode(md5('${digest}' || n), 'hex'), 0, current_date - ${before} from generate_series(1, ${to}) n`);
  // Older than the retention period. Changing the age later would rewrite every mail.
  await noted('newer', 3900, 99_999);
  await pruneAfter(0);
  await importing(broken('one'));
  expect(await rejected()).toEqual(ofDmarc(1));
  await noted('one more', 0, 1);
  await pruneAfter(0);
  expect(
    await database.rows(`select count(*)::int as n, max(current_date - imported_on) as oldest
      from imported_mail where account_id = 'a'`),
  ).toEqual([{ n: 100_000, oldest: 3900 }]);
});

it('does not count rejected reports again after another report was deleted', { tags: 'slow' }, async () => {
  await importing(toMbox(mail(broken('one')), mail(toRows(1))));
  const [row] = await database.rows('select id from report limit 1');
  await database.load({ kind: 'report', accountId: 'a', type: 'dmarc', id: row!.id, deleted: true });
  await importing(toMbox(mail(broken('one')), mail(toRows(1))));
  expect(await rejected()).toEqual(ofDmarc(1));
});
