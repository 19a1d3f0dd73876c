import type { Sql } from 'postgres';
import { DEFAULT_RETENTION, LONGEST_RETENTION } from '../account.ts';
import { announcedTransaction } from '../changes/announced-transaction.ts';
import type { Announcer } from '../changes/announcer.ts';
import { LOCK_REPORTS } from '../feed/lock.ts';
import { existingMonths, type Month, monthAfter } from '../feed/partitions.ts';
import { reportKeyOf } from '../report/report-key.ts';

/** Days, of an account with the plan `p`, if it has one. */
export const RETENTION = `least(coalesce(p.data_retention_days, ${DEFAULT_RETENTION}), ${LONGEST_RETENTION})`;

export interface Pruned {
  reports: number;
  /** How many times an account lost reports of a month. */
  accounts: number;
}

/**
 * Removes the reports that are past their account's retention: older than the start of the UTC day that many
 * days before today. The daily counts and everything else stay. A month is a transaction, so that a load need
 * not wait for all of it.
 * @param today the UTC day as `YYYY-MM-DD`
 */
export async function prune(sql: Sql, announcer: Announcer, today: string): Promise<Pruned> {
  await announcer.clear();
  const runner = { run: async (statement: string) => (await sql.unsafe(statement)) as never };
  const months = [...(await existingMonths(runner))].sort().filter(month => month <= today.slice(0, 7));
  const pruned: Pruned = { reports: 0, accounts: 0 };
  for (const month of months) {
    const { reports, accounts } = await pruneMonth(sql, announcer, month, today);
    pruned.reports += reports;
    pruned.accounts += accounts;
  }
  return pruned;
}

async function pruneMonth(sql: Sql, announcer: Announcer, month: Month, today: string): Promise<Pruned> {
  const statements = `${LOCK_REPORTS}; set local jit = off;
    with oldest as materialized (
      select a.id as account_id, t.type,
        (date '${today}' - ${RETENTION}::int)::timestamp at time zone 'UTC' as date
      from account a left join plan p on p.account_id = a.id
      cross join unnest(enum_range(null::report_type)) as t (type)
    ), removed as (
      delete from report r using oldest o
      where r.account_id = o.account_id and r.type = o.type and r.date < o.date
        and r.date >= '${month}-01 00:00:00+00' and r.date < '${monthAfter(month)}-01 00:00:00+00'
      returning r.account_id, r.type, r.id, r.date
    ), gone as materialized (
      select account_id, date, ${reportKeyOf('r')} as key from removed r
    ), located as (
      delete from report_locator l using gone r
      where l.key = r.key and l.account_id = r.account_id and l.date = r.date
    ), touched as (
      update account a set version = a.version + 1
      where a.id in (select account_id from removed) returning a.id
    )
    select (select count(*) from removed)::int as reports, (select count(*) from touched)::int as accounts`;
  const prunedOf = (rows: readonly object[]) => rows.find(row => 'reports' in row) as Pruned;
  const isChange = (rows: readonly object[]) => prunedOf(rows).reports > 0;
  return prunedOf(await announcedTransaction(sql, announcer, { statements, isChange }));
}
