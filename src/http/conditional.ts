import { hash } from 'node:crypto';
import type { Account } from '../../sql/account.ts';
import type { HeaderValue } from './reply.ts';

/**
 * Returns the validator of a response (RFC 9110, section 8.8.3) before the response is computed. It covers everything
 * that the response depends on: the URL, the account's version, the relevant part of the time, this release and its
 * settings.
 */
export function entityTag(release: string, account: Account, period: string, target: string): string {
  const last = lastTags.get(account);
  if (last?.release === release && last.period === period && last.target === target) return last.tag;
  const tag = toEntityTag([release, account.id, account.version, period, target].join('\n'));
  lastTags.set(account, { release, period, target, tag });
  return tag;
}

/** The last tag for an account object. Consecutive requests usually share it. */
const lastTags = new WeakMap<Account, { release: string; period: string; target: string; tag: string }>();

/** Weak, because the same entity is sent plain and compressed. */
export function toEntityTag(content: string | Buffer): string {
  return `W/"${hash('sha1', content, 'base64url')}"`;
}

/** The white space around a tag in a list (RFC 9110, section 5.6.1). */
const BEFORE = /(^|[,\s])(W\/)?$/;
const BEHIND = /^([,\s]|$)/;

/**
 * Checks whether `If-None-Match` (RFC 9110, section 13.1.2) contains the tag, by weak comparison. The list can be
 * long. `*` matches any existing representation, so it is left to callers, which know whether there is one.
 */
export function matches(ifNoneMatch: HeaderValue, tag: string): boolean {
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
