import { isIPv4, isIPv6 } from 'node:net';
import { getDomain } from 'tldts';
import { ipv6Groups } from './ip-address.ts';

/** Facts of a report of mail about where the mail came from. */
export interface SentMail {
  organisation?: unknown;
  headerFrom?: unknown;
  sourceIp?: unknown;
  dkimResults?: unknown;
  spfResults?: unknown;
}

/**
 * The sender of the mail, by facts that the report vouches for. The first is the organisation of the sender's
 * network. The second is the registrable domain of a DKIM signature that passed: of several one that is not that of
 * the From header. The third is that of the SPF domain that passed. The last is the sender's network, an IPv4 /24
 * or an IPv6 /64. '' where it says none of these.
 */
export function senderOf({ organisation, headerFrom, sourceIp, dkimResults, spfResults }: SentMail): string {
  if (typeof organisation === 'string' && organisation !== '') return organisation;
  const signed = passedDomains(dkimResults);
  const own = registrableDomain(headerFrom);
  return (
    signed.find(domain => domain !== own) ?? signed[0] ?? passedDomains(spfResults)[0] ?? networkOf(sourceIp)
  );
}

/** The registrable domains of results that passed, in their order. */
function passedDomains(results: unknown): string[] {
  if (!Array.isArray(results)) return [];
  return results.flatMap((item: { domain?: unknown; result?: unknown } | null) => {
    const hasPassed = typeof item?.result === 'string' && item.result.toLowerCase() === 'pass';
    const domain = hasPassed ? registrableDomain(item.domain) : '';
    return domain === '' ? [] : [domain];
  });
}

const LONGEST_HOST = 253;

/** A name that has none is itself: a suffix, or a name within a company. */
function registrableDomain(name: unknown): string {
  if (typeof name !== 'string' || name === '' || name.length > LONGEST_HOST) return '';
  return getDomain(name) ?? (isIPv4(name) ? '' : name.toLowerCase().replace(/\.$/, ''));
}

function networkOf(address: unknown): string {
  if (typeof address !== 'string') return '';
  if (isIPv4(address)) return `${address.split('.').slice(0, 3).join('.')}.0/24`;
  const plain = address.split('%', 1)[0]!;
  if (!isIPv6(plain)) return '';
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(plain) ?? [];
  return mapped !== undefined && isIPv4(mapped) ? networkOf(mapped) : `${ipv6Network(plain)}::/64`;
}

/** The first four groups in their shortest form. */
function ipv6Network(address: string): string {
  const groups = ipv6Groups(address).slice(0, 4);
  return groups
    .map(group => group.toString(16))
    .join(':')
    .replace(/(?:^0|:0)+$/, '');
}
