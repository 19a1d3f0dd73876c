import { domainToASCII } from 'node:url';

/**
 * The form in which host names are stored and compared: lower-case, punycode, without port and trailing dot.
 * `*` is kept, for patterns. An IPv6 address stands in brackets.
 */
export function normalizeHost(name: string): string {
  const bare = name.trim().toLowerCase();
  if (/^[0-9a-f]*:[0-9a-f:.]*:[0-9a-f:.]*$/.test(bare)) return `[${bare}]`;
  return withoutPort(bare).split('.').map(toAscii).join('.').replace(/\.$/, '');
}

function withoutPort(host: string): string {
  return host.replace(/:\d*$/, '');
}

/** A label with a wildcard, or one that punycode cannot write, stays as it is: it then matches what it can. */
function toAscii(label: string): string {
  const isAscii = /^[\x20-\x7e]*$/.test(label);
  return isAscii || label.includes('*') ? label : domainToASCII(label) || label;
}

/** Reversed by characters, so that what a name ends with becomes what it begins with. */
export function reverseHost(host: string): string {
  return [...host].reverse().join('');
}

/** Without query and fragment. */
export function normalizePath(path: string): string {
  return path.replace(/[?#].*$/s, '');
}

export interface Address {
  host: string;
  path: string;
}

/** Host and path of an address; undefined for what has no host, such as the keywords `inline` and `data`. */
export function parseAddress(uri: string): Address | undefined {
  if (!uri.includes(':') || !URL.canParse(uri)) return undefined;
  const { hostname, pathname } = new URL(uri);
  return hostname ? { host: normalizeHost(hostname), path: pathname } : undefined;
}
