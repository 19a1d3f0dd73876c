import type { Parameter } from '@sightline/postgres';
import type { ReportType } from '@sightline/reports';
import type { AccountId } from '../account-id.ts';
import type { Database, OwnedRow } from '../client.ts';
import type { GroupedReports } from '../groups/query.ts';
import { betweenDays, GROUPS, wholeDays } from '../groups/with-days.ts';
import type { Dimension } from '../report/dimensions.ts';
import type { Bind } from '../report/indexed-values.ts';
import { ALL_HOURS, HOUR_LIST, type HourlyType, ONLY, SIGN_SETS, type SignSet } from '../report/sign-sets.ts';

/** The reports that are looked at, and since when they are looked at for something new. */
export interface Stretch {
  account: AccountId;
  /** Instants, ISO 8601: midnight of the first day, midnight of the first that is looked at, and the end. */
  from: string;
  since: string;
  until: string;
}

/** An hour in which there are reports. Times are seconds since 1970. */
export interface Hour {
  /** Its number since 1970. */
  hour: number;
  reports: number;
  count: number;
  first: number;
  last: number;
}

/** The counts of one value, hour by hour. */
export interface Series {
  /** One or two values; '' where reports do not say. */
  values: [string, string];
  hours: Hour[];
}

interface SeriesRow extends OwnedRow {
  way: string;
  v2: string;
  v3: string;
  hours: string;
}

/** Reports of an hour from which on it can be a jump. */
export const LEAST_OF_A_JUMP = 20;

/** Only the values with the busiest hours are read. The sum of all shows the rest. */
const MOST = 100;

/** Each way's values that had a busy hour since `since`, with the hours of the whole stretch. */
export async function hourlySeries<Type extends Exclude<HourlyType, 'dmarc'>>(
  db: Database,
  type: Type,
  stretch: Stretch,
): Promise<Record<keyof (typeof SIGN_SETS)[Type], Series[]>> {
  const rows = await series(
    db,
    type,
    stretch,
    `select way, v2, v3,
      row_number() over (partition by way order by max(peak) desc, v2 collate "C", v3 collate "C") as place
    from hourly where is_looked group by way, v2, v3
    having max(peak) >= ${LEAST_OF_A_JUMP} or way = '${ALL_HOURS.name}'`,
  );
  const ways = Object.entries(SIGN_SETS[type]) as [keyof (typeof SIGN_SETS)[Type], SignSet][];
  return Object.fromEntries(
    ways.map(([way, { name }]) => [way, rows.filter(row => row.way === name).map(seriesOf)]),
  ) as Record<keyof (typeof SIGN_SETS)[Type], Series[]>;
}

/** Mails of the senders with most of them since `since`; the second value is `true` where mails were aligned. */
export async function mailSeries(
  db: Database,
  stretch: Stretch,
): Promise<{ all: Series[]; sender: Series[] }> {
  // A stranger can make up senders: those that are many are the last that it could push out.
  const rows = await series(
    db,
    'dmarc',
    stretch,
    `select way, v2, v3, dense_rank() over (partition by way order by mails desc, v2 collate "C") as place
    from (select way, v2, v3, sum(sum(count)) over (partition by way, v2) as mails
      from hourly where is_looked group by way, v2, v3) as sums
    where mails >= ${LEAST_OF_A_JUMP} or way = '${ALL_HOURS.name}'`,
  );
  const of = (name: string) => rows.filter(({ way }) => way === name).map(seriesOf);
  return { all: of(SIGN_SETS.dmarc.all.name), sender: of(SIGN_SETS.dmarc.sender.name) };
}

async function series(
  db: Database,
  type: HourlyType,
  { account, from, since, until }: Stretch,
  looked: string,
): Promise<readonly SeriesRow[]> {
  const parameters: Parameter[] = [];
  const bind = (value: Parameter) => `$${parameters.push(value)}`;
  const query = { account, type, from, until, filters: {}, not: {} };
  const tables = hourlyTables(query, Object.values(SIGN_SETS[type]), since, bind);
  const rows = await db.owned<SeriesRow>(
    account,
    `with ${tables.join(',\n')},
    looked as (${looked})
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
 * The table `hourly`: for each value lists of hours, the most reports of an hour, and their count. They are of kept days
 * and hours, and of the reports between. $1 is the account.
 */
function hourlyTables(
  query: GroupedReports & { type: HourlyType },
  sets: readonly SignSet[],
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
      from kept join whole using (begins, ends), ${GROUPS}
      union all
      ${sets.map(set => liveRows(set, sets, begin)).join('\n      union all\n      ')})`,
  ];
}

/** A dimension's column among the reports of an hour. */
const keyOf = ({ name }: Dimension) => `k_${name.toLowerCase()}`;

const ownDimensions = ({ dimensions }: SignSet) => dimensions.slice(1);

