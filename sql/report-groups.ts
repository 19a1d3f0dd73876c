import type { AccountId } from './account-id.ts';
import type { Database, OwnedRow } from './client.ts';
import type { Parameter } from './driver/parameters.ts';
import { conditions, exclusions } from './report/conditions.ts';
import type { Dimension } from './report/dimensions.ts';
import type { FilterValues } from './report/filter.ts';
import type { Bind } from './report/indexed-values.ts';
import type { ReportType } from './report/types.ts';

/** The reports that are grouped. */
export interface GroupedReports {
  account: AccountId;
  type: ReportType;
  /** The first instant, and the first one behind the last, ISO 8601. */
  from: string;
  until: string;
  filters: FilterValues;
  /** Reports that match any of these are left out. */
  not: FilterValues;
}

export type GroupOrder = 'COUNT' | 'REPORTS' | 'LAST_SEEN' | 'FIRST_SEEN' | 'KEY';

export interface Grouping {
  /** One to three. */
  by: readonly Dimension[];
  orderBy: GroupOrder;
  /** Groups that are answered with at most. */
  first: number;
}

export interface ReportGroup {
  /** In the order of `by`; '' where reports do not say. */
  values: string[];
  /** The sum of the reports' counts, and how many reports there are. */
  count: number;
  reports: number;
  firstSeen: string;
  lastSeen: string;
  /** UTC days on which there are any. */
  days: number;
}

export interface ReportGroups {
  groups: ReportGroup[];
  /** How many groups there are in all. */
  groupCount: number;
  /** Of all reports, in whichever group. */
  totalCount: number;
  totalReports: number;
  /** The version of the account that this is of; undefined where there is no report. */
  version: number | undefined;
}

interface GroupRow extends OwnedRow {
  grouping: number;
  v1: string;
  v2: string | null;
  v3: string | null;
  count: number;
  reports: number;
  first_seen: string;
  last_seen: string;
  days: number;
  groups: number;
  total_count: number;
  total_reports: number;
  version: number;
}

/** Groups the same reports in several ways, with one look at them. Answers in the order of the groupings. */
export async function reportGroups(
  db: Database,
  query: GroupedReports,
  groupings: readonly Grouping[],
): Promise<ReportGroups[]> {
  const { account } = query;
  const parameters: Parameter[] = [];
  const text = statement(query, groupings, value => `$${parameters.push(value)}`);
  const rows = await db.owned<GroupRow>(account, text, parameters, { prepare: false });
  const answers = groupings.map(() => [] as GroupRow[]);
  for (const row of rows) answers[row.grouping]!.push(row);
  return answers.map((own, index) => groupsOf(own, groupings[index]!));
}

function groupsOf(rows: readonly GroupRow[], { by }: Grouping): ReportGroups {
  const [any] = rows;
  return {
    groups: rows.map(({ v1, v2, v3, count, reports, first_seen, last_seen, days }) => ({
      values: [v1, v2, v3].slice(0, by.length) as string[],
      count,
      reports,
      firstSeen: first_seen,
      lastSeen: last_seen,
      days,
    })),
    groupCount: any?.groups ?? 0,
    totalCount: any?.total_count ?? 0,
    totalReports: any?.total_reports ?? 0,
    version: any?.version,
  };
}

/** Each grouping is a set of one `group by`, so that the reports are read once. */
function statement(query: GroupedReports, groupings: readonly Grouping[], bind: Bind): string {
  const source = sourceOf(query, bind);
  const [many, single] = [groupings.filter(isMany), groupings.filter(grouping => !isMany(grouping))];
  const days = daysOf(query, bind);
  const tables = [
    table('single_groups', source, single, days, many.length > 0),
    ...(many.length > 0 ? [table('many_groups', spread(source, many), many, days, false)] : []),
  ];
  const parts = groupings.map((grouping, index) =>
    isMany(grouping)
      ? answer('many_groups', grouping, index, setsOf(many), totalOf(setsOf(single)))
      : answer('single_groups', grouping, index, setsOf(single), SUM),
  );
  const version = '(select version from account where id = $1)';
  return `with ${tables.join(',\n')}
    select parts.*, ${version} as version from (${parts.join('\nunion all\n')}) as parts`;
}

const isMany = ({ by }: Grouping) => by.some(dimension => dimension.isMany);

/** $1 is the account. */
function sourceOf({ account, type, from, until, filters, not }: GroupedReports, bind: Bind): string {
  const own = `account_id = ${bind(account)} and type = ${bind(type)}`;
  const period = `date >= ${bind(from)} and date < ${bind(until)}`;
  const where = [own, period, ...conditions(type, filters, bind), ...exclusions(type, not, bind)];
  return `report where ${where.join(' and ')}`;
}

