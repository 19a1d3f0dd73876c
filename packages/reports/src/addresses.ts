import { domainToASCII } from 'node:url';

/** Characters that a host name may take in any way of writing, with a name and a password before it. */
const LONGEST_WRITTEN = 4096;

/** DNS's bound: a longer text is no name. Punycode has a character at least for each that it writes. */
const LONGEST_NAME = 253;

/** A character beyond ASCII, as it is or in percent-encoding. */
const BEYOND_ASCII = /[^\0-\x7f]|%[c-f][\da-f]/giu;

/** Punycode takes the square of a length: 4096 characters would be twenty milliseconds, in which nothing else runs. */
function isTooLong(written: string): boolean {
  if (written.length <= LONGEST_NAME) return false;
  return written.length > LONGEST_WRITTEN || (written.match(BEYOND_ASCII)?.length ?? 0) > LONGEST_NAME;
}

/**
 * The form in which host names are stored and compared: lower-case, punycode, without port and trailing dot.
 * `*` is kept, for patterns. An IP address has its shortest form, IPv6 in brackets.
 */
export function normalizeHost(name: string): string {
  const host = withoutPort(name.trim().toLowerCase());
  // A wildcard may stand for a part of a label, which punycode cannot write: the other labels still can be.
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

/** A text that cannot be a host name stays as it is, and matches literally. */
function toAscii(host: string): string {
  if (isTooLong(host)) return host;
  // Most names, at the cost of one expression; a name that ends with a digit may be a number for IPv4.
  if (/^[a-z0-9_.-]*[a-z]$/.test(host)) return host;
  // The standard function reads the rest of an address, too, and drops it in silence.
  if (/[/?#@\\\s]/.test(host)) return host;
  return domainToASCII(host) || host;
}

/** Bytes of a host name. */
const LONGEST_HOST = 253;

/** Tells whether it is a host name, without scheme, path or wildcard. */
export function isHost(name: string): boolean {
  const host = normalizeHost(name);
  return host.length <= LONGEST_HOST && /^[a-z0-9_.[\]:-]+$/.test(host);
}

/** Reversed by characters, so that what a name ends with becomes what it begins with. */
export function reverseHost(host: string): string {
  return [...host].reverse().join('');
}

/** Without query and fragment, and with the percent-encoding that paths of parsed addresses have. `*` is kept. */
export function normalizePath(path: string): string {
  return path.replace(/[?#].*$/s, '').replace(/[ "<>^`{}]|[^\x20-\x7e\p{Surrogate}]/gu, encodeURIComponent);
}

export interface Address {
  host: string;
  path: string;
}

/** Host and path of an address; undefined for what has no host, such as the keywords `inline` and `data`. */
export function parseAddress(uri: string): Address | undefined {
  const { hostname = '', pathname = '' } = parse(uri) ?? {};
  // As the URL Standard has it, and Node 24; earlier ones leave it as it is.
  return hostname ? { host: normalizeHost(hostname), path: pathname.replaceAll('^', '%5E') } : undefined;
}

/** Returns the text at the host's place; URL would parse even a megabyte. */
const AUTHORITY = /^[\0-\x20]*[a-z][a-z0-9+.\-\t\n\r]*:[/\\\t\n\r]*([^/\\?#]*)/i;

/** Not by URL.canParse: once Node 20 has compiled its callers, it refuses letters between U+0080 and U+00FF. */
function parse(uri: string): URL | undefined {
  if (!uri.includes(':')) return undefined;
  if (uri.length > LONGEST_NAME && isTooLong(AUTHORITY.exec(uri)?.[1] ?? '')) return undefined;
  try {
    return new URL(uri);
  } catch {
    return undefined;
  }
}

/**
 * Tells whether a host pattern can match a stored host. Punycode writes no label of which only a part is given, and
 * so none with a wildcard beside letters beyond ASCII.
 */
export function isHostPattern(pattern: string): boolean {
  return pattern.split('.').every(label => !label.includes('*') || isAscii(label));
}

/** Tells whether a path pattern means what it says: paths are stored without query and fragment. */
export function isPathPattern(pattern: string): boolean {
  return !/[?#]/.test(pattern);
}
