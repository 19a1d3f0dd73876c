import type { ReportType } from '@sightline/reports';
import { anyPattern } from '../report/address-patterns.ts';
import { type DailySet, dailySet, KEPT_FILTERS } from '../report/daily-sets.ts';
import { UTC_DAY } from '../report/dimensions.ts';
import type { FilterValues } from '../report/filter.ts';
import type { Bind } from '../report/indexed-values.ts';
import { listWays, WAY_COLUMNS } from '../report/insight-sets.ts';
import { HOUR_OF_ROW, SET_OF_ROW } from '../report/rollup-rows.ts';
import { answer, listDays, merged, places, SUM } from './answer.ts';
import { getSource, table, toRows } from './of-reports.ts';
import type { GroupedReports, Grouping, Parts } from './query.ts';
import { toSets } from './sets.ts';

/** The rollup sets that contain each grouping, if any. */
export function setsFor(
  { type, filters, not }: GroupedReports,
  groupings: readonly Grouping[],
): DailySet[] | undefined {
  const given = [...Object.entries(filters), ...Object.entries(not)];
  // A flag that is false does not filter, and true flags are too rare for rollups.
  if (given.some(([name, value]) => !KEPT_FILTERS[name] || value === false)) return undefined;
  const filtered = given.map(([name]) => KEPT_FILTERS[name]!);
  const sets = groupings.map(({ by }) => dailySet(type, [...by.map(({ name }) => name), ...filtered]));
  return sets.every(set => set !== undefined) ? sets : undefined;
}

/**
 * Combines rollups with the reports in the gaps between them. A window needs all sets, so the reports of other windows
 * are read once.
 */
export function withDays(
  query: GroupedReports,
  groupings: readonly Grouping[],
  sets: readonly DailySet[],
  bind: Bind,
): Parts {
  const whole = wholeDays(query, sets, bind);
  const days = listDays(query, bind);
  const readSets = toSets(groupings);
  const tables = [...whole, table('single_groups', betweenDays(query, bind), readSets, days, false)];
  const rollupRows = selectRollupRows(query, days, bind);
  const answers = groupings.map((grouping, index) => {
    const rows = `${toRows('single_groups', grouping, readSets, days)}
        union all ${rollupRows(grouping, sets[index]!)}`;
    return answer(merged(rows, grouping, days), days, grouping, index, SUM, bind);
  });
  return { tables, answers };
}

/** The reports of a period, of one type or several. */
interface Period extends Pick<GroupedReports, 'account' | 'from' | 'until'> {
  type: ReportType | readonly ReportType[];
}

/** The columns of a group, of which a row of `rollups` contains arrays. */
const GROUP_COLUMNS = ['v1', 'v2', 'v3', 'count', 'reports', 'first_seen', 'last_seen'];

/** The groups in a row of `rollups`. Expanding arrays in a select list takes half the time of a table function. */
export const GROUPS = `lateral (select ${GROUP_COLUMNS.map(column => `unnest(rollups.${column}) as ${column}`).join(', ')}) as g`;

/**
 * The daily and hourly rollups within the period, and the windows that contain all requested groups. $1 is the account.
 */
export function wholeDays(
  { account, type, from, until }: Period,
  sets: readonly DailySet[],
  bind: Bind,
): string[] {
  const names = [...new Set(sets.map(({ name }) => name))];
  const types = typeof type === 'string' ? [type] : type;
  const own = `account_id = ${bind(account)} and type = any(${bind(types as string[])}::text[]::report_type[])`;
  const at = (instant: string) => `(${bind(instant)}::timestamptz at time zone 'UTC')`;
  const [begin, end] = [at(from), at(until)];
  return [
    `rollups as materialized (
    select account_id, type, day, begins, ends, set as dimensions, v1, v2, v3, count, reports, first_seen, last_seen
    from (select *, ${SET_OF_ROW} as set, day + make_interval(hours => coalesce(${HOUR_OF_ROW}, 0)) as begins,
        day + make_interval(hours => coalesce(${HOUR_OF_ROW} + 1, 24)) as ends
      from daily_group
      where ${own} and day >= ${begin}::date and day <= ${end}) as rows
    where set = any(${bind(names)}::text[]) and begins >= ${begin} and ends <= ${end})`,
    `whole as materialized (
    select type, begins, ends from rollups group by type, begins, ends having count(*) = ${names.length})`,
  ];
}

