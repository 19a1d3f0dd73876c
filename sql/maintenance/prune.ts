import type { CommandConnection, Statements } from '@sightline/postgres';
import { RETENTION } from '../account.ts';
import { announcedTransaction } from '../changes/announced-transaction.ts';
import type { Announcer } from '../changes/announcer.ts';
import { LOCK_REPORTS } from '../feed/lock.ts';
import { existingMonths, type Month, ofMonth } from '../feed/partitions.ts';
import { reportKeyOf } from '../report/report-key.ts';

export interface Pruned {
  reports: number;
  /** Accounts that lost reports, counted again for each month. */
  accounts: number;
}

/**
 * Removes the reports that are past their account's retention: older than the start of the UTC day that many
 * days before today. The daily counts and everything else stay. A month is a transaction, so that a load need
 * not wait for all of it.
 * @param today the UTC day as `YYYY-MM-DD`
 */
export async function prune(sql: CommandConnection, announcer: Announcer, today: string): Promise<Pruned> {
  await announcer.clear();
  const pruned: Pruned = { reports: 0, accounts: 0 };
  for (const month of await monthsUntil(sql, today)) {
    const { reports, accounts } = await pruneMonth(sql, announcer, month, today);
    pruned.reports += reports;
    pruned.accounts += accounts;
  }
  await forgetMails(sql, today);
  return pruned;
}

/**
 * Notes up to which position and instant reports are gone.
 * @param removed a table of such reports
 * @param before an expression over them: from when on reports were kept, or null where they went for another reason
 */
export function noteRemoved(removed: string, before: string): string {
  return `insert into removed_position (account_id, type, position, removed_before)
    select account_id, type, max(position), max(${before}) from ${removed} group by 1, 2
    on conflict (account_id, type) do update set
      position = greatest(removed_position.position, excluded.position),
      removed_before = greatest(removed_position.removed_before, excluded.removed_before)`;
}

/** Counts the reports that `prune` would remove. */
export async function countExpired(sql: Statements, today: string): Promise<number> {
  let count = 0;
  for (const month of await monthsUntil(sql, today)) {
    const [row] = await sql.query<{ reports: number }>(`
      with ${oldest(today)}
      select count(*)::float8 as reports from report r join oldest o
        on r.account_id = o.account_id and r.type = o.type and r.date < o.date and ${ofMonth('r.date', month)}`);
    count += row!.reports;
  }
  return count;
}

/** The months that have a partition, up to this one. */
async function monthsUntil(sql: Statements, today: string): Promise<Month[]> {
  return (await existingMonths(sql)).filter(month => month <= today.slice(0, 7));
}

/** From when on reports are kept, by account and type. */
function oldest(today: string): string {
  return `oldest as materialized (
      select a.id as account_id, t.type,
        (date '${today}' - ${RETENTION}::int)::timestamp at time zone 'UTC' as date
      from account a left join plan p on p.account_id = a.id
      cross join unnest(enum_range(null::report_type)) as t (type)
    )`;
}

/** Rejected reports of an account that stay known past its retention, since their count stays: the newest. */
const MOST_REJECTED = 100_000;

/** Nothing is shown of them, so that no version moves on. */
async function forgetMails(sql: Statements, today: string): Promise<void> {
  await sql.query(`
    with kept as materialized (
      select a.id as account_id, date '${today}' - ${RETENTION}::int as day
      from account a left join plan p on p.account_id = a.id
    ), known as (
      select account_id, digest, imported_on, records = 0 and ${MOST_REJECTED} >=
        row_number() over (partition by account_id, records = 0 order by imported_on desc) as stays
      from imported_mail
    ), forgotten as materialized (
      select w.account_id, w.digest from known w join kept k on w.account_id = k.account_id
      where w.imported_on < k.day and not w.stays
    )
    delete from imported_mail m using forgotten f where m.account_id = f.account_id and m.digest = f.digest`);
}

async function pruneMonth(
  sql: CommandConnection,
  announcer: Announcer,
  month: Month,
  today: string,
): Promise<Pruned> {
  const statements = `${LOCK_REPORTS}; set local jit = off;
    with ${oldest(today)}, removed as (
      delete from report r using oldest o
      where r.account_id = o.account_id and r.type = o.type and r.date < o.date
        and ${ofMonth('r.date', month)}
      returning r.account_id, r.type, r.id, r.date, r.position, o.date as kept
    ), gone as materialized (
      select account_id, date, ${reportKeyOf('r')} as key from removed r
    ), located as (
      delete from report_locator l using gone r
      where l.key = r.key and l.account_id = r.account_id and l.date = r.date
    ), ungrouped as (
      delete from daily_group g using oldest o
      where g.account_id = o.account_id and g.type = o.type and g.day < (o.date at time zone 'UTC')::date
    ), noted as (
      ${noteRemoved('removed', 'kept')}
    ), touched as (
      update account a set version = a.version + 1
      where a.id in (select account_id from removed) returning a.id
    )
    select (select count(*) from removed)::int as reports, (select count(*) from touched)::int as accounts`;
  const prunedOf = (rows: readonly object[]) => rows.find(row => 'reports' in row) as Pruned;
  const isChange = (rows: readonly object[]) => prunedOf(rows).reports > 0;
  return prunedOf(await announcedTransaction(sql, announcer, { statements, isChange }));
}
