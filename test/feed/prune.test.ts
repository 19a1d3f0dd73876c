import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Announcer } from '../../sql/changes/announcer.ts';
import { LOCK_REPORTS } from '../../sql/feed/lock.ts';
import { dropExpiredMonths } from '../../sql/maintenance/months.ts';
import { countExpired, prune } from '../../sql/maintenance/prune.ts';
import { connectOperator } from '../support/operator.ts';
import { account, auditEvent, createFeedDatabase, type FeedDatabase, plan, report, toText } from './lines.ts';

let database: FeedDatabase;
beforeEach(async () => {
  database = await createFeedDatabase();
});
afterEach(() => database[Symbol.asyncDispose]());

async function ids(): Promise<unknown[]> {
  return (await database.rows('select account_id || id as id from report order by 1')).map(({ id }) => id);
}

/** The imported mails by account and digest. */
async function mails(): Promise<unknown[]> {
  const rows = await database.rows(
    `select account_id || ' ' || convert_from(digest, 'UTF8') as name from imported_mail order by 1`,
  );
  return rows.map(({ name }) => name);
}

it('removes reports and imported mails older than the retention of each account, in whole UTC days', async () => {
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
    // Without a plan, an account's retention is 30 days.
    report('1', { accountId: 'c', type: 'nel', statusCode: 0, date: '2026-02-08T23:59:59Z' }),
    report('2', { accountId: 'c', type: 'nel', statusCode: 0, date: '2026-02-09T00:00:00Z' }),
    report('3', { accountId: 'c', date: '2026-12-01T00:00:00Z' }),
  );
  await database.rows(`insert into imported_mail (account_id, digest, records, imported_on) values
    ('a', 'read', 1, '2026-02-28'), ('a', 'late', 1, '2026-03-01'), ('a', 'rejected', 0, '2026-02-28'),
    ('b', 'read', 1, '2026-03-09'), ('c', 'read', 1, '2026-02-09')`);
  expect(await countExpired(database.sql, '2026-03-11')).toBe(3);
  expect(await prune(database.sql, new Announcer(database.sql, 0), '2026-03-11')).toEqual({
    reports: 3,
    accounts: 3,
  });
  expect(await countExpired(database.sql, '2026-03-11')).toBe(0);
  expect(await ids()).toEqual(['a2', 'b2', 'c2', 'c3']);
  expect(await database.rows('select count(*)::int as count from report_locator')).toEqual([{ count: 4 }]);
  // Rejected reports stay counted, so they are still recognized.
  expect(await mails()).toEqual(['a late', 'a rejected', 'c read']);
  expect(await prune(database.sql, new Announcer(database.sql, 0), '2026-03-11')).toEqual({
    reports: 0,
    accounts: 0,
  });
});

it('is announced by a load: the new reports that are older than the retention of their account', async () => {
  const { sql } = database;
  const dates = [
    '2026-05-09T23:59:59Z',
    '2026-05-10T00:00:00Z',
    '2026-04-19T23:59:59Z',
    '2026-04-20T00:00:00Z',
    '2026-04-18T12:00:00Z',
  ];
  const reports = ['a', 'b'].flatMap(accountId =>
    dates.map((date, index) => report(String(index), { accountId, date, count: 7 })),
  );
  await database.load(
    account('a'),
    account('b'),
    plan('a', { dataRetentionDays: 10 }),
    reports[0]!,
    reports[2]!,
  );
  // A schema before that of PostgreSQL's own functions.
  await sql.query(`create schema faked;
    create function faked.now() returns timestamptz language sql as $$ select timestamptz '2026-05-20 23:59:59Z' $$;
    set search_path = faked, pg_catalog, public`);
  // Repeated reports are not new. Without a plan, the retention is 30 days.
  // The removal of a watch divides the reports into batches.
  const removal = { kind: 'watch', accountId: 'a', product: 'script', site: 'a.example', deleted: true };
  const { expiring, repeated } = await database.load(...reports.slice(0, 5), removal, ...reports.slice(5));
  expect([expiring, repeated]).toEqual([4, { csp: 2 }]);
  expect((await database.load(...reports)).expiring).toBe(0);
});

