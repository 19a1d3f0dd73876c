import type { Product } from '@sightline/feed';
import type { ReportType } from '@sightline/reports';
import type { AccountId } from './account-id.ts';
import type { Database, TenantRow } from './client.ts';
import { ANY_FLAG } from './report/conditions.ts';

/** The period of the counted reports: first instant and end (exclusive), in ISO 8601. */
export interface MetricsPeriod {
  account: AccountId;
  from: string;
  until: string;
}

/** Counts of good and bad reports under a name. */
export interface NamedRow extends TenantRow {
  /** '' if the reports do not contain one. */
  name: string;
  /** True for the sum of all remaining names. */
  isRest: boolean;
  good: number;
  bad: number;
}

/**
 * Maximum number of labels with a time series of their own, those with the largest counts. Labels are untrusted, so
 * their number must be bounded.
 */
export const MOST_NAMES = 75;

const number = (field: string) => `coalesce((extra->>'${field}')::bigint, 0)`;

const NAMED = {
  /** Mails by domain, aligned or not. */
  mails: {
    type: 'dmarc',
    name: `lower(extra->>'headerFrom')`,
    good: `case when extra->>'aligned' = 'true' then count else 0 end`,
    bad: `case when extra->>'aligned' = 'true' then 0 else count end`,
  },
  /** Sessions by domain, encrypted or failed. */
  tlsSessions: {
    type: 'tls_rpt',
    name: `lower(extra->>'domain')`,
    good: number('successfulSessions'),
    bad: number('failedSessions'),
  },
  /** Certificates by issuer; all of them count as good. */
  certificates: { type: 'certificate_transparency', name: 'issuer', good: '1', bad: '0' },
} as const satisfies Record<string, { type: ReportType; name: string; good: string; bad: string }>;

export async function namedSums(
  db: Database,
  of: keyof typeof NAMED,
  { account, from, until }: MetricsPeriod,
): Promise<readonly NamedRow[]> {
  const { type, name, good, bad } = NAMED[of];
  const rows = await db.queryTenant<NamedRow>(
    account,
    `with named as (
      select account_id, coalesce(${name}, '') as name, least(sum(${good}), 9007199254740991)::bigint as good,
        least(sum(${bad}), 9007199254740991)::bigint as bad
      from report where account_id = $1 and type = '${type}' and date >= $2 and date < $3 group by account_id, 2),
    placed as (select *, row_number() over (order by good + bad desc, name collate "C") > ${MOST_NAMES} as "isRest" from named)
    select account_id, case when "isRest" then '' else name end as name, "isRest",
      least(sum(good), 9007199254740991)::bigint as good, least(sum(bad), 9007199254740991)::bigint as bad
    from placed group by account_id, "isRest", 2 order by "isRest", 2`,
    [account, from, until],
  );
  return rows.objects();
}

export interface LastRow extends TenantRow {
  type: ReportType;
  /** Seconds since 1970. */
  last: number;
}

/** Returns the time of the newest report of each type, with one index lookup per type. */
export async function lastReports(
  db: Database,
  { account, from, until }: MetricsPeriod,
): Promise<readonly LastRow[]> {
  const rows = await db.queryTenant<LastRow>(
    account,
    `select account_id, type, extract(epoch from date)::bigint as last
    from unnest(enum_range(null::report_type)) as wanted (of) cross join lateral (
      select account_id, type, date from report
      where account_id = $1 and type = wanted.of and date >= $2 and date < $3 order by date desc limit 1) as report`,
    [account, from, until],
  );
  return rows.objects();
}

/** Counts reports that threat intelligence has flagged. */
export async function threats(db: Database, { account, from, until }: MetricsPeriod): Promise<number> {
  const rows = await db.queryTenant<TenantRow & { reports: number }>(
    account,
    `select account_id, count(*) as reports from report
    where account_id = $1 and type = 'csp' and date >= $2 and date < $3 and ${ANY_FLAG} group by account_id`,
    [account, from, until],
  );
  return rows.objects()[0]?.reports ?? 0;
}

/** Counts the watches' new findings. */
export async function firstFindings(
  db: Database,
  { account, from, until }: MetricsPeriod,
): Promise<readonly { product: Product; findings: number }[]> {
  const rows = await db.queryTenant<TenantRow & { product: Product; findings: number }>(
    account,
    `select account_id, product, count(*) as findings from watch_finding
    where account_id = $1 and first_seen >= $2 and first_seen < $3 group by account_id, product`,
    [account, from, until],
  );
  return rows.objects();
}
