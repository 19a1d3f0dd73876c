import { createHash } from 'node:crypto';
import type { CommandConnection, Statements } from '@sightline/pg-client';
import { MS_PER_DAY, REPORT_TYPES, type ReportType } from '@sightline/reports';
import { LOCK_REPORTS } from '../feed/lock.ts';
import { existingMonths, type Month, monthAfter, partitionName } from '../feed/partitions.ts';
import { type DailySet, dailySets } from '../report/daily-sets.ts';
import { type DetailSet, detailSets, MOST_DETAILED } from '../report/detail-sets.ts';
import { HOUR_LIST, type InsightSet, insightSets, listWays, WAY_COLUMNS } from '../report/insight-sets.ts';
import { mailSets } from '../report/mail-sets.ts';
import { HOUR_OF_ROW, SET_OF_ROW, toPrefix } from '../report/rollup-rows.ts';
import { literal } from './literal.ts';

/** Minimum number of reports for an hourly rollup; fewer are read as quickly. */
const LEAST = 200;

/** Minimum number of reports for a daily rollup; lower than for hours, because a year has hundreds of days to read. */
const LEAST_A_DAY = 50;

/** The approximate number of reports per transaction, during which loads wait. */
const AT_ONCE = 1_000_000;

/**
 * Minutes after the end of an hour until its rollup is computed. A later report still removes it; waiting only avoids
 * computing it twice.
 */
const LATENESS = 5;

/** The number of days and hours whose rollups were computed. */
export interface RollupGroups {
  days: number;
  hours: number;
}

/** A day or hour without a rollup. */
interface RollupWindow {
  account_id: string;
  type: ReportType;
  day: string;
  /** The hour, from 0; null for the entire day. */
  hour: number | null;
  /** The sum of the day's counts. */
  total: number;
}

/**
 * Computes rollups of past days and hours with many reports: hourly for the last two days, because reports arrive late,
 * and daily before. Each load removes the rollups of the days and hours that it changes.
 * @param today the UTC day as `YYYY-MM-DD`
 */
export async function keepReportGroups(
  sql: CommandConnection,
  today: string,
  begin: (step: string) => void = () => {},
): Promise<RollupGroups> {
  const rollups = { days: 0, hours: 0 };
  const finished = await listFinishedMonths(sql);
  const months = (await existingMonths(sql)).filter(month => `${month}-01` <= today && !finished.has(month));
  for (const month of months.reverse()) {
    begin(`Looking for days of ${month} without rollups`);
    await beginMonth(sql, month);
    const windows = await listMissingWindows(sql, month, today);
    for (const type of REPORT_TYPES) {
      for (const batch of inBatches(windows.filter(window => window.type === type))) {
        begin(`Computing rollups of ${type} for ${month}`);
        const { days, hours } = await keep(sql, month, type, batch);
        rollups.days += days;
        rollups.hours += hours;
      }
    }
    if (isOver(month, today)) await finishMonth(sql, month);
  }
  return rollups;
}

const toSets = (type: ReportType): readonly (DailySet | InsightSet | DetailSet)[] => [
  ...dailySets(type),
  ...insightSets(type),
  ...mailSets(type),
  ...detailSets(type),
];

/** The names of all rollup sets; a month that was finished with other sets is examined again. */
const NAMES = [
  ...new Set(
    REPORT_TYPES.flatMap(type => [
      ...toSets(type).map(({ name }) => name),
      ...detailSets(type).map(({ nameOfTooMany }) => nameOfTooMany),
    ]),
  ),
];
const VERSION = createHash('sha256')
  .update(JSON.stringify([NAMES, LEAST, LEAST_A_DAY, MOST_DETAILED]))
  .digest('hex')
  .slice(0, 16);

/** The number of sets per type, in SQL. */
const SETS_OF_TYPE = `case type ${REPORT_TYPES.map(type => `when '${type}' then ${toSets(type).length}`).join(' ')} end`;

/** Months with rollups for every day, unchanged by loads since then. */
async function listFinishedMonths(sql: Statements): Promise<Set<Month>> {
  const rows = await sql.query<{ month: Month }>(
    `select month from rollup_month where is_finished and version = '${VERSION}'`,
  );
  return new Set(rows.map(({ month }) => month));
}

/** Waits for a running load. A later load that changes the month removes its row. */
async function beginMonth(sql: CommandConnection, month: Month): Promise<void> {
  const text = `${LOCK_REPORTS}; insert into rollup_month values ('${month}', '${VERSION}', false)
    on conflict (month) do update set version = excluded.version, is_finished = false`;
  await sql.transaction(transaction => transaction.query(text));
}

/** Has no effect if a load has removed the row. */
async function finishMonth(sql: Statements, month: Month): Promise<void> {
  await sql.query(`update rollup_month set is_finished = true where month = '${month}'`);
}

/** The condition that all days of a month have daily rollups. */
const isOver = (month: Month, today: string) =>
  Date.parse(`${monthAfter(month)}-01`) <= Date.parse(today) - MS_PER_DAY;

/**
 * Days and hours with high daily counts that lack a rollup set. The hour -1 means the entire day in the statement,
 * because Citus cannot join a union of literal rows.
 */
