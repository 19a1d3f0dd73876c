import type { Parameter } from '@sightline/postgres';
import type { AccountId } from '../account-id.ts';
import type { Database, OwnedRow } from '../client.ts';
import { dailyTables } from '../groups/with-days.ts';
import { CERTIFICATES } from '../report/sign-sets.ts';
import type { Stretch } from './hourly.ts';

/** A name in certificates since `since` that none had in the days before. Times are seconds since 1970. */
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
  const parameters: Parameter[] = [];
  const bind = (value: Parameter) => `$${parameters.push(value)}`;
  const type = 'certificate_transparency';
  const tables = dailyTables({ account, type, from, until, filters: {}, not: {} }, [CERTIFICATES], bind);
  const [begin, days] = [bind(since), bind(quiet)];
  const rows = await db.owned<FreshNameRow>(
    account,
    `with ${tables.join(',\n')},
    seen as materialized (
      select account_id, v1 as issuer, coalesce(string_to_array(nullif(v2, ''), ' '), '{}') as hosts, reports,
        first_seen, last_seen, first_seen >= ${begin}::timestamptz as is_new
      from daily),
    named as (
      select seen.*, 'issuer' as of, issuer as name from seen
      union all
      select seen.*, 'host', reverse(host) from seen, unnest(hosts) as host),
    fresh as (
      select account_id, of, name, (array_agg(issuer order by first_seen) filter (where is_new))[1] as issuer,
        (array_agg(array_to_json(hosts) order by first_seen) filter (where is_new))[1]::text as hosts,
        sum(reports) filter (where is_new)::bigint as reports,
        extract(epoch from min(first_seen) filter (where is_new))::bigint as first,
        extract(epoch from max(last_seen))::bigint as last
      from named where name <> '' group by account_id, of, name
      having min(first_seen) filter (where is_new) > coalesce(
        max(last_seen) filter (where not is_new) + ${days}::float8 * interval '1 day', '-infinity'))
    select *, (select extract(epoch from min(first_seen)) from seen)::bigint as began
    from (select *, row_number() over (partition by of order by first, name collate "C") as place from fresh) as ranked
    where place <= ${MOST}`,
    parameters,
    { prepare: false },
  );
  return rows.objects().map(row => ({
    ...row,
    hosts: (JSON.parse(row.hosts) as string[]).map(host => [...host].reverse().join('')),
  }));
}
