import { LONGEST_HOST, parseUrl } from '@sightline/csp';
import { getDomain } from 'tldts';
import { type CspContext, cspContextOfReport, readOriginal } from './csp-context.ts';
import { type CspViolation, isImpossible } from './impossible.ts';
import type { SourceClass } from './source-classes.ts';

/** Classes by keyword (CSP3, section 5.3, `blockedURI`) or by scheme. Browsers also report bare schemes. */
const KNOWN: ReadonlyMap<string, SourceClass> = new Map([
  ...toEntries('extension', 'chrome-extension', 'moz-extension', 'safari-extension', 'safari-web-extension'),
  ...toEntries(
    'extension',
    'ms-browser-extension',
    'edge-extension',
    'extension',
    'opera-extension',
    'se-extension',
  ),
  ...toEntries('extension', 'brave-extension', 'vivaldi-extension', 'ms-extension', 'chromium-extension'),
  ...toEntries(
    'extension',
    'webkit-masked-url',
    'user-script',
    'userscript',
    'mxaddon-pkg',
    'greasemonkey-script',
  ),
  ...toEntries(
    'browser',
    'about',
    'chrome',
    'chrome-error',
    'chrome-native',
    'chrome-search',
    'chrome-untrusted',
  ),
  ...toEntries(
    'browser',
    'chrome-devtools',
    'chromeinvoke',
    'chromeinvokeimmediate',
    'chromenull',
    'chromium',
  ),
  ...toEntries('browser', 'brave', 'devtools', 'edge', 'ms-browser', 'opera', 'vivaldi', 'safari-resource'),
  ...toEntries(
    'browser',
    'resource',
    'view-source',
    'moz-icon',
    'moz-page-thumb',
    'moz-safe-about',
    'jar',
    'wyciwyg',
  ),
  ...toEntries(
    'browser',
    'isolated-app',
    'uuid-in-package',
    'cid',
    'x-apple-ql-id',
    'applewebdata',
    'x-apple-data-detectors',
  ),
  ...toEntries(
    'browser',
    'file',
    'ms-appx',
    'ms-appx-web',
    'ms-local-stream',
    'ms-appdata',
    'res',
    'content',
    'intent',
  ),
  ...toEntries(
    'browser',
    'android-webview',
    'android-webview-video-poster',
    'android-app',
    'webviewprogressproxy',
  ),
  // Apps that show pages in an embedded browser, and code that they inject.
  ...toEntries(
    'browser',
    'bdvideo',
    'baiduboxapp',
    'bytedance',
    'sslocal',
    'snssdk1128',
    'gsa',
    'gap',
    'capacitor',
    'ionic',
  ),
  ...toEntries(
    'browser',
    'mbinit',
    'mbpbsdk',
    'mqqapi',
    'mttbrowser',
    'mx',
    'mxjscall',
    'nikkomsgchannel',
    'none',
    'null',
  ),
  ...toEntries(
    'browser',
    'sraf',
    'symres',
    'tmtbff',
    'ucbrowser',
    'weixin',
    'weixinping',
    'wvjbscheme',
    'yy',
    'alipay',
  ),
  ...toEntries('inline', 'inline', 'javascript', 'trusted-types-policy', 'trusted-types-sink'),
  ...toEntries('eval', 'eval', 'wasm-eval'),
  ...toEntries('data', 'data'),
  ...toEntries('blob', 'blob', 'filesystem', 'mediastream'),
  ...toEntries('sameOrigin', 'self'),
]);

function toEntries(name: SourceClass, ...words: string[]): [string, SourceClass][] {
  return words.map(word => [word, name]);
}

/** Schemes whose addresses are classified by host. */
const NETWORK = new Set(['http:', 'https:', 'ws:', 'wss:', 'ftp:']);
/** A WebSocket has the origin of the corresponding HTTP scheme: `wss` that of `https` (Fetch, section 2.3). */
const ORIGIN_SCHEME: Readonly<Record<string, string>> = { 'ws:': 'http:', 'wss:': 'https:' };

/**
 * Classifies a blocked address.
 * @param blocked the address, or a keyword
 * @param page the page's address
 */
