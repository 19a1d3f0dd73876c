import { ACCOUNT_COLUMNS, type Account, type AccountRow, toAccount } from './account.ts';
import type { Database } from './client.ts';

/** The caller that a key currently identifies. */
export interface Caller {
  keyId: string;
  /** Null for an internal token. */
  account: Account | null;
  /** When the key ends, in milliseconds since 1970; infinite if no end is known. */
  endsAt: number;
  /** A change was announced, so the result must not be reused for a later request. */
  invalidationPending: boolean;
}

interface KeyRow extends AccountRow {
  key_id: string;
  digest: string;
  key_account_id: string | null;
  ends_at: number | null;
  changing: boolean;
}

/**
 * Finds the callers by SHA-256 digests of keys in hexadecimal. Keys that are unknown, expired or revoked, or whose
 * account is deleted, are absent. Revocation times come from the database's clock and are compared there: a service
 * with a slow clock would accept the key for longer.
 */
export async function callersByDigest(
  db: Database,
  digests: readonly string[],
  now: Date,
  limit: number,
): Promise<Map<string, Caller>> {
  const rows = await db.rows<KeyRow>(
    `select k.id as key_id, encode(k.digest, 'hex') as digest, k.account_id as key_account_id,
       (extract(epoch from least(k.expires_at, k.revoked_at)) * 1000)::float8 as ends_at,
       exists (select 1 from announced_change) as changing, ${ACCOUNT_COLUMNS}
     from api_key k
     left join account a on a.id = k.account_id
     left join plan p on p.account_id = a.id
     where k.digest = any($1::text[]::bytea[])
       and (k.revoked_at is null or (k.revoked_at > now() and k.revoked_at > $2))
       and (k.expires_at is null or k.expires_at > $2)
       and not exists (select 1 from revoked_key r where r.id = k.id)`,
    [digests.map(digest => `\\x${digest}`), now.toISOString()],
    { limit, quick: true, prepare: 'planned' },
  );
  return new Map(
    rows
      .objects()
      .filter(isWhole)
      .map(row => [row.digest, toCaller(row)]),
  );
}

function isWhole(row: KeyRow): boolean {
  return row.key_account_id === null || row.account_id !== null;
}

function toCaller(row: KeyRow): Caller {
  return {
    keyId: row.key_id,
    account: row.key_account_id === null ? null : toAccount(row),
    endsAt: row.ends_at ?? Number.POSITIVE_INFINITY,
    invalidationPending: row.changing,
  };
}
