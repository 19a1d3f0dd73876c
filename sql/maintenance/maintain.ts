import type { Sql } from 'postgres';
import { prune } from '../prune.ts';
import { dropExpiredMonths, makeMonthsAhead } from './months.ts';
import { indexRareFilters } from './rare-filters.ts';
import { rewriteClosedMonths } from './rewrite.ts';
import { refreshStatistics } from './statistics.ts';
import { inTurn } from './turn.ts';

export interface MaintainOptions {
  /** The UTC day as `YYYY-MM-DD`. */
  today: string;
  /** Takes a sentence on each step as soon as it is done. */
  tell(sentence: string): void;
}

/**
 * Keeps the database fast as it grows. Each step is whole by itself and may be repeated, so a run that is ended
 * half-way leaves nothing to clean up. Readers get right answers throughout; loads wait for the step at work, and
 * it for them. Answers with false, and does nothing, while another run is at work.
 * @param lock a second connection, which holds the turn
 */
export function maintain(sql: Sql, lock: Sql, { today, tell }: MaintainOptions): Promise<boolean> {
  return inTurn(lock, async () => {
    const made = await makeMonthsAhead(sql, today);
    tell(made.length ? `Made the partitions of ${list(made)}.` : 'No partition was missing.');
    const dropped = await dropExpiredMonths(sql, today);
    tell(dropped.length ? `Dropped ${list(dropped)}.` : 'No month is past every retention.');
    const { reports } = await prune(sql, today);
    tell(`Removed ${reports} ${reports === 1 ? 'report' : 'reports'} past their account's retention.`);
    const rewritten = await rewriteClosedMonths(sql, today, month => tell(`Put ${month} into order.`));
    if (rewritten.length === 0) tell('Every month that is over is in order.');
    tell(describeIndexes(await indexRareFilters(sql)));
    const refreshed = await refreshStatistics(sql);
    tell(refreshed.length ? `Refreshed the statistics of ${list(refreshed)}.` : 'All statistics are fresh.');
  });
}

function describeIndexes(result: Awaited<ReturnType<typeof indexRareFilters>>): string {
  if ('missing' in result) {
    return `No index for rare filters, which stay slow in large months: the extension "bloom" cannot be had (${result.missing}).`;
  }
  const { months } = result;
  return months.length
    ? `Indexed rare filters of ${list(months)}.`
    : 'Every month has its index for rare filters.';
}

function list(names: readonly string[]): string {
  return names.join(', ');
}
