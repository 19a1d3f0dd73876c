import type { AccountId } from './account-id.ts';
import type { Database, OwnedRow } from './client.ts';

export interface CertificateRow extends OwnedRow {
  pem: string;
}

/**
 * A certificate, if a Certificate Transparency report of the account names it.
 * @param sha256 in lower-case hexadecimal
 */
export async function certificate(
  db: Database,
  account: AccountId,
  sha256: string,
): Promise<CertificateRow | undefined> {
  const [row] = await db.owned<CertificateRow>(
    account,
    `select observed.account_id, c.pem
     from certificate c
     cross join lateral (
       select r.account_id from report r
       where r.account_id = $1 and r.type = 'certificate_transparency' and r.sha256 = c.sha256
       limit 1
     ) observed
     where c.sha256 = $2`,
    [account, sha256],
  );
  return row;
}
