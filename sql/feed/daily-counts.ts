import { isTouchedBy } from '../report/rollup-rows.ts';
import { LISTED, type LoadSession, toTextList } from './session.ts';
import { DIRECTIVE } from './staged-reports.ts';

/** The changes of the daily counts until the end of the load; hours are bits. */
export const CHANGES = `(account_id text collate "C", type report_type, day date, directive text collate "C",
  delta numeric, hours int) on commit drop`;

/** The largest total of a day: the largest integer that all JSON readers represent exactly. */
const LARGEST_TOTAL = Number.MAX_SAFE_INTEGER;

export interface OverfullDay {
  accountId: string;
  type: string;
  day: string;
  directive: string;
  /** The count before the load, in digits. */
  before: string;
}

/** A stored report with its contribution to the daily count. */
export interface StoredCount extends Omit<OverfullDay, 'before'> {
  id: string;
  count: string;
}

/** Maximum number of ids per statement. */
const AT_ONCE = 10_000;

/** Finds the reports of a day that have one of these ids. */
export async function storedCounts(
  session: LoadSession,
  { accountId, type, day }: OverfullDay,
  ids: readonly string[],
): Promise<StoredCount[]> {
  const found: StoredCount[] = [];
  for (let start = 0; start < ids.length; start += AT_ONCE)
    found.push(
      ...(await session.query<StoredCount>(
        `select account_id as "accountId", type::text, id, $4 as day, ${DIRECTIVE} as directive, count::text
         from report where account_id = $2 and type = $3::report_type and id in (${LISTED})
           and date >= '${day} 00:00:00+00' and date < timestamptz '${day} 00:00:00+00' + interval '1 day'`,
        [toTextList(ids.slice(start, start + AT_ONCE)), accountId, type, day],
      )),
    );
  return found;
}

/** Applies the load's changes to the daily counts; returns the days that would exceed the limit instead. */
export async function applyChanges(session: LoadSession): Promise<OverfullDay[]> {
  if (!session.has('load_change')) return [];
  // Needed even if the sums are unchanged, because a report of another group can replace a report.
  await session.query(`
    delete from daily_group g using (
      select account_id, type, day, bit_or(hours) as hours from load_change group by account_id, type, day) c
    where g.account_id = c.account_id and g.type = c.type and g.day = c.day and ${isTouchedBy('c.hours')}`);
  await session.query(`
    delete from rollup_month where month in (select distinct to_char(day, 'YYYY-MM') from load_change)`);
  // The previous counts are joined separately, because with Citus an outer join would fetch all of them.
  await session.temporary(
    'load_total',
    `on commit drop as
     with changed as materialized (
       select account_id, type, day, directive, sum(delta) as delta from load_change
       group by 1, 2, 3, 4 having sum(delta) <> 0
     )
     select account_id, type, day, directive, sum(before) as before, sum(before + delta) as total
     from (select account_id, type, day, directive, 0 as before, delta from changed
           union all
           select c.account_id, c.type, c.day, c.directive, c.total, 0
           from changed join daily_count c using (account_id, type, day, directive)) both_of_them
     group by 1, 2, 3, 4`,
  );
  const overfull = await session.query<OverfullDay>(`
    select account_id as "accountId", type::text, day::text, directive, before::text
    from load_total where total > ${LARGEST_TOTAL}`);
  if (overfull.length > 0) return [...overfull];
  await session.query(`
    delete from daily_count c using load_total t
    where c.account_id = t.account_id and c.type = t.type and c.day = t.day and c.directive = t.directive
      and t.total = 0`);
  await session.query(`
    insert into daily_count (account_id, type, day, directive, total)
    select account_id, type, day, directive, total from load_total where total <> 0
    on conflict (account_id, type, day, directive) do update set total = excluded.total`);
  return [];
}
