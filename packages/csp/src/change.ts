import { hasSources, listFallbacks } from './directives.ts';
import { addressReader, matchSource, toAddress } from './match.ts';
import type { Policy } from './policy.ts';
import { parseSource } from './source.ts';
import { SourceIndex } from './source-index.ts';
import { eachInTurns } from './turns.ts';

/** A source of a directive. */
export interface DirectiveSource {
  directive: string;
  source: string;
}

/** The directive to which a source is added. Policies rarely distinguish elements from attributes. */
export function directiveToChange(policy: Policy, violated: string): string | undefined {
  const deciding = listFallbacks(violated).find(name => policy.has(name));
  // The name is untrusted. Directives without a source list, such as `sandbox`, cannot be extended.
  if (deciding === undefined || !hasSources(deciding)) return undefined;
  return violated === deciding || violated.startsWith(`${deciding}-`)
    ? deciding
    : (/^(?:script|style)-src/.exec(violated)?.[0] ?? violated);
}

/**
 * Adds sources to a policy. A directive that was missing starts with the sources of its fallback, such as
 * `default-src`, so nothing that was allowed is blocked.
 */
export function withSources(policy: Policy, added: readonly DirectiveSource[]): Policy {
  const changed = new Map<string, Set<string>>();
  const find = (name: string) => changed.get(name) ?? policy.get(name);
  for (const { directive, source } of added) {
    const deciding = listFallbacks(directive).find(name => find(name) !== undefined);
    const before = deciding === undefined ? [] : find(deciding)!;
    const own = changed.get(directive) ?? new Set(before);
    if (own.has(source)) continue;
    if (!changed.has(directive)) for (const value of own) if (isNone(value)) own.delete(value);
    own.delete("'none'");
    changed.set(directive, own.add(source));
  }
  const names = new Set([...policy.keys(), ...changed.keys()]);
  return new Map([...names].map(name => [name, [...find(name)!]]));
}

const isNone = (source: string) => source.toLowerCase() === "'none'";