export function sourceClass(blocked: string, page: string): SourceClass {
  const existing = findKnownClass(blocked);
  if (existing) return existing;
  const target = webAddress(blocked);
  if (!target) return 'unknown';
  const from = webAddress(page);
  if (!from) return 'external';
  if (target.origin === from.origin) return 'sameOrigin';
  return isSameSite(target.host, from.host) ? 'sameSite' : 'external';
}

/**
 * Returns undefined for files that do not belong to the browser. Most are web addresses, which the first check rules
 * out.
 */
function browserClass(file: string): SourceClass | undefined {
  if (file === '' || file.startsWith('http')) return undefined;
  const existing = findKnownClass(file);
  return existing === 'extension' || (existing === 'browser' && !OF_SITES.test(file)) ? existing : undefined;
}

/** Schemes of documents without a web address of their own. Their code belongs to the site. */
const OF_SITES = /^(?:about|file|content|none|capacitor|ionic|gap)(?::|$)/i;

/** Returns undefined if the class depends on the host. */
function findKnownClass(uri: string): SourceClass | undefined {
  const word = /^[a-z][a-z0-9+.-]*/i.exec(uri)?.[0].toLowerCase() ?? '';
  const isAlone = word.length === uri.length || uri[word.length] === ':';
  if (!isAlone) return undefined;
  const existing = KNOWN.get(word);
  // The inner address of a `blob:` or `view-source:` URL decides.
  if (INSIDE.has(word)) return ofBrowser(uri.slice(word.length + 1)) ?? existing;
  return existing ?? (word.endsWith('-extension') ? 'extension' : undefined);
}

/** Schemes whose URLs contain another address. */
const INSIDE: ReadonlySet<string> = new Set(['blob', 'filesystem', 'view-source']);

function ofBrowser(inner: string): SourceClass | undefined {
  const word = /^[a-z][a-z0-9+.-]*(?=:)/i.exec(inner)?.[0].toLowerCase() ?? '';
  const existing = KNOWN.get(word) ?? (word.endsWith('-extension') ? 'extension' : undefined);
  return existing === 'extension' || existing === 'browser' ? existing : undefined;
}

/** The result of reading a CSP report: its class, and the values of its original that the record lacks. */
export interface ReadViolation {
  sourceClass: SourceClass;
  context: CspContext;
}

/**
 * Classifies a CSP report and extracts its context.
 * @param raw the original text of the report
 */
export function readViolation(violation: CspViolation, raw: string): ReadViolation {
  const context = cspContextOfReport(readOriginal(raw));
  return { sourceClass: violationClass(violation, context), context };
}

/**
 * Classifies the blocked resource by its address, the source file and the report's policy.
 * @param classOf `sourceClass`, or a memoized version
 */
export function violationClass(
  violation: CspViolation,
  { sourceFile = '', sample }: CspContext,
  classOf = sourceClass,
): SourceClass {
  const ofBlocked = classOf(violation.blockedUri, violation.uri);
  const ofFile = browserClass(sourceFile);
  if (ofBlocked === 'extension' || ofFile === 'extension') return 'extension';
  if (ofBlocked === 'browser' || ofFile === 'browser') return 'browser';
  return isImpossible(violation, sample) ? 'impossible' : ofBlocked;
}

interface WebAddress {
  origin: string;
  host: string;
}

function webAddress(uri: string): WebAddress | undefined {
  const end = uri.indexOf('/', uri.indexOf('//') + 2);
  // The path is irrelevant and can be long.
  const start = end < 0 ? uri.split(/[?#]/, 1)[0]! : uri.slice(0, end);
  if (!start.includes('://') || start.length > 2 * LONGEST_HOST) return undefined;
  const { protocol = '', hostname = '', host } = parseUrl(start) ?? {};
  if (!NETWORK.has(protocol) || hostname === '') return undefined;
  return { origin: `${ORIGIN_SCHEME[protocol] ?? protocol}//${host}`, host: hostname };
}

function isSameSite(host: string, other: string): boolean {
  if (host === other) return true;
  const domain = registrableDomain(host);
  return domain !== null && domain === registrableDomain(other);
}

/**
 * Returns null for IP addresses and for public suffixes. Private suffixes count: `a.github.io` and `b.github.io` are
 * different sites.
 */
function registrableDomain(host: string): string | null {
  return getDomain(host, { allowPrivateDomains: true });
}
