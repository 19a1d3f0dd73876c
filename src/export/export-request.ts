import type { Account } from '../../sql/account.ts';
import type { Database, Snapshot } from '../../sql/client.ts';
import type { ExportSource } from '../../sql/export/source.ts';
import type { ExportFields } from './fields.ts';

/** The caller, and the source of an export. */
export interface ExportRequest {
  account: Account;
  now: Date;
  /** For single statements, through the queue. */
  database: Database;
  /** A snapshot of the data on a dedicated connection. */
  snapshot(): Snapshot;
}

/** The records that a request selects. */
export interface ExportSelection {
  source: ExportSource;
  fields: ExportFields;
  /** Older reports are hidden; undefined if the age does not matter. */
  oldest?: string;
}
