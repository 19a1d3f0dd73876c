import type { Parameter } from '@sightline/pg-client';
import type { AccountId } from '../account-id.ts';
import type { Database, TenantRow } from '../client.ts';
import { dailyTables } from '../groups/with-days.ts';
import type { FeatureType, InsightSet } from '../report/insight-sets.ts';
import { toSeconds } from '../seconds.ts';
import type { SearchWindow } from './hourly.ts';

/** The reports of a feature, message, reason or page on a day. */
export interface FeatureDay {
  feature: string;
  /** In days since 1970. */
  day: number;
  reports: number;
  /** The most frequent browser. */
  browser: string;
  /** In seconds since 1970. */
  first: number;
  last: number;
}

/** The maximum number of features examined. Those with the busiest days come first. */
const MOST = 100;

export async function featureDays(
  db: Database,
  type: FeatureType,
  set: InsightSet,
  { account, from, until }: SearchWindow & { account: AccountId },
): Promise<readonly FeatureDay[]> {
  const parameters: Parameter[] = [];
  const bind = (value: Parameter) => `$${parameters.push(value)}`;
  const query = { account, type, from, until, filters: {}, not: {} };
  const rows = await db.queryTenant<FeatureDay & TenantRow>(
    account,
    `with ${dailyTables(query, [set], bind).join(',\n')},
    days as (
      select account_id, v1 as feature, day, sum(reports)::bigint as reports, min(first_seen) as first_seen,
        max(last_seen) as last_seen, (array_agg(v2 order by reports desc, v2 collate "C"))[1] as browser
      from daily where v1 <> '' group by account_id, v1, day),
    top as (
      select feature from days group by feature order by max(reports) desc, feature collate "C" limit ${MOST})
    select account_id, feature, day - date '1970-01-01' as day, reports, browser,
      ${toSeconds('first_seen')} as first, ${toSeconds('last_seen')} as last
    from days join top using (feature) order by day`,
    parameters,
    { prepare: false },
  );
  return rows.objects();
}
