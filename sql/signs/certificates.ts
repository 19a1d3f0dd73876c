import type { AccountId } from '../account-id.ts';
import type { Database, OwnedRow } from '../client.ts';
import type { Stretch } from './hourly.ts';

/** What certificates name since `since` and none did in the days before. Times are seconds since 1970. */
export interface FreshName {
  /** An issuer, or a host name. */
  of: 'issuer' | 'host';
  name: string;
  /** The issuer of its first certificate, and some of the hosts that it names. */
  issuer: string;
  hosts: string[];
  reports: number;
  first: number;
  last: number;
  /** The first of all certificate reports that are looked at. */
  began: number;
}

interface FreshNameRow extends OwnedRow, Omit<FreshName, 'hosts'> {
  hosts: string;
}

/** Names that are looked at one by one, the first of them first. */
const MOST = 200;

/** The issuers and hosts whose first certificate since `since` has none before it for so many days. @param quiet days */
export async function freshNames(
  db: Database,
  { account, from, since, until }: Stretch & { account: AccountId },
  quiet: number,
): Promise<readonly FreshName[]> {
  const rows = await db.owned<FreshNameRow>(
    account,
    `with seen as materialized (
      select account_id, date, coalesce(issuer, '') as issuer, coalesce(hosts_reversed, '{}') as hosts
      from report where account_id = $1 and type = 'certificate_transparency' and date >= $2 and date < $4),
    named as (
      select account_id, 'issuer' as of, issuer as name, date, issuer, hosts from seen
      union all
      select account_id, 'host', reverse(host), date, issuer, hosts from seen, unnest(hosts) as host),
    fresh as (
      select account_id, of, name, (array_agg(issuer order by date) filter (where date >= $3))[1] as issuer,
        (array_agg(array_to_json(hosts) order by date) filter (where date >= $3))[1]::text as hosts,
        count(*) filter (where date >= $3) as reports,
        extract(epoch from min(date) filter (where date >= $3))::bigint as first,
        extract(epoch from max(date))::bigint as last
      from named where name <> '' group by account_id, of, name
      having min(date) filter (where date >= $3) > coalesce(
        max(date) filter (where date < $3) + $5::float8 * interval '1 day', '-infinity'))
    select *, (select extract(epoch from min(date)) from seen)::bigint as began
    from (select *, row_number() over (partition by of order by first, name collate "C") as place from fresh) as ranked
    where place <= ${MOST}`,
    [account, from, since, until, quiet],
  );
  return rows.objects().map(row => ({
    ...row,
    hosts: (JSON.parse(row.hosts) as string[]).map(host => [...host].reverse().join('')),
  }));
}
