import { conditions, exclusions } from '../report/conditions.ts';
import { type Dimension, UTC_DAY } from '../report/dimensions.ts';
import type { Bind } from '../report/indexed-values.ts';
import { answer, daysOf, merged, places, SUM, type Total } from './answer.ts';
import type { GroupedReports, Grouping, Parts } from './query.ts';
import { type Sets, setsOf } from './sets.ts';

/** All groupings are sets of one `group by`, so that the reports are read once. */
export function ofReports(query: GroupedReports, groupings: readonly Grouping[], bind: Bind): Parts {
  const source = sourceOf(query, bind);
  const [many, single] = [groupings.filter(isMany), groupings.filter(grouping => !isMany(grouping))];
  const [manySets, singleSets] = [setsOf(many), setsOf(single)];
  const days = daysOf(query, bind);
  const tables = [
    table('single_groups', source, singleSets, days, many.length > 0),
    ...(many.length > 0 ? [table('many_groups', spread(source, many), manySets, days, false)] : []),
  ];
  const answers = groupings.map((grouping, index) => {
    const [name, sets, total] = isMany(grouping)
      ? (['many_groups', manySets, totalOf(singleSets)] as const)
      : (['single_groups', singleSets, SUM] as const);
    const parts = rowsOf(name, grouping, sets, days);
    const rows = sets.isInParts(grouping) ? merged(parts, grouping, days) : parts;
    return answer(rows, days, grouping, index, total, bind);
  });
  return { tables, answers };
}

const isMany = ({ by }: Grouping) => by.some(dimension => dimension.isMany);

/** $1 is the account. @param stretch the part of the period that is read, if not all is */
export function sourceOf(
  { account, type, from, until, filters, not }: GroupedReports,
  bind: Bind,
  stretch?: { begins: string; ends: string },
): string {
  const own = `account_id = ${bind(account)} and type = ${bind(type)}`;
  // Also where a part is read: what PostgreSQL plans with are the months of the period.
  const period = `date >= ${bind(from)} and date < ${bind(until)}`;
  const part = stretch ? [`date >= ${stretch.begins} and date < ${stretch.ends}`] : [];
  const where = [own, period, ...part, ...conditions(type, filters, bind), ...exclusions(type, not, bind)];
  return `report where ${where.join(' and ')}`;
}

/** Every report once for each of its values, or once without one. */
function spread(source: string, [grouping]: readonly Grouping[]): string {
  const { expression } = grouping!.by.find(dimension => dimension.isMany)!;
  return `(select * from ${source}) as report
    left join lateral (select distinct ${expression} as value) as many on true`;
}

/** The expressions that reports are counted by. */
const counted = ({ isMany, column, expression }: Dimension) =>
  isMany ? 'many.value' : (column ?? expression);

/** @param hasTotal whether all reports are a group, too */
export function table(
  name: string,
  source: string,
  { dimensions, sets, keyOf }: Sets,
  days: readonly string[],
  hasTotal: boolean,
): string {
  const keys = dimensions.map(keyOf);
  // The day is found once, for its bit and for its groups.
  const values = new Set([`${UTC_DAY} as day`, ...dimensions.map(one => `${counted(one)} as ${keyOf(one)}`)]);
  const grouped = [...sets.map(set => `(${set.map(keyOf).join(', ')})`), ...(hasTotal ? ['()'] : [])];
  // PostgreSQL takes what a fenced part computes for few values, and so needs no sort; of one set it takes workers.
  const fence = grouped.length > 1 ? 'offset 0' : '';
  const columns = [
    'account_id',
    `${keys.length > 0 ? `grouping(${keys.join(', ')})` : '0'} as grouping_set`,
    ...keys,
    // A sum of bigint is numeric, and slow; this one is exact, as no total is above 2^53.
    'sum(count::float8)::bigint as count',
    'count(*) as reports',
    'min(date) as first_seen',
    'max(date) as last_seen',
    ...days.map((bits, at) => `bit_or(${bits}) as d${at}`),
  ];
  return `${name} as materialized (
    select ${columns.join(', ')}
    from (select ${['account_id', 'count', 'date', ...values].join(', ')} from ${source} ${fence}) as report
    group by account_id, grouping sets (${grouped.join(', ')}))`;
}

/** A sum over groups of several values would count reports twice: the group of all reports knows better. */
function totalOf({ numberOf }: Sets): Total {
  return column => `(select ${column} from single_groups where grouping_set = ${numberOf([])})`;
}

/** The counted rows that a grouping is made of, with its values as they are shown, and their days as bits. */
export function rowsOf(
  name: string,
  grouping: Grouping,
  { keyOf, setOf, numberOf }: Sets,
  days: readonly string[],
): string {
  const columns = grouping.by.flatMap(one => (one.column ? `${keyOf(one)} as ${one.column}` : []));
  const values = grouping.by.map(
    one => `coalesce(${one.shown(one.column ? one.expression : keyOf(one))}, '')`,
  );
  return `select account_id, ${places(values)}, count, reports, first_seen, last_seen,
        ${days.map((_, at) => `d${at}`).join(', ')}
      from (select ${['*', ...columns].join(', ')} from ${name}) as counted
      where grouping_set = ${numberOf(setOf(grouping))}`;
}
