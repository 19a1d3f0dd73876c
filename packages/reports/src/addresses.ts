import { domainToASCII, domainToUnicode } from 'node:url';
import { isTooLong, LONGEST_HOST, parseUrl } from '@sightline/csp';

/**
 * Normalizes a host name for storage and comparison: lower case, punycode, without port and trailing dot. `*` is
 * preserved for patterns. IP addresses are shortened, with IPv6 in brackets.
 */
export function normalizeHost(name: string): string {
  const host = withoutPort(name.trim().toLowerCase());
  // A label with a wildcard cannot be encoded in punycode. The other labels are still converted.
  const ascii = host.includes('*') ? host.split('.').map(labelToAscii).join('.') : toAscii(host);
  return ascii.replace(/\.$/, '');
}

function withoutPort(host: string): string {
  const isBareIpv6 = !host.startsWith('[') && /:.*:/s.test(host);
  return isBareIpv6 ? `[${host}]` : host.replace(/:(\d*|\*)$/, '');
}

function labelToAscii(label: string): string {
  return label.includes('*') || isAscii(label) ? label : toAscii(label);
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/** A text that cannot be a host name is returned unchanged, and matches literally. */
function toAscii(host: string): string {
  if (isTooLong(host)) return host;
  // A fast path for most names. A name that ends with a digit could be an IPv4 number.
  if (/^[a-z0-9_.-]*[a-z]$/.test(host)) return host;
  // `domainToASCII` also parses the rest of a URL, and silently drops it.
  if (/[/?#@\\\s]/.test(host)) return host;
  return domainToASCII(host) || host;
}

/** Decodes punycode for display. */
export function toReadableHost(host: string): string {
  return isTooLong(host) || !host.includes('xn--') ? host : domainToUnicode(host) || host;
}

/** True if a text is a host name, without scheme, path or wildcard. */
export function isHost(name: string): boolean {
  const host = normalizeHost(name);
  return host.length <= LONGEST_HOST && /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])$/.test(host);
}

/** Reverses the characters, so that a search by suffix becomes one by prefix. */
export function reverseHost(host: string): string {
  return [...host].reverse().join('');
}

/** Removes query and fragment, and percent-encodes as the URL parser does. `*` is preserved. */
export function normalizePath(path: string): string {
  return path.replace(/[?#].*$/s, '').replace(/[ "<>^`{}]|[^\x20-\x7e\p{Surrogate}]/gu, encodeURIComponent);
}

export interface HostAndPath {
  host: string;
  path: string;
}

/**
 * Parses the host and path of an address. Returns undefined if there is no host, as for the keywords `inline` and
 * `data`.
 */
export function parseAddress(uri: string): HostAndPath | undefined {
  const { hostname = '', pathname = '' } = parseUrl(uri) ?? {};
  // The URL Standard requires this encoding. Node does it from version 24 on.
  return hostname ? { host: normalizeHost(hostname), path: pathname.replaceAll('^', '%5E') } : undefined;
}

/**
 * True if a host pattern can match a stored host. A non-ASCII label with a wildcard cannot, since it has no punycode.
 */
export function isHostPattern(pattern: string): boolean {
  return pattern.split('.').every(label => !label.includes('*') || isAscii(label));
}

/** True if a path pattern can match. Paths are stored without query and fragment. */
export function isPathPattern(pattern: string): boolean {
  return !/[?#]/.test(pattern);
}
