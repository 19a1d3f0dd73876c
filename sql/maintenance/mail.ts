import type { CommandConnection } from '@sightline/postgres';
import { type SentMail, senderOf } from '@sightline/reports/sender';
import type { Announcer } from '../changes/announcer.ts';
import { existingMonths, type Month, partitionName } from '../feed/partitions.ts';
import { changeMonth, SAME_REPORT } from './change-month.ts';

/** Reports that name the organisation of a network. */
export type NetworkType = 'dmarc' | 'nel';

/** A report as it is stored. */
export interface StoredReport {
  account_id: string;
  /** In PostgreSQL's own text, to the microsecond. */
  date: string;
  id: string;
  organisation: string | null;
  /** The fields without a column. */
  extra: Record<string, unknown> | null;
}

/** The change of one report: the organisation, where it is new, and further fields. */
export interface ReportChange {
  organisation?: string;
  extra?: Record<string, unknown>;
}

/** Reports of one step: a transaction, which loads wait for. */
const STEP = 5000;

/** Fills in the sender of reports that were loaded before there was one. Answers with how many it filled in. */
export function nameSenders(sql: CommandConnection, announcer: Announcer): Promise<number> {
  const which = { type: 'dmarc', condition: 'sender is null' } as const;
  return changeReports(sql, announcer, which, async rows => rows.map(() => ({})));
}

/** The reports that are examined. */
interface Looked {
  type: NetworkType;
  /** SQL over their columns. */
  condition: string;
}

/**
 * Changes reports in steps, the newest month first, and names the senders of DMARC anew. Answers with how many.
 * Later loads recognise the reports' lines as before.
 * @param changesOf what is written into each of a step, or undefined where it stays
 */
export async function changeReports(
  sql: CommandConnection,
  announcer: Announcer,
  looked: Looked,
  changesOf: (rows: readonly StoredReport[]) => Promise<(ReportChange | undefined)[]>,
): Promise<number> {
  let changed = 0;
  for (const month of (await existingMonths(sql)).reverse()) {
    let last: StoredReport | undefined;
    for (;;) {
      const rows: StoredReport[] = await step(sql, month, looked, last);
      const changes = rows.length === 0 ? [] : await changesOf(rows);
      const values = rows.flatMap((row, index) =>
        changes[index] ? [written(looked.type, row, changes[index])] : [],
      );
      if (values.length > 0)
        await changeMonth(sql, announcer, {
          month,
          values,
          columns: 'account_id text, date timestamptz, id text, organisation text, extra jsonb, sender text',
          set: `organisation = coalesce(g.organisation, r.organisation), sender = g.sender,
            extra = coalesce(r.extra, '{}') || g.extra`,
          where: `r.type = '${looked.type}' and ${SAME_REPORT}`,
        });
      changed += values.length;
      last = rows.at(-1);
      if (rows.length < STEP) break;
    }
  }
  return changed;
}

async function step(
  sql: CommandConnection,
  month: Month,
  { type, condition }: Looked,
  last: StoredReport | undefined,
): Promise<StoredReport[]> {
  const after = last ? 'and (account_id, date, id) > ($1, $2::timestamptz, $3)' : '';
  return sql.query<StoredReport>(
    `select account_id, date::text, id, organisation, extra from ${partitionName(month)}
     where type = '${type}' and (${condition}) ${after} order by account_id, date, id limit ${STEP}`,
    last ? [last.account_id, last.date, last.id] : [],
  );
}

function written(type: NetworkType, row: StoredReport, { organisation, extra }: ReportChange): object {
  const { account_id, date, id } = row;
  const mail: SentMail = { ...row.extra, ...extra, organisation: organisation ?? row.organisation };
  return {
    account_id,
    date,
    id,
    organisation,
    extra: extra ?? {},
    ...(type === 'dmarc' && { sender: senderOf(mail) }),
  };
}
