import type { VerdictName, VerdictSubject } from '@sightline/feed';
import type { AccountId } from './account-id.ts';
import type { Database, TenantRow } from './client.ts';

export interface VerdictRow extends TenantRow {
  /** Unique within the account. */
  id: string;
  subjectKind: VerdictSubject;
  /** The site in its original spelling; null for all sites. */
  site: string | null;
  /** The site normalized by `toSiteKey`; '' for all sites. */
  siteKey: string;
  /** As in reports; in a blocked source or script `*` matches any characters. */
  subject: string;
  verdict: VerdictName;
  reason: string;
  owner: string | null;
  /** Hashes of a script's content; empty for any content. */
  hashes: string[];
  /** The count of an insight when it was decided. */
  count: number | null;
  decidedBy: string;
  decidedAt: string;
  expiresAt: string | null;
}

/** The table's key as text. */
export const VERDICT_ID = `(subject_kind || ':' || site_key || ':' || subject) collate "C"`;

export const VERDICT_COLUMNS = `account_id, ${VERDICT_ID} as id, subject_kind as "subjectKind", site, site_key as "siteKey",
  subject, verdict, reason, owner, hashes, count, decided_by as "decidedBy", decided_at as "decidedAt",
  expires_at as "expiresAt"`;

/** Sorted by kind, site and subject, in the order of their characters. */
export function verdicts(db: Database, accounts: readonly AccountId[]) {
  return db.queryTenant<VerdictRow>(
    accounts,
    `select ${VERDICT_COLUMNS} from verdict where account_id = any($1::text[]) order by subject_kind, site_key, subject`,
    [accounts],
    { quick: accounts.length === 1 },
  );
}
