import { nextTurn } from '@sightline/csp';
import type { Parameter } from '@sightline/pg-client';
import { reverseHost } from '@sightline/reports';
import type { SeenPolicy } from '@sightline/reports/mail';
import type { AccountId } from './account-id.ts';
import type { Database, TenantRow } from './client.ts';
import { betweenDays, GROUPS, wholeDays } from './groups/with-days.ts';
import { UTC_DAY } from './report/dimensions.ts';
import { listWays, WAY_COLUMNS } from './report/insight-sets.ts';
import { MAIL_LISTS, MAIL_POLICY_TEXTS, MAIL_RESULTS, MAIL_TEXTS } from './report/mail-sets.ts';

/** Messages with the same values in their reports, as grouped by `MAIL_RESULTS`. */
export interface MailResults {
  sender: string;
  /** JSON lists. */
  evaluation: string;
  results: string;
  count: number;
  /**
   * The domain of the policy that the receiver found, or that of the From header if the reports do not name it. Empty
   * if a domain is requested, since the period can have reports of several policies.
   */
  domain: string;
  /** The number of UTC days with reports of the requested domain or, without one, of `domain`. */
  days: number;
}

export interface MailResultsOfDomain {
  rows: readonly MailResults[];
  /** The number of messages in all groups, including those beyond the limit. */
  total: number;
  /** The number of UTC days with reports. */
  days: number;
}

/** The maximum number of groups examined, those with the most messages. */
const MOST = 20_000;

export interface MailQuery {
  account: AccountId;
  /** The domain of the From header or its parent, in lower case; undefined for all domains. */
  domain?: string | undefined;
  /** ISO 8601 instants. */
  from: string;
  until: string;
}

/** Returns the reported results of messages of a domain and its subdomains in a period. */
export async function mailResults(
  db: Database,
  { account, domain, from, until }: MailQuery,
): Promise<MailResultsOfDomain> {
  const parameters: Parameter[] = [];
  const bind = (value: Parameter) => `$${parameters.push(value)}`;
  const query = { account, type: 'dmarc', from, until, filters: {}, not: {} } as const;
  const host = domain === undefined ? undefined : bind(reverseHost(domain));
  const isOwn = (reversed: string) =>
    host ? `(${reversed} = ${host} or starts_with(${reversed}, ${host} || '.'))` : 'true';
  const ownDomain = host ? `''` : `coalesce(nullif(v2::jsonb ->> 1, ''), v2::jsonb ->> 0, '')`;
  const tables = [
    ...wholeDays(query, [MAIL_RESULTS], bind),
    ...groupReports(betweenDays(query, bind), isOwn('host_reversed')),
  ];
  const rows = await db.queryTenant<MailResults & TenantRow & { total: number }>(
    account,
    `with ${tables.join(',\n')},
    kept_own as materialized (
      select account_id, day, g.v1, g.v2, g.v3, g.count
      from rollups join whole using (begins, ends), ${GROUPS} where ${isOwn(`reverse(g.v2::jsonb ->> 0)`)}),
    reported_own as materialized (
      select account_id, days, s.v1, s.v2, s.v3, count
      from reported cross join lateral (values ${listWays(MAIL_RESULTS)}) as s ${WAY_COLUMNS}),
    groups as (
      select account_id, v1, v2, v3, sum(count)::bigint as count, ${ownDomain} as domain
      from (
        select account_id, v1, v2, v3, count from kept_own
        union all
        select account_id, v1, v2, v3, count from reported_own) as own
      group by account_id, v1, v2, v3),
    days as (
      select ${ownDomain} as domain, count(distinct day) as days
      from (
        select v2, day from kept_own
        union
        select v2, unnest(days) from reported_own) as seen
      group by 1)
    select account_id, v1 as sender, v2 as evaluation, v3 as results, count, (sum(count) over ())::bigint as total, domain, days
    from groups join days using (domain)
    order by count desc, v1 collate "C", v2 collate "C", v3 collate "C" limit ${MOST}`,
    parameters,
    { prepare: false },
  );
  const list = await rows.objectsInTurns(nextTurn);
  return { rows: list, total: list[0]?.total ?? 0, days: list[0]?.days ?? 0 };
}

interface PublishedPolicy extends TenantRow {
  domain: string;
  policy: SeenPolicy;
}

/** Returns the policy that receivers found last, for each domain. Domains without a policy are left out. */
export async function publishedPolicies(
  db: Database,
  { account, domains, from, until }: Omit<MailQuery, 'domain'> & { domains: readonly string[] },
): Promise<readonly PublishedPolicy[]> {
  const rows = await db.queryTenant<PublishedPolicy>(
    account,
    `select seen.account_id, reverse(host) as domain, seen.policy
    from unnest($4::text[]) as host cross join lateral (
      select account_id, extra->'publishedPolicy' as policy from report
      where account_id = $1 and type = 'dmarc' and date >= $2 and date < $3 and host_reversed = host
        and lower(extra->>'domain') = reverse(host) and extra ? 'publishedPolicy'
      order by date desc limit 1) as seen`,
    [account, from, until, domains.map(reverseHost)],
  );
  return rows.objects();
}

/**
 * The common table expression `reported`: reports that agree in all relevant fields, with these fields as `extra`, and
 * their days. Lists are compared in binary form, because rendering them as text takes most of the time. The hash comes
 * first, so that sorting, if PostgreSQL prefers it, compares numbers. `offset 0` keeps PostgreSQL from building `extra`
 * again for each of its uses.
 */
