import type { Parameter } from '@sightline/pg-client';
import type { AccountId } from '../account-id.ts';
import type { Database, TenantRow } from '../client.ts';
import type { GroupedReports } from '../groups/query.ts';
import { dailyTables } from '../groups/with-days.ts';
import { filterConditions } from '../report/conditions.ts';
import { dailySet } from '../report/daily-sets.ts';
import { NOISE_SQL } from '../report/source-class.ts';
import { toSeconds } from '../seconds.ts';
import type { SearchWindow } from './hourly.ts';

/** A blocked host, with its reports since it was first blocked. */
export interface FreshHost {
  host: string;
  /** True if the host did not occur in the days before. */
  isFresh: boolean;
  /** Whether it already occurred in the window, before the days without reports. */
  isAgain: boolean;
  /** True if the host is same-site with a page on which it was blocked. */
  isOwn: boolean;
  reports: number;
  count: number;
  /** In seconds since 1970. */
  first: number;
  last: number;
  /** Reports by day, numbered since 1970. */
  perDay: ReadonlyMap<number, number>;
}

/** The new hosts of a day, including those that are listed individually. */
export interface FreshDay {
  /** `YYYY-MM-DD` of their first report. */
  day: string;
  hosts: number;
  reports: number;
}

/** A domain with many new hosts. */
export interface HostFlood extends Pick<FreshHost, 'reports' | 'count' | 'first' | 'last'> {
  /** The last two labels that the hosts share, and an example host. */
  domain: string;
  host: string;
  hosts: number;
}

interface FreshRow extends TenantRow, Omit<FreshHost, 'perDay'> {
  day: string;
  per_day: string;
  place: number;
  flood: string | null;
  flood_hosts: number;
  day_hosts: number;
  day_reports: number;
  began: number;
}

/** The maximum number of hosts examined individually. */
const MOST = 500;
/** The maximum number of hosts that were blocked before and whose reports grow. */
const MOST_GROWING = 50;
/** The maximum number of domains with many hosts, largest first. */
const MOST_FLOODS = 20;
/** The minimum number of reports in four weeks to detect growth. */
const LEAST_GROWING = 40;

/** The last two labels of a host. */
const FOLDED = `substring(host from '[^.]+\\.[^.]+$')`;

/**
 * Returns blocked hosts whose first report since `since` follows this many days without one. Reports can be forged in
 * large numbers, so the first host of each hour and domain ranks above the second host of any; among these, flagged
 * hosts rank first, then those with more days and reports. Also returns hosts with twice as many reports in four weeks
 * as in the four weeks before.
 * @param quiet days
 * @param flood number of hosts at which a domain counts as a flood
 */
