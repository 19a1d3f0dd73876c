import type { Product } from '@sightline/feed/plans';
import type { ReportType } from '@sightline/reports';
import type { AccountId } from './account-id.ts';
import type { Database, OwnedRow } from './client.ts';
import { ANY_FLAG } from './report/conditions.ts';

/** The reports that are counted: instants, ISO 8601, of which the second is the first behind the period. */
export interface Measured {
  account: AccountId;
  from: string;
  until: string;
}

/** Counts of good and of bad things under a name. */
export interface NamedRow extends OwnedRow {
  /** '' where reports do not say. */
  name: string;
  /** All names but those of most, together. */
  isRest: boolean;
  good: number;
  bad: number;
}

/** Names that are told one by one: those of most. Anybody can make up more. */
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
  /** Certificates by issuer; none of them is bad. */
  certificates: { type: 'certificate_transparency', name: 'issuer', good: '1', bad: '0' },
} as const satisfies Record<string, { type: ReportType; name: string; good: string; bad: string }>;

export async function namedSums(
  db: Database,
  of: keyof typeof NAMED,
  { account, from, until }: Measured,
): Promise<readonly NamedRow[]> {
  const { type, name, good, bad } = NAMED[of];
  const rows = await db.owned<NamedRow>(
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

export interface LastRow extends OwnedRow {
  type: ReportType;
  /** Seconds since 1970. */
  last: number;
}

/** When the newest report of each type is from: a look at the end of an index each. */
export async function lastReports(
  db: Database,
  { account, from, until }: Measured,
): Promise<readonly LastRow[]> {
  const rows = await db.owned<LastRow>(
    account,
    `select account_id, type, extract(epoch from date)::bigint as last
    from unnest(enum_range(null::report_type)) as wanted (of) cross join lateral (
      select account_id, type, date from report
      where account_id = $1 and type = wanted.of and date >= $2 and date < $3 order by date desc limit 1) as report`,
    [account, from, until],
  );
  return rows.objects();
}

/** Reports with a sign of a threat. */
export async function threats(db: Database, { account, from, until }: Measured): Promise<number> {
  const rows = await db.owned<OwnedRow & { reports: number }>(
    account,
    `select account_id, count(*) as reports from report
    where account_id = $1 and type = 'csp' and date >= $2 and date < $3 and ${ANY_FLAG} group by account_id`,
    [account, from, until],
  );
  return rows.objects()[0]?.reports ?? 0;
}

/** The watches' findings that are new. */
export async function firstFindings(
  db: Database,
  { account, from, until }: Measured,
): Promise<readonly { product: Product; findings: number }[]> {
  const rows = await db.owned<OwnedRow & { product: Product; findings: number }>(
    account,
    `select account_id, product, count(*) as findings from watch_finding
    where account_id = $1 and first_seen >= $2 and first_seen < $3 group by account_id, product`,
    [account, from, until],
  );
  return rows.objects();
}
