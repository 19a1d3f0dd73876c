import { createHash, timingSafeEqual } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import type { Request } from '../../http/reply.ts';
import type { ProxyLoginConfig } from '../../login-settings.ts';
import type { AccountMap } from './accounts.ts';

/** A person identified by the proxy. */
export interface Person {
  user: string;
  /** Ids of the accounts that the person can see. */
  accounts: string[];
}

export interface ProxyLogin {
  /** Returns the person of a request; undefined if it did not come from the proxy, or identifies nobody. */
  identify(request: Request): Person | undefined;
  /** The proxy's URL for signing out. */
  signOut: string | undefined;
}

export const SECRET_HEADER = 'x-sightline-proxy-secret';

/** Header text without control characters, which could affect a terminal or log. */
const NAME = /^[^\p{Cc}\p{Bidi_Control}]{1,256}$/u;
const MOST_GROUPS = 500;

/**
 * Trusts the headers of a configured peer that also sends the secret. Each header must occur exactly once. Headers of
 * other requests are ignored.
 */
export function createProxyLogin(config: ProxyLoginConfig, accounts: AccountMap): ProxyLogin {
  const secret = digest(config.secret);
  const isSecret = (text: string) => timingSafeEqual(digest(text), secret);
  return {
    signOut: config.signOut,
    identify({ peer, rawHeaders }) {
      const sent = getOnly(rawHeaders, SECRET_HEADER);
      // Compared for every peer, so that response times reveal nothing about the list.
      const hasSecret = isSecret(sent ?? '');
      if (!isListed(config, peer) || sent === undefined || !hasSecret) return undefined;
      const user = toText(getOnly(rawHeaders, config.userHeader));
      const groups = readGroups(rawHeaders, config.groupsHeader);
      // A comma can join a forged header to that of the proxy.
      if (user === undefined || user.includes(',') || groups === undefined) return undefined;
      return { user, accounts: accounts.listAccounts(user, groups) };
    },
  };
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** An IPv4 address on an IPv6 socket counts as IPv4. */
function isListed({ peers }: ProxyLoginConfig, peer: string): boolean {
  const address = peer.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (isIPv4(address)) return peers.check(address, 'ipv4');
  return isIPv6(address) && peers.check(address, 'ipv6');
}

/** Returns the value of a header that occurs exactly once; otherwise undefined. */
function getOnly(rawHeaders: readonly string[], name: string): string | undefined {
  const values = listValues(rawHeaders, name);
  return values.length === 1 ? values[0] : undefined;
}

function listValues(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]!.toLowerCase() === name) values.push(rawHeaders[at + 1]!);
  return values;
}

/** Returns undefined for repeated headers or too many groups, since the proxy may have passed on forged ones. */
function readGroups(rawHeaders: readonly string[], name: string): string[] | undefined {
  const values = listValues(rawHeaders, name);
  if (values.length > 1) return undefined;
  const groups = (values[0] ?? '').split(',').map(group => group.trim());
  if (groups.length > MOST_GROUPS) return undefined;
  return groups.flatMap(group => toText(group) ?? []);
}

/** Node reads headers as Latin-1; proxies send UTF-8. */
function toText(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = Buffer.from(value, 'latin1').toString('utf8').trim();
  return NAME.test(text) && !text.includes('\u{FFFD}') ? text : undefined;
}