export async function freshHosts(
  db: Database,
  { account, from, since, until }: SearchWindow & { account: AccountId },
  quiet: number,
  flood: number,
): Promise<{ hosts: FreshHost[]; days: FreshDay[]; floods: HostFlood[]; began: number | undefined }> {
  const parameters: Parameter[] = [];
  const bind = (value: Parameter) => `$${parameters.push(value)}`;
  const query: GroupedReports = { account, type: 'csp', from, until, filters: {}, not: {} };
  const set = dailySet('csp', ['BLOCKED_HOST', 'SOURCE_CLASS', 'THREAT'])!;
  const [begin, end, days] = [bind(since), bind(until), bind(quiet)];
  const rows = await db.queryTenant<FreshRow>(
    account,
    `with ${dailyTables(query, [set], bind).join(',\n')},
    per_day as (
      select account_id, case when v2 in (${NOISE_SQL}) then '' else v1 end as host, day,
        bool_or(v2 in ('sameOrigin', 'sameSite')) as is_own, sum(reports) as reports,
        sum(count) as count, coalesce(sum(reports) filter (where v3 = 'true'), 0) as threats, min(first_seen) as first_seen,
        max(last_seen) as last_seen
      from daily group by account_id, 2, day),
    runs as (
      select *, first_seen > coalesce(lag(last_seen) over (partition by host order by day)
        + ${days}::float8 * interval '1 day', '-infinity') as is_first
      from per_day where host <> ''),
    since_first as (
      select *, max(first_seen) filter (where is_first) over (partition by host) as begins from runs),
    hosts as (
      select account_id, host, coalesce(bool_or(is_own), false) as "isOwn", begins as first_seen,
        max(last_seen) as last_seen, sum(reports) filter (where first_seen >= begins)::bigint as reports,
        sum(count) filter (where first_seen >= begins)::bigint as count, count(*) as days,
        sum(threats) * 2 > sum(reports) as is_threat, sum(reports) as total,
        coalesce(bool_or(first_seen < begins), false) as "isAgain", begins >= ${begin}::timestamptz as "isFresh",
        coalesce(sum(reports) filter (where last_seen >= ${end}::timestamptz - interval '28 days'), 0) as late,
        string_agg((day - date '1970-01-01') || ',' || reports, ' ' order by day) as per_day
      from since_first group by account_id, host, begins),
    fresh as (
      select *, to_char(first_seen at time zone 'UTC', 'YYYY-MM-DD') as day, ${FOLDED} as domain,
        count(*) over (partition by ${FOLDED}) >= ${bind(flood)}::int as is_flood
      from hosts where "isFresh"),
    floods as (
      select account_id, domain, min(host) as host, count(*) as hosts, sum(reports)::bigint as reports,
        sum(count)::bigint as count, min(first_seen) as first_seen, max(last_seen) as last_seen
      from fresh where is_flood and domain is not null group by account_id, domain
      order by count(*) desc, domain collate "C" limit ${MOST_FLOODS}),
    fair as (
      select *, row_number() over (partition by day order by is_threat desc, reports desc, host collate "C") as of_day,
        count(*) filter (where not is_flood) over (partition by day) as day_hosts,
        coalesce(sum(reports) filter (where not is_flood) over (partition by day), 0)::bigint as day_reports,
        row_number() over (partition by date_trunc('hour', first_seen), ${FOLDED}
          order by is_threat desc, days desc, reports desc, host collate "C") as of_domain,
        row_number() over (partition by date_trunc('hour', first_seen)
          order by is_threat desc, days desc, reports desc, host collate "C") as of_hour
      from fresh),
    ranked as (
      select *, row_number() over (order by of_domain, least(of_hour, 20), is_threat desc, days desc, reports desc,
        host collate "C") as place
      from fair),
    growing as (
      select *, '' as day, 0 as place, 0 as of_day, 0 as day_hosts, 0::bigint as day_reports
      from hosts where not "isFresh" and late >= ${LEAST_GROWING}
        and late >= 2 * (total - late)
      order by late desc, host collate "C" limit ${MOST_GROWING}),
    found as (
      select account_id, host, "isOwn", "isFresh", "isAgain", reports, count, first_seen, last_seen, per_day, day, place,
        of_day, day_hosts, day_reports, null as flood, 0 as flood_hosts
      from ranked
      union all
      select account_id, host, "isOwn", "isFresh", "isAgain", reports, count, first_seen, last_seen, per_day, day, place,
        of_day, day_hosts, day_reports, null, 0
      from growing
      union all
      select account_id, host, false, true, false, reports, count, first_seen, last_seen, '', '', 0, 0, 0, 0, domain, hosts
      from floods)
    select account_id, host, "isOwn", "isFresh", "isAgain", reports, count,
      ${toSeconds('first_seen')} as first, ${toSeconds('last_seen')} as last, per_day, day, place, day_hosts, day_reports, flood, flood_hosts,
      (select ${toSeconds('min(first_seen)')} from per_day) as began
    from found where place <= ${MOST} or of_day = 1`,
    parameters,
    { prepare: false },
  );
  const all = rows.objects();
  const found = all.filter(({ flood }) => flood === null);
  const perDay = new Map(
    found
      .filter(({ isFresh }) => isFresh)
      .map(({ day, day_hosts, day_reports }) => [day, { day, hosts: day_hosts, reports: day_reports }]),
  );
  return {
    hosts: found
      .filter(({ place }) => place <= MOST)
      .map(({ per_day, ...row }) => ({ ...row, perDay: toDays(per_day) })),
    floods: all.flatMap(({ flood, flood_hosts, host, reports, count, first, last }) =>
      flood === null ? [] : [{ domain: flood, host, hosts: flood_hosts, reports, count, first, last }],
    ),
    days: [...perDay.values()].sort((one, other) => (one.day < other.day ? -1 : 1)),
    began: found[0]?.began,
  };
}