export interface GapOptions {
  /** The table of the excluded windows. */
  table: string;
  /** The order and number of reports per gap, or an offset; all by default. */
  order: string;
}

/**
 * The reports of the period outside of these windows: each gap is a range of the index. With an order or an offset, a
 * gap is planned separately, and PostgreSQL expects a short range. It would otherwise expect a ninth of each month and
 * prefer the index of a filter, which has the reports of the whole month.
 */
export function betweenDays(
  query: GroupedReports,
  bind: Bind,
  { table, order }: GapOptions = { table: 'whole', order: 'offset 0' },
): string {
  const window = { begins: 'gap.begins', ends: 'gap.ends' };
  const [from, until] = [bind(query.from), bind(query.until)];
  return `(select * from (
      select coalesce(lag(ends) over (order by begins), ${from}::timestamptz) as begins, begins as ends
      from (select begins at time zone 'UTC' as begins, ends at time zone 'UTC' as ends from ${table}
        union all select ${until}::timestamptz, null) as bounds) as gaps
    where begins < ends) as gap
    cross join lateral (select * from ${getSource(query, bind, window)} ${order}) as report`;
}

/**
 * The common table expression `daily`: the groups of sets by day, from rollups and from the reports in between. A group
 * can have several rows per day. $1 is the account.
 */
export function dailyTables(query: GroupedReports, sets: readonly DailySet[], bind: Bind): string[] {
  return [
    ...wholeDays(query, sets, bind),
    `daily as (
      select account_id, dimensions as way, day, g.v1, g.v2, g.v3, g.reports, g.count, g.first_seen, g.last_seen
      from rollups join whole using (begins, ends), ${GROUPS}
      union all
      select account_id, s.way, ${UTC_DAY}, s.v1, s.v2, s.v3, count(*), sum(s.weight)::bigint, min(date), max(date)
      from ${betweenDays(query, bind)} cross join lateral (values ${sets.map(set => listWays(set)).join(', ')}) as s ${WAY_COLUMNS}
      group by 1, 2, 3, 4, 5, 6)`,
  ];
}

/** @param column host names, reversed; null for reports without one */
function hostCondition(column: string, hosts: readonly string[], bind: Bind): string {
  return anyPattern({ kind: 'hosts', column: `(${column} collate "C")` }, hosts, bind);
}

/** The rows of a grouping from the daily sets, with the day as bits. */
function selectRollupRows({ filters, not }: GroupedReports, days: readonly string[], bind: Bind) {
  const bound = new Map<unknown, string>();
  const bindOnce = (value: readonly string[]) => {
    const existing = bound.get(value) ?? bind(value as string[]);
    bound.set(value, existing);
    return existing;
  };
  return ({ by }: Grouping, { name, dimensions }: DailySet): string => {
    const findPlace = (wanted: string) => `g.v${dimensions.findIndex(({ name }) => name === wanted) + 1}`;
    const values = by.map(({ name }) => (name === 'DAY' ? `to_char(day, 'YYYY-MM-DD')` : findPlace(name)));
    const matches = (given: FilterValues) =>
      Object.entries(given).map(([filter, value]) => {
        const place = findPlace(KEPT_FILTERS[filter]!);
        if (filter === 'hostnames')
          return hostCondition(`nullif(split_part(${place}, ' ', 1), '')`, value as string[], bind);
        return value === true
          ? `${place} = 'true'`
          : `${place} = any(${bindOnce(value as string[])}::text[])`;
      });
    const conditions = [
      `dimensions = ${bind(name)}`,
      ...matches(filters),
      ...matches(not).map(condition => `not coalesce((${condition}), false)`),
    ];
    return `select account_id, ${places(values)}, g.count, g.reports, g.first_seen, g.last_seen,
        ${days.map((bits, at) => `${bits} as d${at}`).join(', ')}
      from rollups join whole using (begins, ends), ${GROUPS}
      where ${conditions.join(' and ')}`;
  };
}
