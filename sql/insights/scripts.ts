import type { Parameter } from '@sightline/pg-client';
import type { AccountId } from '../account-id.ts';
import type { Database, TenantRow } from '../client.ts';
import { dailyTables } from '../groups/with-days.ts';
import { SCRIPTS } from '../report/insight-sets.ts';
import { toSeconds } from '../seconds.ts';
import type { SearchWindow } from './hourly.ts';

/** A hash of a script, with its reports in the period. Times are in seconds since 1970. */
export interface ScriptHash {
  script: string;
  hash: string;
  reports: number;
  /** The number of browser names. */
  browsers: number;
  first: number;
  last: number;
}

interface ScriptRow extends TenantRow, ScriptHash {
  began: number;
}

/** The maximum number of scripts examined: those reported for the longest time, which is hardest to forge. */
const MOST_SCRIPTS = 300;
/** The maximum number of hashes examined per script, newest first. A script with more of them changes constantly. */
const MOST_HASHES = 12;

/** Returns the hashes of scripts that have a new hash since `since`, and the time of the first script report. */
export async function listChangedScripts(
  db: Database,
  { account, from, since, until }: SearchWindow & { account: AccountId },
): Promise<{ hashes: readonly ScriptHash[]; began: number | undefined }> {
  const parameters: Parameter[] = [];
  const bind = (value: Parameter) => `$${parameters.push(value)}`;
  const query = { account, type: 'csp_integrity', from, until, filters: {}, not: {} } as const;
  const tables = dailyTables(query, [SCRIPTS], bind);
  const begin = bind(since);
  const rows = await db.queryTenant<ScriptRow>(
    account,
    `with ${tables.join(',\n')},
    seen as materialized (
      select account_id, v1 as script, v2 as hash, sum(reports)::bigint as reports, count(distinct v3) as browsers,
        min(first_seen) as first_seen, max(last_seen) as last_seen
      from daily where v1 <> '' and v2 <> '' group by account_id, v1, v2),
    changed as (
      select script from seen group by script
      having count(*) > 1 and max(first_seen) >= ${begin}::timestamptz and max(first_seen) > min(first_seen)
      order by min(first_seen), sum(reports) desc, script collate "C" limit ${MOST_SCRIPTS}),
    ranked as (
      select seen.*, row_number() over (partition by script order by first_seen desc, hash collate "C") as place
      from seen join changed using (script))
    select account_id, script, hash, reports, browsers, ${toSeconds('first_seen')} as first,
      ${toSeconds('last_seen')} as last,
      (select ${toSeconds('min(first_seen)')} from seen) as began
    from ranked where place <= ${MOST_HASHES} order by script, first_seen, hash collate "C"`,
    parameters,
    { prepare: false },
  );
  const hashes = rows.objects();
  return { hashes, began: hashes[0]?.began };
}

/** Pages that loaded a script with a given hash, from a sample of the first reports. */
export interface ScriptPages {
  hash: string;
  /** The number of sampled reports, and of their pages. */
  sampled: number;
  pages: number;
  /** A path of a payment, login or account page if there is one, otherwise the most frequent path. */
  path: string;
  isSensitive: boolean;
  pageHosts: string[];
}

/** The maximum number of reports read from the first one of a hash, and the number sampled from these. */
const READ = 10_000;
const SAMPLE = 200;
const MOST_PAGE_HOSTS = 20;

/** @param sensitive a case-insensitive regular expression for paths */
export async function sampleScriptPages(
  db: Database,
  { account, until }: SearchWindow & { account: AccountId },
  hashes: readonly Pick<ScriptHash, 'hash' | 'first'>[],
  sensitive: string,
): Promise<Map<string, ScriptPages>> {
  if (hashes.length === 0) return new Map();
  const rows = await db.queryTenant<Omit<ScriptPages, 'pageHosts'> & { pageHosts: string } & TenantRow>(
    account,
    `select account_id, wanted_hash as hash, count(*) as sampled, count(distinct (host_reversed, path)) as pages,
      coalesce(mode() within group (order by path) filter (where path ~* $5), mode() within group (order by path), '')
        as path,
      coalesce(bool_or(path ~* $5), false) as "isSensitive",
      array_to_string((array_agg(distinct reverse(host_reversed)))[1:${MOST_PAGE_HOSTS}], ' ') as "pageHosts"
    from (
      select report.*, wanted.hash as wanted_hash
      from unnest($2::text[], $3::float8[]) as wanted (hash, first) cross join lateral (
        select * from (
          select account_id, hash, host_reversed, path from report
          where account_id = $1 and type = 'csp_integrity' and date >= to_timestamp(wanted.first) and date < $4
          order by date limit ${READ}) as next
        where next.hash = wanted.hash limit ${SAMPLE}) as report) as sample
    group by account_id, wanted_hash`,
    [account, hashes.map(({ hash }) => hash), hashes.map(({ first }) => String(first)), until, sensitive],
    { prepare: false },
  );
  return new Map(
    rows.objects().map(row => [row.hash, { ...row, pageHosts: row.pageHosts.split(' ').filter(Boolean) }]),
  );
}