function listMissingWindows(sql: Statements, month: Month, today: string): Promise<RollupWindow[]> {
  const isWhole = `day < date '${today}' - 1`;
  return sql.query(`
    select account_id, type::text, day::text, nullif(hour, -1) as hour, total::float8
    from (
      select account_id, type, day, sum(total) as total from daily_count
      where day >= '${month}-01' and day < '${monthAfter(month)}-01' and day <= '${today}'
      group by account_id, type, day having sum(total) >= ${LEAST_A_DAY}
    ) as busy cross join generate_series(-1, 23) as hour
    where case when hour = -1 then ${isWhole} else total >= ${LEAST} and not ${isWhole} and
      (day + make_interval(hours => hour + 1, mins => ${LATENESS})) at time zone 'UTC' <= now() end
    and ${SETS_OF_TYPE} > (
      select count(*) from daily_group g
      where g.account_id = busy.account_id and g.type = busy.type and g.day = busy.day
        and (${SET_OF_ROW}) in (${NAMES.map(name => `'${name}'`).join(', ')})
        and coalesce((${HOUR_OF_ROW}), -1) = hour)
    order by day desc, account_id, hour desc`);
}

function inBatches(windows: readonly RollupWindow[]): RollupWindow[][] {
  const batches: RollupWindow[][] = [];
  let room = 0;
  for (const window of windows) {
    const count = window.hour === null ? window.total : window.total / 24;
    if (room < count) {
      batches.push([]);
      room = AT_ONCE;
    }
    room -= count;
    batches.at(-1)!.push(window);
  }
  return batches;
}

async function keep(
  sql: CommandConnection,
  month: Month,
  type: ReportType,
  windows: readonly RollupWindow[],
): Promise<RollupGroups> {
  const partition = partitionName(month);
  const text = `${LOCK_REPORTS}; set local work_mem = '256MB'; set local jit = off; set local enable_hashjoin = off;
     create temp table examined_window on commit drop as
       select account_id collate "C" as account_id, day, hour,
         (day + make_interval(hours => coalesce(hour, 0))) at time zone 'UTC' as begins,
         (day + make_interval(hours => coalesce(hour + 1, 24))) at time zone 'UTC' as ends
       from jsonb_to_recordset(${literal(JSON.stringify(windows))}::jsonb) as one (account_id text, day date, hour int);
     analyze examined_window;
     create temp table kept_stretch on commit drop as
       select l.account_id, l.day, l.hour, l.begins, l.ends, count(*) <= ${MOST_DETAILED} as is_detailed
       from examined_window l join ${partition} r on ${isInWindow('l', type)}
       group by 1, 2, 3, 4, 5
       having count(*) >= case when l.hour is null then ${LEAST_A_DAY} else ${LEAST} end;
     analyze kept_stretch;
     delete from daily_group g using kept_stretch k
       where g.account_id = k.account_id and g.type = '${type}' and g.day = k.day
         and coalesce((${HOUR_OF_ROW}) = k.hour, true);
     ${toGroups(partition, type)};
     select count(*) filter (where hour is null)::int as days, count(hour)::int as hours from kept_stretch`;
  const rows = await sql.transaction(transaction => transaction.query<RollupGroups>(text));
  return rows.find(row => 'days' in row)!;
}

const isInWindow = (window: string, type: ReportType) =>
  `r.account_id = ${window}.account_id and r.type = '${type}' and r.date >= ${window}.begins and r.date < ${window}.ends`;

/**
 * Repeats each report for each grouping, because Citus does not support grouping sets. A grouping without groups has a
 * row as well, which records that the day was examined.
 */
function toGroups(partition: string, type: ReportType): string {
  const hourly = insightSets(type).filter(({ hasHours }) => hasHours);
  const aggregates = COLUMNS.map(column => `coalesce(array_agg(${column}) filter (where is_kept), '{}')`);
  // Citus refuses expressions in a list of values that depend on session settings, such as concat() or to_char().
  const columns = new Map<string, string>();
  const toColumn = (expression: string) => {
    if (!columns.has(expression)) columns.set(expression, `e${columns.size}`);
    return columns.get(expression)!;
  };
  const ways = toSets(type).map(set => listWays(set, toColumn, 'k.is_detailed'));
  const computed = [...columns].map(([expression, name]) => `${expression} as ${name}`);
  return `insert into daily_group (account_id, type, day, dimensions, ${COLUMNS.join(', ')})
    select account_id, type, day, coalesce(${toPrefix('hour')}, '') || way, ${aggregates.join(', ')}
    from (
      select account_id, type, day, hour, way, v2, v3, bool_or(is_kept) as is_kept,
        case when has_hours then string_agg(${HOUR_LIST}, ',' order by v1) filter (where has_hours and is_kept)
          else min(v1) end as v1,
        sum(count) filter (where is_kept) as count, max(reports) filter (where is_kept) as reports,
        min(first_seen) filter (where is_kept) as first_seen, max(last_seen) filter (where is_kept) as last_seen
      from (
        select r.account_id, r.type, k.day, k.hour, s.way, s.v1, s.v2, s.v3, s.is_counted and count(*) >= s.least as is_kept,
          s.way in (${['', ...hourly.map(({ name }) => name)].map(name => `'${name}'`).join(', ')}) as has_hours,
          sum(s.weight)::bigint as count, count(*) as reports, min(r.date) as first_seen, max(r.date) as last_seen
        from kept_stretch k
          join (select account_id, type, date, ${computed.join(', ')} from ${partition}) as r on ${isInWindow('k', type)}
          cross join lateral (values ${ways.join(', ')}) as s ${WAY_COLUMNS}
        group by r.account_id, r.type, k.day, k.hour, s.way, s.v1, s.v2, s.v3, s.is_counted, s.least
      ) as groups
      group by account_id, type, day, hour, way, has_hours, case when has_hours then '' else v1 end, v2, v3
    ) as rows
    group by account_id, type, day, hour, way`;
}

const COLUMNS = ['v1', 'v2', 'v3', 'count', 'reports', 'first_seen', 'last_seen'];
