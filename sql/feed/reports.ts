import { REPORT_COLUMNS } from '@sightline/reports';
import { touch } from './accounts.ts';
import { CHANGES } from './daily-counts.ts';
import { noteSeen } from './derived-findings.ts';
import { findKnown, removeChanged, type UnchangedCounts } from './existing-reports.ts';
import { countExpiring } from './expiring-reports.ts';
import type { LoadSession } from './session.ts';
import { leaveOut, type ReportRows, stageReports } from './staged-reports.ts';

interface MergeResult extends UnchangedCounts {
  /** The number of loaded reports that `prune` will remove because of their age. */
  expiring: number;
}

/**
 * Replaces the reports with the same keys, in any month, and records the changes of the daily counts. Reports that
 * are already stored unchanged, and those that come too late, change nothing. No key can occur twice.
 */
export async function mergeReports(
  session: LoadSession,
  reports: ReportRows,
  deleted: ReportRows,
): Promise<MergeResult> {
  await session.temporary('load_change', CHANGES);
  await stageReports(session, reports, deleted);
  const { hasChanged, places, ...unchanged } = await findKnown(session);
  await leaveOut(session, reports, places);
  await session.query(
    'insert into load_change select account_id, type, day, directive, count, hours from load_added',
  );
  await touch(session, 'select distinct account_id as text from load_added');
  const expiring = await countExpiring(session);
  if (hasChanged) await removeChanged(session);
  if (reports.size > 0) {
    // In the order of the index, which takes half the time.
    await session.query(
      'insert into report_locator select account_id, key, date from load_report where date is not null order by key',
    );
    await session.copyBinary(`report (${REPORT_COLUMNS.join(', ')})`, reports.pieces());
    await noteSeen(session);
  }
  return { ...unchanged, expiring };
}
