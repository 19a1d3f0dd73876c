import type { CommandConnection } from '@sightline/postgres';
import { sourceClass } from '@sightline/reports/source-class';
import type { Announcer } from '../changes/announcer.ts';
import { existingMonths, type Month, partitionName } from '../feed/partitions.ts';
import { changeMonth } from './change-month.ts';

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
export async function classifySources(sql: CommandConnection, announcer: Announcer): Promise<Month[]> {
  const changed: Month[] = [];
  for (const month of await existingMonths(sql)) {
    if (await classifyMonth(sql, announcer, month)) changed.push(month);
  }
  return changed;
}

async function classifyMonth(sql: CommandConnection, announcer: Announcer, month: Month): Promise<boolean> {
  const pairs = await sql.query<Pair>(
    `select distinct ${PAGE} as page, ${BLOCKED} as blocked from ${partitionName(month)} where ${UNCLASSIFIED}`,
  );
  if (pairs.length === 0) return false;
  await changeMonth(sql, announcer, {
    month,
    values: pairs.map(({ page, blocked }) => ({
      page: page ?? '',
      blocked: blocked ?? '',
      class: sourceClass(blocked ?? '', page ?? ''),
    })),
    columns: 'page text, blocked text, class text',
    set: 'source_class = g.class',
    where: `${UNCLASSIFIED} and coalesce(${PAGE}, '') = g.page and coalesce(${BLOCKED}, '') = g.blocked`,
  });
  return true;
}
