import type { FilterValues } from './filter.ts';

/**
 * The digest of a policy in rollups, which would be too long with its text. Policies that differ only in case have the
 * same.
 */
export function toPolicyDigest(policy: string): string {
  return `encode(substr(sha256(convert_to(lower(${policy}), 'UTF8')), 1, 12), 'base64')`;
}

const NONCE = `'nonce-`;

/** The condition that a policy has a nonce. It differs in each response, so rollups omit it. */
export const hasNonce = (policy: string) => `position('${NONCE.replace("'", "''")}' in lower(${policy})) > 0`;

/** Checks whether a filter or an exclusion is for a policy that rollups omit. */
export function isForNonce(...all: readonly FilterValues[]): boolean {
  return all.some(({ policy }) => typeof policy === 'string' && policy.toLowerCase().includes(NONCE));
}
