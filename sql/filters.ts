import type { AccountId } from './account-id.ts';
import type { Database, TenantRow } from './client.ts';

/** The account's settings. Missing ones have their defaults. */
export interface FilterConfigurationRow extends TenantRow {
  global: Record<string, unknown>;
  advanced: Record<string, unknown>;
  certificateTransparency: Record<string, unknown>;
  samplingRates: Record<string, number>;
}

export function filterConfigurations(db: Database, accounts: readonly AccountId[]) {
  return db.queryTenant<FilterConfigurationRow>(
    accounts,
    `select account_id, global, advanced, certificate_transparency as "certificateTransparency",
       sampling_rates as "samplingRates"
     from filter_configuration where account_id = any($1::text[])`,
    [accounts],
    { quick: accounts.length === 1 },
  );
}