const dimensionsOf = (sets: readonly SignSet[]) => [...new Set(sets.flatMap(ownDimensions))];

/** The number that PostgreSQL's grouping() has for a set: a bit for each dimension that is not in it. */
const numberOf = (set: SignSet, sets: readonly SignSet[]) =>
  dimensionsOf(sets).reduce((bits, one) => bits * 2 + (set.dimensions.includes(one) ? 0 : 1), 0);

/**
 * The groups of the reports between the days, as they are compared: their texts are made of groups, not of reports. The
 * hour of a report is found once.
 */
function liveTable(
  query: GroupedReports & { type: HourlyType },
  sets: readonly SignSet[],
  bind: Bind,
): string {
  const dimensions = dimensionsOf(sets);
  const keys = dimensions.map(keyOf);
  const values = dimensions.map(one => `coalesce((${one.expression})::text, '') as ${keyOf(one)}`);
  const grouped = sets.map(set => `(${['hour', ...ownDimensions(set).map(keyOf)].join(', ')})`);
  const many = sets.map(
    set => `grouping(${keys.join(', ')}) = ${numberOf(set, sets)} and count(*) >= ${set.least}`,
  );
  // PostgreSQL takes what a fenced part computes for few values, and so needs no sort.
  return `live as materialized (
      select account_id, grouping(${keys.join(', ')}) as grouping_set, hour, ${keys.join(', ')}, count(*) as reports,
        sum(count::float8)::bigint as count, min(date) as first_seen, max(date) as last_seen
      from (select account_id, count, date, date_trunc('hour', date at time zone 'UTC') as hour, ${values.join(', ')}
        from ${betweenDays(query, bind)} where ${ONLY[query.type]} offset 0) as report
      group by account_id, grouping sets (${grouped.join(', ')}) having ${many.join(' or ')})`;
}

/** A set's own rows of that table. */
function liveRows(set: SignSet, sets: readonly SignSet[], begin: string): string {
  const [v2 = `''`, v3 = `''`] = ownDimensions(set).map(one => one.shown(keyOf(one)));
  return `select * from (
        select account_id, '${set.name}' as way, ${v2} as v2, ${v3} as v3, string_agg(${HOUR_LIST}, ',') as hours,
          max(reports) as peak, sum(count)::bigint as count, hour >= ${begin} as is_looked
        from live where grouping_set = ${numberOf(set, sets)} group by 1, 3, 4, 8) as groups where ${set.groups ?? 'true'}`;
}

const HOUR = 3600;

function seriesOf({ v2, v3, hours }: Pick<SeriesRow, 'v2' | 'v3' | 'hours'>): Series {
  const read = JSON.parse(`[${hours}]`) as [number, number, number, number, number][];
  return {
    values: [v2, v3],
    hours: read
      .map(([hour, reports, count, first, last]) => ({
        hour,
        reports,
        count,
        first: hour * HOUR + first,
        last: hour * HOUR + last,
      }))
      .sort((one, other) => one.hour - other.hour),
  };
}

interface TotalRow extends OwnedRow {
  type: ReportType;
  hours: string;
}

/** All reports of types of which nothing else is looked at, hour by hour. */
export async function hourlyTotals(
  db: Database,
  types: readonly ReportType[],
  { account, from, until }: Stretch,
): Promise<Map<ReportType, Series>> {
  const parameters: Parameter[] = [];
  const bind = (value: Parameter) => `$${parameters.push(value)}`;
  const whole = wholeDays({ account, type: types, from, until }, [ALL_HOURS], bind);
  const [own, all, begin, end] = [bind(account), bind(types as string[]), bind(from), bind(until)];
  const rows = await db.owned<TotalRow>(
    account,
    `with ${whole.join(',\n')},
    stretches as (
      select type, coalesce(lag(ends) over (partition by type order by begins), ${begin}::timestamptz) as begins, begins as ends
      from (select type, begins at time zone 'UTC' as begins, ends at time zone 'UTC' as ends from whole
        union all select unnest(${all}::text[])::report_type, ${end}::timestamptz, null) as known),
    live as (
      select account_id, type, count(*) as reports, sum(count::float8)::bigint as count, min(date) as first_seen,
        max(date) as last_seen
      from (select * from stretches where begins < ends) as stretch cross join lateral (
        select account_id, date, count from report
        where account_id = ${own} and type = stretch.type and date >= stretch.begins and date < stretch.ends
          and date >= ${begin} and date < ${end}) as report
      group by account_id, type, date_trunc('hour', date at time zone 'UTC'))
    select account_id, type, string_agg(hours, ',') as hours
    from (select account_id, type, g.v1 as hours from kept, ${GROUPS}
      union all
      select account_id, type, ${HOUR_LIST} from live) as hourly
    group by account_id, type`,
    parameters,
    { prepare: false },
  );
  return new Map(rows.objects().map(row => [row.type, seriesOf({ ...row, v2: '', v3: '' })]));
}
