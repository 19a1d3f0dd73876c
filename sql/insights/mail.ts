import type { Parameter } from '@sightline/pg-client';
import type { ReportType } from '@sightline/reports';
import type { AccountId } from '../account-id.ts';
import type { Database, TenantRow } from '../client.ts';
import { dailyTables } from '../groups/with-days.ts';
import { type DailySet, dailySet } from '../report/daily-sets.ts';
import {
  AUTHENTICATION,
  type InsightSet,
  TLS_FAILURES,
  TLS_REPORTERS,
  TLS_SESSIONS,
} from '../report/insight-sets.ts';
import { toSeconds } from '../seconds.ts';
import type { SearchWindow } from './hourly.ts';

/** The mail sessions of a domain in the TLS reports of a day. */
export interface TlsDay {
  domain: string;
  /** `YYYY-MM-DD`. */
  day: string;
  failed: number;
  sessions: number;
  /** The number of reports with failures. */
  failedReports: number;
  /** The most frequent kind of failure; '' if the reports name none. */
  failure: string;
  /** The mail exchanger named by most failures; '' if none is. */
  exchanger: string;
  /** The sending service that reported most failures. */
  reporter: string;
  /** Times of the first report with failures and of the last report, in seconds since 1970. */
  first: number;
  last: number;
}

/** The maximum number of domains examined, those with the most sessions. */
const MOST_DOMAINS = 100;

export async function tlsDays(
  db: Database,
  { account, from, until }: SearchWindow & { account: AccountId },
): Promise<readonly TlsDay[]> {
  const parameters: Parameter[] = [];
  const bind = (value: Parameter) => `$${parameters.push(value)}`;
  const query = { account, type: 'tls_rpt', from, until, filters: {}, not: {} } as const;
  const of = (set: InsightSet) => `from daily where way = '${set.name}'`;
  const most = (name: string, column: string) => `${name} as (
      select domain, day, value as ${name} from (
        select split_part(v1, ' ', 1) as domain, day, ${column} as value,
          row_number() over (partition by split_part(v1, ' ', 1), day order by sum(reports) desc, ${column} collate "C") as place
        ${of(TLS_FAILURES)} and ${column} <> '' and count > 0 group by 1, 2, 3) as ranked where place = 1)`;
  const rows = await db.queryTenant<TlsDay & TenantRow>(
    account,
    `with ${dailyTables(query, [TLS_FAILURES, TLS_SESSIONS], bind).join(',\n')},
    ${most('failure', `substr(v2, strpos(v2, ' ') + 1)`)},
    ${most('exchanger', 'v3')},
    ${most('reporter', `substr(v1, strpos(v1, ' ') + 1)`)},
    sessions as (select v1 as domain, day, sum(count)::bigint as sessions ${of(TLS_SESSIONS)} group by 1, 2),
    failed as (
      select account_id, split_part(v1, ' ', 1) as domain, day, sum(count)::bigint as failed,
        coalesce(sum(reports) filter (where v2 like 't%'), 0)::bigint as failed_reports,
        coalesce(min(first_seen) filter (where v2 like 't%'), min(first_seen)) as first_seen, max(last_seen) as last_seen
      ${of(TLS_FAILURES)} group by 1, 2, 3),
    ranked as (
      select domain from sessions group by domain order by sum(sessions) desc, domain collate "C" limit ${MOST_DOMAINS})
    select account_id, domain, to_char(day, 'YYYY-MM-DD') as day, failed, sessions,
      failed_reports as "failedReports", coalesce(failure, '') as failure,
      coalesce(exchanger, '') as exchanger, coalesce(reporter, '') as reporter, ${toSeconds('first_seen')} as first,
      ${toSeconds('last_seen')} as last
    from failed join sessions using (domain, day) join ranked using (domain)
      left join failure using (domain, day) left join exchanger using (domain, day)
      left join reporter using (domain, day)
    order by day`,
    parameters,
    { prepare: false },
  );
  return rows.objects();
}

/** The messages of a sender on a day, by DKIM and SPF results. */
export interface AuthenticationDay {
  sender: string;
  /** `YYYY-MM-DD`. */
  day: string;
  messages: number;
  /** The number of report rows. */
  rows: number;
  dkim: number;
  spf: number;
  /** Messages that only the other method aligns. */
  dkimFails: number;
  spfFails: number;
  /** The number of report rows with such messages. */
  dkimReports: number;
  spfReports: number;
  /** The most frequent failure: its selector or domain, and the result. */
  dkimFailed: string;
  spfFailed: string;
  /** Times of the first and last such message, in seconds since 1970. */
  first: number;
  last: number;
}

