import { afterAll, beforeAll, expect, it } from 'vitest';
import { Announcer } from '../../sql/changes/announcer.ts';
import { maintain } from '../../sql/maintenance/maintain.ts';
import { keepReportGroups } from '../../sql/maintenance/rollups.ts';
import { refreshStatistics } from '../../sql/maintenance/statistics.ts';
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
