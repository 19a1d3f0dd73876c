import { sourceClass } from '@sightline/reports/source-class';
import type { Sql } from 'postgres';
import { announcedTransaction } from '../changes/announced-transaction.ts';
import type { Announcer } from '../changes/announcer.ts';
import { LOCK_REPORTS } from '../feed/lock.ts';
import { type Month, partitionName } from '../feed/partitions.ts';
import { forgetMonth } from './forget-month.ts';
import { literal } from './literal.ts';
import { monthsOf } from './months.ts';

/** A blocked address's class follows from no more of it than its origin, and there are few origins. */
const PAGE = `substring(uri from '^[^:/?#]+://[^/?#]*')`;
const BLOCKED = `coalesce(substring(blocked_uri from '^[^:/?#]+:(?://[^/?#]*)?'), blocked_uri)`;
const UNCLASSIFIED = `source_class is null and type in ('integrity_policy', 'coep')`;

interface Pair {
  page: string | null;
  blocked: string | null;
}

/**
 * Fills in the source class of reports that were loaded before there was one. A month is a transaction. Answers with
 * the months that it changed.
 */
export async function classifySources(sql: Sql, announcer: Announcer): Promise<Month[]> {
  const changed: Month[] = [];
  for (const month of await monthsOf(sql)) {
    if (await classifyMonth(sql, announcer, month)) changed.push(month);
  }
  return changed;
}

async function classifyMonth(sql: Sql, announcer: Announcer, month: Month): Promise<boolean> {
  const partition = partitionName(month);
  const pairs = await sql.unsafe<Pair[]>(
    `select distinct ${PAGE} as page, ${BLOCKED} as blocked from ${partition} where ${UNCLASSIFIED}`,
  );
  if (pairs.length === 0) return false;
  const classes = pairs.map(({ page, blocked }) => ({
    page: page ?? '',
    blocked: blocked ?? '',
    class: sourceClass(blocked ?? '', page ?? ''),
  }));
  const statements = `${LOCK_REPORTS}; ${forgetMonth(month)};
    with classes as materialized (
      select * from jsonb_to_recordset(${literal(JSON.stringify(classes))}::jsonb)
        as known (page text, blocked text, class text)
    ), classified as (
      update ${partition} set source_class = classes.class from classes
      where ${UNCLASSIFIED} and coalesce(${PAGE}, '') = classes.page and coalesce(${BLOCKED}, '') = classes.blocked
      returning account_id
    ), touched as (
      update account set version = version + 1
      where id in (select account_id from classified) returning id
    )
    select (select count(*) from touched)::int as accounts`;
  const isChange = (rows: readonly object[]) => rows.some(row => 'accounts' in row);
  await announcedTransaction(sql, announcer, { statements, isChange });
  return true;
}
