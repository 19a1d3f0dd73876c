import {
  type BreakerEvents,
  connect as connectTo,
  type ReadSettings as DriverSettings,
  type Database as OwnersDatabase,
  type DatabaseClient as OwnersDatabaseClient,
  type ServerClient as OwnersServerClient,
  type Snapshot as OwnersSnapshot,
  type PoolDeps,
} from '@sightline/pg-client';
import type { AccountId } from './account-id.ts';

/** A tenant-scoped row, which names its account. */
export interface TenantRow {
  account_id: AccountId;
}

/**
 * The database as seen by queries: they read tenant-scoped rows with an `AccountId`, and receive no other account's
 * rows.
 */
export type Database = OwnersDatabase<AccountId, TenantRow>;
export type DatabaseClient = OwnersDatabaseClient<AccountId, TenantRow>;
export type ServerClient = OwnersServerClient<AccountId, TenantRow>;
export type Snapshot = OwnersSnapshot<AccountId, TenantRow>;
export type ReadSettings = Omit<DriverSettings, 'tenantColumn'>;

/**
 * Connects lazily, so it returns immediately even if the database is unreachable. The PostgreSQL client refuses a row
 * whose `account_id` is not that of the requested account: the second barrier between accounts.
 */
export function connect(settings: ReadSettings, events?: BreakerEvents, deps?: PoolDeps): ServerClient {
  return connectTo({ ...settings, tenantColumn: 'account_id' }, events, deps);
}
