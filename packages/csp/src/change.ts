import { fallbacksOf, hasSources } from './directives.ts';
import { addressOf, addressReader, matchSource } from './match.ts';
import type { Policy } from './policy.ts';
import { parseSource } from './source.ts';

/** A source of a directive. */
export interface DirectiveSource {
  directive: string;
  source: string;
}

/** The directive that a source is added to: elements and attributes are seldom told apart. */
export function directiveToChange(policy: Policy, violated: string): string | undefined {
  const deciding = fallbacksOf(violated).find(name => policy.has(name));
  if (deciding === undefined) return undefined;
  return violated === deciding || violated.startsWith(`${deciding}-`)
    ? deciding
    : (/^(?:script|style)-src/.exec(violated)?.[0] ?? violated);
}

/**
 * The policy with further sources. A directive that the policy leaves to another one, such as `default-src`, begins with
 * the sources of that one, so that nothing which was allowed is blocked.
 */
export function withSources(policy: Policy, added: readonly DirectiveSource[]): Policy {
  const changed = new Map(policy);
  for (const { directive, source } of added) {
    const deciding = fallbacksOf(directive).find(name => changed.has(name));
    const values = deciding === undefined ? [] : changed.get(deciding)!;
    if (values.includes(source)) continue;
    changed.set(directive, [...values.filter(value => value.toLowerCase() !== "'none'"), source]);
  }
  return changed;
}

/** The form in which sources of two policies are compared: nonces differ with every answer. */
function comparable(source: string): string {
  if (/^'nonce-/i.test(source)) return "'nonce-'";
  return parseSource(source)?.kind === 'host' && source.includes('/', 8) ? source : source.toLowerCase();
}

/**
 * Tells whether one policy forbids at least what another does: wherever the other has a list of sources, the first one
 * has no further source. It compares texts, so it may say no of two policies that mean the same.
 */
export function isAsTight(tried: Policy, wanted: Policy): boolean {
  for (const [name, values] of wanted) {
    if (!hasSources(name)) continue;
    const deciding = fallbacksOf(name).find(directive => tried.has(directive));
    if (deciding === undefined) return false;
    const allowed = new Set(values.map(comparable));
    const isNone = (source: string) => source === "'none'";
    if (
      !tried
        .get(deciding)!
        .map(comparable)
        .every(source => allowed.has(source) || isNone(source))
    )
      return false;
  }
  return true;
}

/** The expressions of a policy that browsers ignore, since they are none. */
export function ignoredSources(policy: Policy): DirectiveSource[] {
  return sourcesOf(policy).filter(({ source }) => parseSource(source) === undefined);
}

/** The sources of a policy that name addresses, each with its directive. */
function addressSources(policy: Policy): DirectiveSource[] {
  return sourcesOf(policy).filter(({ source }) => {
    const parsed = parseSource(source);
    return (
      parsed?.kind === 'host' ||
      parsed?.kind === 'scheme' ||
      (parsed?.kind === 'keyword' && parsed.keyword === 'self')
    );
  });
}

function sourcesOf(policy: Policy): DirectiveSource[] {
  return [...policy].flatMap(([directive, values]) =>
    hasSources(directive) ? values.map(source => ({ directive, source })) : [],
  );
}

/** The sources of a policy that match none of the addresses, as far as these are known. @param places with their pages */
export function unusedSources(
  policy: Policy,
  places: Iterable<readonly [uri: string, page: string]>,
): DirectiveSource[] {
  const read = addressReader();
  const addresses = [...places].flatMap(([uri, page]) => {
    const [address, self] = [read(uri), read(page)];
    return address && self ? [{ address, self }] : [];
  });
  return addressSources(policy).filter(({ source }) => {
    const parsed = parseSource(source)!;
    return !addresses.some(({ address, self }) => matchSource(parsed, address, self) !== 'not');
  });
}

/** A source that would allow a reported violation: the origin of an address, or a keyword. Undefined where none can. */
export function sourceFor(blockedUri: string, page: string): string | undefined {
  const keyword = KEYWORDS.get(blockedUri);
  if (keyword) return keyword;
  const [address, self] = [addressOf(blockedUri), addressOf(page)];
  if (!address) return undefined;
  if (address.host === '') return OPEN_SCHEMES.has(address.scheme) ? `${address.scheme}:` : undefined;
  if (!NETWORK_SCHEMES.has(address.scheme)) return undefined;
  if (self && matchSource(SELF, address, self) === 'matches') return SELF.text;
  return `${address.scheme}://${address.host}${address.port === '' ? '' : `:${address.port}`}`;
}

const SELF = { kind: 'keyword', text: "'self'", keyword: 'self' } as const;
const NETWORK_SCHEMES: ReadonlySet<string> = new Set(['http', 'https', 'ws', 'wss']);
const OPEN_SCHEMES: ReadonlySet<string> = new Set(['data', 'blob', 'filesystem', 'mediastream']);
const KEYWORDS: ReadonlyMap<string, string> = new Map([
  ['inline', "'unsafe-inline'"],
  ['eval', "'unsafe-eval'"],
  ['wasm-eval', "'wasm-unsafe-eval'"],
]);

/** Tells what a source lets in beyond what was reported; undefined for one that names a place. */
export function openedBy(source: string): string | undefined {
  return OPENED.get(source);
}

const OPENED: ReadonlyMap<string, string> = new Map([
  ["'unsafe-inline'", 'any code or style within a page, an attacker’s too'],
  ["'unsafe-eval'", 'code that is made of any text'],
  ["'wasm-unsafe-eval'", 'WebAssembly that is made of any bytes'],
  ['data:', 'any content within an address'],
  ['blob:', 'any content that a script of the page makes'],
  ['filesystem:', 'any file that a script of the page has stored'],
  ['mediastream:', 'any stream of camera, microphone or screen'],
]);
