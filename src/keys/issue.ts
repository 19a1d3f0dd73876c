import type { Statements } from '@sightline/pg-client';
import { insertKey, type NewKey } from '../../sql/operator/key-administration.ts';
import { computeDigest, createKey, type KeyKind, randomText } from './format.ts';

export interface IssuedKey {
  id: string;
  /** The full key. It is not stored, so it must be shown now. */
  key: string;
}

/** Creates a key and stores its digest. */
export async function issueKey(
  sql: Statements,
  kind: KeyKind,
  holder: Pick<NewKey, 'accountId' | 'name' | 'expiresAt'>,
): Promise<IssuedKey> {
  const key = createKey(kind);
  const id = `key_${randomText(16)}`;
  await insertKey(sql, { ...holder, id, digest: computeDigest(key) });
  return { id, key };
}
