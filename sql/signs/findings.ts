import type { Product } from '@sightline/feed/plans';
import type { AccountId } from '../account-id.ts';
import type { Database, OwnedRow } from '../client.ts';
import type { Stretch } from './hourly.ts';

/** The findings of a watch that were new on a day. */
export interface FindingDay {
  product: Product;
  site: string;
  /** `YYYY-MM-DD`. */
  day: string;
  findings: number;
  count: number;
  /** The newest, shortened. */
  subject: string;
  /** Seconds since 1970. */
  first: number;
  last: number;
}

/** Days of watches that are told at most, the newest first. */
const MOST = 100;

/**
 * The new findings of days before which a watch had found nothing new for so many days. One that finds something
 * all the time gives no signs. In its first days all is new.
 */
export async function newFindings(
  db: Database,
  { account, since, until }: Stretch & { account: AccountId },
  quiet: number,
): Promise<readonly FindingDay[]> {
  const rows = await db.owned<FindingDay & OwnedRow>(
    account,
    `with found as (
      select *, lag(first_seen) over (partition by product, site_key order by first_seen, subject) as before
      from watch_finding where account_id = $1)
    select account_id, product, site, to_char(first_seen at time zone 'UTC', 'YYYY-MM-DD') as day,
      count(*) as findings, sum(count)::bigint as count,
      left((array_agg(subject order by first_seen desc, subject))[1], 500) as subject,
      extract(epoch from min(first_seen))::bigint as first, extract(epoch from max(last_seen))::bigint as last
    from watch join found using (account_id, product, site_key)
    where account_id = $1 and first_seen >= $2 and first_seen < $3
    group by account_id, product, site, 4 having bool_or(first_seen > before + $4::float8 * interval '1 day')
    order by first desc, site, product limit ${MOST}`,
    [account, since, until, quiet],
  );
  return rows.objects();
}
