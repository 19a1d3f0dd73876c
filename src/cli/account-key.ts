import { createKey, digestOf, randomText } from '../keys/format.ts';
import type { NewAccount } from './account-lines.ts';

/** A key, and the line of the feed that has its digest. */
export function newKey({ id, type }: Pick<NewAccount, 'id' | 'type'>, createdAt: string) {
  const key = createKey(type);
  const sha256 = digestOf(key).toString('hex');
  const line = { kind: 'apiKey', id: `key_${randomText(16)}`, accountId: id, sha256, name: id, createdAt };
  return { key, line };
}
