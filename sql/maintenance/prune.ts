import type { CommandConnection, Statements } from '@sightline/pg-client';
import { RETENTION } from '../account.ts';
import { announcedTransaction } from '../changes/announced-transaction.ts';
import type { Announcer } from '../changes/announcer.ts';
import { LOCK_REPORTS } from '../feed/lock.ts';
import { existingMonths, type Month, ofMonth, partitionName } from '../feed/partitions.ts';
import { isDistributed } from '../operator/distribute.ts';
import { toReportKey } from '../report/report-key.ts';

export interface PruneResult {
  reports: number;
  /** Accounts that lost reports, counted once per month. */
  accounts: number;
}

/**
 * Removes the reports that are past their account's retention: older than the start of the UTC day that many days
 * before today. The daily counts and all other data remain. Each month is a transaction, so a load need not wait for
 * all of them.
 * @param today the UTC day as `YYYY-MM-DD`
 */
export async function prune(
  sql: CommandConnection,
  announcer: Announcer,
  today: string,
): Promise<PruneResult> {
  await announcer.clear();
  const pruned: PruneResult = { reports: 0, accounts: 0 };
  const isSpread = await isDistributed(sql);
  for (const month of await monthsToLookAt(sql, today)) {
    // Citus does not support this check, so the deletion itself determines it.
    if (!isSpread && !(await hasExpired(sql, month, today))) continue;
    const { reports, accounts } = await pruneMonth(sql, announcer, month, today);
    pruned.reports += reports;
    pruned.accounts += accounts;
  }
  await forgetMails(sql, today);
  return pruned;
}

/**
 * Records the last of the removed reports in the order of exports, and the instant up to which they are removed.
 * @param removed a table of such reports
 * @param before an expression for the start of the retained reports, or null if they were removed for another reason
 */
export function noteRemoved(removed: string, before: string): string {
  const isLater = `(excluded.position, excluded.date, excluded.id) > (removed_position.position,
        removed_position.date, removed_position.id)`;
  return `insert into removed_position (account_id, type, position, date, id, removed_before)
    select distinct on (account_id, type) account_id, type, position, date, id,
      max(${before}) over (partition by account_id, type)
    from ${removed} order by account_id, type, position desc, date desc, id desc
    on conflict (account_id, type) do update set
      position = greatest(removed_position.position, excluded.position),
      date = case when ${isLater} then excluded.date else removed_position.date end,
      id = case when ${isLater} then excluded.id else removed_position.id end,
      removed_before = greatest(removed_position.removed_before, excluded.removed_before)`;
}

/** Counts the reports that `prune` would remove. */
export async function countExpired(sql: Statements, today: string): Promise<number> {
  let count = 0;
  for (const month of await monthsToLookAt(sql, today)) {
    const [row] = await sql.query<{ reports: number }>(`
      with ${oldest(today, month)}
      select count(*)::float8 as reports from report r join oldest o
        on r.account_id = o.account_id and r.type = o.type and r.date < o.date and ${ofMonth('r.date', month)}`);
    count += row!.reports;
  }
  return count;
}

/** Returns months that are partly or completely past some account's retention. */
async function monthsToLookAt(sql: Statements, today: string): Promise<Month[]> {
  const [row] = await sql.query<{ newest: string | null }>(`
    select (date '${today}' - min(${RETENTION})::int)::text as newest
    from account a left join plan p on p.account_id = a.id`);
  const { newest } = row!;
  return newest ? (await existingMonths(sql)).filter(month => `${month}-01` < newest) : [];
}

/** The start of the retained reports by account and type, for accounts that can have older reports in the month. */
function oldest(today: string, month: Month): string {
  return `oldest as materialized (
      select a.id as account_id, t.type,
        (date '${today}' - ${RETENTION}::int)::timestamp at time zone 'UTC' as date
      from account a left join plan p on p.account_id = a.id
      cross join unnest(enum_range(null::report_type)) as t (type)
      where date '${today}' - ${RETENTION}::int > '${month}-01'
    )`;
}

/** Reads one entry of the primary key per account and type, because a join would read the whole month. */
async function hasExpired(sql: Statements, month: Month, today: string): Promise<boolean> {
  const rows = await sql.query(`
    with ${oldest(today, month)}
    select from oldest o cross join lateral (
      select from ${partitionName(month)} r
      where r.account_id = o.account_id and r.type = o.type and r.date < o.date
      order by r.date limit 1) as found
    limit 1`);
  return rows.length > 0;
}

/**
 * Maximum number of rejected reports of an account that are remembered past its retention, newest first, because their
 * count remains.
 */
const MOST_REJECTED = 100_000;

/** These mails are not shown, so no version changes. */
async function forgetMails(sql: Statements, today: string): Promise<void> {
  await sql.query(`
    with retained as materialized (
      select a.id as account_id, date '${today}' - ${RETENTION}::int as day
      from account a left join plan p on p.account_id = a.id
    ), known as (
      select account_id, digest, imported_on, records = 0 and ${MOST_REJECTED} >=
        row_number() over (partition by account_id, records = 0 order by imported_on desc) as stays
      from imported_mail
    ), forgotten as materialized (
      select w.account_id, w.digest from known w join retained k on w.account_id = k.account_id
      where w.imported_on < k.day and not w.stays
    )
    delete from imported_mail m using forgotten f where m.account_id = f.account_id and m.digest = f.digest`);
}

async function pruneMonth(
  sql: CommandConnection,
  announcer: Announcer,
  month: Month,
  today: string,
): Promise<PruneResult> {
  const statements = `${LOCK_REPORTS}; set local jit = off;
    with ${oldest(today, month)}, removed as (
      delete from report r using oldest o
      where r.account_id = o.account_id and r.type = o.type and r.date < o.date
        and ${ofMonth('r.date', month)}
      returning r.account_id, r.type, r.id, r.date, r.position, o.date as retained
    ), gone as materialized (
      select account_id, date, ${toReportKey('r')} as key from removed r
    ), located as (
      delete from report_locator l using gone r
      where l.key = r.key and l.account_id = r.account_id and l.date = r.date
    ), ungrouped as (
      delete from daily_group g using oldest o
      where g.account_id = o.account_id and g.type = o.type and g.day < (o.date at time zone 'UTC')::date
    ), noted as (
      ${noteRemoved('removed', 'retained')}
    ), touched as (
      update account a set version = a.version + 1
      where a.id in (select account_id from removed) returning a.id
    )
    select (select count(*) from removed)::int as reports, (select count(*) from touched)::int as accounts`;
  const findPruned = (rows: readonly object[]) => rows.find(row => 'reports' in row) as PruneResult;
  const isChange = (rows: readonly object[]) => findPruned(rows).reports > 0;
  return findPruned(await announcedTransaction(sql, announcer, { statements, isChange }));
}
