import { getDomain } from 'tldts';
import { type CspContext, cspContextOfReport, readOriginal } from './csp-context.ts';
import { type CspViolation, isImpossible } from './impossible.ts';
import type { SourceClass } from './source-classes.ts';

/** The classes by keyword of CSP3 (section 5.3, `blockedURI`), or by scheme; browsers give a scheme alone as well. */
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
  const known = knownClass(blocked);
  if (known) return known;
  const target = webAddress(blocked);
  if (!target) return 'unknown';
  const from = webAddress(page);
  if (!from) return 'external';
  if (target.origin === from.origin) return 'sameOrigin';
  return isSameSite(target.host, from.host) ? 'sameSite' : 'external';
}

/** Most source files are of the web, which is seen at once. */
const isExtension = (file: string) =>
  file !== '' && !file.startsWith('http') && knownClass(file) === 'extension';

/** Undefined where the host decides. */
function knownClass(uri: string): SourceClass | undefined {
  const word = /^[a-z][a-z0-9+.-]*/i.exec(uri)?.[0].toLowerCase() ?? '';
  const isAlone = word.length === uri.length || uri[word.length] === ':';
  return isAlone ? KNOWN.get(word) : undefined;
}

/** The reading of a CSP report: its class, and values of its original beyond the record. */
export interface ReadViolation {
  sourceClass: SourceClass;
  context: CspContext;
}

/**
 * Reads a CSP report.
 * @param raw the original
 */
export function readViolation(violation: CspViolation, raw: string): ReadViolation {
  const context = cspContextOfReport(readOriginal(raw));
  return { sourceClass: violationClass(violation, context), context };
}

/**
 * The class of what a CSP report says was blocked, by the file that caused it and by its own policy, too.
 * @param classOf as `sourceClass`, for who remembers it
 */
export function violationClass(
  violation: CspViolation,
  { sourceFile = '', sample }: CspContext,
  classOf = sourceClass,
): SourceClass {
  const ofBlocked = classOf(violation.blockedUri, violation.uri);
  if (ofBlocked === 'extension' || isExtension(sourceFile)) return 'extension';
  if (ofBlocked === 'browser') return ofBlocked;
  return isImpossible(violation, sample) ? 'impossible' : ofBlocked;
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
