import type { FilterValues } from './filter.ts';
import type { Bind, ComparedColumn } from './indexed-values.ts';

/**
 * Returns the digest of a policy as SQL. Rollups contain it instead of the text, which is too long. Policies that differ
 * only in case have the same digest.
 */
export function toPolicyDigest(policy: string): string {
  return `encode(substr(sha256(convert_to(lower(${policy}), 'UTF8')), 1, 12), 'base64')`;
}

/** Checks whether a column contains the digest of a policy. */
export function equalDigest({ column }: ComparedColumn, policy: string, bind: Bind): string {
  // PostgreSQL would compute it for each row otherwise.
  return `${column} = (select ${toPolicyDigest(bind(policy))})`;
}

const NONCE = `'nonce-`;

/** Returns the condition that a policy has a nonce. Such policies differ in each response, so rollups omit them. */
export const hasNonce = (policy: string) => `position('${NONCE.replace("'", "''")}' in lower(${policy})) > 0`;

/** Checks whether a filter or an exclusion needs a policy that rollups omit. */
export function needsNonce(...all: readonly FilterValues[]): boolean {
  return all.some(({ policy }) => typeof policy === 'string' && policy.toLowerCase().includes(NONCE));
}