const toDays = (text: string): Map<number, number> =>
  new Map(text.split(' ').map(one => one.split(',').map(Number) as [number, number]));

/** The reach of a blocked host, estimated from a sample of its reports. */
export interface HostReach {
  host: string;
  /** Whether there can be more reports than the sample has, so that browsers, pages and days are lower bounds. */
  isPartial: boolean;
  /** Kinds of browsers, by name and platform. */
  browsers: number;
  pages: number;
  /** Number of UTC days on which it was blocked. */
  days: number;
  /** An example path of a page, and the most frequent directive. */
  path: string;
  directive: string;
  /** The most frequent browser. */
  browser: string;
  /** Of the flagged reports, the share in which the host itself is flagged, from 0 to 1. */
  threat: number;
  /** Hosts of pages on which the host was blocked. */
  pageHosts: string[];
  /** The same for reports that suggest an attack: browsers, a page's path, and the most frequent directive. */
  attackBrowsers: number;
  attackPath: string;
  attackDirective: string;
}

/** The number of reports sampled per host, which is enough to show a wide reach. */
const SAMPLE = 100;
/** The maximum number of page hosts that are compared. */
const MOST_PAGE_HOSTS = 20;

/** Flags of the host itself. Other flags can concern the policy of a report. */
const OWN_FLAG = `(generated_domain or indicator_of_compromise or recently_registered_domain
  or low_reputation_domain or suspicious)`;

/** Case-insensitive regular expressions. */
export interface AttackPatterns {
  path: string;
  directive: string;
}

export async function measureReach(
  db: Database,
  { account, since, until }: SearchWindow & { account: AccountId },
  hosts: readonly string[],
  attack: AttackPatterns,
): Promise<Map<string, HostReach>> {
  if (hosts.length === 0) return new Map();
  const rows = await db.queryTenant<Omit<HostReach, 'pageHosts'> & { pageHosts: string } & TenantRow>(
    account,
    `select account_id, host, count(*) = ${SAMPLE} as "isPartial",
      count(distinct (browser, platform)) as browsers, count(distinct (host_reversed, path)) as pages,
      count(distinct (date at time zone 'UTC')::date) as days, coalesce(min(path), '') as path,
      coalesce(mode() within group (order by directive), '') as directive,
      coalesce(mode() within group (order by browser), '') as browser,
      avg(case when ${OWN_FLAG} then 1 else 0 end)::float8 as threat,
      array_to_string((array_agg(distinct reverse(host_reversed)))[1:${MOST_PAGE_HOSTS}], ' ') as "pageHosts",
      count(distinct (browser, platform)) filter (where is_attack) as "attackBrowsers",
      coalesce(mode() within group (order by path) filter (where is_attack), '') as "attackPath",
      coalesce(mode() within group (order by directive) filter (where is_attack), '') as "attackDirective"
    from (
      select report.*, host, path ~* $5 and directive ~* $6 as is_attack
      from unnest($2::text[]) as wanted (host) cross join lateral (
        select * from report
        where account_id = $1 and type = 'csp' and blocked_host_reversed = reverse(wanted.host)
          and date >= $3 and date < $4
        limit ${SAMPLE}) as report) as sample
    group by account_id, host`,
    [account, hosts, since, until, attack.path, attack.directive],
    { prepare: false },
  );
  return new Map(
    rows.objects().map(row => [row.host, { ...row, pageHosts: row.pageHosts.split(' ').filter(Boolean) }]),
  );
}

