import { getDomain } from 'tldts';
import type { SourceClass } from './source-classes.ts';

/** By keyword of CSP3 (section 5.3, `blockedURI`), or by scheme; browsers give a scheme alone as well. */
const KNOWN: ReadonlyMap<string, SourceClass> = new Map([
  ...classed('extension', 'chrome-extension', 'moz-extension', 'safari-extension', 'safari-web-extension'),
  ...classed('extension', 'ms-browser-extension', 'edge-extension', 'opera-extension', 'webkit-masked-url'),
  ...classed('extension', 'user-script', 'userscript', 'extension'),
  ...classed('browser', 'about', 'chrome', 'chrome-error', 'chrome-search', 'chrome-untrusted', 'devtools'),
  ...classed('browser', 'edge', 'opera', 'resource', 'view-source', 'moz-icon', 'moz-page-thumb', 'jar'),
  ...classed('browser', 'file', 'ms-appx', 'ms-appx-web', 'res', 'android-webview', 'content'),
  ...classed('inline', 'inline', 'javascript', 'trusted-types-policy', 'trusted-types-sink'),
  ...classed('eval', 'eval', 'wasm-eval'),
  ...classed('data', 'data'),
  ...classed('blob', 'blob', 'filesystem', 'mediastream'),
  ...classed('sameOrigin', 'self'),
]);

function classed(name: SourceClass, ...words: string[]): [string, SourceClass][] {
  return words.map(word => [word, name]);
}

/** Schemes of the web: what is behind one is told apart by host. */
const NETWORK = new Set(['http:', 'https:', 'ws:', 'wss:', 'ftp:']);
/** A WebSocket belongs to the origin that its page would have: `wss` to `https` (Fetch, section 2.3). */
const ORIGIN_SCHEME: Readonly<Record<string, string>> = { 'ws:': 'http:', 'wss:': 'https:' };

/** A longer host is none, and asking for its parts would take time by its length. */
const LONGEST_HOST = 253;

/**
 * The class of a blocked address on a page.
 * @param blocked the address, or the keyword that stands for it
 * @param page the page's address
 */
export function sourceClass(blocked: string, page: string): SourceClass {
  const word = /^[a-z][a-z0-9+.-]*/i.exec(blocked)?.[0].toLowerCase() ?? '';
  const isAlone = word.length === blocked.length || blocked[word.length] === ':';
  const known = isAlone ? KNOWN.get(word) : undefined;
  if (known) return known;
  const target = webAddress(blocked);
  if (!target) return 'unknown';
  const from = webAddress(page);
  if (!from) return 'external';
  if (target.origin === from.origin) return 'sameOrigin';
  return isSameSite(target.host, from.host) ? 'sameSite' : 'external';
}

interface WebAddress {
  origin: string;
  host: string;
}

function webAddress(uri: string): WebAddress | undefined {
  const end = uri.indexOf('/', uri.indexOf('//') + 2);
  // The path says nothing here, and may be long.
  const start = end < 0 ? uri.split(/[?#]/, 1)[0]! : uri.slice(0, end);
  if (!start.includes('://') || start.length > 2 * LONGEST_HOST) return undefined;
  try {
    const { protocol, hostname, host } = new URL(start);
    if (!NETWORK.has(protocol) || hostname === '') return undefined;
    return { origin: `${ORIGIN_SCHEME[protocol] ?? protocol}//${host}`, host: hostname };
  } catch {
    return undefined;
  }
}

function isSameSite(host: string, other: string): boolean {
  if (host === other) return true;
  const domain = registrableDomain(host);
  return domain !== null && domain === registrableDomain(other);
}

/**
 * Null for IP addresses, and for a public suffix itself. Private suffixes count: `a.github.io` is no site of
 * `b.github.io`.
 */
function registrableDomain(host: string): string | null {
  return getDomain(host, { allowPrivateDomains: true });
}
