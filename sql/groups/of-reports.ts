import { conditions, exclusions } from '../report/conditions.ts';
import { type Dimension, UTC_DAY } from '../report/dimensions.ts';
import type { Bind } from '../report/indexed-values.ts';
import { answer, daysOf, places, SUM, type Total } from './answer.ts';
import type { GroupedReports, Grouping, Parts } from './query.ts';

/** Each grouping is a set of one `group by`, so that the reports are read once. */
export function ofReports(query: GroupedReports, groupings: readonly Grouping[], bind: Bind): Parts {
  const source = sourceOf(query, bind);
  const [many, single] = [groupings.filter(isMany), groupings.filter(grouping => !isMany(grouping))];
  const [manySets, singleSets] = [setsOf(many), setsOf(single)];
  const days = daysOf(query, UTC_DAY, bind);
  const tables = [
    table('single_groups', source, single, days, many.length > 0),
    ...(many.length > 0 ? [table('many_groups', spread(source, many), many, days, false)] : []),
  ];
  const answers = groupings.map((grouping, index) => {
    const [name, sets, total] = isMany(grouping)
      ? (['many_groups', manySets, totalOf(singleSets)] as const)
      : (['single_groups', singleSets, SUM] as const);
    return answer(rowsOf(name, grouping, sets, days), days, grouping, index, total);
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

interface Sets {
  dimensions: readonly Dimension[];
  /** The number that PostgreSQL's grouping() has for a set: a bit for each dimension that is not in it. */
  numberOf(by: readonly Dimension[]): number;
}

export function setsOf(groupings: readonly Grouping[]): Sets {
  const dimensions = [...new Set(groupings.flatMap(({ by }) => by))];
  return {
    dimensions,
    numberOf: by => dimensions.reduce((bits, dimension) => bits * 2 + (by.includes(dimension) ? 0 : 1), 0),
  };
}

const expressionOf = ({ isMany, expression }: Dimension) => (isMany ? 'many.value' : `(${expression})`);

/** @param hasTotal whether all reports are a group, too */
export function table(
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
    ...days.map((bits, at) => `bit_or(${bits}) as d${at}`),
  ];
  return `${name} as materialized (
    select ${columns.join(', ')} from ${source} group by account_id, grouping sets (${[...sets].join(', ')}))`;
}

/** A sum over groups of several values would count reports twice: the group of all reports knows better. */
function totalOf({ numberOf }: Sets): Total {
  return column => `(select ${column} from single_groups where grouping_set = ${numberOf([])})`;
}

/** The groups of a grouping, as they are shown, with their days as bits. */
export function rowsOf(
  name: string,
  { by }: Grouping,
  { dimensions, numberOf }: Sets,
  days: readonly string[],
): string {
  const values = by.map(dimension => `coalesce(${dimension.shown(`k${dimensions.indexOf(dimension)}`)}, '')`);
  return `select account_id, ${places(values)}, count, reports, first_seen, last_seen,
        ${days.map((_, at) => `d${at}`).join(', ')}
      from ${name} where grouping_set = ${numberOf(by)}`;
}
