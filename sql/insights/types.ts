import type { ReportType } from '@sightline/reports';
import type { AccountId } from '../account-id.ts';
import type { Database, TenantRow } from '../client.ts';
import type { SearchWindow } from './hourly.ts';

interface TypeRow extends TenantRow {
  type: ReportType;
}

/** Returns the types of which the account has reports in the window: one look into an index for each type. */
export async function listTypes(
  db: Database,
  { account, from, until }: Pick<SearchWindow, 'from' | 'until'> & { account: AccountId },
): Promise<Set<ReportType>> {
  // Without an order, PostgreSQL would search all reports of other types for the first one of a type without any.
  const rows = await db.queryTenant<TypeRow>(
    account,
    `select account_id, types.type
     from unnest(enum_range(null::report_type)) as types (type) cross join lateral (
       select account_id from report
       where account_id = $1 and type = types.type and date >= $2 and date < $3
       order by date limit 1) as report`,
    [account, from, until],
  );
  return new Set(rows.objects().map(({ type }) => type));
}
