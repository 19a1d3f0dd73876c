import { computeDigest, createKey, randomText } from '../keys/format.ts';
import type { NewAccount } from './account-lines.ts';

/** Creates a key and the line of the feed with its digest. */
export function newKey({ id, type }: Pick<NewAccount, 'id' | 'type'>, createdAt: string) {
  const key = createKey(type);
  const sha256 = computeDigest(key).toString('hex');
  const line = { kind: 'apiKey', id: `key_${randomText(16)}`, accountId: id, sha256, name: id, createdAt };
  return { key, line };
}