/** Returns the hosts that were already blocked between `oldest` and the start of the window. */
export async function findEarlierHosts(
  db: Database,
  { account, oldest, from }: { account: AccountId; oldest: string; from: string },
  hosts: readonly string[],
): Promise<ReadonlySet<string>> {
  if (hosts.length === 0) return new Set();
  const rows = await db.queryTenant<{ host: string } & TenantRow>(
    account,
    `select account_id, host from unnest($2::text[]) as wanted (host) cross join lateral (
      select account_id from report
      where account_id = $1 and type = 'csp' and blocked_host_reversed = reverse(wanted.host)
        and date >= $3 and date < $4
      limit 1) as earlier`,
    [account, hosts as string[], oldest, from],
    { prepare: false },
  );
  return new Set(rows.objects().map(({ host }) => host));
}

/** The browsers that reported hosts of a domain, from a sample of its reports. */
export interface DomainReach {
  domain: string;
  /** Kinds of browsers, by name and platform. */
  browsers: number;
  /** The most frequent browser. */
  browser: string;
}

/** The number of reports sampled per domain, newest first. */
const DOMAIN_SAMPLE = 500;

/** Counts the browsers that reported blocked subdomains of each domain, in a sample of its newest reports. */
export async function measureDomains(
  db: Database,
  { account, since, until }: SearchWindow & { account: AccountId },
  domains: readonly string[],
): Promise<Map<string, DomainReach>> {
  if (domains.length === 0) return new Map();
  const rows = await db.queryTenant<DomainReach & TenantRow>(
    account,
    `select account_id, domain, count(distinct (browser, platform)) as browsers,
      coalesce(mode() within group (order by browser), '') as browser
    from (
      select report.*, domain
      from unnest($2::text[]) as wanted (domain) cross join lateral (
        select account_id, browser, platform from report
        where account_id = $1 and type = 'csp' and date >= $3 and date < $4
          and (blocked_host_reversed collate "C") >= reverse(domain) || '.'
          and (blocked_host_reversed collate "C") < reverse(domain) || '/'
        order by date desc limit ${DOMAIN_SAMPLE}) as report) as sample
    group by account_id, domain`,
    [account, domains as string[], since, until],
    { prepare: false },
  );
  return new Map(rows.objects().map(row => [row.domain, row]));
}

/** A blocked host of a site, from a sample of its reports. */
export interface BlockedHost {
  host: string;
  /** Kinds of browsers, by name and platform. */
  browsers: number;
  /** True if threat intelligence flags the host itself. */
  threat: boolean;
}

/** The number of reports sampled per blocked host, which is enough to find two kinds of browsers. */
const SITE_SAMPLE = 100;

/** Returns who reported the hosts that a site's policy blocks. */
export async function findBlockedHosts(
  db: Database,
  { account, site, since, until }: { account: AccountId; site: string; since: string; until: string },
  hosts: readonly string[],
): Promise<readonly BlockedHost[]> {
  if (hosts.length === 0) return [];
  const parameters: Parameter[] = [account, hosts as string[], since, until, SITE_SAMPLE];
  const ofSite = filterConditions(
    { type: 'csp', filters: { hostnames: [site] } },
    value => `$${parameters.push(value)}`,
  );
  const rows = await db.queryTenant<BlockedHost & TenantRow>(
    account,
    `select account_id, host, count(distinct (browser, platform)) as browsers, bool_or(${OWN_FLAG}) as threat
    from unnest($2::text[]) as wanted (host) cross join lateral (
      select * from report
      where account_id = $1 and type = 'csp' and blocked_host_reversed = reverse(wanted.host)
        and date >= $3 and date < $4 and ${ofSite.join(' and ')}
      limit $5) as report
    group by account_id, host`,
    parameters,
    { prepare: false },
  );
  return rows.objects();
}
