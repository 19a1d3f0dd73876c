import { afterEach, beforeEach, expect, it } from 'vitest';
import { Announcer } from '../../sql/changes/announcer.ts';
import { prune } from '../../sql/maintenance/prune.ts';
import { account, auditEvent, createFeedDatabase, type FeedDatabase, plan, report } from './lines.ts';

let database: FeedDatabase;
beforeEach(async () => {
  database = await createFeedDatabase();
});
afterEach(() => database[Symbol.asyncDispose]());

async function ids(): Promise<unknown[]> {
  return (await database.rows('select account_id || id as id from report order by 1')).map(({ id }) => id);
}

it('removes reports from before the start of the UTC day that many days ago, by the plan of each account', async () => {
  await database.load(
    account('a'),
    account('b'),
    account('c'),
    plan('a', { dataRetentionDays: 10 }),
    plan('b', { dataRetentionDays: 1 }),
    report('1', { accountId: 'a', date: '2026-02-28T23:59:59.999999Z' }),
    report('2', { accountId: 'a', date: '2026-03-01T00:00:00Z' }),
    report('1', { accountId: 'b', date: '2026-03-09T23:59:59Z' }),
    report('2', { accountId: 'b', date: '2026-03-10T00:00:00Z' }),
    // No plan: 30 days.
    report('1', { accountId: 'c', type: 'nel', statusCode: 0, date: '2026-02-08T23:59:59Z' }),
    report('2', { accountId: 'c', type: 'nel', statusCode: 0, date: '2026-02-09T00:00:00Z' }),
    report('3', { accountId: 'c', date: '2026-12-01T00:00:00Z' }),
  );
  expect(await prune(database.sql, new Announcer(database.sql, 0), '2026-03-11')).toEqual({
    reports: 3,
    accounts: 3,
  });
  expect(await ids()).toEqual(['a2', 'b2', 'c2', 'c3']);
  expect(await database.rows('select count(*)::int as count from report_locator')).toEqual([{ count: 4 }]);
  expect(await prune(database.sql, new Announcer(database.sql, 0), '2026-03-11')).toEqual({
    reports: 0,
    accounts: 0,
  });
});

it('keeps ten years under the longest retention that there can be', async () => {
  await database.load(
    account('a'),
    plan('a', { dataRetentionDays: 3660 }),
    report('1', { date: '2026-03-11T00:00:00Z' }),
  );
  // As earlier versions took it.
  await database.rows(`update plan set data_retention_days = ${Number.MAX_SAFE_INTEGER}`);
  const on = (today: string) => prune(database.sql, new Announcer(database.sql, 0), today);
  expect(await on('2036-03-18')).toEqual({ reports: 0, accounts: 0 });
  expect(await on('2036-03-19')).toEqual({ reports: 1, accounts: 1 });
});

it('leaves counts and the audit trail, and moves on the version of accounts that lose reports', async () => {
  await database.load(account('a'), account('b'), auditEvent('e', 'a'), report('1', { count: 4 }));
  const versions = async () =>
    (await database.rows('select version from account order by id')).map(row => Number(row.version));
  const [a, b] = await versions();
  await prune(database.sql, new Announcer(database.sql, 0), '2026-12-31');
  expect(await versions()).toEqual([a! + 1, b]);
  expect(await ids()).toEqual([]);
  expect(await database.rows('select total from daily_count')).toEqual([{ total: '4' }]);
  expect(await database.rows('select id from audit_event')).toEqual([{ id: 'e' }]);
});

it('makes a report unknown: one with its key counts as new afterwards', async () => {
  await database.load(account('a'), report('1', { count: 4 }));
  await prune(database.sql, new Announcer(database.sql, 0), '2026-12-31');
  await database.load(report('1', { count: 5 }));
  expect(await database.rows('select total from daily_count')).toEqual([{ total: '9' }]);
});
