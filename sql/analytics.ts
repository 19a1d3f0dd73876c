import type { ReportType } from '@sightline/reports';
import type { AccountId } from './account-id.ts';
import type { Database, TenantRow } from './client.ts';

/** Caps sums at the largest integer that all JSON readers represent exactly. */
const sum = (column: string) => `least(sum(${column}), 9007199254740991)::bigint`;

/** Days as `YYYY-MM-DD`, both included. */
export interface Days {
  from: string;
  to: string;
}

export interface DayTotalRow extends TenantRow {
  type: ReportType;
  day: string;
  total: number;
}

export function dayTotals(db: Database, accounts: readonly AccountId[], { from, to }: Days) {
  return db.queryTenant<DayTotalRow>(
    accounts,
    `select account_id, type, day, ${sum('total')} as total from daily_count
     where account_id = any($1::text[]) and type = any(enum_range(null::report_type)) and day between $2 and $3
     group by account_id, type, day`,
    [accounts, from, to],
    { quick: accounts.length === 1, prepare: 'planned' },
  );
}

export interface TypeTotalRow extends TenantRow {
  type: ReportType;
  total: number;
}

export function typeTotals(db: Database, accounts: readonly AccountId[], { from, to }: Days) {
  return db.queryTenant<TypeTotalRow>(
    accounts,
    `select account_id, type, ${sum('total')} as total from daily_count
     where account_id = any($1::text[]) and type = any(enum_range(null::report_type)) and day between $2 and $3
     group by account_id, type`,
    [accounts, from, to],
    { quick: accounts.length === 1 },
  );
}

export interface UsageRow extends TenantRow {
  type: ReportType;
  filtered: number;
  sampled: number;
  rejected: number;
}

export function usage(db: Database, accounts: readonly AccountId[], { from, to }: Days) {
  return db.queryTenant<UsageRow>(
    accounts,
    `select account_id, type, ${sum('filtered')} as filtered, ${sum('sampled')} as sampled,
       ${sum('rejected')} as rejected
     from report_usage
     where account_id = any($1::text[]) and date between $2 and $3 group by account_id, type`,
    [accounts, from, to],
    { quick: accounts.length === 1 },
  );
}

export interface DirectiveTotalRow extends TenantRow {
  day: string;
  /** '' if reports have none. */
  directive: string;
  total: number;
}

/** The daily counts of one type, by day and directive, which is the order of an index. */
export function directiveTotals(db: Database, account: AccountId, type: ReportType, { from, to }: Days) {
  return db.queryTenant<DirectiveTotalRow>(
    account,
    `select account_id, day, directive, total from daily_count
     where account_id = $1 and type = $2 and day between $3 and $4
     order by day, directive`,
    [account, type, from, to],
    { prepare: 'planned' },
  );
}

/** The same for several accounts, in any order. */
export function directiveTotalsOfMany(
  db: Database,
  accounts: readonly AccountId[],
  type: ReportType,
  { from, to }: Days,
) {
  return db.queryTenant<DirectiveTotalRow>(
    accounts,
    `select account_id, day, directive, total from daily_count
     where account_id = any($1::text[]) and type = $2 and day between $3 and $4`,
    [accounts, type, from, to],
  );
}
