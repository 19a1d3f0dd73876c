import type { Sql } from 'postgres';
import { LOCK_REPORTS } from '../feed/lock.ts';
import { type Month, partitionName } from '../feed/partitions.ts';
import { REPORT_FILTERS } from '../report-filters.ts';
import { monthsOf } from './months.ts';
import { transaction } from './transaction.ts';

/** Filters with two or three values find much, and have nothing to look up. */
const COMMON = new Set(['action', 'disposition', 'phase', 'cert_type', 'id']);

/**
 * What the filters for equality compare, to the letter: an index serves no other expression. The account comes
 * first, as every query names one.
 */
const EXPRESSIONS = [
  'account_id',
  ...new Set(
    REPORT_FILTERS.filter(({ column }) => !COMMON.has(column)).flatMap(({ kind, column }) => {
      if (kind === 'equals' || kind === 'policy') return [`lower(${column})`];
      return kind === 'paths' || kind === 'hashes' ? [column] : [];
    }),
  ),
];

/** Bits of a row's signature, and of each value in it: of a hundred rows that do not match, less than one is read. */
const SIGNATURE = `length = 160, ${EXPRESSIONS.map((_, column) => `col${column + 1} = 3`).join(', ')}`;

export type RareFilters = { months: Month[] } | { missing: string };

/**
 * Gives each month one bloom index over all that is compared for equality, so that a value that few reports have need
 * not be looked for in all of an account's month. Writers wait while one is made, readers do not.
 * Answers with the reason when PostgreSQL's extension "bloom" cannot be had; filters work without, but slower.
 */
export async function indexRareFilters(sql: Sql): Promise<RareFilters> {
  const missing = await missingExtension(sql);
  if (missing) return { missing };
  const months: Month[] = [];
  for (const month of await monthsOf(sql)) {
    const table = partitionName(month);
    const [found] = await sql.unsafe(`select from pg_class where relname = '${table}_rare'`);
    if (found) continue;
    await transaction(
      sql,
      `${LOCK_REPORTS}; set local maintenance_work_mem = '256MB';
       create index ${table}_rare on ${table} using bloom (${EXPRESSIONS.map(text => `(${text})`).join(', ')})
         with (${SIGNATURE})`,
    );
    months.push(month);
  }
  return { months };
}

async function missingExtension(sql: Sql): Promise<string | undefined> {
  try {
    await sql.unsafe('create extension if not exists bloom');
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
