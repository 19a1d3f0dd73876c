import { detailConditions, detailTextConditions, listFilterExpressions } from '../report/conditions.ts';
import { type DetailSet, defineColumns, detailSets, listReadColumns } from '../report/detail-sets.ts';
import { UTC_DAY } from '../report/dimensions.ts';
import type { Bind } from '../report/indexed-values.ts';
import { needsNonce } from '../report/policy-digests.ts';
import { type CountedDay, groupRows } from './of-reports.ts';
import type { GroupedReports, Grouping, Parts } from './query.ts';
import { betweenDays, GROUPS, wholeDays } from './with-days.ts';

/** The detail rollup that can answer for groupings, and the columns that they read. */
export interface DetailLookup {
  set: DetailSet;
  columns: readonly string[];
}

/** Undefined if groupings or filters use columns or values that the details lack. */
export function findDetails(query: GroupedReports, groupings: readonly Grouping[]): DetailLookup | undefined {
  if (needsNonce(query.filters, query.not)) return undefined;
  const expressions = groupings.flatMap(({ by }) => by.map(({ expression }) => expression));
  const columns = listReadColumns([
    ...expressions.filter(expression => expression !== UTC_DAY),
    ...listFilterExpressions(query),
  ]);
  const set =
    columns && detailSets(query.type).find(set => columns.every(column => set.columns.includes(column)));
  return set && { set, columns };
}

/** Rows that each represent several reports of a day. */
const OF_DAYS: CountedDay = {
  day: 'day',
  columns: ['count', 'reports', 'first_seen', 'last_seen'],
  reports: 'sum(reports)::bigint',
  first: 'min(first_seen)',
  last: 'max(last_seen)',
};

/** Combines groups of daily and hourly details with the reports in between. */
export function withDetails(
  query: GroupedReports,
  groupings: readonly Grouping[],
  { set, columns }: DetailLookup,
  bind: Bind,
): Parts {
  const whole = wholeDays(query, [set], bind);
  const where = [...detailTextConditions(query, 'v1', bind), ...detailConditions(query, bind)];
  const list = columns.map(column => `, ${column}`).join('');
  const record = `jsonb_to_record(g.v1::jsonb) as record (${defineColumns(columns)})`;
  const source = `(
      select account_id, ${UTC_DAY} as day, count, 1 as reports, date as first_seen, date as last_seen${list}
      from ${betweenDays(query, bind)}
      union all
      select account_id, day, count, reports, first_seen, last_seen${list}
      from (select account_id, day, g.v1, g.count, g.reports, g.first_seen, g.last_seen${list}
        from rollups join whole using (begins, ends), ${GROUPS}${columns.length > 0 ? `, ${record}` : ''}) as report
      ${where.length > 0 ? `where ${where.join(' and ')}` : ''}) as report`;
  const { tables, answers } = groupRows(query, groupings, source, bind, OF_DAYS);
  return { tables: [...whole, ...tables], answers };
}
