import type { AccountId } from './account-id.ts';
import type { Database, TenantRow } from './client.ts';

export interface CertificateRow extends TenantRow {
  pem: string;
}

/**
 * Returns a certificate if a Certificate Transparency report of the account and period names it.
 * @param sha256 in lower-case hexadecimal
 * @param period the start and the end (exclusive); it limits the partitions that are searched
 */
export async function certificate(
  db: Database,
  account: AccountId,
  sha256: string,
  { from, until }: { from: Date; until: Date },
): Promise<CertificateRow | undefined> {
  // Unknown certificates usually occur in no report at all, so this check avoids planning a query over every month.
  const pem = await toPem(db, sha256);
  if (pem === undefined) return undefined;
  const [observed] = await db.queryTenant<TenantRow>(
    account,
    `select account_id from report
     where account_id = $1 and type = 'certificate_transparency' and sha256 = $2 and date >= $3 and date < $4
     limit 1`,
    [account, sha256, from.toISOString(), until.toISOString()],
  );
  return observed && { account_id: account, pem };
}

/** A certificate that exists is not necessarily visible to the account. */
async function toPem(db: Database, sha256: string): Promise<string | undefined> {
  const text = 'select pem from certificate where sha256 = $1';
  const [row] = await db.rows<{ pem: string }>(text, [sha256], { quick: true });
  return row?.pem;
}
