import { hash } from 'node:crypto';
import type { Account } from '../../sql/account.ts';

/**
 * The validator of an answer (RFC 9110, section 8.8.3), known before the answer is: whatever it depends on is in it.
 * That is the account's version, which every load that touches the account moves on, the time as far as an answer
 * depends on it, the address, and what this release and its settings make of them.
 */
export function entityTag(release: string, account: Account, period: string, target: string): string {
  return tagOf([release, account.id, account.version, period, target].join('\n'));
}

/** Weak, since the same entity is sent plain and compressed. */
export function tagOf(content: string | Buffer): string {
  return `W/"${hash('sha1', content, 'base64url')}"`;
}

/** Whether `If-None-Match` (RFC 9110, section 13.1.2) names the tag, by weak comparison. */
export function matches(ifNoneMatch: string | string[] | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = tag.replace(/^W\//, '');
  return String(ifNoneMatch)
    .split(',')
    .some(candidate => candidate.trim().replace(/^W\//, '') === opaque);
}