it('removes reports of the first day of a month, and the rollups of removed days', async () => {
  // Arrived before the others, although it is newer.
  await database.load(account('a'), report('9', { date: '2026-03-01T18:00:00Z' }));
  await database.load(
    plan('a', { dataRetentionDays: 1 }),
    account('b'),
    plan('b', { dataRetentionDays: 2 }),
    report('8', { date: '2026-03-01T11:00:00Z' }),
    report('1', { date: '2026-03-01T12:00:00Z' }),
    report('2', { date: '2026-03-01T12:00:00Z' }),
    report('3', { date: '2026-03-02T00:00:00Z' }),
  );
  await database.rows(`
    insert into daily_group select account, type::report_type, day::date, 'browser', '{}', '{}', '{}', '{}', '{}', '{}', '{}'
    from unnest('{a,b}'::text[]) as account, unnest('{csp,nel}'::text[]) as type, unnest('{2026-03-01,2026-03-02}'::text[]) as day`);
  const on = (today: string) => prune(database.sql, new Announcer(database.sql, 0), today);
  expect([await countExpired(database.sql, '2026-03-02'), await on('2026-03-02')]).toEqual([
    0,
    { reports: 0, accounts: 0 },
  ]);
  expect([await countExpired(database.sql, '2026-03-03'), await on('2026-03-03')]).toEqual([
    4,
    { reports: 4, accounts: 1 },
  ]);
  expect(await ids()).toEqual(['a3']);
  expect(await database.rows("select account_id || ' ' || day as day from daily_group order by 1")).toEqual(
    ['a 2026-03-02', 'a 2026-03-02', ...['01', '01', '02', '02'].map(day => `b 2026-03-${day}`)].map(day => ({
      day,
    })),
  );
  // Exports sort reports with the same position by time and id, so the highest id is the last one.
  expect(await database.rows('select type, id, date::text from removed_position')).toEqual([
    { type: 'csp', id: '2', date: '2026-03-01 12:00:00+00' },
  ]);
});

it('withdraws announcements of commands that ended without a change', async () => {
  await database.load(account('a'));
  await database.rows('insert into announced_change (id) values (7)');
  await prune(database.sql, new Announcer(database.sql, 1), '2026-03-03');
  expect(await database.rows('select id from announced_change')).toEqual([]);
});

it('does not wait for a running load when no report is past its retention', async () => {
  await database.load(
    account('a'),
    plan('a', { dataRetentionDays: 40 }),
    report('1', { date: '2026-02-28T12:00:00Z' }),
    report('2', { date: '2026-03-10T12:00:00Z' }),
  );
  await using other = await createLoadLock();
  expect(await prune(database.sql, new Announcer(database.sql, 0), '2026-03-30')).toEqual({
    reports: 0,
    accounts: 0,
  });
  expect(other.isHeld).toBe(true);
});

/** Simulates a running load that ends when it is disposed of. */
async function createLoadLock() {
  const sql = connectOperator(database.url);
  const transaction = await sql.begin();
  await transaction.query(LOCK_REPORTS);
  const lock = {
    isHeld: true,
    async [Symbol.asyncDispose]() {
      lock.isHeld = false;
      await transaction.query('rollback');
      await sql.end();
    },
  };
  return lock;
}

it('keeps ten years of reports with the longest possible retention', async () => {
  await database.load(
    account('a'),
    plan('a', { dataRetentionDays: 3660 }),
    report('1', { date: '2026-03-11T00:00:00Z' }),
  );
  // A value that earlier versions accepted.
  await database.rows(`update plan set data_retention_days = ${Number.MAX_SAFE_INTEGER}`);
  const on = (today: string) => prune(database.sql, new Announcer(database.sql, 0), today);
  expect(await on('2036-03-18')).toEqual({ reports: 0, accounts: 0 });
  expect(await on('2036-03-19')).toEqual({ reports: 1, accounts: 1 });
});

