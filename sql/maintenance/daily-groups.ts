import type { Sql } from 'postgres';
import { LOCK_REPORTS } from '../feed/lock.ts';
import { type Month, partitionName } from '../feed/partitions.ts';
import { type DailySet, dailySets, KEPT_TYPES } from '../report/daily-sets.ts';
import { UTC_DAY } from '../report/dimensions.ts';
import { type SignSet, signSets, waysOf } from '../report/sign-sets.ts';
import type { ReportType } from '../report/types.ts';
import { monthsOf } from './months.ts';
import { transaction } from './transaction.ts';

/** Reports of a day from which on its groups are kept: fewer are read as quickly. */
const LEAST = 200;

/**
 * Keeps the groups of days that are over and have many reports. A load that changes a day removes what is kept of it.
 * A month and type is a transaction, so that a load need not wait for all. Answers with how many days are new.
 */
export async function keepDailyGroups(sql: Sql, today: string): Promise<number> {
  let days = 0;
  for (const month of (await monthsOf(sql)).reverse()) {
    if (`${month}-01` >= today) continue;
    for (const type of KEPT_TYPES) days += await keepMonth(sql, month, type, today);
  }
  return days;
}

async function keepMonth(sql: Sql, month: Month, type: ReportType, today: string): Promise<number> {
  const sets = [...dailySets(type), ...signSets(type)];
  const names = sets.map(({ name }) => `'${name}'`).join(', ');
  // The groups of a version that kept fewer of them are made anew.
  const rows = await transaction(
    sql,
    `${LOCK_REPORTS}; set local work_mem = '256MB'; set local jit = off;
     create temp table kept_day on commit drop as
       select account_id, type, day from (
         select account_id, type, ${UTC_DAY} as day from ${partitionName(month)}
         where type = '${type}' and date < '${today} 00:00:00+00' group by 1, 2, 3 having count(*) >= ${LEAST}
       ) as many
       where ${sets.length} > (
         select count(*) from daily_group g where g.account_id = many.account_id and g.type = many.type
           and g.day = many.day and g.dimensions in (${names}));
     analyze kept_day;
     delete from daily_group g using kept_day d
       where g.account_id = d.account_id and g.type = d.type and g.day = d.day;
     ${groupsOf(partitionName(month), sets)};
     select count(*)::int as days from kept_day`,
  );
  return rows.find(row => 'days' in row)!.days as number;
}

/**
 * Each report once for each way of grouping: what spreads a database over servers knows no grouping sets. A way has a
 * row also where none of its groups is kept, which tells that the day was looked at.
 */
function groupsOf(partition: string, sets: readonly (DailySet | SignSet)[]): string {
  const aggregates = COLUMNS.map(column => `coalesce(array_agg(${column}) filter (where is_kept), '{}')`);
  return `insert into daily_group (account_id, type, day, dimensions, ${COLUMNS.join(', ')})
    select account_id, type, day, dimensions, ${aggregates.join(', ')}
    from (
      select r.account_id, r.type, d.day, s.dimensions, s.v1, s.v2, s.v3, s.is_counted and count(*) >= s.least as is_kept,
        sum(r.count)::bigint as count, count(*) as reports, min(r.date) as first_seen, max(r.date) as last_seen
      from kept_day d
        join ${partition} r on r.account_id = d.account_id and r.type = d.type
          and r.date >= d.day::timestamp at time zone 'UTC' and r.date < (d.day + 1)::timestamp at time zone 'UTC'
        cross join lateral (values ${sets.map(waysOf).join(', ')})
          as s (dimensions, v1, v2, v3, is_counted, least)
      group by r.account_id, r.type, d.day, s.dimensions, s.v1, s.v2, s.v3, s.is_counted, s.least
    ) as groups
    group by account_id, type, day, dimensions`;
}

const COLUMNS = ['v1', 'v2', 'v3', 'count', 'reports', 'first_seen', 'last_seen'];
