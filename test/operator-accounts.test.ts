import { afterAll, beforeAll, expect, it } from 'vitest';
import { listAccounts, missingAccount, watchedSites } from '../sql/operator/accounts.ts';
import { hasNoAccounts, lackKeys } from '../sql/operator/first-start.ts';
import { endKey, findKey, listKeys } from '../sql/operator/key-administration.ts';
import { newestMail } from '../sql/operator/last-run.ts';
import { account, createFeedDatabase, type FeedDatabase, plan, report, watch } from './feed/lines.ts';

/** Tests what the operator's commands read about accounts and keys in every state. */

const [PAST, FUTURE] = ['2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z'];

let database: FeedDatabase;
beforeAll(async () => {
  database = await createFeedDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

/** The ends of keys, and whether they are valid. */
const KEYS: [
  id: string,
  expires: string | null,
  revoked: string | null,
  isBlocked: boolean,
  isValid: boolean,
][] = [
  ['unlimited', null, null, false, true],
  ['expires', FUTURE, null, false, true],
  ['expired', PAST, null, false, false],
  ['rotated', FUTURE, FUTURE, false, true],
  ['revoked', null, PAST, false, false],
  ['revoked-expires', FUTURE, PAST, false, false],
  ['expired-rotated', PAST, FUTURE, false, false],
  ['blocked', null, null, true, false],
  ['blocked-rotated', FUTURE, FUTURE, true, false],
];

it('accounts are listed with their valid keys, hosts and reports', async () => {
  const { sql } = database;
  expect(await hasNoAccounts(sql)).toBe(true);
  await database.load(
    account('b'),
    account('a', {
      type: 'team',
      email: null,
      teamName: 'T',
      quotaLimit: 1,
      require2fa: true,
      members: [{ email: 'o@x.example', role: 'owner' }],
    }),
    plan('b', { dataRetentionDays: 12, plan: 'own' }),
    watch('b', { site: 'www.example.org' }),
    watch('b', { site: 'WWW.example.org', product: 'data' }),
    watch('b', { site: 'shop.example.org' }),
    watch('a', { site: 'www.example.org' }),
    report('1', { accountId: 'b', date: '2026-05-10T12:00:00Z', directive: 'img-src', count: 2 }),
    report('2', { accountId: 'b', date: '2026-05-10T13:00:00Z', directive: 'style-src', count: 3 }),
    report('3', { accountId: 'b', date: '2026-04-01T00:00:00Z', count: 5 }),
    report('1', { accountId: 'b', type: 'dmarc', aligned: true, date: '2026-05-01T00:00:00Z' }),
    report('1', { accountId: 'a', date: '2026-05-11T00:00:00Z', count: 11 }),
  );
  expect([
    await hasNoAccounts(sql),
    await lackKeys(sql, ['a', 'b']),
    await lackKeys(sql, ['a', 'c']),
  ]).toEqual([...[false, true, false]]);
  for (const [id, expires, revoked, isBlocked] of KEYS) {
    await sql`insert into api_key (id, account_id, digest, name, created_at, expires_at, revoked_at)
      values (${id}, 'b', ${Buffer.from(id.padEnd(32))}, null, ${PAST}, ${expires}, ${revoked})`;
    if (isBlocked) await sql`insert into revoked_key (id) values (${id})`;
  }
  await sql`insert into api_key (id, account_id, digest, name, created_at)
    values ('internal', null, ${Buffer.from('internal'.padEnd(32))}, 'i', ${'2019-01-01T00:00:00Z'})`;
  expect(await lackKeys(sql, ['a', 'b'])).toBe(false);

  const a = {
    ...{ id: 'a', type: 'team', email: null, members: [{ email: 'o@x.example', role: 'owner' }] },
    ...{ plan: null, retention: null, hosts: ['www.example.org'], keys: 0 },
    ...{ reports: { csp: 11 }, newest: { csp: '2026-05-11' } },
  };
  const b = {
    ...{ id: 'b', type: 'personal', email: 'b@example.org', members: null, plan: 'own', retention: 12 },
    ...{
      hosts: ['shop.example.org', 'www.example.org'],
      keys: KEYS.filter(([, , , , isValid]) => isValid).length,
    },
    ...{ reports: { csp: 10, dmarc: 1 }, newest: { csp: '2026-05-10', dmarc: '2026-05-01' } },
  };
  expect(await listAccounts(sql)).toMatchObject([a, b]);
  expect(await listAccounts(sql, 'b')).toMatchObject([b]);
  expect(await listAccounts(sql, 'c')).toEqual([]);
  expect(await watchedSites(sql)).toEqual([
    { account: 'a', site: 'www.example.org' },
    { account: 'b', site: 'shop.example.org' },
    { account: 'b', site: 'www.example.org' },
  ]);
  expect(await missingAccount(sql, ['a', 'd', 'c', 'b'])).toBe('d');
  expect(await missingAccount(sql, ['b', 'a'])).toBeUndefined();
});

it('keys are listed oldest first, with their end', async () => {
  const { sql } = database;
  const own = (await listKeys(sql, 'b')).map(({ id, has_ended }) => [id, has_ended]);
  const expected = KEYS.map(([id, , , , isValid]) => [id, !isValid]);
  expect(own).toEqual(expected.toSorted(([one], [other]) => (one! < other! ? -1 : 1)));
  expect((await listKeys(sql, null)).map(({ id }) => id)).toEqual(['internal', ...own.map(([id]) => id)]);
  expect(await listKeys(sql, 'a')).toEqual([]);
  expect(await findKey(sql, 'internal')).toMatchObject({ account_id: null, account_type: null, name: 'i' });
  const { revoked_at } = (await findKey(sql, 'blocked-rotated'))!;
  expect(revoked_at!.toISOString() < FUTURE).toBe(true);
  expect((await findKey(sql, 'rotated'))!.revoked_at).toEqual(new Date(FUTURE));
  expect(await findKey(sql, 'nothing')).toBeUndefined();
});

it('a key that ends is not extended, and ends earlier on request', async () => {
  const { sql } = database;
  const hour = 3_600_000;
  expect(await endKey(sql, 'revoked', hour)).toEqual(new Date(PAST));
  const [end, now] = [await endKey(sql, 'rotated', hour), await endKey(sql, 'unlimited', 0)];
  expect(Math.abs(end.getTime() - now.getTime() - hour)).toBeLessThan(hour / 2);
  expect((await findKey(sql, 'unlimited'))!.has_ended).toBe(true);
  expect((await findKey(sql, 'rotated'))!.has_ended).toBe(false);
});

it('the newest mail is that of the last day up to today', async () => {
  const { sql } = database;
  await sql.query(`delete from daily_count; insert into daily_count (account_id, type, day, directive, total) values
    ('a', 'dmarc', '2999-01-01', '', 1), ('a', 'tls_rpt', '2020-05-02', '', 1), ('a', 'dmarc', '2020-05-01', '', 1),
    ('a', 'csp', '2020-05-12', '', 1)`);
  expect(await newestMail(sql)).toMatchObject({ day: '2020-05-02' });
  await sql.query("delete from daily_count where type in ('dmarc', 'tls_rpt')");
  expect(await newestMail(sql)).toBeUndefined();
});
