import {
  type BreakerEvents,
  connect as connectTo,
  type Database as PgDatabase,
  type DatabaseClient as PgDatabaseClient,
  type ReadSettings as PgReadSettings,
  type ServerClient as PgServerClient,
  type Snapshot as PgSnapshot,
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
export type Database = PgDatabase<AccountId, TenantRow>;
export type DatabaseClient = PgDatabaseClient<AccountId, TenantRow>;
export type ServerClient = PgServerClient<AccountId, TenantRow>;
export type Snapshot = PgSnapshot<AccountId, TenantRow>;
export type ReadSettings = Omit<PgReadSettings, 'tenantColumn'>;

/**
 * Connects lazily, so it returns immediately even if the database is unreachable. The PostgreSQL client refuses a row
 * whose `account_id` is not that of the requested account: the second barrier between accounts.
 */
export function connect(settings: ReadSettings, events?: BreakerEvents, deps?: PoolDeps): ServerClient {
  return connectTo({ ...settings, tenantColumn: 'account_id' }, events, deps);
}
