import type { AccountId } from '../account-id.ts';
import type { Database, OwnedRow } from '../client.ts';
import { UTC_DAY } from '../report/dimensions.ts';
import type { Stretch } from './hourly.ts';

/** The sessions of a domain's mail that a day's TLS reports tell of. */
export interface TlsDay {
  domain: string;
  /** `YYYY-MM-DD`. */
  day: string;
  failed: number;
  sessions: number;
  /** The kind of failure of most reports; '' where none is told. */
  failure: string;
  /** The mail exchanger that most failures name; '' where none does. */
  exchanger: string;
  /** Seconds since 1970 of the first report with failures, and of the last report. */
  first: number;
  last: number;
}

/** Domains that are looked at: those with most sessions. */
const MOST_DOMAINS = 100;

const number = (field: string) => `coalesce((extra->>'${field}')::bigint, 0)`;

export async function tlsDays(
  db: Database,
  { account, from, until }: Stretch & { account: AccountId },
): Promise<readonly TlsDay[]> {
  const rows = await db.owned<TlsDay & OwnedRow>(
    account,
    `with daily as (
      select account_id, coalesce(extra->>'domain', '') as domain, to_char(${UTC_DAY}, 'YYYY-MM-DD') as day,
        sum(${number('failedSessions')})::bigint as failed,
        sum(${number('failedSessions')} + ${number('successfulSessions')})::bigint as sessions,
        coalesce(mode() within group (order by extra #>> '{failureDetails,0,resultType}'), '') as failure,
        coalesce(mode() within group (order by extra #>> '{failureDetails,0,receivingMxHostname}'), '') as exchanger,
        extract(epoch from coalesce(min(date) filter (where ${number('failedSessions')} > 0), min(date)))::bigint as first,
        extract(epoch from max(date))::bigint as last
      from report where account_id = $1 and type = 'tls_rpt' and date >= $2 and date < $3
      group by account_id, 2, 3),
    ranked as (
      select domain from daily group by domain order by sum(sessions) desc, domain collate "C" limit ${MOST_DOMAINS})
    select daily.* from daily join ranked using (domain) order by day`,
    [account, from, until],
  );
  return rows.objects();
}

/** Who sends aggregate reports about mail, and on how many days of a fortnight he did until he sent the last. */
export interface Reporter {
  type: 'dmarc' | 'tls_rpt';
  reporter: string;
  days: number;
  reports: number;
  /** Seconds since 1970. */
  last: number;
}

const FORTNIGHT = 14;

/** Those who came on all but so many days. */
export async function regularReporters(
  db: Database,
  { account, from, until }: Stretch & { account: AccountId },
  missed: number,
): Promise<readonly Reporter[]> {
  const rows = await db.owned<Reporter & OwnedRow>(
    account,
    `with daily as (
      select account_id, type, coalesce(extra->>'reporter', '') as reporter, ${UTC_DAY} as day, count(*) as reports,
        max(date) as last_seen
      from report where account_id = $1 and type = any(array['dmarc', 'tls_rpt']::report_type[])
        and date >= $2 and date < $3
      group by account_id, type, 3, 4),
    latest as (select *, max(day) over (partition by type, reporter) as latest_day from daily)
    select account_id, type, reporter, count(*) as days, sum(reports)::bigint as reports,
      extract(epoch from max(last_seen))::bigint as last
    from latest where reporter <> '' and day > latest_day - ${FORTNIGHT}
    group by account_id, type, reporter having count(*) >= ${FORTNIGHT} - $4::int
    order by reports desc limit 1000`,
    [account, from, until, missed],
  );
  return rows.objects();
}
