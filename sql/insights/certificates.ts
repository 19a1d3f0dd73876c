import { eachInTurns, nextTurn } from '@sightline/csp';
import type { Parameter } from '@sightline/pg-client';
import { reverseHost } from '@sightline/reports';
import type { AccountId } from '../account-id.ts';
import type { Database, TenantRow } from '../client.ts';
import { dailyTables } from '../groups/with-days.ts';
import { CERTIFICATES } from '../report/insight-sets.ts';
import { toSeconds } from '../seconds.ts';
import type { SearchWindow } from './hourly.ts';

/**
 * A name that first occurred in certificates at or after `since`, and not in the days before. Times are in seconds
 * since 1970.
 */
export interface FreshName {
  /** An issuer's organisation, or a host name. */
  of: 'issuer' | 'host';
  name: string;
  /** The issuer of the first certificate, its first hosts, and how many it has. */
  issuer: string;
  hosts: string[];
  hostCount: number;
  reports: number;
  first: number;
  last: number;
  /** The time of the first examined certificate report. */
  began: number;
}

interface FreshNameRow extends TenantRow, Omit<FreshName, 'hosts'> {
  hosts: string;
}

/**
 * The organisation in a distinguished name. Issuing certificates are renewed, and the renewed one is not a new issuer.
 */
const ORGANISATION = `'(?i)(?:^|[,/+])\\s*O=([^,/+]+)'`;

/** The maximum number of names examined, earliest first. */
const MOST = 200;
/** The maximum number of hosts per certificate. Others only count. */
const MOST_HOSTS = 100;

/**
 * Returns issuers and hosts whose first certificate since `since` follows this many days without one. @param quiet days
 */
export async function freshNames(
  db: Database,
  { account, from, since, until }: SearchWindow & { account: AccountId },
  quiet: number,
): Promise<readonly FreshName[]> {
  const parameters: Parameter[] = [];
  const bind = (value: Parameter) => `$${parameters.push(value)}`;
  const type = 'certificate_transparency';
  const tables = dailyTables({ account, type, from, until, filters: {}, not: {} }, [CERTIFICATES], bind);
  const [begin, days] = [bind(since), bind(quiet)];
  const rows = await db.queryTenant<FreshNameRow>(
    account,
    `with ${tables.join(',\n')},
    seen as materialized (
      select account_id, v1 as issuer, coalesce(string_to_array(nullif(v2, ''), ' '), '{}') as hosts, reports,
        first_seen, last_seen, first_seen >= ${begin}::timestamptz as is_new
      from daily),
    named as (
      select seen.*, 'issuer' as of, coalesce(substring(issuer from ${ORGANISATION}), issuer) as name from seen
      union all
      select seen.*, 'host', reverse(host) from seen, unnest(hosts) as host),
    fresh as (
      select account_id, of, name, (array_agg(issuer order by first_seen) filter (where is_new))[1] as issuer,
        (array_agg(array_to_json(hosts[:${MOST_HOSTS}]) order by first_seen) filter (where is_new))[1]::text as hosts,
        (array_agg(cardinality(hosts) order by first_seen) filter (where is_new))[1] as "hostCount",
        sum(reports) filter (where is_new)::bigint as reports,
        ${toSeconds('min(first_seen) filter (where is_new)')} as first,
        ${toSeconds('max(last_seen)')} as last
      from named where name <> '' group by account_id, of, name
      having min(first_seen) filter (where is_new) > coalesce(
        max(last_seen) filter (where not is_new) + ${days}::float8 * interval '1 day', '-infinity'))
    select *, (select ${toSeconds('min(first_seen)')} from seen) as began
    from (select *, row_number() over (partition by of order by first, name collate "C") as place from fresh) as ranked
    where place <= ${MOST}`,
    parameters,
    { prepare: false },
  );
  const names: FreshName[] = [];
  const addName = (row: FreshNameRow) => {
    names.push({ ...row, hosts: (JSON.parse(row.hosts) as string[]).map(reverseHost) });
  };
  // Each row can have long hosts.
  await eachInTurns(await rows.objectsInTurns(nextTurn), addName, 1);
  return names;
}
