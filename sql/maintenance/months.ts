import type { CommandConnection } from '@sightline/pg-client';
import { RETENTION } from '../account.ts';
import { announcedTransaction } from '../changes/announced-transaction.ts';
import type { Announcer } from '../changes/announcer.ts';
import { LOCK_REPORTS } from '../feed/lock.ts';
import { existingMonths, type Month, makeMonths, monthAfter, partitionName } from '../feed/partitions.ts';
import { forgetMonth } from './forget-month.ts';
import { noteRemoved } from './prune.ts';
import { each, lockOut } from './transaction.ts';

/** The number of future months whose partitions are created. */
const AHEAD = 2;
/** How many days after the end of a month its reports still arrive: mail reporters send theirs a day or two later. */
const LATE = 2;

/** The days are UTC, as `YYYY-MM-DD`. */
export function isClosed(month: Month, today: string): boolean {
  return today > `${monthAfter(month)}-${String(LATE).padStart(2, '0')}`;
}

/** This month and the next two. */
export function monthsAhead(today: string): Month[] {
  const months = [today.slice(0, 7)];
  while (months.length <= AHEAD) months.push(monthAfter(months.at(-1)!));
  return months;
}

/** Creates the partitions of this month and the next two. Returns the months that were missing. */
export async function makeMonthsAhead(sql: CommandConnection, today: string): Promise<Month[]> {
  const wanted = monthsAhead(today);
  const existing = await existingMonths(sql);
  if (wanted.every(month => existing.includes(month))) return [];
  return sql.transaction(transaction => makeMonths(transaction, wanted));
}

/**
 * Drops months that are completely past every account's retention, which is much cheaper than deleting rows. It also
 * drops months beyond the ones created ahead, whose dates the feed no longer accepts. The database's clock must agree.
 */
export async function dropExpiredMonths(
  sql: CommandConnection,
  announcer: Announcer,
  today: string,
): Promise<Month[]> {
  const [row] = await sql.query<{ oldest: string | null; latest: string }>(`
    select (date '${today}' - max(${RETENTION})::int)::text as oldest,
      greatest(date '${today}', (now() at time zone 'UTC')::date)::text as latest
    from account a left join plan p on p.account_id = a.id`);
  const { oldest, latest } = row!;
  if (!oldest) return [];
  const last = monthsAhead(latest).at(-1)!;
  const expired = (await existingMonths(sql)).filter(
    month => `${monthAfter(month)}-01` <= oldest || month > last,
  );
  for (const month of expired) await dropMonth(sql, announcer, month, month <= last);
  if (expired.length > 0) await forgetDropped(sql);
  return expired;
}

/** @param isOld true if the month is dropped because of its age */
async function dropMonth(
  sql: CommandConnection,
  announcer: Announcer,
  month: Month,
  isOld: boolean,
): Promise<void> {
  const partition = partitionName(month);
  const end = isOld ? `timestamptz '${monthAfter(month)}-01 00:00:00+00'` : 'null::timestamptz';
  await announcedTransaction(sql, announcer, {
    statements: `${LOCK_REPORTS}; ${noteRemoved(partition, end)}; ${forgetMonth(month)};
     with holders as materialized (select distinct account_id from ${partition})
     update account set version = version + 1 where id in (select account_id from holders) returning id`,
    isChange: rows => rows.some(row => 'id' in row),
    last: `${lockOut(partition)};
     ${each([`alter table report detach partition ${partition}`, `drop table ${partition}`])}`,
  });
}

/** Deletes the locators of dropped reports. Until then they are harmless, because they refer to nothing. */
async function forgetDropped(sql: CommandConnection): Promise<void> {
  const months = await existingMonths(sql);
  const [first, last] = [months[0], months.at(-1)];
  const condition =
    first && last
      ? `where date < '${first}-01 00:00:00+00' or date >= '${monthAfter(last)}-01 00:00:00+00'`
      : '';
  await sql.transaction(transaction =>
    transaction.query(`${LOCK_REPORTS}; delete from report_locator ${condition}`),
  );
}
