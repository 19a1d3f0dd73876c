import { REPORT_COLUMNS } from '@sightline/reports';
import { existingMonths, partitionName } from '../../sql/feed/partitions.ts';
import { toReportKey } from '../../sql/report/report-key.ts';
import type { Operator } from '../../test/support/operator.ts';

/** Extends every retention, so that no reports are pruned that are to be measured. */
export async function keepEverything(sql: Operator): Promise<void> {
  await sql`update plan set data_retention_days = 36500`;
  await sql`
    insert into plan
    select a.id, p.plan, p.name, p.tier, p.status, p.report_quota, p.collect_hosts, p.data_retention_days, p.features
    from account a, (select * from plan order by account_id limit 1) p
    where not exists (select from plan where account_id = a.id)`;
}

/** Finds an account that does not grow: the one with the most reports after the largest. */
export async function findSteady(sql: Operator): Promise<string> {
  const [, second] = await sql.query<{ account_id: string }>(
    'select account_id from report group by account_id order by count(*) desc, 1 limit 2',
  );
  return second!.account_id;
}

/** The digits of a report's id (a UUID) that contain the number of the copy. They are zero in reports of the feed. */
const COPY_DIGITS = { from: 25, count: 4 };

/** A condition that selects original reports, not copies. */
export const OF_THE_FEED = `substr(id, ${COPY_DIGITS.from}, ${COPY_DIGITS.count}) = '${'0'.repeat(COPY_DIGITS.count)}'`;

export interface Growth {
  /** The present and the wanted number of reports for each report of the feed. */
  from: number;
  to: number;
  /** A condition on `account_id` that selects the accounts to grow. */
  accounts: string;
}

/**
 * Multiplies the reports of the feed from `from` to `to` each. A copy is the same report at another second of its day
 * with another id, so values, skew and order of arrival do not change. The database does this itself, month by month,
 * including indexes, which takes half the time of a load.
 */
export async function multiply(sql: Operator, { from, to, accounts }: Growth): Promise<void> {
  for (const month of await existingMonths(sql)) {
    const table = partitionName(month);
    const [last] = await sql.query<{ day: string | null }>(
      `select (max(date) at time zone 'UTC')::date::text as day from ${table}`,
    );
    if (!last?.day) continue;
    await sql.query(`begin; set local synchronous_commit = off; set local work_mem = '512MB';
      set local max_parallel_workers_per_gather = 0;
      ${withoutMaintenance(table)};
      ${copyReports(table, last.day, from, to - 1, accounts)};
      ${copyLocators(table, from, to - 1, accounts)}; commit`);
  }
  await sql`truncate daily_group`;
  await sql`truncate rollup_month`;
  await sql.query(`update daily_count set total = total / ${from} * ${to} where ${accounts}`);
}

/** A month that grows is no longer clustered, and indexes created by `maintain` would slow down the copying. */
function withoutMaintenance(table: string): string {
  return `alter table ${table} set without cluster;
    do $$ declare made regclass; begin
      for made in
        select indexrelid from pg_index i
        where indrelid = '${table}'::regclass and not exists (select from pg_inherits where inhrelid = i.indexrelid)
      loop
        execute 'drop index ' || made;
      end loop;
    end $$`;
}

function copyReports(table: string, lastDay: string, first: number, last: number, accounts: string): string {
  const { from, count } = COPY_DIGITS;
  const id = `overlay(r.id placing lpad(to_hex(copy), ${count}, '0') from ${from})`;
  // Today is not over, so its copies stay within its past.
  const past = `greatest(1, floor(extract(epoch from now() - '${lastDay} 00:00:00+00'))::bigint)`;
  const length = `case when r.date >= '${lastDay} 00:00:00+00' then least(86400, ${past}) else 86400 end`;
  const second = `(extract(epoch from r.date)::bigint % 86400 * 7 + copy * 9973) % (${length})`;
  const date = `date_trunc('day', r.date) + make_interval(secs => ${second})`;
  const columns = REPORT_COLUMNS.map(column =>
    column === 'id' ? id : column === 'date' ? date : `r.${column}`,
  );
  return `insert into ${table} (${REPORT_COLUMNS.join(', ')})
    select ${columns.join(', ')} from ${table} r cross join generate_series(${first}, ${last}) copy
    where ${OF_THE_FEED} and ${accounts}
    order by ${REPORT_COLUMNS.indexOf('date') + 1}`;
}

function copyLocators(table: string, first: number, last: number, accounts: string): string {
  const { from, count } = COPY_DIGITS;
  const digits = (copy: number) => `'${copy.toString(16).padStart(count, '0')}'`;
  return `insert into report_locator (account_id, key, date)
    select r.account_id, ${toReportKey('r')} as key, r.date from ${table} r
    where substr(r.id, ${from}, ${count}) between ${digits(first)} and ${digits(last)} and ${accounts}
    order by key`;
}
