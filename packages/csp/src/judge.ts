import { createHash } from 'node:crypto';
import { fallbacksOf, hasSources, isScript } from './directives.ts';
import { type Address, addressReader, matchSource } from './match.ts';
import type { Policy } from './policy.ts';
import { parseSource, type Source } from './source.ts';

/** A violation, as a browser reports it. */
export interface Violation {
  /** The effective directive, such as `script-src-elem`. */
  directive: string;
  /** An address, a scheme, or a keyword: `inline`, `eval`, `wasm-eval`, `trusted-types-sink`, `trusted-types-policy`. */
  blockedUri: string;
  /** The address of the page. */
  page: string;
  /** The first 40 characters of inline code, where the policy asked for them. */
  sample?: string | undefined;
}

export type Outcome = 'allowed' | 'blocked' | 'unknown';

/** A policy's answer to a violation. */
export interface Verdict {
  outcome: Outcome;
  /** The directive of the policy that decides; undefined where it has none. */
  directive: string | undefined;
  /** The expression that allows it, or that might. */
  source?: string;
  /** The reason why it cannot be told. */
  reason?: string;
}

export type Judge = (violation: Violation) => Verdict;

/** The longest sample that browsers send: one of that length may be cut. */
const LONGEST_SAMPLE = 40;

/**
 * Says of each violation whether a policy allows it. The policy is read once.
 * @param read reads addresses; one for several policies reads each of them once
 */
export function judgeOf(policy: Policy, read = addressReader()): Judge {
  const lists = new Map<string, SourceList>();
  for (const [name, values] of policy)
    if (hasSources(name)) lists.set(name, new SourceList(name, values, read));
  const judgeBy = (wanted: string, violation: Violation): Verdict => {
    const directive = fallbacksOf(wanted).find(name => policy.has(name));
    if (directive === undefined) return { outcome: 'allowed', directive };
    return lists.get(directive)?.judge(wanted, violation) ?? judgeOther(directive, policy.get(directive)!);
  };
  return violation => {
    const [wanted, other] = directivesOf(violation);
    const first = judgeBy(wanted, violation);
    if (other === undefined || judgeBy(other, violation).outcome === first.outcome) return first;
    return {
      directive: first.directive,
      outcome: 'unknown',
      reason: 'the report does not say whether it is an element or an attribute',
    };
  };
}

const WORD = /^[a-z-]+$/;

/** The name of a directive that a report gives, with its values where the browser is an old one. */
export function directiveName(text: string): string {
  return WORD.test(text) ? text : text.trim().split(/\s+/, 1)[0]!.toLowerCase();
}

/** Some browsers report `script-src` for what is of `script-src-elem` or `script-src-attr`. */
function directivesOf({ directive, blockedUri }: Violation): readonly [string, string?] {
  const name = directiveName(directive);
  if (name !== 'script-src' && name !== 'style-src') return [name];
  if (EVALS.has(blockedUri)) return [name];
  return blockedUri === 'inline' ? [`${name}-elem`, `${name}-attr`] : [`${name}-elem`];
}

/** Directives that have no list of sources: what they forbid does not depend on an address. */
function judgeOther(directive: string, values: readonly string[]): Verdict {
  if (directive !== 'trusted-types') return { outcome: 'blocked', directive };
  if (values.includes('*')) return { outcome: 'allowed', directive };
  return { outcome: 'unknown', directive, reason: 'a report does not name the Trusted Types policy' };
}

const EVALS: ReadonlyMap<string, readonly string[]> = new Map([
  ['eval', ['unsafe-eval']],
  ['wasm-eval', ['unsafe-eval', 'wasm-unsafe-eval']],
]);

const TAKES_NONCE: ReadonlySet<string> = new Set([
  'script-src',
  'script-src-elem',
  'style-src',
  'style-src-elem',
]);

/** The sources of one directive. */
class SourceList {
  readonly #blocked: Verdict;
  readonly #sources: readonly Source[];
  readonly #read: ReturnType<typeof addressReader>;
  readonly #keywords: ReadonlyMap<string, string>;
  /** The first nonce, and the first hash. */
  readonly #nonce: string | undefined;
  readonly #hashes: readonly Extract<Source, { kind: 'hash' }>[];

