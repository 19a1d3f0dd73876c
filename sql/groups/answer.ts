import { MS_PER_DAY } from '@sightline/reports';
import type { Bind } from '../report/indexed-values.ts';
import type { GroupedReports, Grouping, GroupOrder } from './query.ts';

/** The number of days that fit into the bits of a bigint. */
const DAYS_A_NUMBER = 62;

/** A bit for each day, in as many numbers as the period needs. Counting distinct days would sort the reports. */
export function listDays({ from, until }: GroupedReports, bind: Bind): string[] {
  const first = from.slice(0, 10);
  const length = Math.ceil((Date.parse(until) - Date.parse(first)) / MS_PER_DAY);
  const day = `(day - ${bind(first)}::date)`;
  const numbers = Math.max(1, Math.ceil(length / DAYS_A_NUMBER));
  if (numbers === 1) return [`1::bigint << ${day}`];
  return Array.from({ length: numbers }, (_, index) => {
    const begin = index * DAYS_A_NUMBER;
    const end = begin + DAYS_A_NUMBER - 1;
    return `case when ${day} between ${begin} and ${end} then 1::bigint << (${day} - ${begin}) else 0 end`;
  });
}

/** The last sort key of all orders: groups that are otherwise equal are sorted by their keys. */
const ORDERS: Readonly<Record<GroupOrder, string>> = {
  COUNT: 'count desc, ',
  REPORTS: 'reports desc, ',
  LAST_SEEN: 'last_seen desc, ',
  FIRST_SEEN: 'first_seen desc, ',
  KEY: '',
};

export type Total = (column: string) => string;

export const SUM: Total = column => `(sum(${column}) over ())::bigint`;

export const places = (values: readonly string[]) =>
  [0, 1, 2].map(place => `${values[place] ?? 'null::text'} as v${place + 1}`).join(', ');

/** Merges rows that are parts of a group: of single days, or with more values. */
export function merged(rows: string, { by }: Grouping, days: readonly string[]): string {
  const values = by.map((_, index) => `v${index + 1}`);
  return `select account_id, ${places(values)}, sum(count)::bigint as count, sum(reports)::bigint as reports,
        min(first_seen) as first_seen, max(last_seen) as last_seen,
        ${days.map((_, at) => `bit_or(d${at}) as d${at}`).join(', ')}
      from (${rows}) as pieces
      group by ${values.join(', ')}, account_id`;
}

/** The days of a group as bits, lowest first, in numbers of 62 days. */
function toBits(days: readonly string[]): string {
  return ` concat_ws(',', ${days.map((_, at) => `d${at}`).join(', ')}) as day_bits,`;
}

/**
 * Restricts groups to given beginnings. PostgreSQL applies the conditions on single columns before it groups, and the
 * one on their combinations afterwards.
 */
function beginsWith(values: readonly (readonly string[])[], bind: Bind): string[] {
  const lists = values.map(list => `${bind(list as string[])}::text[]`);
  const columns = values.map((_, place) => `v${place + 1}`);
  const single = columns.map((column, place) => `${column} = any(${lists[place]})`);
  return values.length < 2
    ? single
    : [...single, `(${columns.join(', ')}) in (select * from unnest(${lists.join(', ')}))`];
}

/** Selects the first groups of the answer. */
export function answer(
  rows: string,
  days: readonly string[],
  { by, orderBy, first, since, only = [], withDayBits }: Grouping,
  index: number,
  total: Total,
  bind: Bind,
): string {
  const conditions = [
    ...(since === undefined ? [] : [`first_seen >= ${bind(since)}::timestamptz`]),
    ...beginsWith(only, bind),
  ];
  const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
  // The group of all reports is not one of the remaining groups.
  const totalOf = since === undefined ? total : SUM;
  const order = ORDERS[orderBy] + by.map((_, place) => `v${place + 1} collate "C"`).join(', ');
  return `(select * from (
      select account_id, ${index} as grouping, v1, v2, v3, count, reports, first_seen, last_seen,
        (${days.map((_, at) => `bit_count(d${at}::bit(64))`).join(' + ')})::int as days,${withDayBits ? toBits(days) : ''}
        count(*) over () as groups, ${totalOf('count')} as total_count, ${totalOf('reports')} as total_reports
      from (${rows}) as shown${where}) as own
    order by ${order} limit ${first})`;
}
