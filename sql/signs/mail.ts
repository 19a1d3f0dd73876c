import type { Parameter } from '@sightline/postgres';
import type { AccountId } from '../account-id.ts';
import type { Database, OwnedRow } from '../client.ts';
import { dailyTables } from '../groups/with-days.ts';
import { type DailySet, dailySet } from '../report/daily-sets.ts';
import { type SignSet, TLS_FAILURES, TLS_REPORTERS, TLS_SESSIONS } from '../report/sign-sets.ts';
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

export async function tlsDays(
  db: Database,
  { account, from, until }: Stretch & { account: AccountId },
): Promise<readonly TlsDay[]> {
  const parameters: Parameter[] = [];
  const bind = (value: Parameter) => `$${parameters.push(value)}`;
  const query = { account, type: 'tls_rpt', from, until, filters: {}, not: {} } as const;
  const of = (set: SignSet) => `from daily where way = '${set.name}'`;
  const most = (name: string, column: string) => `${name} as (
      select domain, day, value as ${name} from (
        select v1 as domain, day, ${column} as value,
          row_number() over (partition by v1, day order by sum(reports) desc, ${column} collate "C") as place
        ${of(TLS_FAILURES)} and ${column} <> '' group by 1, 2, 3) as ranked where place = 1)`;
  const rows = await db.owned<TlsDay & OwnedRow>(
    account,
    `with ${dailyTables(query, [TLS_FAILURES, TLS_SESSIONS], bind).join(',\n')},
    ${most('failure', `substr(v2, strpos(v2, ' ') + 1)`)},
    ${most('exchanger', 'v3')},
    sessions as (select v1 as domain, day, sum(count)::bigint as sessions ${of(TLS_SESSIONS)} group by 1, 2),
    failed as (
      select account_id, v1 as domain, day, sum(count)::bigint as failed,
        coalesce(min(first_seen) filter (where v2 like 't%'), min(first_seen)) as first_seen, max(last_seen) as last_seen
      ${of(TLS_FAILURES)} group by 1, 2, 3),
    ranked as (
      select domain from sessions group by domain order by sum(sessions) desc, domain collate "C" limit ${MOST_DOMAINS})
    select account_id, domain, to_char(day, 'YYYY-MM-DD') as day, failed, sessions, coalesce(failure, '') as failure,
      coalesce(exchanger, '') as exchanger, extract(epoch from first_seen)::bigint as first,
      extract(epoch from last_seen)::bigint as last
    from failed join sessions using (domain, day) join ranked using (domain)
      left join failure using (domain, day) left join exchanger using (domain, day)
    order by day`,
    parameters,
    { prepare: false },
  );
  return rows.objects();
}

/**
 * A sender of aggregate reports about mail, and the number of days on which it sent some in the fortnight up to its
 * last.
 */
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
  stretch: Stretch & { account: AccountId },
  missed: number,
): Promise<readonly Reporter[]> {
  const found = await Promise.all([
    reportersOf(db, 'dmarc', dailySet('dmarc', ['REPORTER'])!, stretch, missed),
    reportersOf(db, 'tls_rpt', TLS_REPORTERS, stretch, missed),
  ]);
  return found.flat();
}

async function reportersOf(
  db: Database,
  type: Reporter['type'],
  set: DailySet,
  { account, from, until }: Stretch,
  missed: number,
): Promise<readonly Reporter[]> {
  const parameters: Parameter[] = [];
  const bind = (value: Parameter) => `$${parameters.push(value)}`;
  const tables = dailyTables({ account, type, from, until, filters: {}, not: {} }, [set], bind);
  const rows = await db.owned<Reporter & OwnedRow>(
    account,
    `with ${tables.join(',\n')},
    days as (
      select account_id, v1 as reporter, day, sum(reports) as reports, max(last_seen) as last_seen
      from daily where v1 <> '' group by 1, 2, 3),
    latest as (select *, max(day) over (partition by reporter) as latest_day from days)
    select account_id, '${type}' as type, reporter, count(*) as days, sum(reports)::bigint as reports,
      extract(epoch from max(last_seen))::bigint as last
    from latest where day > latest_day - ${FORTNIGHT}
    group by account_id, reporter having count(*) >= ${FORTNIGHT} - ${bind(missed)}::int
    order by reports desc, reporter collate "C" limit 1000`,
    parameters,
    { prepare: false },
  );
  return rows.objects();
}
