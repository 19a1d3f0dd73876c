import type { CommandConnection } from '@sightline/postgres';
import type { Announcer } from '../changes/announcer.ts';
import { noteRun } from '../operator/last-run.ts';
import { classifySources } from './classify.ts';
import { keepReportGroups } from './kept-groups.ts';
import { nameSenders } from './mail.ts';
import { dropExpiredMonths, makeMonthsAhead } from './months.ts';
import { prune } from './prune.ts';
import { indexRareFilters } from './rare-filters.ts';
import { rewriteClosedMonths } from './rewrite.ts';
import { refreshStatistics } from './statistics.ts';
import { inTurn } from './turn.ts';
import { readViolations } from './violations.ts';

export interface MaintainOptions {
  announcer: Announcer;
  /** The UTC day as `YYYY-MM-DD`. */
  today: string;
  /** Takes a sentence on each step as soon as it is done. */
  tell(sentence: string): void;
  /** Only keeps groups: so little that it may be done each hour. */
  onlyGroups?: boolean;
}

/**
 * Keeps the database fast as it grows. Each step is whole by itself and may be repeated, so a run that is ended
 * half-way leaves nothing to clean up. Readers get right answers throughout; loads wait for the step at work, and
 * it for them. Answers with false, and does nothing, while another run is at work.
 * @param lock a second connection, which holds the turn
 */
export function maintain(
  sql: CommandConnection,
  lock: CommandConnection,
  options: MaintainOptions,
): Promise<boolean> {
  const { announcer, today, tell, onlyGroups = false } = options;
  return inTurn(lock, async () => {
    if (onlyGroups) return tellKeptGroups(sql, today, tell);
    const made = await makeMonthsAhead(sql, today);
    tell(made.length ? `Made the partitions of ${list(made)}.` : 'No partition was missing.');
    const dropped = await dropExpiredMonths(sql, announcer, today);
    tell(dropped.length ? `Dropped ${list(dropped)}.` : 'No month is past every retention.');
    const { reports } = await prune(sql, announcer, today);
    tell(`Removed ${reports} ${reports === 1 ? 'report' : 'reports'} past their account's retention.`);
    const classified = await classifySources(sql, announcer);
    if (classified.length > 0) tell(`Classified the blocked sources of ${list(classified)}.`);
    const read = await readViolations(sql, announcer);
    if (read.length > 0) tell(`Read what caused the CSP reports of ${list(read)}.`);
    const named = await nameSenders(sql, announcer);
    if (named > 0) tell(`Named the senders of ${named} DMARC reports.`);
    const rewritten = await rewriteClosedMonths(sql, today, month => tell(`Put ${month} into order.`));
    if (rewritten.length === 0) tell('Every month that is over is in order.');
    await tellKeptGroups(sql, today, tell);
    const { months, missing } = await indexRareFilters(sql, today);
    for (const reason of missing) tell(`Rare filters stay slow in large months: the extension ${reason}.`);
    tell(
      months.length
        ? `Indexed rare filters of ${list(months)}.`
        : 'No month lacks an index for rare filters.',
    );
    const refreshed = await refreshStatistics(sql);
    await sql.query(noteRun('maintain'));
    tell(refreshed.length ? `Refreshed the statistics of ${list(refreshed)}.` : 'All statistics are fresh.');
  });
}

async function tellKeptGroups(
  sql: CommandConnection,
  today: string,
  tell: MaintainOptions['tell'],
): Promise<void> {
  const { days, hours } = await keepReportGroups(sql, today);
  tell(
    days + hours > 0
      ? `Kept the groups of ${days} days and ${hours} hours with many reports.`
      : 'The groups of all days and hours with many reports are kept.',
  );
}

function list(names: readonly string[]): string {
  return names.join(', ');
}
