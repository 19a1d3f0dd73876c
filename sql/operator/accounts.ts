import type { Statements } from '@sightline/pg-client';

/** Returns the first of these accounts that does not exist. */
export async function missingAccount(sql: Statements, ids: readonly string[]): Promise<string | undefined> {
  const rows = await sql.query<{ id: string }>('select id from account where id = any($1)', [ids]);
  const seen = new Set(rows.map(({ id }) => id));
  return ids.find(id => !seen.has(id));
}

/** Returns the hosts of all accounts: the sites of their watches. */
export function watchedSites(sql: Statements): Promise<{ account: string; site: string }[]> {
  return sql.query('select distinct account_id as account, site_key as site from watch order by 1, 2');
}

/** The operator's side of an account. */
export interface AccountRecord {
  id: string;
  type: 'personal' | 'team';
  email: string | null;
  members: { email: string; role: string }[] | null;
  created_at: Date;
  /** Null if there is no plan. */
  plan: string | null;
  retention: number | null;
  hosts: string[];
  /** Number of valid keys by the database's clock. */
  keys: number;
  /** The sum of all counts, by type. */
  reports: Record<string, number>;
  /** The last day with a report, `YYYY-MM-DD`, by type. */
  newest: Record<string, string>;
}

/** Lists all accounts, or one, by id. */
export function listAccounts(sql: Statements, id: string | null = null): Promise<AccountRecord[]> {
  return sql.query(ACCOUNTS, [id]);
}

const ACCOUNTS = `
    with counted as (
      select account_id, type, sum(total)::float8 as total, max(day)::text as newest
      from daily_count where $1::text is null or account_id = $1 group by 1, 2
    ), reports as (
      select account_id, jsonb_object_agg(type, total) as reports, jsonb_object_agg(type, newest) as newest
      from counted group by 1
    ), good as (
      select k.account_id, count(*)::int as keys from api_key k left join revoked_key r on r.id = k.id
      where least(k.revoked_at, r.revoked_at, k.expires_at) is null
        or least(k.revoked_at, r.revoked_at, k.expires_at) > now() group by 1
    ), sites as (
      select account_id, jsonb_agg(distinct site_key order by site_key) as hosts from watch group by 1
    )
    select a.id, a.type, a.email, a.members, a.created_at, p.plan, p.data_retention_days::int as retention,
      coalesce(s.hosts, '[]') as hosts, coalesce(g.keys, 0) as keys,
      coalesce(c.reports, '{}') as reports, coalesce(c.newest, '{}') as newest
    from account a left join plan p on p.account_id = a.id left join sites s on s.account_id = a.id
      left join good g on g.account_id = a.id left join reports c on c.account_id = a.id
    where $1::text is null or a.id = $1
    order by a.id`;
