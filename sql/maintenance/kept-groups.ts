import type { CommandConnection, Statements } from '@sightline/postgres';
import { REPORT_TYPES, type ReportType } from '@sightline/reports';
import { LOCK_REPORTS } from '../feed/lock.ts';
import { existingMonths, type Month, monthAfter, partitionName } from '../feed/partitions.ts';
import { type DailySet, dailySets } from '../report/daily-sets.ts';
import { HOUR_OF_ROW, prefixOf, SET_OF_ROW } from '../report/kept-stretch.ts';
import { HOUR_LIST, type SignSet, signSets, WAY_COLUMNS, waysOf } from '../report/sign-sets.ts';
import { literal } from './literal.ts';

/** Reports of a day or an hour from which on its groups are kept: fewer are read as quickly. */
const LEAST = 200;

/** Counts of reports that a transaction looks at, about: a load waits for it. */
const AT_ONCE = 1_000_000;

/**
 * Minutes after its end at which an hour is kept. A report that comes later still removes it; waiting only saves keeping
 * it twice.
 */
const LATENESS = 5;

/** Days and hours that were kept anew. */
export interface KeptGroups {
  days: number;
  hours: number;
}

/** A day, or an hour of it, whose groups are not kept. */
interface Stretch {
  account_id: string;
  day: string;
  /** From 0 on; null for the whole day. */
  hour: number | null;
  /** The counts of the day's reports. */
  total: number;
}

/**
 * Keeps the groups of days and hours that are over and have many reports. The last two days are kept by hours, since
 * reports come late, and those before as whole days. Each load removes the groups of the days and hours that it changes.
 * @param today the UTC day as `YYYY-MM-DD`
 */
export async function keepReportGroups(sql: CommandConnection, today: string): Promise<KeptGroups> {
  const kept = { days: 0, hours: 0 };
  for (const month of (await existingMonths(sql)).reverse()) {
    if (`${month}-01` > today) continue;
    for (const type of REPORT_TYPES) {
      for (const batch of inBatches(await wanted(sql, month, type, today))) {
        const { days, hours } = await keep(sql, month, type, batch);
        kept.days += days;
        kept.hours += hours;
      }
    }
  }
  return kept;
}

const setsOf = (type: ReportType): readonly (DailySet | SignSet)[] => [...dailySets(type), ...signSets(type)];

/**
 * Stretches with high daily counts of which some set is not kept: an earlier version kept fewer sets. The hour -1 stands
 * for the whole day in the statement, since Citus joins no union of rows that are made up.
 */
function wanted(sql: Statements, month: Month, type: ReportType, today: string): Promise<Stretch[]> {
  const sets = setsOf(type);
  const isWhole = `day < date '${today}' - 1`;
  return sql.query(`
    select account_id, day::text, nullif(hour, -1) as hour, total::float8
    from (
      select account_id, type, day, sum(total) as total from daily_count
      where type = '${type}' and day >= '${month}-01' and day < '${monthAfter(month)}-01' and day <= '${today}'
      group by account_id, type, day having sum(total) >= ${LEAST}
    ) as busy cross join generate_series(-1, 23) as hour
    where case when hour = -1 then ${isWhole} else not ${isWhole} and
      (day + make_interval(hours => hour + 1, mins => ${LATENESS})) at time zone 'UTC' <= now() end
    and ${sets.length} > (
      select count(*) from daily_group g
      where g.account_id = busy.account_id and g.type = busy.type and g.day = busy.day
        and (${SET_OF_ROW}) in (${sets.map(({ name }) => `'${name}'`).join(', ')})
        and coalesce((${HOUR_OF_ROW}), -1) = hour)
    order by day desc, account_id, hour desc`);
}

function inBatches(stretches: readonly Stretch[]): Stretch[][] {
  const batches: Stretch[][] = [];
  let room = 0;
  for (const stretch of stretches) {
    const count = stretch.hour === null ? stretch.total : stretch.total / 24;
    if (room < count) {
      batches.push([]);
      room = AT_ONCE;
    }
    room -= count;
    batches.at(-1)!.push(stretch);
  }
  return batches;
}

async function keep(
  sql: CommandConnection,
  month: Month,
  type: ReportType,
  stretches: readonly Stretch[],
): Promise<KeptGroups> {
  const partition = partitionName(month);
  const text = `${LOCK_REPORTS}; set local work_mem = '256MB'; set local jit = off; set local enable_hashjoin = off;
     create temp table looked_stretch on commit drop as
       select account_id collate "C" as account_id, day, hour,
         (day + make_interval(hours => coalesce(hour, 0))) at time zone 'UTC' as begins,
         (day + make_interval(hours => coalesce(hour + 1, 24))) at time zone 'UTC' as ends
       from jsonb_to_recordset(${literal(JSON.stringify(stretches))}::jsonb) as one (account_id text, day date, hour int);
     analyze looked_stretch;
     create temp table kept_stretch on commit drop as
       select l.account_id, l.day, l.hour, l.begins, l.ends
       from looked_stretch l join ${partition} r on ${inStretch('l', type)}
       group by 1, 2, 3, 4, 5 having count(*) >= ${LEAST};
     analyze kept_stretch;
     delete from daily_group g using kept_stretch k
       where g.account_id = k.account_id and g.type = '${type}' and g.day = k.day
         and coalesce((${HOUR_OF_ROW}) = k.hour, true);
     ${groupsOf(partition, type)};
     select count(*) filter (where hour is null)::int as days, count(hour)::int as hours from kept_stretch`;
  const rows = await sql.transaction(transaction => transaction.query<KeptGroups>(text));
  return rows.find(row => 'days' in row)!;
}

const inStretch = (stretch: string, type: ReportType) =>
  `r.account_id = ${stretch}.account_id and r.type = '${type}' and r.date >= ${stretch}.begins and r.date < ${stretch}.ends`;

/**
 * Each report once for each way of grouping: what spreads a database over servers knows no grouping sets. A way has a
 * row also where none of its groups is kept, which tells that the day was looked at.
 */
function groupsOf(partition: string, type: ReportType): string {
  const hourly = signSets(type).filter(({ hasHours }) => hasHours);
  const aggregates = COLUMNS.map(column => `coalesce(array_agg(${column}) filter (where is_kept), '{}')`);
  // Citus takes no expression into a list of values that depends on the session, such as concat() or to_char().
  const columns = new Map<string, string>();
  const columnOf = (expression: string) => {
    if (!columns.has(expression)) columns.set(expression, `e${columns.size}`);
    return columns.get(expression)!;
  };
  const ways = setsOf(type).map(set => waysOf(set, columnOf));
  const computed = [...columns].map(([expression, name]) => `${expression} as ${name}`);
  return `insert into daily_group (account_id, type, day, dimensions, ${COLUMNS.join(', ')})
    select account_id, type, day, coalesce(${prefixOf('hour')}, '') || way, ${aggregates.join(', ')}
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
          join (select account_id, type, date, ${computed.join(', ')} from ${partition}) as r on ${inStretch('k', type)}
          cross join lateral (values ${ways.join(', ')}) as s ${WAY_COLUMNS}
        group by r.account_id, r.type, k.day, k.hour, s.way, s.v1, s.v2, s.v3, s.is_counted, s.least
      ) as groups
      group by account_id, type, day, hour, way, has_hours, case when has_hours then '' else v1 end, v2, v3
    ) as rows
    group by account_id, type, day, hour, way`;
}

const COLUMNS = ['v1', 'v2', 'v3', 'count', 'reports', 'first_seen', 'last_seen'];
