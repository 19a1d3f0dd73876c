import type { CommandConnection } from '@sightline/pg-client';
import { announcedTransaction } from '../changes/announced-transaction.ts';
import type { Announcer } from '../changes/announcer.ts';
import { LOCK_REPORTS } from '../feed/lock.ts';
import { type Month, partitionName } from '../feed/partitions.ts';
import { forgetMonth } from './forget-month.ts';
import { literal } from './literal.ts';

/** A change of a month's reports (alias `r` in its SQL) by values (alias `g`). */
export interface MonthChange {
  month: Month;
  values: readonly object[];
  /** The names and types of the values. */
  columns: string;
  /** The assignments of an update. */
  set: string;
  /** The condition that values belong to a report. */
  where: string;
}

/** The condition for values that identify a report; it follows one for its type. */
export const SAME_REPORT = 'r.account_id = g.account_id and r.date = g.date and r.id = g.id';

/** Changes reports of a month in a transaction, and increments the versions of their accounts. */
export async function changeMonth(
  sql: CommandConnection,
  announcer: Announcer,
  { month, values, columns, set, where }: MonthChange,
): Promise<void> {
  const statements = `${LOCK_REPORTS}; ${forgetMonth(month)};
    with given as materialized (
      select * from jsonb_to_recordset(${literal(JSON.stringify(values))}::jsonb) as known (${columns})
    ), changed as (
      update ${partitionName(month)} r set ${set} from given g where ${where} returning r.account_id
    ), touched as (
      update account set version = version + 1
      where id in (select account_id from changed) returning id
    )
    select (select count(*) from touched)::int as accounts`;
  const isChange = (rows: readonly object[]) => rows.some(row => 'accounts' in row);
  await announcedTransaction(sql, announcer, { statements, isChange });
}
