import type { CommandConnection } from '@sightline/pg-client';
import { identifySender, type SentMail } from '@sightline/reports';
import type { Announcer } from '../changes/announcer.ts';
import { existingMonths, type Month, partitionName } from '../feed/partitions.ts';
import { changeMonth, SAME_REPORT } from './change-month.ts';

/** Report types that contain the organisation of a network. */
export type NetworkType = 'dmarc' | 'nel';

/** A stored report. */
export interface StoredReport {
  account_id: string;
  /** In PostgreSQL's text format, with microseconds. */
  date: string;
  id: string;
  organisation: string | null;
  /** The fields without a column. */
  extra: Record<string, unknown> | null;
}

/** A change to one report: its new organization, and other changed fields. */
export interface ReportChange {
  organisation?: string;
  extra?: Record<string, unknown>;
}

/** The maximum number of reports per transaction, during which loads wait. */
const STEP = 5000;

/** The reports that are examined. */
interface ExaminedReports {
  type: NetworkType;
  /** A condition over their columns. */
  condition: string;
}

/**
 * Changes reports in steps, newest month first, and updates the names of DMARC senders. Returns the number of changed
 * reports. Later loads still recognise the original lines.
 * @param changesOf returns the change of each report in a step, or undefined for none
 */
export async function changeReports(
  sql: CommandConnection,
  announcer: Announcer,
  examined: ExaminedReports,
  changesOf: (rows: readonly StoredReport[]) => Promise<(ReportChange | undefined)[]>,
): Promise<number> {
  let changed = 0;
  for (const month of (await existingMonths(sql)).reverse()) {
    let last: StoredReport | undefined;
    for (;;) {
      const rows: StoredReport[] = await step(sql, month, examined, last);
      const changes = rows.length === 0 ? [] : await changesOf(rows);
      const values = rows.flatMap((row, index) =>
        changes[index] ? [toChange(examined.type, row, changes[index])] : [],
      );
      if (values.length > 0)
        await changeMonth(sql, announcer, {
          month,
          values,
          columns: 'account_id text, date timestamptz, id text, organisation text, extra jsonb, sender text',
          set: `organisation = coalesce(g.organisation, r.organisation), sender = g.sender,
            extra = coalesce(r.extra, '{}') || g.extra`,
          where: `r.type = '${examined.type}' and ${SAME_REPORT}`,
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
  { type, condition }: ExaminedReports,
  last: StoredReport | undefined,
): Promise<StoredReport[]> {
  const after = last ? 'and (account_id, date, id) > ($1, $2::timestamptz, $3)' : '';
  return sql.query<StoredReport>(
    `select account_id, date::text, id, organisation, extra from ${partitionName(month)}
     where type = '${type}' and (${condition}) ${after} order by account_id, date, id limit ${STEP}`,
    last ? [last.account_id, last.date, last.id] : [],
  );
}

function toChange(type: NetworkType, row: StoredReport, { organisation, extra }: ReportChange): object {
  const { account_id, date, id } = row;
  const mail: SentMail = { ...row.extra, ...extra, organisation: organisation ?? row.organisation };
  return {
    account_id,
    date,
    id,
    organisation,
    extra: extra ?? {},
    ...(type === 'dmarc' && { sender: identifySender(mail) }),
  };
}
