import type { AccountId } from './account-id.ts';
import type { Database, TenantRow } from './client.ts';

export interface PolicyRow extends TenantRow {
  id: string;
  name: string;
  policy: string;
}

/** Sorted by name, then id, by code points. */
export function policies(db: Database, accounts: readonly AccountId[]) {
  return db.queryTenant<PolicyRow>(
    accounts,
    `select account_id, id, name, policy from csp_policy
     where account_id = any($1::text[]) order by name collate "C", id`,
    [accounts],
    { quick: accounts.length === 1 },
  );
}

export async function policy(db: Database, account: AccountId, id: string): Promise<PolicyRow | undefined> {
  const [row] = await db.queryTenant<PolicyRow>(
    account,
    'select account_id, id, name, policy from csp_policy where account_id = $1 and id = $2',
    [account, id],
    { quick: true },
  );
  return row;
}

export interface WizardRow extends TenantRow {
  active: boolean;
  policy: string;
}

export function wizards(db: Database, accounts: readonly AccountId[]) {
  return db.queryTenant<WizardRow>(
    accounts,
    'select account_id, active, policy from csp_wizard where account_id = any($1::text[])',
    [accounts],
    { quick: accounts.length === 1 },
  );
}