it('keeps the counts and the audit log, and increases the version of accounts that lose reports', async () => {
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

describe('a report from before the removed period', () => {
  const pruneNow = () => prune(database.sql, new Announcer(database.sql, 0), '2026-12-31');
  const total = async () =>
    (await database.rows('select sum(total)::int as total from daily_count'))[0]!.total;

  it('is ignored and counted as past the retention, unless it is stored', async () => {
    await database.load(account('a'), account('b'), report('1', { count: 4 }));
    await pruneNow();
    const before = await database.rows('select * from account, removed_position');
    const { records, pastRetention } = await database.load(report('1', { count: 4 }), report('2'));
    expect([records, pastRetention]).toEqual([{ report: 0 }, { csp: 2 }]);
    expect(await database.rows('select * from account, removed_position')).toEqual(before);
    // Reports of another account still count, as do those of a type from which none were removed.
    const others = await database.load(
      ...[report('late'), report('1', { accountId: 'b' }), report('1', { type: 'coep' })],
    );
    expect(others.pastRetention).toEqual({ csp: 1 });
    expect([await ids(), await total()]).toEqual([['a1', 'b1'], 6]);
    // Lines of an account that the same load deletes are only rejected.
    const lines = toText([report('late'), { kind: 'account', id: 'a', deleted: true }]);
    const deletion = await database.loadText(lines, { rejects: () => {} });
    expect(deletion).toMatchObject({ records: { account: 1 }, rejected: 1 });
    expect(deletion.pastRetention).toEqual({});
  });

  it('replaces and deletes a stored report', async () => {
    await database.load(account('a'), plan('a'), report('1'), report('2', { date: '2026-04-10T00:00:00Z' }));
    await prune(database.sql, new Announcer(database.sql, 0), '2026-07-10');
    await database.load(plan('a', { dataRetentionDays: 365 }));
    expect(await ids()).toEqual(['a1']);
    await database.rows("update removed_position set removed_before = '2026-06-01'");
    await database.load(report('1', { count: 5 }));
    expect(await total()).toBe(6);
    // A load applies its lines in order, so a later line can restore the stored state.
    const deletions = [
      { kind: 'report', accountId: 'a', type: 'csp', id: '1', deleted: true },
      { kind: 'watch', accountId: 'a', product: 'script', site: 'a.example', deleted: true },
    ];
    await database.load(...deletions, report('1', { count: 7 }));
    expect([await ids(), await total()]).toEqual([['a1'], 8]);
    // The report of another type with the same id was never stored.
    await database.rows(`insert into removed_position (account_id, type, position, date, id, removed_before)
      select account_id, 'coep', position, date, id, removed_before from removed_position`);
    const other = await database.load(...deletions, report('1', { type: 'coep' }), report('1', { count: 7 }));
    expect(other.pastRetention).toEqual({ coep: 1 });
    // A report that was stored after the removed period does not make its earlier date acceptable.
    await database.load(report('young', { date: '2026-06-01T00:00:00Z' }));
    const moved = await database.load({ ...deletions[0]!, id: 'young' }, deletions[1]!, report('young'));
    expect(moved.pastRetention).toEqual({ csp: 1 });
    expect([await ids(), await total()]).toEqual([['a1'], 8]);
    const { pastRetention } = await database.load(report('late'), {
      kind: 'report',
      accountId: 'a',
      type: 'csp',
      id: '1',
      deleted: true,
    });
    expect([await ids(), await total(), pastRetention]).toEqual([[], 1, { csp: 1 }]);
    await database.load(report('1'));
    expect([await ids(), await total()]).toEqual([[], 1]);
  });

  it('is detected by the latest date before which reports were removed, in any order of removals', async () => {
    await database.load(account('a'), plan('a'), report('1', { date: '2026-07-01T00:00:00Z' }));
    await database.load(report('2', { date: '2026-05-01T00:00:00Z' }));
    const removed = async (today: string) => {
      await prune(database.sql, new Announcer(database.sql, 0), today);
      const rows = await database.rows(
        'select position, id, date::date::text, removed_before::date::text from removed_position',
      );
      return rows[0]!;
    };
    const first = await removed('2026-08-10');
    const second = await removed('2026-12-31');
    // The oldest report is the last to be removed.
    for (const { position, id, date } of [first, second])
      expect([position, id, date]).toEqual([first.position, '2', '2026-05-01']);
    expect([first.removed_before, second.removed_before]).toEqual(['2026-05-12', '2026-10-02']);
    const { pastRetention } = await database.load(report('3', { date: '2026-09-01T00:00:00Z' }));
    expect(pastRetention).toEqual({ csp: 1 });
  });

  it('is also ignored after its month was dropped', async () => {
    await database.load(account('a'), report('1', { count: 4 }));
    await dropExpiredMonths(database.sql, new Announcer(database.sql, 0), '2026-12-31');
    await database.load(report('1', { count: 4 }), report('late', { date: '2026-06-01T00:00:00Z' }));
    expect([await ids(), await total()]).toEqual([['alate'], 5]);
  });
});
