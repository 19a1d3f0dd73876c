import type { HostSource, Source } from './source.ts';

/** An address that is asked for, as far as sources are matched with it. */
export interface Address {
  /** Without its colon. */
  scheme: string;
  /** '' where the scheme has none. */
  host: string;
  /** '' where it is the scheme's own. */
  port: string;
  path: string;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443', ws: '80', wss: '443' };

/** Reads an absolute address; a scheme alone is one, too. Undefined for what is neither. */
export function addressOf(text: string): Address | undefined {
  // Browsers report `data`, `blob` and the like without what follows.
  if (/^[a-z][a-z0-9+.-]*$/i.test(text)) return { scheme: text.toLowerCase(), host: '', port: '', path: '' };
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port, pathname } = new URL(text);
  return { scheme: protocol.slice(0, -1), host: hostname, port, path: pathname };
}

/** Addresses that are remembered at a time, and characters of one. */
const MOST_KNOWN = 10_000;
const LONGEST_KNOWN = 500;

/** Reads each address once: the reports of a site name few of them, many times. */
export function addressReader(): typeof addressOf {
  const known = new Map<string, Address | undefined>();
  return text => {
    const before = known.get(text);
    if (before || known.has(text)) return before;
    const address = addressOf(text);
    if (text.length > LONGEST_KNOWN) return address;
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(text, address);
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

function portFit(allowed: string | undefined, address: Address): Fit {
  if (allowed === '*') return 'any';
  if (allowed === undefined) return isDefault(address) ? 'any' : 'none';
  if (allowed === portOf(address)) return isDefault(address) ? 'any' : 'exact';
  return allowed === '80' && portOf(address) === '443' ? 'upgrade' : 'none';
}

/** A scheme that is upgraded needs a port that is not fixed to the old one, and the other way round. */
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

const decoded = (piece: string) => {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece;
  }
};

/**
 * CSP Level 3, 6.7.2.12: a path that ends in a slash allows all below it, any other one itself alone. Each piece is
 * decoded by itself, so that an encoded slash ends no piece.
 */
export function matchesPath(allowed: string, path: string): boolean {
  if (allowed === '' || allowed === '/') return true;
  const [wanted, asked] = [allowed.split('/'), path.split('/')];
  if (wanted.at(-1) === '') wanted.pop();
  else if (wanted.length !== asked.length) return false;
  if (allowed.endsWith('/') && asked.length <= wanted.length) return false;
  return wanted.every((piece, at) => decoded(piece) === decoded(asked[at]!));
}

/** CSP Level 3, 6.7.2.8, but for the path. @param self the page, whose scheme is meant where there is none */
function matchesPlace({ text, scheme, host, port }: HostSource, address: Address, self: Address): boolean {
  if (text === '*') return address.scheme in DEFAULT_PORTS || address.scheme === self.scheme;
  const fit = schemeFit(scheme ?? self.scheme, address.scheme);
  return fitTogether(fit, portFit(port, address)) && matchesHost(host, address.host);
}

/** CSP Level 3, 6.7.2.8, step 4: the page's own origin, also where its scheme is more secure, or one of sockets. */
function matchesSelf(address: Address, self: Address): boolean {
  if (self.host === '' || address.host !== self.host) return false;
  const isSecure = address.scheme === 'https' || address.scheme === 'wss';
  const isAlike = self.scheme === 'http' && (address.scheme === 'http' || address.scheme === 'ws');
  if (!isSecure && !isAlike) return false;
  return portOf(address) === portOf(self) || (isDefault(address) && isDefault(self));
}

const portOf = ({ port, scheme }: Address) => (port === '' ? DEFAULT_PORTS[scheme] : port);
const isDefault = (address: Address) => portOf(address) === DEFAULT_PORTS[address.scheme];

/** The match of a source and an address. A path cannot be told where the browser reported the origin alone. */
export type Match = 'matches' | 'not' | 'unless path';

/**
 * Matches an address with an expression that names addresses: `'self'`, a scheme or a host (CSP Level 3, 6.7.2.8).
 * @param self the page
 */
export function matchSource(source: Source, address: Address, self: Address): Match {
  if (source.kind === 'keyword') {
    return source.keyword === 'self' && matchesSelf(address, self) ? 'matches' : 'not';
  }
  if (source.kind === 'scheme')
    return schemeFit(source.scheme, address.scheme) === 'none' ? 'not' : 'matches';
  if (source.kind !== 'host' || !matchesPlace(source, address, self)) return 'not';
  if (matchesPath(source.path, address.path)) return 'matches';
  return address.path === '/' || address.path === '' ? 'unless path' : 'not';
}