/** The maximum number of senders examined, those with the most messages. */
const MOST_SENDERS = 100;

export async function authenticationDays(
  db: Database,
  { account, from, until }: SearchWindow & { account: AccountId },
): Promise<readonly AuthenticationDay[]> {
  const parameters: Parameter[] = [];
  const bind = (value: Parameter) => `$${parameters.push(value)}`;
  const query = { account, type: 'dmarc', from, until, filters: {}, not: {} } as const;
  const sum = (condition: string, of = 'count') =>
    `coalesce(sum(${of}) filter (where ${condition}), 0)::bigint`;
  const onlySpf = `v2 like '% pass' and v2 not like 'pass %'`;
  const onlyDkim = `v2 like 'pass %' and v2 not like '% pass'`;
  const most = (condition: string) =>
    `coalesce((array_agg(v3 order by count desc, v3 collate "C") filter (where ${condition}))[1], '')`;
  const rows = await db.queryTenant<AuthenticationDay & TenantRow>(
    account,
    `with ${dailyTables(query, [AUTHENTICATION], bind).join(',\n')},
    top as (
      select v1 from daily where v1 <> '' group by v1 order by sum(count) desc, v1 collate "C" limit ${MOST_SENDERS})
    select account_id, v1 as sender, to_char(day, 'YYYY-MM-DD') as day, sum(count)::bigint as messages, sum(reports)::bigint as rows,
      ${sum(`v2 like 'pass %'`)} as dkim, ${sum(`v2 like '% pass'`)} as spf,
      ${sum(onlySpf)} as "dkimFails", ${sum(onlyDkim)} as "spfFails",
      ${sum(onlySpf, 'reports')} as "dkimReports", ${sum(onlyDkim, 'reports')} as "spfReports",
      ${most(onlySpf)} as "dkimFailed", ${most(onlyDkim)} as "spfFailed",
      ${toSeconds(`coalesce(min(first_seen) filter (where ${onlySpf} or ${onlyDkim}), min(first_seen))`)} as first,
      ${toSeconds('max(last_seen)')} as last
    from daily join top using (v1) group by account_id, v1, day order by day`,
    parameters,
    { prepare: false },
  );
  return rows.objects();
}

/** A sender of aggregate mail reports, with the number of days that had a report in the 14 days before its last one. */
export interface Reporter {
  type: 'dmarc' | 'tls_rpt' | 'csp';
  /** A reporter, or the host of a site. */
  reporter: string;
  days: number;
  reports: number;
  /** In seconds since 1970. */
  last: number;
}

const FORTNIGHT = 14;

/** Returns reporters of the mail report types among these that missed at most the given number of days. */
export async function regularReporters(
  db: Database,
  types: ReadonlySet<ReportType>,
  window: SearchWindow & { account: AccountId },
  missed: number,
): Promise<readonly Reporter[]> {
  const found = await Promise.all([
    types.has('dmarc') ? listReporters(db, 'dmarc', dailySet('dmarc', ['REPORTER'])!, window, missed) : [],
    types.has('tls_rpt') ? listReporters(db, 'tls_rpt', TLS_REPORTERS, window, missed) : [],
  ]);
  return found.flat();
}

/** Returns sites whose pages were reported on each of the given number of days. */
export const regularSites = (db: Database, window: SearchWindow & { account: AccountId }) =>
  listReporters(db, 'csp', dailySet('csp', ['PAGE_HOST'])!, window, 0);

async function listReporters(
  db: Database,
  type: Reporter['type'],
  set: DailySet,
  { account, from, until }: SearchWindow,
  missed: number,
): Promise<readonly Reporter[]> {
  const parameters: Parameter[] = [];
  const bind = (value: Parameter) => `$${parameters.push(value)}`;
  const tables = dailyTables({ account, type, from, until, filters: {}, not: {} }, [set], bind);
  const rows = await db.queryTenant<Reporter & TenantRow>(
    account,
    `with ${tables.join(',\n')},
    days as (
      select account_id, v1 as reporter, day, sum(reports) as reports, max(last_seen) as last_seen
      from daily where v1 <> '' group by 1, 2, 3),
    latest as (select *, max(day) over (partition by reporter) as latest_day from days)
    select account_id, '${type}' as type, reporter, count(*) as days, sum(reports)::bigint as reports,
      ${toSeconds('max(last_seen)')} as last
    from latest where day > latest_day - ${FORTNIGHT}
    group by account_id, reporter having count(*) >= ${FORTNIGHT} - ${bind(missed)}::int
    order by reports desc, reporter collate "C" limit 1000`,
    parameters,
    { prepare: false },
  );
  return rows.objects();
}
