import type { FindingSource, Product } from '@sightline/feed';
import type { AccountId } from '../account-id.ts';
import type { Database, TenantRow } from '../client.ts';
import { toSeconds } from '../seconds.ts';
import type { SearchWindow } from './hourly.ts';

/** The hosts and policies that a watch found on a day, and that no watch of the account had found before. */
export interface FindingDay {
  product: Product;
  site: string;
  /** `YYYY-MM-DD`. */
  day: string;
  /** The number of hosts and policies. */
  found: number;
  count: number;
  /** The newest finding, truncated. */
  subject: string;
  /** In seconds since 1970. */
  first: number;
  last: number;
}

/** The maximum number of days reported, newest first. */
const MOST = 100;

/** The host of a finding's address in lower case, or null for a policy. */
const HOST = `lower(substring(subject from '^[a-zA-Z][a-zA-Z0-9+.-]*://([^/:?#]+)'))`;

/**
 * Returns the new findings of days that follow a number of days without any. Watches that find something all the time
 * give no insights, a further file of a known host is not new, and everything is new in the first days of a watch.
 */
export async function newFindings(
  db: Database,
  { account, since, until }: SearchWindow & { account: AccountId },
  quiet: number,
): Promise<readonly FindingDay[]> {
  const rows = await db.queryTenant<FindingDay & TenantRow>(
    account,
    `with firsts as (
      select distinct on (coalesce(${HOST}, subject)) * from watch_finding where account_id = $1
      order by coalesce(${HOST}, subject), first_seen, product, site_key, subject),
    found as (
      select *, lag(first_seen) over (partition by product, site_key order by first_seen, subject) as before
      from firsts)
    select account_id, product, site, to_char(first_seen at time zone 'UTC', 'YYYY-MM-DD') as day,
      count(*) as found, sum(count)::bigint as count,
      left((array_agg(subject order by first_seen desc, subject))[1], 500) as subject,
      ${toSeconds('min(first_seen)')} as first, ${toSeconds('max(last_seen)')} as last
    from watch join found using (account_id, product, site_key)
    where account_id = $1 and first_seen >= $2 and first_seen < $3
    group by account_id, product, site, 4 having bool_or(first_seen > before + $4::float8 * interval '1 day')
    order by first desc, site, product limit ${MOST}`,
    [account, since, until, quiet],
  );
  return rows.objects();
}

/** The findings of a watch on one host, or one policy of a policy watch. */
export interface FindingHost {
  product: Product;
  site: string;
  /** Empty if the findings have no host. */
  host: string;
  /** An example finding, truncated. */
  subject: string;
  source: FindingSource | null;
  findings: number;
  count: number;
  /** In seconds since 1970. */
  first: number;
  last: number;
}

interface FindingHostRow extends TenantRow, FindingHost {
  /** The number of findings on all hosts. */
  all: number;
}

/** The maximum number of hosts examined: those with the longest history, which is hardest to forge. */
const MOST_HOSTS = 2000;

/** Returns the hosts with findings since `since`, and the number of all findings since then. */
export async function listFindingHosts(
  db: Database,
  account: AccountId,
  { since, until }: { since: string; until: string },
): Promise<{ hosts: readonly FindingHost[]; all: number }> {
  const rows = await db.queryTenant<FindingHostRow>(
    account,
    `with found as (
      select f.account_id, f.product, f.site_key, coalesce(${HOST}, '') as host,
        subject, source, count, first_seen, last_seen
      from watch_finding f where f.account_id = $1 and first_seen >= $2 and first_seen < $3)
    select account_id, product, site, host, left(min(subject), 500) as subject, min(source) as source,
      count(*) as findings, sum(count)::bigint as count, ${toSeconds('min(first_seen)')} as first,
      ${toSeconds('max(last_seen)')} as last, (select count(*) from found) as "all"
    from watch join found using (account_id, product, site_key)
    where account_id = $1
    group by account_id, product, site, host, case when host = '' then subject end
    order by max(last_seen) - min(first_seen) desc, sum(count) desc, host, min(subject) limit ${MOST_HOSTS}`,
    [account, since, until],
    { prepare: false },
  );
  const hosts = rows.objects();
  return { hosts, all: hosts[0]?.all ?? 0 };
}
