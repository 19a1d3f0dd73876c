import { MS_PER_DAY } from '@sightline/reports';

/**
 * Returns the problem of a period that begins before the oldest reports of the account, if it does.
 * @param days for which the plan keeps reports
 */
export function findRetentionGaps(from: string, days: number | undefined, now: Date): string[] {
  if (days === undefined) return [];
  const oldest = (Math.floor(now.getTime() / MS_PER_DAY) - days) * MS_PER_DAY;
  return Date.parse(from) < oldest
    ? [`The plan keeps reports for ${days} days only. Use --since ${days}d.`]
    : [];
}
