import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Announcer } from '../../sql/changes/announcer.ts';
import { createMonth, existingMonths } from '../../sql/feed/partitions.ts';
import { maintain } from '../../sql/maintenance/maintain.ts';
import { dropExpiredMonths } from '../../sql/maintenance/months.ts';
import { accountsWithOthers, type OtherReport, otherReports } from '../../sql/maintenance/other-reports.ts';
import { indexRareFilters } from '../../sql/maintenance/rare-filters.ts';
import { rewriteClosedMonths } from '../../sql/maintenance/rewrite.ts';
import { keepReportGroups } from '../../sql/maintenance/rollups.ts';
import { refreshStatistics } from '../../sql/maintenance/statistics.ts';
import { inTurn } from '../../sql/maintenance/turn.ts';
import { hoursSinceRuns } from '../../sql/operator/last-run.ts';
import { account, createFeedDatabase, type FeedDatabase, plan, report } from '../feed/lines.ts';
import { connectOperator } from '../support/operator.ts';

/** Records what maintenance says about databases with different things to do. */

let database: FeedDatabase;
beforeAll(async () => {
  database = await createFeedDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const TODAY = '2026-03-10';

/** Runs maintenance, and returns its steps and sentences. */
async function run(today: string, onlyGroups: boolean, read?: number): Promise<string[]> {
  const [sql, lock] = [connectOperator(database.url), connectOperator(database.url)];
  const said: string[] = [];
  try {
    const isDone = await maintain(sql, lock, {
      ...{ announcer: new Announcer(lock, 0), today, onlyGroups },
      begin: step => said.push(`  ${step}…`),
      report: sentence => said.push(sentence.replace(/(?<=statistics of ).*(?=\.$)/, 'tables')),
      ...(read !== undefined && { readOthersAgain: async () => read }),
    });
    expect(isDone).toBe(true);
    return said;
  } finally {
    await Promise.all([sql.end(), lock.end()]);
  }
}

/** Stores this many reports of a type at an instant, as a load would. */
async function store(type: string, date: string, count: number): Promise<void> {
  await database.rows(`insert into report (account_id, type, date, id, count, raw)
    select 'a', '${type}', '${date}', '${type}-${date}-' || n, 1, '' from generate_series(1, ${count}) n;
    insert into daily_count (account_id, type, day, directive, total)
    values ('a', '${type}', '${date.slice(0, 10)}', '', ${count})`);
}

/** Removes all reports and their counts. */
const clear = () => database.rows('delete from report; delete from report_locator; delete from daily_count');

it('maintenance says what it has done, and what there was nothing to do about', {
  tags: 'slow',
}, async () => {
  const text: string[] = [];
  const note = async (title: string, lines: Promise<string[]>) =>
    text.push(`${title}\n`, ...(await lines), '\n');
  await note('an empty database', run(TODAY, false));
  expect([...(await hoursSinceRuns(database.sql)).keys()]).toEqual(['maintain']);
  await database.rows("update last_run set finished_at = '2000-01-01'");
  await database.load(account('a'), plan('a', { dataRetentionDays: 30 }));
  await note('only groups, of which there are none', run(TODAY, true));

  await store('csp', '2026-03-09T10:59:59Z', 200);
  await note('an hour of yesterday', run(TODAY, true));
  await note('the same again', run(TODAY, true));
  await clear();
  await store('csp', '2026-03-08T10:00:00Z', 50);
  await note('a day before yesterday', run(TODAY, true));
  await clear();
  for (const [type, date, count] of [
    ['csp', '2026-03-07T10:00:00Z', 50],
    ['nel', '2026-03-06T23:59:59Z', 50],
    ['csp', '2026-03-09T00:00:00Z', 200],
    ['nel', '2026-03-09T23:00:00Z', 200],
    ['csp', '2026-03-10T01:00:00Z', 199],
  ] as const) {
    await store(type, date, count);
  }
  await note('days and hours of several types', run(TODAY, true));
  expect((await hoursSinceRuns(database.sql)).get('maintain')).toBeGreaterThan(100_000);

  await clear();
  await database.load(
    report('old', { date: '2026-02-07T23:59:59Z' }),
    report('new', { date: '2026-02-08T00:00:00Z' }),
  );
  await note('a report past its retention, and another that was read again', run(TODAY, false, 1));
  expect((await hoursSinceRuns(database.sql)).get('maintain')).toBeLessThan(1);
  await database.load(
    report('january', { date: '2026-01-31T23:59:59Z' }),
    report('old', { date: '2026-02-08T23:59:59Z' }),
    report('older', { date: '2026-02-08T23:59:58Z' }),
  );
  await note(
    'a month past all retentions, reports of another, and several that were read again',
    run('2026-03-11', false, 2),
  );
  expect((await run('2026-03-11', false, 0)).filter(line => line.startsWith('Read '))).toEqual([]);
  await expect(`${text.join('\n').replaceAll('\n\n\n', '\n\n')}`).toMatchFileSnapshot(
    '../recorded/maintenance.txt',
  );
  // The others need a database without these months.
  await database[Symbol.asyncDispose]();
  database = await createFeedDatabase();
});

it('a run keeps its turn however long it takes, and others leave it to the next one', async () => {
  const [lock, other] = [connectOperator(database.url), connectOperator(database.url)];
  const done: string[] = [];
  try {
    await lock.query("set idle_in_transaction_session_timeout = '1h'");
    const begin = lock.begin.bind(lock);
    let held: Awaited<ReturnType<typeof begin>>;
    lock.begin = async () => (held = await begin());
    const working = inTurn(lock, async () => {
      const limit = await held.query('show idle_in_transaction_session_timeout');
      expect(limit).toEqual([{ idle_in_transaction_session_timeout: '0' }]);
      expect(await inTurn(other, async () => void done.push('other'))).toBe(false);
      done.push('one');
      throw new Error('stopped');
    });
    await expect(working).rejects.toThrow('stopped');
    expect(await inTurn(other, async () => void done.push('next'))).toBe(true);
    expect(done).toEqual(['one', 'next']);
  } finally {
    await Promise.all([lock.end(), other.end()]);
  }
});

it('a run that fails is not noted as the last one', async () => {
  await using own = await createFeedDatabase();
  const [sql, lock] = [connectOperator(own.url), connectOperator(own.url)];
  try {
    const options = { announcer: new Announcer(lock, 0), today: TODAY, report: () => {} };
    const readOthersAgain = () => Promise.reject(new Error('no memory'));
    await expect(maintain(sql, lock, { ...options, readOthersAgain })).rejects.toThrow('no memory');
    expect([...(await hoursSinceRuns(own.sql)).keys()]).toEqual([]);
    await maintain(sql, lock, options);
    expect([...(await hoursSinceRuns(own.sql)).keys()]).toEqual(['maintain']);
  } finally {
    await Promise.all([sql.end(), lock.end()]);
  }
});

it('the rollup of an hour is computed from five minutes after its end on', async () => {
  // Also creates the partition of the month.
  await database.load(account('a'), plan('a'), report('one', { date: `${TODAY}T00:00:00Z` }));
  await clear();
  await store('csp', `${TODAY}T10:00:00Z`, 200);
  const sql = connectOperator(database.url);
  try {
    await sql.query(`create schema faked; create table faked.clock (time timestamptz);
      insert into faked.clock values ('${TODAY}T11:04:59.999Z');
      create function faked.now() returns timestamptz language sql as 'select time from faked.clock';
      set search_path = faked, pg_catalog, public`);
    expect(await keepReportGroups(sql, TODAY)).toEqual({ days: 0, hours: 0 });
    await sql.query(`update faked.clock set time = '${TODAY}T11:05:00Z'`);
    expect(await keepReportGroups(sql, TODAY)).toEqual({ days: 0, hours: 1 });
    // Otherwise the server counts what this connection has changed at any later time.
    await sql.query('select pg_catalog.pg_stat_force_next_flush()');
  } finally {
    await sql.end();
  }
});

it('the statistics of a table are refreshed once it has changed by more than 2 %, or was never vacuumed', async () => {
  const { sql } = database;
  await refreshStatistics(sql);
  expect(await refreshStatistics(sql)).toEqual([]);
  await sql.query(`insert into csp_policy (account_id, id, name, policy)
    select 'a', n::text, 'name', '' from generate_series(1, 100) n`);
  await sql.query('create table unvacuumed as select 1 as one; create table empty (one int)');
  // The server counts these rows as changed from now on, and no longer once they are analysed.
  await sql.query('select pg_stat_force_next_flush()');
  await sql.query('analyze unvacuumed');
  expect(await refreshStatistics(sql)).toEqual(['csp_policy', 'unvacuumed']);
  const change = (first: number, last: number) =>
    sql.query(`update csp_policy set name = 'other' where id::int between ${first} and ${last}`);
  await change(1, 2);
  expect(await refreshStatistics(sql)).toEqual([]);
  await change(3, 3);
  expect(await refreshStatistics(sql)).toEqual(['csp_policy']);
});

/** The columns that filters compare, without the expressions that `readIndexes` leaves out. */
const EXACT = ['action', 'path', 'directive', 'blocked_path', 'subresource_path'];
const NAMED = ['browser', 'platform', 'nel_type'];
const FEW_VALUES = ['phase', 'disposition', 'cert_type'];
const LAST = ['sha256_spki', 'policy_id', 'hashtext(lower(policy))', 'property', 'destination'];
const SIGNED = ['account_id', ...EXACT, 'hash', ...NAMED, ...LAST];
const SIGNATURES = `bloom (${SIGNED.join(', ')}) WITH (length='160', ${SIGNED.map((_, index) => `col${index + 1}='3'`).join(', ')})`;
const HOSTS = ['host_reversed', 'blocked_host_reversed', 'subresource_host_reversed'];
const ORDERED = [...EXACT, ...NAMED, ...FEW_VALUES, ...LAST, ...HOSTS, 'domain_reputation_score'].join(', ');

/** The indexes and statistics of every month, and those of months that have ended, in the order of their creation. */
const OF_ALL = {
  score: 'btree (account_id, type, domain_reputation_score) WHERE (domain_reputation_score IS NOT NULL)',
  agents: '(mcv) ON type, browser, platform',
  rulings: '(mcv) ON type, action, policy_id, directive',
  accounts: '(mcv) ON account_id, browser, platform, action, policy_id, hashtext(lower(policy))',
  traits: '(mcv) ON type, browser, platform, nel_type, phase, disposition, property, destination',
  targets: '(mcv) ON type, blocked_host_reversed, domain_reputation_score, blocked_path',
};
const OF_ENDED = {
  values: `gin (account_id, type, ${[...EXACT, 'hash', ...NAMED, ...FEW_VALUES, ...LAST].join(', ')})`,
  patterns: `gin (account_id, type, ${[
    ...['path', 'blocked_path', 'subresource_path'],
    ...HOSTS.map(host => `((${host} || ''::text))`),
  ]
    .map(text => `${text} gin_trgm_ops`)
    .join(', ')})`,
  hosts: 'btree (account_id, type, host_reversed, date) WHERE (host_reversed IS NOT NULL)',
  newest: `btree (account_id, type, date, ${ORDERED})`,
  threats: `btree (account_id, type, date, ${ORDERED}) WHERE (generated_domain OR indicator_of_compromise OR recently_registered_domain OR low_reputation_domain OR suspicious OR (policy_ioc_hosts IS NOT NULL) OR (policy_concern_hosts IS NOT NULL))`,
  owners: '(dependencies) ON account_id, host_reversed',
};

/** Returns the indexes and statistics of a month by name. An index on the start of a text shows only its column. */
async function readIndexes(month: string): Promise<Record<string, string>> {
  const rows = await database.rows(`
    select relname as name, regexp_replace(pg_get_indexdef(indexrelid), '^.* USING ', '') as definition
    from pg_index join pg_class c on c.oid = indexrelid
    where indrelid = 'report_y${month}'::regclass and relname ~ '_[0-9a-f]{8}$'
    union all select stxname,
      regexp_replace(pg_get_statisticsobjdef(oid), '^CREATE STATISTICS [^ ]* | FROM .*$', '', 'g')
    from pg_statistic_ext where stxrelid = 'report_y${month}'::regclass`);
  const plain = (definition: string) =>
    definition.replace(/lower\("left"\((\w+), 64\)\)|"left"\((\w+), 255\)/g, '$1$2');
  return Object.fromEntries(
    rows.map(({ name, definition }) => [
      String(name).slice(`report_y${month}_`.length, -'_01234567'.length),
      plain(String(definition)),
    ]),
  );
}

describe('rollups', () => {
  const COMPUTING = 'Computing rollups of csp for 2026-03';
  const kept = async () =>
    (
      await database.rows(`select distinct account_id || ' ' || type || ' ' || day ||
        coalesce(' ' || substring(dimensions from '^[0-9]{2}:00'), '') as name from daily_group order by 1`)
    ).map(({ name }) => name);
  /** Counts reports of the type `csp` that are not stored. */
  const count = (day: string, total: number) =>
    database.rows(`insert into daily_count (account_id, type, day, directive, total)
      values ('a', 'csp', '${day}', '', ${total})`);

  beforeAll(() => database.load(account('a'), plan('a'), account('b')));
  beforeEach(async () => {
    await clear();
    await database.rows('delete from daily_group');
  });

  it.each([
    ['two days with half a million each', ['2026-03-01', '2026-03-02'], 500_000, 1],
    ['two days with one more', ['2026-03-01', '2026-03-02'], 500_001, 2],
    ['the hours of yesterday, of which a million are twelve', ['2026-03-09'], 83_333 * 24, 2],
  ])('are computed for about a million reports at once: %s', async (_, days, total, steps) => {
    for (const day of days) await count(day, total);
    const said: string[] = [];
    await keepReportGroups(database.sql, TODAY, step => said.push(step));
    expect(said.filter(step => step === COMPUTING)).toHaveLength(steps);
  });

  it('are computed for the newest days first, and replace no others than those of their days, types and accounts', async () => {
    for (const [type, day] of [
      ['csp', '2026-03-05'],
      ['csp', '2026-03-06'],
      ['nel', '2026-03-06'],
    ] as const)
      await store(type, `${day}T10:00:00Z`, 50);
    // Another account has the same reports. With this many, each day of an account is computed separately.
    await database.rows(`insert into report (account_id, type, date, id, count, raw)
        select 'b', type, date, id, count, raw from report where type = 'csp';
      insert into daily_count (account_id, type, day, directive, total)
        select 'b', type, day, directive, total from daily_count where type = 'csp';
      update daily_count set total = 600000`);
    let left = 2;
    const stop = (step: string) => {
      if (step === COMPUTING && left-- === 0) throw new Error('stopped');
    };
    await expect(keepReportGroups(database.sql, TODAY, stop)).rejects.toThrow('stopped');
    expect(await kept()).toEqual(['a csp 2026-03-06', 'b csp 2026-03-06']);
    expect(await keepReportGroups(database.sql, TODAY)).toEqual({ days: 3, hours: 0 });
    const all = ['a csp 2026-03-05', 'a csp 2026-03-06', 'a nel 2026-03-06', 'b csp 2026-03-05'];
    expect(await kept()).toEqual([...all, 'b csp 2026-03-06']);
  });

  it('of an hour leave those of the other hours, and are not computed for days to come', async () => {
    await store('csp', '2026-03-09T10:00:00Z', 200);
    await store('csp', '2026-03-11T10:00:00Z', 200);
    expect(await keepReportGroups(database.sql, TODAY)).toEqual({ days: 0, hours: 1 });
    await database.rows(`insert into report (account_id, type, date, id, count, raw)
      select account_id, type, date + interval '1 hour', id, count, raw from report where date < '2026-03-10'`);
    expect(await keepReportGroups(database.sql, TODAY)).toEqual({ days: 0, hours: 1 });
    expect(await kept()).toEqual(['a csp 2026-03-09 10:00', 'a csp 2026-03-09 11:00']);
  });

  it('are computed again if one is missing, and those that are no longer used are removed', async () => {
    await store('csp', '2026-03-06T10:00:00Z', 50);
    // Half of them have a directive.
    await database.rows(`update daily_count set total = 25;
      insert into daily_count select account_id, type, day, 'img-src', total from daily_count`);
    const days = async () => (await keepReportGroups(database.sql, TODAY)).days;
    expect([await days(), await days()]).toEqual([1, 0]);
    const names = () => database.rows('select dimensions from daily_group order by 1');
    const before = await names();
    await database.rows(
      "update daily_group set dimensions = 'FORMER' where dimensions = 'HOUR SOURCE_CLASS'",
    );
    expect([await days(), await names()]).toEqual([1, before]);
    // The reports of another account make no difference.
    await database.rows(`insert into daily_count select 'b', type, day, directive, total from daily_count;
      insert into report (account_id, type, date, id, count, raw)
        select 'b', type, date, id, count, raw from report`);
    expect([await days(), await kept()]).toEqual([1, ['a csp 2026-03-06', 'b csp 2026-03-06']]);
  });
});

describe('reports of two months, of which one has ended', () => {
  const groups = `select distinct day::text || coalesce(' ' || substring(dimensions from '^[0-9]{2}:00'), '') as name
    from daily_group order by 1`;
  const names = async (statement: string) => (await database.rows(statement)).map(({ name }) => name);

  beforeAll(async () => {
    await clear();
    await database.rows('delete from daily_group; delete from rollup_month; drop table report_y2026m03');
    await createMonth(database.sql, '2026-01');
    await createMonth(database.sql, '2026-03');
  });

  it('get rollups of days with 50 of them, and of the hours of yesterday with 200, until a month is finished', async () => {
    for (const [type, date, count] of [
      ['csp', '2026-01-30T12:00:00Z', 49],
      ['csp', '2026-01-31T23:59:59Z', 50],
      ['csp', '2026-03-08T23:59:59Z', 50],
      ['csp', '2026-03-09T10:00:00Z', 200],
      ['nel', '2026-03-09T12:00:00Z', 199],
    ] as const)
      await store(type, date, count);
    // A count without the reports, which makes them worth a look.
    await database.rows("update daily_count set total = 60 where day = '2026-01-30'");
    expect(await keepReportGroups(database.sql, TODAY)).toEqual({ days: 2, hours: 1 });
    expect(await names(groups)).toEqual(['2026-01-31', '2026-03-08', '2026-03-09 10:00']);
    const finished = () => database.rows('select month, is_finished from rollup_month order by month');
    expect(await finished()).toEqual([
      { month: '2026-01', is_finished: true },
      { month: '2026-03', is_finished: false },
    ]);
    const steps: string[] = [];
    await keepReportGroups(database.sql, '2026-04-01', step => steps.push(step));
    expect(await finished()).toMatchObject([{ is_finished: true }, { is_finished: false }]);
    expect(await names(groups)).toEqual(['2026-01-31', '2026-03-08', '2026-03-09']);
    await keepReportGroups(database.sql, '2026-04-02');
    expect(await finished()).toMatchObject([{ is_finished: true }, { is_finished: true }]);
    expect(steps).toEqual([
      'Looking for days of 2026-03 without rollups',
      'Computing rollups of csp for 2026-03',
      'Computing rollups of nel for 2026-03',
    ]);
  });

  it('are put into the order of the key after the second day of the next month, with the same indexes and rights', async () => {
    await database.rows(`insert into report (account_id, type, date, id, count, raw) values
      ('a', 'nel', '2026-01-05', '2', 1, ''), ('a', 'nel', '2026-01-05', '1', 1, ''), ('a', 'coep', '2026-01-04', '3', 1, '')`);
    const described = () =>
      database.rows(`select c.relname as name, relacl::text as rights, conname as constraint,
          (select inhparent::regclass::text from pg_inherits where inhrelid = c.oid) as parent,
          replace(pg_get_indexdef(c.oid), 'ONLY ', '') as definition
        from pg_class c left join pg_constraint on conrelid = c.oid or conindid = c.oid
        where c.relname ~ '^report_y2026m01' order by 1, 3`);
    const before = await described();
    const said: string[] = [];
    const spoken = {
      begin: (month: string) => said.push(`begins ${month}`),
      report: (month: string) => said.push(month),
    };
    expect(await rewriteClosedMonths(database.sql, '2026-02-02', spoken)).toEqual([]);
    expect(await rewriteClosedMonths(database.sql, '2026-02-03', spoken)).toEqual(['2026-01']);
    expect(said).toEqual(['begins 2026-01', '2026-01']);
    expect(await described()).toEqual(before);
    const stored = await database.rows('select account_id, type, date, id from report_y2026m01');
    expect(stored).toEqual(
      await database.rows('select account_id, type, date, id from report_y2026m01 order by 1, 2, 3, 4'),
    );
    expect(stored).toHaveLength(102);
    expect(await rewriteClosedMonths(database.sql, '2026-04-02', spoken)).toEqual([]);
  });

  it('get other indexes and statistics once their month has ended', async () => {
    const steps: string[] = [];
    const index = (today: string) => indexRareFilters(database.sql, today, step => steps.push(step));
    const step = (month: string, names: readonly string[]) => [
      ...names.map(name => `Creating ${name} of ${month}`),
      `Analysing ${month}`,
    ];
    expect(await index('2026-02-02')).toEqual({ months: ['2026-03', '2026-01'], missing: [] });
    const open = { signatures: SIGNATURES, ...OF_ALL };
    expect([await readIndexes('2026m01'), await readIndexes('2026m03')]).toEqual([open, open]);
    expect(steps.splice(0)).toEqual([
      ...step('2026-03', ['signatures', ...Object.keys(OF_ALL)]),
      ...step('2026-01', ['signatures', ...Object.keys(OF_ALL)]),
    ]);
    expect(await index('2026-02-03')).toEqual({ months: ['2026-01'], missing: [] });
    expect([await readIndexes('2026m01'), await readIndexes('2026m03')]).toEqual([
      { ...OF_ALL, ...OF_ENDED },
      open,
    ]);
    expect(steps.splice(0)).toEqual(step('2026-01', Object.keys(OF_ENDED)));
    expect(await index('2026-02-03')).toEqual({ months: [], missing: [] });
    expect(steps).toEqual([]);
    const finer =
      await database.rows(`select attrelid::regclass::text as name, attname, attstattarget from pg_attribute
      where attrelid::regclass::text ~ '^report_y' and attstattarget > 0 and attnum > 0`);
    expect(finer).toEqual([{ name: 'report_y2026m01', attname: 'host_reversed', attstattarget: 500 }]);
    // An index that an earlier version defined differently, and another one.
    const [score] = await names(
      "select relname as name from pg_class where relname ~ '^report_y2026m03_score_'",
    );
    await database.rows(`drop index ${score}; create index report_y2026m03_score_01234567 on report_y2026m03 (id);
      create index report_y2026m03_own_01234567 on report_y2026m03 (id)`);
    expect((await index('2026-02-03')).months).toEqual(['2026-03']);
    expect(await readIndexes('2026m03')).toEqual({ ...open, own: 'btree (id)' });
    expect(steps).toEqual(step('2026-03', ['score']));
  });

  it('are dropped with their rollups and places once their last day is past all retentions', async () => {
    await database.load(account('b'), plan('b', { dataRetentionDays: 30 }));
    await database.rows(`delete from report_locator; insert into report_locator values
      ('a', 1, '2026-01-31 23:59:59Z'), ('a', 2, '2026-03-01 00:00:00Z'), ('a', 3, '2026-03-31 23:59:59Z')`);
    const versions = () => database.rows('select id, version from account order by id');
    const [a, b] = await versions();
    const drop = (today: string) => dropExpiredMonths(database.sql, new Announcer(database.sql, 0), today);
    expect(await drop('2026-05-01')).toEqual([]);
    expect(await drop('2026-05-02')).toEqual(['2026-01']);
    expect(await existingMonths(database.sql)).toEqual(['2026-03']);
    expect(await names('select key::text as name from report_locator order by key')).toEqual(['2', '3']);
    expect(await names('select distinct day::text as name from daily_group order by 1')).toEqual([
      '2026-03-08',
      '2026-03-09',
    ]);
    expect(await names('select month as name from rollup_month')).toEqual(['2026-03']);
    expect(
      await database.rows('select type, id, removed_before::text from removed_position order by type'),
    ).toEqual([
      { type: 'csp', id: 'csp-2026-01-31T23:59:59Z-9', removed_before: '2026-02-01 00:00:00+00' },
      { type: 'nel', id: '2', removed_before: '2026-02-01 00:00:00+00' },
      { type: 'coep', id: '3', removed_before: '2026-02-01 00:00:00+00' },
    ]);
    expect(await versions()).toEqual([{ id: 'a', version: String(Number(a!.version) + 1) }, b]);
  });
});

it("an account's reports of types that are supported now are read in steps of 1000, the oldest first", async () => {
  await database.load(account('a'), account('other'), report('one', { date: '2026-03-05T00:00:00Z' }));
  await database.rows(`insert into report (account_id, type, date, id, count, raw, extra)
    select 'other', 'other', timestamptz '2026-03-05' - n / 2 * interval '1 microsecond', 'r' || n, n, 'raw',
      jsonb_build_object('wireType', case when n > 2001 then 'unknown' when n % 2 = 0 then 'even' else 'odd' end)
    from generate_series(1, 2002) n;
    insert into daily_count (account_id, type, day, directive, total) values
    ('other', 'other', '2026-03-05', '', 1), ('other', 'other', '2026-03-04', '', 1), ('a', 'other', '2026-03-05', '', 0)`);
  expect(await accountsWithOthers(database.sql)).toEqual(['other']);
  const steps: OtherReport[][] = [];
  for await (const step of otherReports(database.sql, 'other', ['odd', 'even'])) steps.push(step);
  expect(steps.map(({ length }) => length)).toEqual([1000, 1000, 1]);
  const read = steps.flat();
  const sorted = await database.rows(`select id from report
    where account_id = 'other' and extra->>'wireType' <> 'unknown' order by date, id`);
  expect(read.map(({ id }) => ({ id }))).toEqual(sorted);
  expect(read.at(-1)).toEqual({
    ...{ account_id: 'other', id: 'r1', date: Date.parse('2026-03-05'), instant: '2026-03-05 00:00:00+00' },
    ...{ count: 1, raw: 'raw', browser: null, platform: null, samplingRate: null },
  });
});
