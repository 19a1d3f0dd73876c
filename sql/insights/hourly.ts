import type { Parameter } from '@sightline/pg-client';
import { type ReportType, SECONDS_PER_HOUR } from '@sightline/reports';
import type { AccountId } from '../account-id.ts';
import type { Database, TenantRow } from '../client.ts';
import type { GroupedReports } from '../groups/query.ts';
import { betweenDays, GROUPS, wholeDays } from '../groups/with-days.ts';
import type { Dimension } from '../report/dimensions.ts';
import type { Bind } from '../report/indexed-values.ts';
import {
  ALL_HOURS,
  HOUR_LIST,
  type HourlyType,
  INSIGHT_SETS,
  type InsightSet,
  ONLY,
} from '../report/insight-sets.ts';

/** The examined period, and the start of the part that is searched for changes. */
export interface SearchWindow {
  account: AccountId;
  /** ISO 8601 instants: midnight of the first day, midnight of the first searched day, and the end. */
  from: string;
  since: string;
  until: string;
}

/** An hour with reports. Times are in seconds since 1970. */
export interface Hour {
  /** The hour, numbered since 1970. */
  hour: number;
  reports: number;
  count: number;
  first: number;
  last: number;
}

/** The hourly counts of one value. */
export interface Series {
  /** One or two values; '' if the reports do not contain them. */
  values: [string, string];
  hours: Hour[];
}

interface SeriesRow extends TenantRow {
  way: string;
  v2: string;
  v3: string;
  hours: string;
}

/** The minimum number of reports in an hour for a spike. */
export const LEAST_OF_A_SPIKE = 20;

/** The maximum number of values read, those with the busiest hours. The total includes the rest. */
const MOST = 100;

/** Returns the values with a busy hour since `since`, for each grouping, with their hours in the whole window. */
export async function hourlySeries<Type extends Exclude<HourlyType, 'dmarc'>>(
  db: Database,
  type: Type,
  window: SearchWindow,
): Promise<Record<keyof (typeof INSIGHT_SETS)[Type], Series[]>> {
  const rows = await series(
    db,
    type,
    window,
    `select way, v2, v3,
      row_number() over (partition by way order by max(peak) desc, v2 collate "C", v3 collate "C") as place
    from hourly where is_looked group by way, v2, v3
    having max(peak) >= ${LEAST_OF_A_SPIKE} or way = '${ALL_HOURS.name}'`,
  );
  const ways = Object.entries(INSIGHT_SETS[type]) as [keyof (typeof INSIGHT_SETS)[Type], InsightSet][];
  return Object.fromEntries(
    ways.map(([way, { name }]) => [way, rows.filter(row => row.way === name).map(toSeries)]),
  ) as Record<keyof (typeof INSIGHT_SETS)[Type], Series[]>;
}

/**
 * Returns the hourly messages of the senders with the most messages since `since`. The second value is `true` for
 * aligned messages.
 */
export async function mailSeries(
  db: Database,
  window: SearchWindow,
): Promise<{ all: Series[]; sender: Series[] }> {
  // Senders can be forged. Ranking by volume keeps forged ones from displacing real ones.
  const rows = await series(
    db,
    'dmarc',
    window,
    `select way, v2, v3, dense_rank() over (partition by way order by mails desc, v2 collate "C") as place
    from (select way, v2, v3, sum(sum(count)) over (partition by way, v2) as mails
      from hourly where is_looked group by way, v2, v3) as sums
    where mails >= ${LEAST_OF_A_SPIKE} or way = '${ALL_HOURS.name}'`,
  );
  const of = (name: string) => rows.filter(({ way }) => way === name).map(toSeries);
  return { all: of(INSIGHT_SETS.dmarc.all.name), sender: of(INSIGHT_SETS.dmarc.sender.name) };
}

async function series(
  db: Database,
  type: HourlyType,
  { account, from, since, until }: SearchWindow,
  examined: string,
): Promise<readonly SeriesRow[]> {
  const parameters: Parameter[] = [];
  const bind = (value: Parameter) => `$${parameters.push(value)}`;
  const query = { account, type, from, until, filters: {}, not: {} };
  const tables = hourlyTables(query, Object.values(INSIGHT_SETS[type]), since, bind);
  const rows = await db.queryTenant<SeriesRow>(
    account,
    `with ${tables.join(',\n')},
    looked as (${examined})
    select account_id, hourly.way, hourly.v2, hourly.v3, string_agg(hours, ',') as hours
    from hourly join (select way, v2, max(place) as place from looked group by way, v2) as top using (way, v2)
    where top.place <= ${MOST} and (hourly.way, hourly.v2, hourly.v3) in (select way, v2, v3 from looked)
    group by account_id, hourly.way, hourly.v2, hourly.v3`,
    parameters,
    { prepare: false },
  );
  return rows.objects();
}

/**
 * The common table expression `hourly`: the hours of each value, with the most reports in an hour and their count, from
 * rollups and the reports since. $1 is the account.
 */
function hourlyTables(
  query: GroupedReports & { type: HourlyType },
  sets: readonly InsightSet[],
  since: string,
  bind: Bind,
): string[] {
  const whole = wholeDays(query, sets, bind);
  const begin = `(${bind(since)}::timestamptz at time zone 'UTC')`;
  return [
    ...whole,
    liveTable(query, sets, bind),
    `hourly as materialized (
      select account_id, dimensions as way, g.v2, g.v3, g.v1 as hours, g.reports as peak, g.count,
        begins >= ${begin} as is_looked
      from rollups join whole using (begins, ends), ${GROUPS}
      union all
      ${sets.map(set => liveRows(set, sets, begin)).join('\n      union all\n      ')})`,
  ];
}

