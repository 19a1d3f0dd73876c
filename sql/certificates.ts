import type { AccountId } from './account-id.ts';
import type { Database, OwnedRow } from './client.ts';

export interface CertificateRow extends OwnedRow {
  pem: string;
}

/**
 * A certificate, if a Certificate Transparency report of the account and the period names it.
 * @param sha256 in lower-case hexadecimal
 * @param period the first instant, and the first one behind the last; so no more partitions are looked into
 */
export async function certificate(
  db: Database,
  account: AccountId,
  sha256: string,
  { from, until }: { from: Date; until: Date },
): Promise<CertificateRow | undefined> {
  const [row] = await db.owned<CertificateRow>(
    account,
    `select observed.account_id, c.pem
     from certificate c
     cross join lateral (
       select r.account_id from report r
       where r.account_id = $1 and r.type = 'certificate_transparency' and r.sha256 = c.sha256
         and r.date >= $3 and r.date < $4
       limit 1
     ) observed
     where c.sha256 = $2`,
    [account, sha256, from.toISOString(), until.toISOString()],
  );
  return row;
}
