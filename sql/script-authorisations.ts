import type { AccountId } from './account-id.ts';
import type { Database, OwnedRow } from './client.ts';

export interface AuthorisationRow extends OwnedRow {
  site: string;
  /** The site as `siteKeyOf` has it. */
  siteKey: string;
  /** An address; `*` stands for any characters. */
  pattern: string;
  owner: string;
  justification: string;
  approvedBy: string;
  approvedAt: string;
  /** Hashes of the content, as reports have them; empty where any content is authorised. */
  hashes: string[];
}

/** Sorted by site, then pattern, in the order of their characters. */
export function authorisations(db: Database, accounts: readonly AccountId[]) {
  return db.owned<AuthorisationRow>(
    accounts,
    `select account_id, site, site_key as "siteKey", pattern, owner, justification, approved_by as "approvedBy",
       approved_at as "approvedAt", hashes
     from authorisation where account_id = any($1::text[]) order by site collate "C", pattern`,
    [accounts],
    { quick: accounts.length === 1 },
  );
}