  constructor(directive: string, values: readonly string[], read: ReturnType<typeof addressReader>) {
    this.#blocked = { outcome: 'blocked', directive };
    this.#read = read;
    this.#sources = values.flatMap(value => parseSource(value) ?? []);
    this.#keywords = new Map(
      this.#sources.flatMap(source =>
        source.kind === 'keyword' ? [[source.keyword, source.text] as const] : [],
      ),
    );
    this.#nonce = this.#sources.find(({ kind }) => kind === 'nonce')?.text;
    this.#hashes = this.#sources.filter(source => source.kind === 'hash');
  }

  /** @param directive that is violated, which tells what a nonce and a hash are good for */
  judge(directive: string, violation: Violation): Verdict {
    const { blockedUri, page } = violation;
    const allowing = EVALS.get(blockedUri);
    if (allowing) return this.#byKeyword(allowing);
    if (blockedUri === 'inline') return this.#judgeInline(directive, violation);
    if (directive === 'frame-ancestors') return this.#unknown('a report does not name the ancestor');
    const address = this.#read(blockedUri);
    const self = this.#read(page);
    if (!address || !self) return this.#unknown('the report has no address');
    return this.#judgeAddress(directive, address, self);
  }

  #byKeyword(names: readonly string[]): Verdict {
    const source = names.map(name => this.#keywords.get(name)).find(text => text !== undefined);
    return source === undefined ? this.#blocked : this.#allowed(source);
  }

  /** CSP Level 3, 6.7.3.2 and 6.7.3.3. */
  #judgeInline(directive: string, { sample }: Violation): Verdict {
    const isStrict = isScript(directive) && this.#keywords.has('strict-dynamic');
    const inline = this.#keywords.get('unsafe-inline');
    if (inline !== undefined && !this.#nonce && this.#hashes.length === 0 && !isStrict) {
      return this.#allowed(inline);
    }
    const isAttribute = directive.endsWith('-attr');
    const hashes = isAttribute && !this.#keywords.has('unsafe-hashes') ? [] : this.#hashes;
    const known = hashes.find(hash => isHashOf(hash, sample));
    if (known) return this.#allowed(known.text);
    const isWhole = sample !== undefined && sample !== '' && sample.length < LONGEST_SAMPLE;
    if (hashes.length > 0 && !isWhole) {
      return this.#unknown('the code is not known whole', hashes[0]!.text);
    }
    if (this.#nonce && !isAttribute) return this.#byNonce();
    return this.#blocked;
  }

  #judgeAddress(directive: string, address: Address, self: Address): Verdict {
    const isLoaded = isScript(directive) || directive === 'worker-src';
    const isStrict = isLoaded && this.#keywords.has('strict-dynamic');
    const match = isStrict ? undefined : this.#matching(address, self);
    if (match) return match;
    if (isStrict) return this.#unknown('scripts that are trusted load others', "'strict-dynamic'");
    if (!TAKES_NONCE.has(directive)) return this.#blocked;
    if (this.#nonce) return this.#byNonce();
    if (this.#hashes.length > 0 && isScript(directive)) {
      return this.#unknown('an integrity hash may allow it', this.#hashes[0]!.text);
    }
    return this.#blocked;
  }

  /** A source that matches comes before one that may. */
  #matching(address: Address, self: Address): Verdict | undefined {
    let perhaps: Source | undefined;
    for (const source of this.#sources) {
      const match = matchSource(source, address, self);
      if (match === 'matches') return this.#allowed(source.text);
      if (match === 'unless path') perhaps ??= source;
    }
    return perhaps && this.#unknown('the report has no path', perhaps.text);
  }

  #allowed(source: string): Verdict {
    return { outcome: 'allowed', directive: this.#blocked.directive, source };
  }

  #unknown(reason: string, source?: string): Verdict {
    const { directive } = this.#blocked;
    return { outcome: 'unknown', directive, reason, ...(source !== undefined && { source }) };
  }

  #byNonce(): Verdict {
    return this.#unknown('a report does not say whether there is a nonce', this.#nonce!);
  }
}

function isHashOf(
  { algorithm, digest }: Extract<Source, { kind: 'hash' }>,
  sample: string | undefined,
): boolean {
  if (sample === undefined || sample === '' || sample.length >= LONGEST_SAMPLE) return false;
  return createHash(algorithm).update(sample).digest('base64') === digest;
}
