import { isIPv4, isIPv6 } from 'node:net';
import { LONGEST_HOST } from '@sightline/csp';
import { getDomain } from 'tldts';
import { ipv6Groups } from './ip-address.ts';

/** The parts of a mail report that identify where the mail came from. */
export interface SentMail {
  organisation?: unknown;
  headerFrom?: unknown;
  sourceIp?: unknown;
  dkimResults?: unknown;
  spfResults?: unknown;
}

/**
 * Identifies the sender of a mail by evidence that cannot be forged: first the organization of the sender's network;
 * then the registrable domain of a DKIM signature that passed, preferably not that of the From header; then that of the
 * SPF domain that passed; and finally the sender's network, an IPv4 /24 or an IPv6 /64. Returns '' if there is none of
 * these.
 */
export function identifySender({
  organisation,
  headerFrom,
  sourceIp,
  dkimResults,
  spfResults,
}: SentMail): string {
  if (typeof organisation === 'string' && organisation !== '') return organisation;
  const signed = passedDomains(dkimResults);
  const own = registrableDomain(headerFrom);
  return (
    signed.find(domain => domain !== own) ?? signed[0] ?? passedDomains(spfResults)[0] ?? toNetwork(sourceIp)
  );
}

/** The registrable domains of the results that passed. */
function passedDomains(results: unknown): string[] {
  if (!Array.isArray(results)) return [];
  return results.flatMap((item: { domain?: unknown; result?: unknown } | null) => {
    const hasPassed = typeof item?.result === 'string' && item.result.toLowerCase() === 'pass';
    const domain = hasPassed ? registrableDomain(item.domain) : '';
    return domain === '' ? [] : [domain];
  });
}

/** A name without a registrable domain, such as a suffix or an internal name, is returned unchanged. */
function registrableDomain(name: unknown): string {
  if (typeof name !== 'string' || name === '' || name.length > LONGEST_HOST) return '';
  return getDomain(name) ?? (isIPv4(name) ? '' : name.toLowerCase().replace(/\.$/, ''));
}

function toNetwork(address: unknown): string {
  if (typeof address !== 'string') return '';
  if (isIPv4(address)) return `${address.split('.').slice(0, 3).join('.')}.0/24`;
  const plain = address.split('%', 1)[0]!;
  if (!isIPv6(plain)) return '';
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(plain) ?? [];
  return mapped !== undefined && isIPv4(mapped) ? toNetwork(mapped) : `${ipv6Network(plain)}::/64`;
}

/** Formats the first four groups of an address. */
function ipv6Network(address: string): string {
  const groups = ipv6Groups(address).slice(0, 4);
  return groups
    .map(group => group.toString(16))
    .join(':')
    .replace(/(?:^0|:0)+$/, '');
}
