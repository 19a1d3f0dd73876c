/** One expression of a source list (CSP Level 3, 2.3.1). */
export type Source =
  | { kind: 'keyword'; text: string; keyword: string }
  | { kind: 'nonce'; text: string }
  | { kind: 'hash'; text: string; algorithm: 'sha256' | 'sha384' | 'sha512'; digest: string }
  | { kind: 'scheme'; text: string; scheme: string }
  | HostSource;

export interface HostSource {
  kind: 'host';
  text: string;
  /** In lower case without the colon; undefined if absent. */
  scheme: string | undefined;
  /** In lower case; `*` for every host, `*.example.com` for every host below. */
  host: string;
  /** Digits, or `*`; undefined if absent. */
  port: string | undefined;
  /** As written, with the slash; '' if absent. */
  path: string;
}

const KEYWORDS: ReadonlySet<string> = new Set([
  "'self'",
  "'unsafe-inline'",
  "'unsafe-eval'",
  "'wasm-unsafe-eval'",
  "'unsafe-hashes'",
  "'strict-dynamic'",
  "'report-sample'",
  "'inline-speculation-rules'",
  "'none'",
]);

const NONCE = /^'nonce-[A-Za-z0-9+/_-]+={0,2}'$/i;
const HASH = /^'(sha256|sha384|sha512)-([A-Za-z0-9+/_-]+={0,2})'$/i;
const SCHEME = /^([a-z][a-z0-9+.-]*):$/i;
const HOST =
  /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])(?::(\d+|\*))?(\/[^?#;,]*)?(?:[?#].*)?$/i;

/** Reads an expression; undefined if it is not one, and browsers ignore it. */
export function parseSource(text: string): Source | undefined {
  const keyword = text.toLowerCase();
  if (KEYWORDS.has(keyword)) return { kind: 'keyword', text, keyword: keyword.slice(1, -1) };
  if (NONCE.test(text)) return { kind: 'nonce', text };
  const hash = HASH.exec(text);
  if (hash) {
    const [, algorithm = '', digest = ''] = hash;
    // Both alphabets of Base64 are allowed, and mean the same.
    const normal = digest.replaceAll('-', '+').replaceAll('_', '/');
    return { kind: 'hash', text, algorithm: algorithm.toLowerCase() as 'sha256', digest: normal };
  }
  const scheme = SCHEME.exec(text);
  if (scheme) return { kind: 'scheme', text, scheme: scheme[1]!.toLowerCase() };
  const host = HOST.exec(text);
  if (!host) return undefined;
  const [, itsScheme, name = '', port, path = ''] = host;
  return { kind: 'host', text, scheme: itsScheme?.toLowerCase(), host: name.toLowerCase(), port, path };
}
