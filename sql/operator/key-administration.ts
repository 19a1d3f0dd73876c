import type { Statements } from '@sightline/pg-client';

/** The operator's side of `api_key`. Permissions are checked in `sql/keys.ts`, not here. */
export interface KeyRecord {
  id: string;
  account_id: string | null;
  /** Null for internal tokens, and for keys whose account is deleted. */
  account_type: 'personal' | 'team' | null;
  name: string | null;
  created_at: Date;
  expires_at: Date | null;
  /** Can be in the future, after the grace period of a rotated key. */
  revoked_at: Date | null;
  /** True if the key has ended, by the database's clock. */
  has_ended: boolean;
}

const COLUMNS = `k.id, k.account_id, a.type as account_type, k.name, k.created_at, k.expires_at,
  least(k.revoked_at, r.revoked_at) as revoked_at,
  coalesce(least(k.revoked_at, r.revoked_at, k.expires_at) <= now(), false) as has_ended`;

const KEYS = 'api_key k left join account a on a.id = k.account_id left join revoked_key r on r.id = k.id';

export interface NewKey {
  id: string;
  /** Null for an internal token. */
  accountId: string | null;
  digest: Buffer;
  name: string | null;
  expiresAt: Date | null;
}

export async function accountType(sql: Statements, id: string): Promise<'personal' | 'team' | undefined> {
  const [row] = await sql.query<{ type: 'personal' | 'team' }>('select type from account where id = $1', [
    id,
  ]);
  return row?.type;
}

export async function insertKey(sql: Statements, key: NewKey): Promise<void> {
  const digest = `\\x${key.digest.toString('hex')}`;
  await sql.query(
    `insert into api_key (id, account_id, digest, name, created_at, expires_at) values ($1, $2, $3, $4, now(), $5)`,
    [key.id, key.accountId, digest, key.name, key.expiresAt?.toISOString() ?? null],
  );
}

/** Lists all keys, or those of one account, oldest first. */
export function listKeys(sql: Statements, accountId: string | null): Promise<KeyRecord[]> {
  return sql.query(
    `select ${COLUMNS} from ${KEYS} where $1::text is null or k.account_id = $1 order by k.created_at, k.id`,
    [accountId],
  );
}

export async function findKey(sql: Statements, id: string): Promise<KeyRecord | undefined> {
  const [row] = await sql.query<KeyRecord>(`select ${COLUMNS} from ${KEYS} where k.id = $1`, [id]);
  return row;
}

/** Locks the key until the transaction ends, so no other command rotates or revokes it. */
export async function lockKey(sql: Statements, id: string): Promise<KeyRecord | undefined> {
  await sql.query('select from api_key where id = $1 for update', [id]);
  return findKey(sql, id);
}

/**
 * Ends a key after this many milliseconds; 0 ends it now. A key that ends sooner keeps its earlier end. Returns the end
 * by the database's clock.
 */
export async function endKey(sql: Statements, id: string, after: number): Promise<Date> {
  const [row] = await sql.query<{ revoked_at: Date }>(
    `update api_key set revoked_at = least(revoked_at, now() + $1 * interval '1 millisecond')
     where id = $2 returning revoked_at`,
    [after, id],
  );
  return row!.revoked_at;
}

/** Ends a key immediately, on the server with the authoritative copy only. */
export async function blockKey(sql: Statements, id: string): Promise<void> {
  await sql.query('insert into revoked_key (id) values ($1) on conflict do nothing', [id]);
}
