import { hash } from 'node:crypto';
import type { Account } from '../../sql/account.ts';
import type { Header } from './reply.ts';

/**
 * The validator of an answer (RFC 9110, section 8.8.3), known before the answer is: whatever it depends on is in it.
 * That is the account's version, which every load that touches the account moves on, and the time, as far as an answer
 * depends on it. The address is in it, too, and what this release and its settings make of all that.
 */
export function entityTag(release: string, account: Account, period: string, target: string): string {
  const last = lastTags.get(account);
  if (last?.release === release && last.period === period && last.target === target) return last.tag;
  const tag = tagOf([release, account.id, account.version, period, target].join('\n'));
  lastTags.set(account, { release, period, target, tag });
  return tag;
}

/** The last tag of an account as a look-up found it, which serves many requests: most ask for the same again. */
const lastTags = new WeakMap<Account, { release: string; period: string; target: string; tag: string }>();

/** Weak, since the same entity is sent plain and compressed. */
export function tagOf(content: string | Buffer): string {
  return `W/"${hash('sha1', content, 'base64url')}"`;
}

/** The white space around a tag in a list (RFC 9110, section 5.6.1). */
const BEFORE = /(^|[,\s])(W\/)?$/;
const BEHIND = /^([,\s]|$)/;

/**
 * Tells whether `If-None-Match` (RFC 9110, section 13.1.2) names the tag, by weak comparison. Its list may be long.
 */
export function matches(ifNoneMatch: Header, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = tag.replace(/^W\//, '');
  const list = String(ifNoneMatch);
  for (let at = list.indexOf(opaque); at >= 0; at = list.indexOf(opaque, at + opaque.length)) {
    const end = at + opaque.length;
    if (BEFORE.test(list.slice(Math.max(0, at - 3), at)) && BEHIND.test(list.slice(end, end + 1)))
      return true;
  }
  return false;
}
