import { MS_PER_DAY } from '@sightline/reports';
import type { Account } from '../../sql/account.ts';
import type { Database } from '../../sql/client.ts';
import type { SearchWindow } from '../../sql/insights/hourly.ts';
import { retentionStart } from '../entitlements.ts';
import { RULES } from '../insight-rules.ts';

/** The account and period to search, and the database. */
export interface InsightScope {
  account: Account;
  database: Database;
  now: Date;
  /** Insights that began from `since` up to, but not including, `until`. */
  since: Date;
  until: Date;
}

/** The number of days whose same hours form the baseline. */
export const USUAL_DAYS = RULES.usualDays;
/** The minimum number of days of data before a type's values can be new or unusual. */
export const LEARNING_DAYS = RULES.learningDays;
/** The number of days without a spike after which the next one is a separate spike. */
export const QUIET_DAYS = 3;

/** Extends the scope to earlier insights that can still be ongoing. */
export const withOngoing = (scope: InsightScope): InsightScope => ({
  ...scope,
  since: new Date(scope.since.getTime() - RULES.ongoingDays * MS_PER_DAY),
});

const midnight = (instant: number) => Math.floor(instant / MS_PER_DAY) * MS_PER_DAY;

/**
 * The window of reports to read: from some days before the first examined one, limited by the retention.
 * @param before days for the baseline
 * @param earlier further days to examine, so that insights that began in them do not count as new
 */
export function toWindow(
  { account, now, since, until }: InsightScope,
  before: number,
  earlier = 0,
): SearchWindow {
  const begin = midnight(since.getTime()) - earlier * MS_PER_DAY;
  const oldest = retentionStart(account, now).getTime();
  const from = Math.max(begin - before * MS_PER_DAY, oldest);
  return {
    account: account.id,
    from: new Date(from).toISOString(),
    since: new Date(Math.max(begin, from)).toISOString(),
    until: until.toISOString(),
  };
}
