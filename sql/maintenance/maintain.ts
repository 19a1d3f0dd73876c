import type { CommandConnection } from '@sightline/pg-client';
import type { Announcer } from '../changes/announcer.ts';
import { noteRun } from '../operator/last-run.ts';
import { dropExpiredMonths, makeMonthsAhead } from './months.ts';
import { prune } from './prune.ts';
import { indexRareFilters } from './rare-filters.ts';
import { rewriteClosedMonths } from './rewrite.ts';
import { keepReportGroups } from './rollups.ts';
import { refreshStatistics } from './statistics.ts';
import { inTurn } from './turn.ts';

export interface MaintainOptions {
  announcer: Announcer;
  /** The UTC day as `YYYY-MM-DD`. */
  today: string;
  /** Receives a sentence about each finished step. */
  report(sentence: string): void;
  /** Receives the name of each step at its start, for a terminal. */
  begin?(step: string): void;
  /** Only computes rollups, which is fast enough to run every hour. */
  onlyGroups?: boolean;
  /**
   * Reads reports again whose type was unknown when they arrived. Returns the number of reports that now have their
   * type.
   */
  readOthersAgain?(sql: CommandConnection, announcer: Announcer): Promise<number>;
}

/**
 * Keeps the database fast as it grows. Each step is atomic and can be repeated, so an interrupted run leaves nothing to
 * clean up. Readers always get correct results; loads and steps wait for each other. Returns false and does nothing
 * while another run is active.
 * @param lock a second connection, which holds the run's lock
 */
export function maintain(
  sql: CommandConnection,
  lock: CommandConnection,
  options: MaintainOptions,
): Promise<boolean> {
  const { announcer, today, report, begin = () => {}, onlyGroups = false } = options;
  return inTurn(lock, async () => {
    if (onlyGroups) return reportRollups(sql, options);
    begin('Making partitions');
    const made = await makeMonthsAhead(sql, today);
    report(made.length ? `Created the partitions of ${list(made)}.` : 'No partition was missing.');
    const dropped = await dropExpiredMonths(sql, announcer, today);
    report(dropped.length ? `Dropped ${list(dropped)}.` : 'No month is past all retention periods.');
    begin('Looking for reports past their retention');
    const { reports } = await prune(sql, announcer, today);
    report(`Removed ${reports} ${reports === 1 ? 'report' : 'reports'} past their account's retention.`);
    await reportReadAgain(sql, options);
    const rewritten = await rewriteClosedMonths(sql, today, {
      begin: month => begin(`Putting ${month} into order`),
      report: month => report(`Put ${month} into order.`),
    });
    if (rewritten.length === 0) report('All past months are sorted.');
    await reportRollups(sql, options);
    const { months, missing } = await indexRareFilters(sql, today, begin);
    for (const reason of missing) report(`Rare filters stay slow in large months: the extension ${reason}.`);
    report(
      months.length
        ? `Indexed rare filters of ${list(months)}.`
        : 'No month lacks an index for rare filters.',
    );
    begin('Refreshing statistics');
    const refreshed = await refreshStatistics(sql);
    await sql.query(noteRun('maintain'));
    report(
      refreshed.length ? `Refreshed the statistics of ${list(refreshed)}.` : 'All statistics are fresh.',
    );
  });
}

async function reportReadAgain(
  sql: CommandConnection,
  { announcer, report, begin = () => {}, readOthersAgain }: MaintainOptions,
): Promise<void> {
  if (!readOthersAgain) return;
  begin('Looking for reports whose type is supported now');
  const read = await readOthersAgain(sql, announcer);
  if (read > 0)
    report(`Read ${read} ${read === 1 ? 'report' : 'reports'} again, whose type is supported now.`);
}

async function reportRollups(
  sql: CommandConnection,
  { today, report, begin = () => {} }: MaintainOptions,
): Promise<void> {
  const { days, hours } = await keepReportGroups(sql, today, begin);
  const computed = [...describeCount(days, 'day'), ...describeCount(hours, 'hour')];
  report(
    computed.length > 0
      ? `Computed rollups for ${computed.join(' and ')} with many reports.`
      : 'All days and hours with many reports have rollups.',
  );
}

/** Returns an empty list for 0. */
function describeCount(number: number, unit: string): string[] {
  return number === 0 ? [] : [`${number} ${number === 1 ? unit : `${unit}s`}`];
}

function list(names: readonly string[]): string {
  return names.join(', ');
}