/** Normalizes a source for comparing policies: nonces differ in each response. */
function comparable(source: string): string {
  if (/^'nonce-/i.test(source)) return "'nonce-'";
  const parsed = parseSource(source);
  if (parsed?.kind === 'hash') return `'${parsed.algorithm}-${parsed.digest}'`;
  return parsed?.kind === 'host' && parsed.path !== '' ? source : source.toLowerCase();
}

/**
 * Returns a predicate for policies at least as strict as the given one: none of their source lists has an additional
 * source. It compares texts, so it can reject an equivalent policy. The given policy is parsed once.
 */
export function createTightness(wanted: Policy): (tried: Policy) => boolean {
  const decide = (policy: Policy, name: string) =>
    listFallbacks(name).find(directive => policy.has(directive));
  const limits = new Map(
    [...wanted].map(([name, values]) => [name, new Set(values.map(comparable))] as const),
  );
  return tried =>
    [...new Set([...tried.keys(), ...wanted.keys()])].every(name => {
      const [deciding, limit] = [decide(tried, name), decide(wanted, name)];
      if (!hasSources(name) || limit === undefined) return true;
      const allowed = limits.get(limit)!;
      return (
        deciding !== undefined &&
        tried.get(deciding)!.every(source => isNone(source) || allowed.has(comparable(source)))
      );
    });
}

/** Compares two policies in this way. */
export function isAsTight(tried: Policy, wanted: Policy): boolean {
  return createTightness(wanted)(tried);
}

/** Returns the invalid expressions of a policy, which browsers ignore. */
export function ignoredSources(policy: Policy): DirectiveSource[] {
  return listSources(policy).filter(({ source }) => parseSource(source) === undefined);
}

/** Directives whose reports do not name the blocked resource, or that browsers no longer support. */
const NEVER_REPORTED: ReadonlySet<string> = new Set(['frame-ancestors', 'prefetch-src']);

/**
 * The sources of a policy that name third-party addresses, each with its directive. No report shows that a keyword,
 * nonce or hash is unused, and pages rarely report their own files.
 */
function addressSources(policy: Policy): DirectiveSource[] {
  return listSources(policy).filter(({ directive, source }) => {
    if (NEVER_REPORTED.has(directive)) return false;
    const kind = parseSource(source)?.kind;
    return kind === 'host' || kind === 'scheme';
  });
}

function listSources(policy: Policy): DirectiveSource[] {
  return [...policy].flatMap(([directive, values]) =>
    hasSources(directive) ? values.map(source => ({ directive, source })) : [],
  );
}

/**
 * The sources of a policy that match none of the addresses, as far as these are known.
 * @param places with their pages
 */
export async function unusedSources(
  policy: Policy,
  places: Iterable<readonly [uri: string, page: string]>,
): Promise<DirectiveSource[]> {
  const read = addressReader();
  const sources = addressSources(policy);
  const index = new SourceIndex(sources.map(({ source }) => parseSource(source)!));
  const used = new Set<number>();
  const marked = new Set<object>();
  await eachInTurns(places, ([uri, page]) => {
    const [address, self] = [read(uri), read(page)];
    if (!address || !self) return;
    const { matching, perhaps } = index.find(address, self);
    for (const alike of [...matching, ...perhaps]) {
      if (marked.has(alike)) continue;
      marked.add(alike);
      for (const at of alike) used.add(at);
    }
  });
  return sources.filter((_, at) => !used.has(at));
}

/**
 * Returns a source that would allow a reported violation: the origin of an address, or a keyword. Undefined if there is
 * none.
 */
export function sourceFor(blockedUri: string, page: string, read = toAddress): string | undefined {
  const keyword = KEYWORDS.get(blockedUri);
  if (keyword) return keyword;
  const [address, self] = [read(blockedUri), read(page)];
  if (!address) return undefined;
  if (address.host === '') return OPEN_SCHEMES.has(address.scheme) ? `${address.scheme}:` : undefined;
  if (!NETWORK_SCHEMES.has(address.scheme)) return undefined;
  if (self && matchSource(SELF, address, self) === 'matches') return SELF.text;
  const source = `${address.scheme}://${address.host}${address.port === '' ? '' : `:${address.port}`}`;
  // `URL` accepts hosts that would act as a wildcard, a keyword or another directive.
  const parsed = PLAIN_HOST.test(address.host) ? parseSource(source) : undefined;
  return parsed?.kind === 'host' ? source : undefined;
}

/** A name or an IP address without special meaning in a policy. */
const PLAIN_HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])$/;

const SELF = { kind: 'keyword', text: "'self'", keyword: 'self' } as const;
const NETWORK_SCHEMES: ReadonlySet<string> = new Set(['http', 'https', 'ws', 'wss']);
const OPEN_SCHEMES: ReadonlySet<string> = new Set(['data', 'blob', 'filesystem', 'mediastream']);
const KEYWORDS: ReadonlyMap<string, string> = new Map([
  ['inline', "'unsafe-inline'"],
  ['eval', "'unsafe-eval'"],
  ['wasm-eval', "'wasm-unsafe-eval'"],
]);

/** Describes what a source allows beyond the reports; undefined for one that names a host. */
export function openedBy(source: string): string | undefined {
  return OPENED.get(source);
}

const OPENED: ReadonlyMap<string, string> = new Map([
  ["'unsafe-inline'", 'any code or style within a page, including an attacker’s'],
  ["'unsafe-eval'", 'code that is created from any text'],
  ["'wasm-unsafe-eval'", 'WebAssembly that is created from any bytes'],
  ['data:', 'any content within an address'],
  ['blob:', 'any content that a script of the page creates'],
  ['filesystem:', 'any file that a script of the page has stored'],
  ['mediastream:', 'any stream of camera, microphone or screen'],
]);