/** The column name of a dimension. */
const toKey = ({ name }: Dimension) => `k_${name.toLowerCase()}`;

const ownDimensions = ({ dimensions }: InsightSet) => dimensions.slice(1);

const listDimensions = (sets: readonly InsightSet[]) => [...new Set(sets.flatMap(ownDimensions))];

/** PostgreSQL's `grouping()` value of a set: one bit for each absent dimension. */
const toNumber = (set: InsightSet, sets: readonly InsightSet[]) =>
  listDimensions(sets).reduce((bits, one) => bits * 2 + (set.dimensions.includes(one) ? 0 : 1), 0);

/**
 * Groups the reports that are not in rollups yet. Texts are formatted once per group, and the hour of a report is
 * computed once.
 */
function liveTable(
  query: GroupedReports & { type: HourlyType },
  sets: readonly InsightSet[],
  bind: Bind,
): string {
  const dimensions = listDimensions(sets);
  const keys = dimensions.map(toKey);
  const values = dimensions.map(one => `coalesce((${one.expression})::text, '') as ${toKey(one)}`);
  const grouped = sets.map(set => `(${['hour', ...ownDimensions(set).map(toKey)].join(', ')})`);
  const many = sets.map(
    set => `grouping(${keys.join(', ')}) = ${toNumber(set, sets)} and count(*) >= ${set.least}`,
  );
  // An optimization fence: PostgreSQL then expects few values and avoids a sort.
  return `live as materialized (
      select account_id, grouping(${keys.join(', ')}) as grouping_set, hour, ${keys.join(', ')}, count(*) as reports,
        sum(count::float8)::bigint as count, min(date) as first_seen, max(date) as last_seen
      from (select account_id, count, date, date_trunc('hour', date at time zone 'UTC') as hour, ${values.join(', ')}
        from ${betweenDays(query, bind)} where ${ONLY[query.type]} offset 0) as report
      group by account_id, grouping sets (${grouped.join(', ')}) having ${many.join(' or ')})`;
}

/** Selects the rows of one set from that table. */
function liveRows(set: InsightSet, sets: readonly InsightSet[], begin: string): string {
  const [v2 = `''`, v3 = `''`] = ownDimensions(set).map(one => one.formatValue(toKey(one)));
  return `select * from (
        select account_id, '${set.name}' as way, ${v2} as v2, ${v3} as v3, string_agg(${HOUR_LIST}, ',') as hours,
          max(reports) as peak, sum(count)::bigint as count, hour >= ${begin} as is_looked
        from live where grouping_set = ${toNumber(set, sets)} group by 1, 3, 4, 8) as groups where ${set.groups ?? 'true'}`;
}

function toSeries({ v2, v3, hours }: Pick<SeriesRow, 'v2' | 'v3' | 'hours'>): Series {
  const read = JSON.parse(`[${hours}]`) as [number, number, number, number, number][];
  return {
    values: [v2, v3],
    hours: read
      .map(([hour, reports, count, first, last]) => ({
        hour,
        reports,
        count,
        first: hour * SECONDS_PER_HOUR + first,
        last: hour * SECONDS_PER_HOUR + last,
      }))
      .sort((one, other) => one.hour - other.hour),
  };
}

interface TotalRow extends TenantRow {
  type: ReportType;
  hours: string;
}

/** Returns the hourly totals of types without a more detailed analysis. */
export async function hourlyTotals(
  db: Database,
  types: readonly ReportType[],
  { account, from, until }: SearchWindow,
): Promise<Map<ReportType, Series>> {
  if (types.length === 0) return new Map();
  const parameters: Parameter[] = [];
  const bind = (value: Parameter) => `$${parameters.push(value)}`;
  const whole = wholeDays({ account, type: types, from, until }, [ALL_HOURS], bind);
  const [own, all, begin, end] = [bind(account), bind(types as string[]), bind(from), bind(until)];
  const rows = await db.queryTenant<TotalRow>(
    account,
    `with ${whole.join(',\n')},
    gaps as (
      select type, coalesce(lag(ends) over (partition by type order by begins), ${begin}::timestamptz) as begins, begins as ends
      from (select type, begins at time zone 'UTC' as begins, ends at time zone 'UTC' as ends from whole
        union all select unnest(${all}::text[])::report_type, ${end}::timestamptz, null) as known),
    live as (
      select account_id, type, count(*) as reports, sum(count::float8)::bigint as count, min(date) as first_seen,
        max(date) as last_seen
      from (select * from gaps where begins < ends) as gap cross join lateral (
        select account_id, date, count from report
        where account_id = ${own} and type = gap.type and date >= gap.begins and date < gap.ends
          and date >= ${begin} and date < ${end}) as report
      group by account_id, type, date_trunc('hour', date at time zone 'UTC'))
    select account_id, type, string_agg(hours, ',') as hours
    from (select account_id, type, g.v1 as hours from rollups, ${GROUPS}
      union all
      select account_id, type, ${HOUR_LIST} from live) as hourly
    group by account_id, type`,
    parameters,
    { prepare: false },
  );
  return new Map(rows.objects().map(row => [row.type, toSeries({ ...row, v2: '', v3: '' })]));
}
