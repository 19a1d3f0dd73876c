import type { Statements } from '@sightline/postgres';
import { insertKey, type NewKey } from '../../sql/operator/key-administration.ts';
import { createKey, digestOf, type KeyKind, randomText } from './format.ts';

export interface IssuedKey {
  id: string;
  /** The full key. It is stored nowhere, so this is the one moment to show it. */
  key: string;
}

/** Makes a key and stores its digest. */
export async function issueKey(
  sql: Statements,
  kind: KeyKind,
  holder: Pick<NewKey, 'accountId' | 'name' | 'expiresAt'>,
): Promise<IssuedKey> {
  const key = createKey(kind);
  const id = `key_${randomText(16)}`;
  await insertKey(sql, { ...holder, id, digest: digestOf(key) });
  return { id, key };
}
