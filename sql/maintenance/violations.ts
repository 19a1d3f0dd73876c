import type { CommandConnection, Statements } from '@sightline/postgres';
import { readViolation } from '@sightline/reports/source-class';
import type { Announcer } from '../changes/announcer.ts';
import { existingMonths, type Month, partitionName } from '../feed/partitions.ts';
import { changeMonth, SAME_REPORT } from './change-month.ts';

/** A CSP report as it is stored. */
interface StoredViolation {
  account_id: string;
  /** In PostgreSQL's own text, to the microsecond. */
  date: string;
  id: string;
  uri: string;
  directive: string;
  blockedUri: string;
  policy: string;
  raw: string;
}

/** Reports of one step, and bytes of their originals: a transaction, which loads wait for. */
const STEP = 5000;
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * Reads the originals of CSP reports that were loaded before a load did so, and classes them anew: in steps, the newest
 * month first. Answers with the months that it changed.
 */
export async function readViolations(sql: CommandConnection, announcer: Announcer): Promise<Month[]> {
  const changed: Month[] = [];
  for (const month of (await existingMonths(sql)).reverse()) {
    let last: StoredViolation | undefined;
    for (;;) {
      const rows: StoredViolation[] = await step(sql, month, last);
      last = rows.at(-1);
      if (!last) break;
      await changeMonth(sql, announcer, {
        month,
        values: rows.map(written),
        columns: 'account_id text, date timestamptz, id text, class text, extra jsonb',
        set: 'source_class = g.class, extra = g.extra',
        where: `r.type = 'csp' and ${SAME_REPORT}`,
      });
      if (changed.at(-1) !== month) changed.push(month);
    }
  }
  return changed;
}

/** Not by how many: a few of the longest originals are as much as thousands of others. */
function step(sql: Statements, month: Month, last: StoredViolation | undefined): Promise<StoredViolation[]> {
  const after = last ? 'and (account_id, date, id) > ($1, $2::timestamptz, $3)' : '';
  return sql.query<StoredViolation>(
    `select account_id, date::text, id, coalesce(uri, '') as uri, coalesce(directive, '') as directive,
       coalesce(blocked_uri, '') as "blockedUri", coalesce(policy, '') as policy, raw
     from (
       select *, sum(octet_length(raw)) over (order by account_id, date, id) - octet_length(raw) as before from (
         select account_id, date, id, uri, directive, blocked_uri, policy, raw from ${partitionName(month)}
         where type = 'csp' and extra is null ${after} order by account_id, date, id limit ${STEP}
       ) next
     ) sized
     where before < ${MOST_BYTES} order by account_id, date, id`,
    last ? [last.account_id, last.date, last.id] : [],
  );
}

function written(row: StoredViolation): object {
  const { account_id, date, id } = row;
  const { sourceClass, context } = readViolation(row, row.raw);
  return { account_id, date, id, class: sourceClass, extra: context };
}