function groupReports(reports: string, condition: string): string[] {
  const columns = ['sender', 'host_reversed', 'disposition'];
  const values = [
    ...MAIL_TEXTS.map(name => `extra->>'${name}' as ${name}`),
    ...MAIL_POLICY_TEXTS.map(name => `extra #>> '{publishedPolicy,${name}}' as ${name}`),
    ...MAIL_LISTS.map(name => `extra->'${name}' as ${quote(name)}`),
  ];
  const fields = [...MAIL_TEXTS, ...MAIL_POLICY_TEXTS, ...MAIL_LISTS].map(quote);
  const toObject = (names: readonly string[]) => names.map(name => `'${name}', ${quote(name)}`).join(', ');
  const policy = `jsonb_build_object(${toObject(MAIL_POLICY_TEXTS)})`;
  const extra = `jsonb_build_object(${toObject([...MAIL_TEXTS, ...MAIL_LISTS])}, 'publishedPolicy', ${policy})`;
  const hash = ['dkimResults', 'spfResults']
    .map(name => `jsonb_hash_extended(extra->'${name}', 0)`)
    .join(' # ');
  const key = ['account_id', 'hash', ...columns, ...fields].join(', ');
  return [
    `reported as (
      select account_id, days, count, ${columns.join(', ')}, ${extra} as extra
      from (
        select ${key}, array_agg(day) as days, sum(count)::bigint as count
        from (
          select ${key}, day, sum(count) as count
          from (
            select account_id, ${UTC_DAY} as day, count, ${columns.join(', ')}, ${values.join(', ')}, ${hash} as hash
            from ${reports} where ${condition} offset 0) as rows
          group by ${key}, day) as by_day
        group by ${key}) as groups offset 0)`,
  ];
}

const quote = (name: string) => `"${name}"`;

/** Mail sessions over TLS, as counted in senders' reports. */
export interface TlsSessions {
  policyType: string;
  reporter: string;
  successful: number;
  failed: number;
}

/** Sessions that failed under an MTA-STS policy for the same reason. */
export interface TlsFailure {
  resultType: string;
  exchanger: string;
  sessions: number;
  reporters: number;
}

export interface TlsSessionsOfDomain {
  sessions: TlsSessions[];
  failures: TlsFailure[];
  /** The lines of the policy that was seen last; empty if there was none. */
  policyStrings: string[];
  /** The number of UTC days with reports. */
  days: number;
}

interface TlsRow extends TenantRow {
  part: 'sessions' | 'failure' | 'policy';
  name: string;
  place: string;
  count: number;
  more: number;
  days: number;
}

/** The maximum number of reasons, exchangers and reporters examined, those with the most sessions. */
const MOST_OF_TLS = 1000;

/** Returns the reported TLS sessions of mail to a domain in a period. */
export async function tlsSessions(
  db: Database,
  { account, domain, from, until }: MailQuery & { domain: string },
): Promise<TlsSessionsOfDomain> {
  const number = (value: string) => `coalesce((${value})::bigint, 0)`;
  const rows = await db.queryTenant<TlsRow>(
    account,
    `with own as materialized (
      select account_id, date, ${UTC_DAY} as day, extra->>'policyType' as policy_type, extra->>'reporter' as reporter,
        ${number(`extra->>'successfulSessions'`)} as successful, ${number(`extra->>'failedSessions'`)} as failed,
        case when extra->>'policyType' = 'sts' then extra->'failureDetails' end as details, extra->'policyStrings' as strings
      from report
      where account_id = $1 and type = 'tls_rpt' and date >= $2 and date < $3 and host_reversed = $4),
    days as (select count(distinct day) as days from own)
    (select account_id, 'sessions' as part, coalesce(policy_type, '') as name, coalesce(reporter, '') as place,
      sum(successful)::bigint as count, sum(failed)::bigint as more, days
    from own, days group by account_id, policy_type, reporter, days
    order by sum(successful) + sum(failed) desc, reporter collate "C" limit ${MOST_OF_TLS})
    union all
    (select account_id, 'failure', coalesce(detail->>'resultType', ''), coalesce(detail->>'receivingMxHostname', ''),
      sum(${number(`detail->>'failedSessions'`)})::bigint, count(distinct reporter), 0
    from own cross join lateral jsonb_array_elements(details) as detail group by 1, 3, 4
    order by 5 desc, 3, 4 limit ${MOST_OF_TLS})
    union all
    (select account_id, 'policy', strings::text, '', 0, 0, 0
    from own where policy_type = 'sts' and strings is not null order by date desc limit 1)`,
    [account, from, until, reverseHost(domain)],
    { prepare: false },
  );
  const all = rows.objects();
  const listPart = (part: TlsRow['part']) => all.filter(row => row.part === part);
  return {
    sessions: listPart('sessions').map(({ name, place, count, more }) => ({
      ...{ policyType: name, reporter: place, successful: count, failed: more },
    })),
    failures: listPart('failure').map(({ name, place, count, more }) => ({
      ...{ resultType: name, exchanger: place, sessions: count, reporters: more },
    })),
    policyStrings: listPart('policy').flatMap(({ name }) => JSON.parse(name) as string[]),
    days: all[0]?.part === 'sessions' ? all[0].days : 0,
  };
}