/** Every report once for each of its values, or once without one. */
function spread(source: string, [grouping]: readonly Grouping[]): string {
  const { expression } = grouping!.by.find(dimension => dimension.isMany)!;
  return `(select * from ${source}) as report
    left join lateral (select distinct ${expression} as value) as many on true`;
}

interface Sets {
  dimensions: readonly Dimension[];
  /** The number that PostgreSQL's grouping() has for a set: a bit for each dimension that is not in it. */
  numberOf(by: readonly Dimension[]): number;
}

function setsOf(groupings: readonly Grouping[]): Sets {
  const dimensions = [...new Set(groupings.flatMap(({ by }) => by))];
  return {
    dimensions,
    numberOf: by => dimensions.reduce((bits, dimension) => bits * 2 + (by.includes(dimension) ? 0 : 1), 0),
  };
}

const expressionOf = ({ isMany, expression }: Dimension) => (isMany ? 'many.value' : `(${expression})`);

/** @param hasTotal whether all reports are a group, too */
function table(
  name: string,
  source: string,
  groupings: readonly Grouping[],
  days: readonly string[],
  hasTotal: boolean,
): string {
  const { dimensions } = setsOf(groupings);
  const expressions = dimensions.map(expressionOf);
  const keys = expressions.map((expression, index) => `${expression} as k${index}`);
  const number = expressions.length > 0 ? `grouping(${expressions.join(', ')})` : '0';
  const sets = new Set(groupings.map(({ by }) => `(${by.map(expressionOf).sort().join(', ')})`));
  if (hasTotal) sets.add('()');
  const columns = [
    'account_id',
    `${number} as grouping_set`,
    ...keys,
    // A sum of bigint is numeric, and slow; this one is exact, as no total is above 2^53.
    'sum(count::float8)::bigint as count',
    'count(*) as reports',
    'min(date) as first_seen',
    'max(date) as last_seen',
    `${days.map(bits => `bit_count(bit_or(${bits})::bit(64))`).join(' + ')} as days`,
  ];
  return `${name} as materialized (
    select ${columns.join(', ')} from ${source} group by account_id, grouping sets (${[...sets].join(', ')}))`;
}

/** Days that the bits of a bigint stand for. */
const DAYS_A_NUMBER = 62;
const DAY = 24 * 60 * 60 * 1000;

/** A bit for each day, in as many numbers as the period needs: counting distinct days would sort the reports. */
function daysOf({ from, until }: GroupedReports, bind: Bind): string[] {
  const first = from.slice(0, 10);
  const length = Math.ceil((Date.parse(until) - Date.parse(first)) / DAY);
  const day = `((date at time zone 'UTC')::date - ${bind(first)}::date)`;
  const numbers = Math.max(1, Math.ceil(length / DAYS_A_NUMBER));
  if (numbers === 1) return [`1::bigint << ${day}`];
  return Array.from({ length: numbers }, (_, index) => {
    const begin = index * DAYS_A_NUMBER;
    const end = begin + DAYS_A_NUMBER - 1;
    return `case when ${day} between ${begin} and ${end} then 1::bigint << (${day} - ${begin}) else 0 end`;
  });
}

/** Of all orders: groups that are equal in it come by their keys. */
const ORDERS: Readonly<Record<GroupOrder, string>> = {
  COUNT: 'count desc, ',
  REPORTS: 'reports desc, ',
  LAST_SEEN: 'last_seen desc, ',
  FIRST_SEEN: 'first_seen desc, ',
  KEY: '',
};

type Total = (column: string) => string;

const SUM: Total = column => `(sum(${column}) over ())::bigint`;

/** A sum over groups of several values would count reports twice: the group of all reports knows better. */
function totalOf({ numberOf }: Sets): Total {
  return column => `(select ${column} from single_groups where grouping_set = ${numberOf([])})`;
}

/** The first groups of a grouping. */
function answer(
  name: string,
  { by, orderBy, first }: Grouping,
  index: number,
  { dimensions, numberOf }: Sets,
  total: Total,
): string {
  const keys = by.map(dimension => `coalesce(${dimension.shown(`k${dimensions.indexOf(dimension)}`)}, '')`);
  const values = [0, 1, 2].map(place => `${keys[place] ?? 'null::text'} as v${place + 1}`);
  const order = ORDERS[orderBy] + keys.map((_, place) => `v${place + 1} collate "C"`).join(', ');
  return `(select * from (
      select account_id, ${index} as grouping, ${values.join(', ')}, count, reports, first_seen, last_seen,
        days::int as days, count(*) over () as groups, ${total('count')} as total_count,
        ${total('reports')} as total_reports
      from ${name} where grouping_set = ${numberOf(by)}) as own
    order by ${order} limit ${first})`;
}
