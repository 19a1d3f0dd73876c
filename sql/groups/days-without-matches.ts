import { detailConditions } from '../report/conditions.ts';
import { defineColumns } from '../report/detail-sets.ts';
import type { FilterValues } from '../report/filter.ts';
import { listFilters } from '../report/filters.ts';
import type { Bind } from '../report/indexed-values.ts';
import type { GroupedReports } from './query.ts';
import { betweenDays, GROUPS, wholeDays } from './with-days.ts';
import { findDetails } from './with-details.ts';

/** Common table expressions, and the source of the reports. */
export interface ReadDays {
  tables: string[];
  source: string;
}

/**
 * Selects the newest reports of a period, skipping days of the open month whose rollups have no match. The open month
 * has no index for patterns, so each of its reports would be read. If many reports match, all days are read, because
 * the newest ones are found quickly. Undefined if an index can be used, or if no rollup can.
 * @param openSince the first day of the months without pattern indexes, ISO 8601
 */
export function skipDaysWithoutMatches(
  query: GroupedReports,
  openSince: string,
  limit: number,
  bind: Bind,
): ReadDays | undefined {
  const { from, until } = query;
  const begin = from > openSince ? from : openSince;
  if (begin >= until || !hasPattern(query)) return undefined;
  const details = findDetails(query, []);
  if (!details) return undefined;
  const { set, columns } = details;
  const tables = wholeDays({ ...query, from: begin }, [set], bind);
  const matches = detailConditions(query, bind).join(' and ');
  const matched = `matched as materialized (
    select begins, ends, sum(reports) filter (where ${matches}) as reports
    from (select rollups.begins, rollups.ends, g.reports, record.* from rollups join whole using (begins, ends), ${GROUPS},
        jsonb_to_record(g.v1::jsonb) as record (${defineColumns(columns)})) as report
    group by begins, ends)`;
  const empty = `without_matches as materialized (
    select begins, ends from matched
    where reports is null and (select coalesce(sum(reports), 0) from matched) <= ${limit})`;
  const order = `order by date desc, id desc limit ${limit}`;
  const source = betweenDays(query, bind, { table: 'without_matches', order });
  return { tables: [...tables, matched, empty], source: `${source} ${order}` };
}

/** True if a filter would read a whole unindexed month: a pattern that is not a prefix of an indexed value. */
function hasPattern({ type, filters }: Pick<GroupedReports, 'type' | 'filters'>): boolean {
  return listFilters(type).some(({ name, kind }) => isPattern(kind, filters[name]));
}

function isPattern(kind: string, value: FilterValues[string]): boolean {
  if (value === undefined || value === null) return false;
  if (kind === 'contains') return true;
  // Hosts are indexed in reverse.
  const least = kind === 'hosts' ? 1 : 0;
  const isList = kind === 'hosts' || kind === 'paths';
  return isList && (value as readonly string[]).some(item => item !== '*' && item.lastIndexOf('*') >= least);
}
