import type { Parameter } from '@sightline/postgres';
import type { AccountId } from '../account-id.ts';
import type { Database, OwnedRow } from '../client.ts';
import type { GroupedReports } from '../groups/query.ts';
import { dailyTables } from '../groups/with-days.ts';
import { dailySet } from '../report/daily-sets.ts';
import { NOISE_SQL } from '../report/source-class.ts';
import type { Stretch } from './hourly.ts';

/** A blocked host that there was none of in the days before. */
export interface FreshHost {
  host: string;
  /** True: it is of the same site as a page that it was blocked on. */
  isOwn: boolean;
  reports: number;
  count: number;
  /** Seconds since 1970. */
  first: number;
  last: number;
}

/** The fresh hosts of a day, those that are told one by one among them. */
export interface FreshDay {
  /** `YYYY-MM-DD` of their first report. */
  day: string;
  hosts: number;
  reports: number;
}

interface FreshRow extends OwnedRow, FreshHost {
  day: string;
  place: number;
  day_hosts: number;
  day_reports: number;
  began: number;
}

/** Hosts that are looked at one by one. */
const MOST = 500;

/**
 * The blocked hosts whose first report since `since` has none before it for so many days. Hosts with signs of a
 * threat come first, then those with most reports. @param quiet days
 */
export async function freshHosts(
  db: Database,
  { account, from, since, until }: Stretch & { account: AccountId },
  quiet: number,
): Promise<{ hosts: FreshHost[]; days: FreshDay[]; began: number | undefined }> {
  const parameters: Parameter[] = [];
  const bind = (value: Parameter) => `$${parameters.push(value)}`;
  const query: GroupedReports = { account, type: 'csp', from, until, filters: {}, not: {} };
  const set = dailySet('csp', ['BLOCKED_HOST', 'SOURCE_CLASS', 'THREAT'])!;
  const [begin, days] = [bind(since), bind(quiet)];
  const rows = await db.owned<FreshRow>(
    account,
    `with ${dailyTables(query, [set], bind).join(',\n')},
    hosts as (
      select account_id, v1 as host, coalesce(bool_or(v2 in ('sameOrigin', 'sameSite')), false) as "isOwn",
        max(last_seen) filter (where last_seen < ${begin}::timestamptz) as before,
        min(first_seen) filter (where first_seen >= ${begin}::timestamptz) as first_seen, max(last_seen) as last_seen,
        coalesce(sum(reports) filter (where first_seen >= ${begin}::timestamptz), 0)::bigint as reports,
        coalesce(sum(count) filter (where first_seen >= ${begin}::timestamptz), 0)::bigint as count,
        coalesce(sum(reports) filter (where v3 = 'true'), 0) * 2 > sum(reports) as is_threat
      from daily where v1 <> '' and v2 not in (${NOISE_SQL}) group by account_id, v1),
    fresh as (
      select *, to_char(first_seen at time zone 'UTC', 'YYYY-MM-DD') as day
      from hosts where first_seen > coalesce(before + ${days}::float8 * interval '1 day', '-infinity')),
    ranked as (
      select *, row_number() over (order by is_threat desc, reports desc, host collate "C") as place,
        row_number() over (partition by day order by is_threat desc, reports desc, host collate "C") as of_day,
        count(*) over (partition by day) as day_hosts, sum(reports) over (partition by day)::bigint as day_reports
      from fresh)
    select account_id, host, "isOwn", reports, count, extract(epoch from first_seen)::bigint as first,
      extract(epoch from last_seen)::bigint as last, day, place, day_hosts, day_reports,
      (select extract(epoch from min(first_seen)) from daily)::bigint as began
    from ranked where place <= ${MOST} or of_day = 1`,
    parameters,
    { prepare: false },
  );
  const found = rows.objects();
  const perDay = new Map(
    found.map(({ day, day_hosts, day_reports }) => [day, { day, hosts: day_hosts, reports: day_reports }]),
  );
  return {
    hosts: found.filter(({ place }) => place <= MOST),
    days: [...perDay.values()].sort((one, other) => (one.day < other.day ? -1 : 1)),
    began: found[0]?.began,
  };
}

/** The reach of a blocked host, from its newest reports. */
export interface Reach {
  host: string;
  /** Kinds of browsers: names and platforms. */
  browsers: number;
  pages: number;
  /** An example of a page's path, and the directive of most. */
  path: string;
  directive: string;
  /** The share of the reports with a sign of a threat that is the host's own, 0 to 1. */
  threat: number;
}

/** Reports of a host that are looked at: what reaches far does so in few. */
const SAMPLE = 200;

/** Flags of the host itself: a sign can be about the policy of a report, too. */
const OWN_FLAG = `(generated_domain or indicator_of_compromise or recently_registered_domain
  or low_reputation_domain or suspicious)`;

export async function reachOf(
  db: Database,
  { account, since, until }: Stretch & { account: AccountId },
  hosts: readonly string[],
): Promise<Map<string, Reach>> {
  if (hosts.length === 0) return new Map();
  const rows = await db.owned<Reach & OwnedRow>(
    account,
    `select account_id, host, count(distinct (browser, platform)) as browsers,
      count(distinct (host_reversed, path)) as pages, coalesce(min(path), '') as path,
      coalesce(mode() within group (order by directive), '') as directive,
      avg(case when ${OWN_FLAG} then 1 else 0 end)::float8 as threat
    from unnest($2::text[]) as wanted (host) cross join lateral (
      select * from report
      where account_id = $1 and type = 'csp' and blocked_host_reversed = reverse(wanted.host)
        and date >= $3 and date < $4
      limit ${SAMPLE}) as report
    group by account_id, host`,
    [account, hosts, since, until],
    { prepare: false },
  );
  return new Map(rows.objects().map(row => [row.host, row]));
}
