import { LONGEST_RETENTION, type Plan, type PlanFeatures } from '@sightline/feed';
import type { AccountId } from './account-id.ts';
import type { Database, TenantRow } from './client.ts';

/** Retention of reports, in days, for accounts without a plan. */
export const DEFAULT_RETENTION = 30;
/** Retention in days of an account with the plan `p`, if there is one. */
export const RETENTION = `least(coalesce(p.data_retention_days, ${DEFAULT_RETENTION}), ${LONGEST_RETENTION})`;

/** An account with its plan. Together they decide how requests are answered. */
export interface Account {
  id: AccountId;
  type: 'personal' | 'team';
  email: string | null;
  teamName: string | null;
  /** In PostgreSQL's text form. */
  createdAt: string;
  /** Incremented by every load that changes the account. */
  version: number;
  /** Null if there is no plan. */
  plan: Plan | null;
}

export interface AccountRow extends TenantRow {
  type: Account['type'];
  email: string | null;
  team_name: string | null;
  created_at: string;
  version: number;
  plan: string | null;
  plan_name: string;
  tier: Plan['tier'];
  status: Plan['status'];
  report_quota: number;
  collect_hosts: number;
  data_retention_days: number;
  features: PlanFeatures;
}

/** The columns of `account a left join plan p`. */
export const ACCOUNT_COLUMNS = `
  a.id as account_id, a.type, a.email, a.team_name, a.created_at, a.version,
  p.plan, p.name as plan_name, p.tier, p.status, p.report_quota, p.collect_hosts, p.data_retention_days, p.features`;

export function toAccount(row: AccountRow): Account {
  return {
    id: row.account_id,
    type: row.type,
    email: row.email,
    teamName: row.team_name,
    createdAt: row.created_at,
    version: row.version,
    plan: row.plan === null ? null : toPlan(row, row.plan),
  };
}

function toPlan(row: AccountRow, plan: string): Plan {
  return {
    plan,
    name: row.plan_name,
    tier: row.tier,
    status: row.status,
    reportQuota: row.report_quota,
    collectHosts: row.collect_hosts,
    dataRetentionDays: row.data_retention_days,
    features: row.features,
  };
}

/** For internal tokens only: returns the account with this id, regardless of its owner. */
export async function anyAccount(db: Database, id: string): Promise<Account | undefined> {
  const [row] = await db.rows<AccountRow>(
    `select ${ACCOUNT_COLUMNS} from account a left join plan p on p.account_id = a.id where a.id = $1`,
    [id],
  );
  return row && toAccount(row);
}

/** For internal tokens only: returns up to `limit` accounts by id, after the given one. */
export async function anyAccounts(db: Database, after: string, limit: number): Promise<Account[]> {
  const rows = await db.rows<AccountRow>(
    `select ${ACCOUNT_COLUMNS} from account a left join plan p on p.account_id = a.id
     where a.id > $1 order by a.id limit $2`,
    [after, limit],
  );
  return Array.from(rows, toAccount);
}

export interface Member {
  email: string;
  role: string;
}

export interface TeamRow extends TenantRow {
  teamName: string;
  quotaLimit: number;
  require2fa: boolean;
  members: Member[];
}

/** The teams among the accounts. */
export function teams(db: Database, accounts: readonly AccountId[]) {
  return db.queryTenant<TeamRow>(
    accounts,
    `select id as account_id, team_name as "teamName", quota_limit as "quotaLimit", require_2fa as "require2fa", members
     from account where id = any($1::text[]) and type = 'team'`,
    [accounts],
    { quick: accounts.length === 1 },
  );
}

export interface SetupRow extends TenantRow {
  reportUri: { enforce: string; reportOnly: string; wizard: string };
  reportingApi: { group: string; max_age: number; endpoints: { url: string }[]; include_subdomains: boolean };
  nel: { report_to: string; max_age: number; include_subdomains: boolean };
  dmarc: string;
  tlsRpt: string;
}

export function setups(db: Database, accounts: readonly AccountId[]) {
  return db.queryTenant<SetupRow>(
    accounts,
    `select account_id, report_uri as "reportUri", reporting_api as "reportingApi", nel, dmarc, tls_rpt as "tlsRpt"
     from setup where account_id = any($1::text[])`,
    [accounts],
    { quick: accounts.length === 1 },
  );
}
