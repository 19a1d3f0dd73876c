import type { HostSource, Source } from './source.ts';
import { LONGEST_HOST, parseUrl } from './url.ts';

/** The parts of a requested address that sources are compared with. */
export interface ParsedAddress {
  /** Without its colon. */
  scheme: string;
  /** '' if the scheme has none. */
  host: string;
  /** '' for the scheme's default. */
  port: string;
  path: string;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443', ws: '80', wss: '443' };

/** Parses an absolute address or a bare scheme; undefined for anything else. */
export function toAddress(text: string): ParsedAddress | undefined {
  // Browsers report only the scheme of `data`, `blob` and similar addresses.
  if (/^[a-z][a-z0-9+.-]*$/i.test(text)) return { scheme: text.toLowerCase(), host: '', port: '', path: '' };
  const url = parseUrl(text);
  if (!url || url.hostname.length > LONGEST_HOST) return undefined;
  const { protocol, hostname, port, pathname } = url;
  return { scheme: protocol.slice(0, -1), host: hostname, port, path: pathname };
}

/** The maximum number of cached addresses, and the maximum length of one. */
const MOST_KNOWN = 10_000;
const LONGEST_KNOWN = 500;

/** Caches parsed addresses, because the reports of a site repeat a few. */
export function addressReader(): typeof toAddress {
  const seen = new Map<string, ParsedAddress | undefined>();
  return text => {
    const before = seen.get(text);
    if (before || seen.has(text)) return before;
    const address = toAddress(text);
    if (text.length > LONGEST_KNOWN) return address;
    if (seen.size >= MOST_KNOWN) seen.clear();
    seen.set(text, address);
    return address;
  };
}

/** The degree to which two parts match. */
type Fit = 'none' | 'exact' | 'upgrade' | 'any';

const UPGRADES: Readonly<Record<string, string>> = { http: 'https', ws: 'wss' };

function schemeFit(allowed: string, scheme: string): Fit {
  if (allowed === scheme) return 'exact';
  return UPGRADES[allowed] === scheme ? 'upgrade' : 'none';
}

function portFit(allowed: string | undefined, address: ParsedAddress): Fit {
  if (allowed === '*') return 'any';
  if (allowed === undefined) return isDefault(address) ? 'any' : 'none';
  if (allowed === getPort(address)) return isDefault(address) ? 'any' : 'exact';
  return allowed === '80' && getPort(address) === '443' ? 'upgrade' : 'none';
}

/** If the scheme is upgraded, the port must not be fixed to the old scheme, and vice versa. */
function fitTogether(scheme: Fit, port: Fit): boolean {
  if (scheme === 'none' || port === 'none') return false;
  if (scheme === 'upgrade' && port === 'exact') return false;
  return !(port === 'upgrade' && scheme === 'exact');
}

function matchesHost(allowed: string, host: string): boolean {
  if (host === '') return false;
  if (allowed === '*') return true;
  return allowed.startsWith('*.') ? host.endsWith(allowed.slice(1)) : host === allowed;
}

export const decoded = (piece: string) => {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece;
  }
};

/**
 * CSP Level 3, 6.7.2.12: a path with a trailing slash allows everything below it, any other path only itself. Each
 * piece is decoded separately, so that an encoded slash does not end a piece.
 */
export function matchesPath(allowed: string, path: string): boolean {
  if (allowed === '' || allowed === '/') return true;
  const [wanted, requested] = [allowed.split('/'), path.split('/')];
  if (wanted.at(-1) === '') wanted.pop();
  else if (wanted.length !== requested.length) return false;
  if (allowed.endsWith('/') && requested.length <= wanted.length) return false;
  return wanted.every((piece, at) => decoded(piece) === decoded(requested[at]!));
}

/**
 * CSP Level 3, 6.7.2.8, except for the path.
 * @param self the page, whose scheme applies if the source has none
 */
export function matchesPlace(
  { text, scheme, host, port }: HostSource,
  address: ParsedAddress,
  self: ParsedAddress,
): boolean {
  if (text === '*') return address.scheme in DEFAULT_PORTS || address.scheme === self.scheme;
  const fit = schemeFit(scheme ?? self.scheme, address.scheme);
  return fitTogether(fit, portFit(port, address)) && matchesHost(host, address.host);
}

/** CSP Level 3, 6.7.2.8, step 4: the page's own origin, including upgrades to a secure scheme or to WebSockets. */
function matchesSelf(address: ParsedAddress, self: ParsedAddress): boolean {
  if (self.host === '' || address.host !== self.host) return false;
  const isSecure = address.scheme === 'https' || address.scheme === 'wss';
  const isAlike = self.scheme === 'http' && (address.scheme === 'http' || address.scheme === 'ws');
  if (!isSecure && !isAlike) return false;
  return getPort(address) === getPort(self) || (isDefault(address) && isDefault(self));
}

export const getPort = ({ port, scheme }: ParsedAddress) => (port === '' ? DEFAULT_PORTS[scheme] : port);
const isDefault = (address: ParsedAddress) => getPort(address) === DEFAULT_PORTS[address.scheme];

/** Matches a source with an address. A path cannot be decided if the browser reported only the origin. */
export type SourceMatch = 'matches' | 'not' | 'unless path';

/**
 * Checks whether an address matches a source expression: `'self'`, a scheme or a host (CSP Level 3, 6.7.2.8).
 * @param self the page
 */
export function matchSource(source: Source, address: ParsedAddress, self: ParsedAddress): SourceMatch {
  if (source.kind === 'keyword') {
    return source.keyword === 'self' && matchesSelf(address, self) ? 'matches' : 'not';
  }
  if (source.kind === 'scheme')
    return schemeFit(source.scheme, address.scheme) === 'none' ? 'not' : 'matches';
  if (source.kind !== 'host' || !matchesPlace(source, address, self)) return 'not';
  if (matchesPath(source.path, address.path)) return 'matches';
  return address.path === '/' || address.path === '' ? 'unless path' : 'not';
}
