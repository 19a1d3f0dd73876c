import type { Account } from '../../sql/account.ts';
import type { Database } from '../../sql/client.ts';
import type { Stretch } from '../../sql/signs/hourly.ts';
import { DAY, retentionStart } from '../entitlements.ts';

/** The account whose signs are searched, and the place to search. */
export interface Looked {
  account: Account;
  database: Database;
  now: Date;
  /** Signs that began from the first of these instants until before the second are told. */
  since: Date;
  until: Date;
}

/** Days of which the same hours say what is usual. */
export const USUAL_DAYS = 28;
/** Days that have to be known of a type before something is new in it, or unusual. */
export const LEARNING_DAYS = 7;
/** Days without a jump after which the next one is another. */
export const QUIET_DAYS = 3;

const midnight = (instant: number) => Math.floor(instant / DAY) * DAY;

/**
 * The reports that are read: from some days before the first that is looked at, but not beyond the retention.
 * @param before days
 * @param earlier days that are looked at, too, so that what began in them is not taken for new
 */
export function stretchOf({ account, now, since, until }: Looked, before: number, earlier = 0): Stretch {
  const begin = midnight(since.getTime()) - earlier * DAY;
  const oldest = retentionStart(account, now).getTime();
  const from = Math.max(begin - before * DAY, oldest);
  return {
    account: account.id,
    from: new Date(from).toISOString(),
    since: new Date(Math.max(begin, from)).toISOString(),
    until: until.toISOString(),
  };
}
