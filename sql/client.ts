import {
  type BreakerEvents,
  connect as connectTo,
  type ReadSettings as DriverSettings,
  type Database as OwnersDatabase,
  type DatabaseClient as OwnersDatabaseClient,
  type ServerClient as OwnersServerClient,
  type Snapshot as OwnersSnapshot,
  type Surroundings,
} from '@sightline/postgres';
import type { AccountId } from './account-id.ts';

/** A row of owned data says whose it is. */
export interface OwnedRow {
  account_id: AccountId;
}

/** The database as queries see it. They ask for owned rows with an `AccountId`, and get those of no other account. */
export type Database = OwnersDatabase<AccountId, OwnedRow>;
export type DatabaseClient = OwnersDatabaseClient<AccountId, OwnedRow>;
export type ServerClient = OwnersServerClient<AccountId, OwnedRow>;
export type Snapshot = OwnersSnapshot<AccountId, OwnedRow>;
export type ReadSettings = Omit<DriverSettings, 'ownerColumn'>;

/**
 * Connects lazily: it answers at once, also while the database is away. The client of PostgreSQL refuses a row whose
 * `account_id` is not that of the account that was asked for: the second fence between accounts.
 */
export function connect(
  settings: ReadSettings,
  events?: BreakerEvents,
  surroundings?: Surroundings,
): ServerClient {
  return connectTo({ ...settings, ownerColumn: 'account_id' }, events, surroundings);
}
