import { filterConditions } from '../report/conditions.ts';
import { type Dimension, UTC_DAY } from '../report/dimensions.ts';
import type { Bind } from '../report/indexed-values.ts';
import { answer, listDays, merged, places, SUM, type Total } from './answer.ts';
import type { GroupedReports, Grouping, Parts } from './query.ts';
import { type Sets, toSets } from './sets.ts';

/** All groupings are sets of one `group by`, so the reports are read once. */
export function ofReports(query: GroupedReports, groupings: readonly Grouping[], bind: Bind): Parts {
  return groupRows(query, groupings, getSource(query, bind), bind);
}

/** @param source of the counted rows */
export function groupRows(
  query: GroupedReports,
  groupings: readonly Grouping[],
  source: string,
  bind: Bind,
  counted?: CountedDay,
): Parts {
  const [many, single] = [groupings.filter(isMany), groupings.filter(grouping => !isMany(grouping))];
  const [manySets, singleSets] = [toSets(many), toSets(single)];
  const days = listDays(query, bind);
  const tables = [
    table('single_groups', source, singleSets, days, many.length > 0, counted),
    ...(many.length > 0
      ? [table('many_groups', expandHosts(source, many), manySets, days, false, counted)]
      : []),
  ];
  const answers = groupings.map((grouping, index) => {
    const [name, sets, total] = isMany(grouping)
      ? (['many_groups', manySets, sumTotal(singleSets)] as const)
      : (['single_groups', singleSets, SUM] as const);
    const parts = toRows(name, grouping, sets, days);
    const rows = sets.isInParts(grouping) ? merged(parts, grouping, days) : parts;
    return answer(rows, days, grouping, index, total, bind);
  });
  return { tables, answers };
}

const isMany = ({ by }: Grouping) => by.some(dimension => dimension.isMany);

/** $1 is the account. @param window the part of the period to read; all of it by default */
export function getSource(
  query: GroupedReports,
  bind: Bind,
  window?: { begins: string; ends: string },
): string {
  const { account, type, from, until } = query;
  const own = `account_id = ${bind(account)} and type = ${bind(type)}`;
  // The planner needs the bounds of the period even if only a part is read.
  const period = `date >= ${bind(from)} and date < ${bind(until)}`;
  const part = window ? [`date >= ${window.begins} and date < ${window.ends}`] : [];
  const where = [own, period, ...part, ...filterConditions(query, bind)];
  return `report where ${where.join(' and ')}`;
}

/** Repeats every report for each of its values; a report without one appears once. */
function expandHosts(source: string, [grouping]: readonly Grouping[]): string {
  const { expression } = grouping!.by.find(dimension => dimension.isMany)!;
  return `(select * from ${source}) as report
    left join lateral (select distinct ${expression} as value) as many on true`;
}

/** The expressions that reports are counted by. */
const selectCounted = ({ isMany, column, expression }: Dimension) =>
  isMany ? 'many.value' : (column ?? expression);

/** How counted rows represent their reports. */
export interface CountedDay {
  day: string;
  /** The columns that are aggregated. */
  columns: readonly string[];
  reports: string;
  first: string;
  last: string;
}

const SINGLE_REPORTS: CountedDay = {
  day: UTC_DAY,
  columns: ['count', 'date'],
  reports: 'count(*)',
  first: 'min(date)',
  last: 'max(date)',
};

/** @param hasTotal true to include the group of all reports */
export function table(
  name: string,
  source: string,
  { dimensions, sets, toKey: keyOf }: Sets,
  days: readonly string[],
  hasTotal: boolean,
  counted = SINGLE_REPORTS,
): string {
  const keys = dimensions.map(keyOf);
  // The day is computed once, for its bit and its groups.
  const values = new Set([
    `${counted.day} as day`,
    ...dimensions.filter(one => keyOf(one) !== 'day').map(one => `${selectCounted(one)} as ${keyOf(one)}`),
  ]);
  const grouped = [...sets.map(set => `(${set.map(keyOf).join(', ')})`), ...(hasTotal ? ['()'] : [])];
  // An optimization fence: PostgreSQL then expects few values and avoids a sort. For a single set, it uses parallel
  // workers.
  const fence = grouped.length > 1 ? 'offset 0' : '';
  const columns = [
    'account_id',
    `${keys.length > 0 ? `grouping(${keys.join(', ')})` : '0'} as grouping_set`,
    ...keys,
    // A sum of bigint is numeric and slow. This one is exact, since no total is above 2^53.
    'sum(count::float8)::bigint as count',
    `${counted.reports} as reports`,
    `${counted.first} as first_seen`,
    `${counted.last} as last_seen`,
    ...days.map((bits, at) => `bit_or(${bits}) as d${at}`),
  ];
  return `${name} as materialized (
    select ${columns.join(', ')}
    from (select ${['account_id', ...counted.columns, ...values].join(', ')} from ${source} ${fence}) as report
    group by account_id, grouping sets (${grouped.join(', ')}))`;
}

/** A sum over groups of several values would count reports twice, so the group of all reports is used. */
function sumTotal({ toNumber: numberOf }: Sets): Total {
  return column => `(select ${column} from single_groups where grouping_set = ${numberOf([])})`;
}

/** The counted rows of a grouping, with displayed values and days as bits. */
export function toRows(
  name: string,
  grouping: Grouping,
  { toKey: keyOf, findSet: setOf, toNumber: numberOf }: Sets,
  days: readonly string[],
): string {
  const values = grouping.by.map(one => `coalesce(${one.formatValue(readValue(one, keyOf(one)))}, '')`);
  return `select account_id, ${places(values)}, count, reports, first_seen, last_seen,
        ${days.map((_, at) => `d${at}`).join(', ')}
      from ${name} as counted
      where grouping_set = ${numberOf(setOf(grouping))}`;
}

/** The value of a dimension in counted rows: the value itself, or the column from which it is read. */
function readValue({ column, expression }: Dimension, key: string): string {
  return column === undefined ? key : expression.replace(new RegExp(`\\b${column}\\b`, 'g'), key);
}
