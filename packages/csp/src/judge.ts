import { createHash } from 'node:crypto';
import { hasSources, isScript, listFallbacks } from './directives.ts';
import { addressReader, type ParsedAddress } from './match.ts';
import type { Policy } from './policy.ts';
import { parseSource, type Source } from './source.ts';
import { type Alike, SourceIndex } from './source-index.ts';

/** A violation, as a browser reports it. */
export interface Violation {
  /** The effective directive, such as `script-src-elem`. */
  directive: string;
  /**
   * An address, a scheme, or a keyword: `inline`, `eval`, `wasm-eval`, `trusted-types-sink`, `trusted-types-policy`.
   */
  blockedUri: string;
  /** The address of the page. */
  page: string;
  /** The first 40 characters of inline code, if the policy requested them. */
  sample?: string | undefined;
}

export type PolicyOutcome = 'allowed' | 'blocked' | 'unknown';

/** A policy's decision on a violation. */
export interface PolicyVerdict {
  outcome: PolicyOutcome;
  /** The directive of the policy that decides; undefined if it has none. */
  directive: string | undefined;
  /** The expression that allows it, or may allow it. */
  source?: string;
  /** The reason why it cannot be decided. */
  reason?: string;
}

export type Judge = (violation: Violation) => PolicyVerdict;

/** The maximum length of samples in browsers; a sample of this length can be truncated. */
const LONGEST_SAMPLE = 40;

/**
 * Creates a function that decides whether a policy allows a violation. The policy is parsed once.
 * @param read a parser of addresses, which can be shared by several policies
 */
export function createJudge(policy: Policy, read = addressReader()): Judge {
  const lists = new Map<string, SourceList>();
  for (const [name, values] of policy)
    if (hasSources(name)) lists.set(name, new SourceList(name, values, read));
  const judgeBy = (wanted: string, violation: Violation): PolicyVerdict => {
    const directive = listFallbacks(wanted).find(name => policy.has(name));
    if (directive === undefined) return { outcome: 'allowed', directive };
    return lists.get(directive)?.judge(wanted, violation) ?? judgeOther(directive, policy.get(directive)!);
  };
  return violation => {
    const [wanted, other] = listDirectives(violation);
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

/** Returns the directive's name in a report, which includes its values in old browsers. */
export function directiveName(text: string): string {
  return WORD.test(text) ? text : text.trim().split(/\s+/, 1)[0]!.toLowerCase();
}

/** Some browsers report `script-src` for violations of `script-src-elem` or `script-src-attr`. */
function listDirectives({ directive, blockedUri }: Violation): readonly [string, string?] {
  const name = directiveName(directive);
  if (name !== 'script-src' && name !== 'style-src') return [name];
  if (EVALS.has(blockedUri)) return [name];
  return blockedUri === 'inline' ? [`${name}-elem`, `${name}-attr`] : [`${name}-elem`];
}

/** Directives without a source list, which do not depend on an address. */
function judgeOther(directive: string, values: readonly string[]): PolicyVerdict {
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

type Hash = Extract<Source, { kind: 'hash' }>;

/** The sources of one directive. */
class SourceList {
  readonly #blocked: PolicyVerdict;
  readonly #sources: readonly Source[];
  readonly #read: ReturnType<typeof addressReader>;
  readonly #keywords: ReadonlyMap<string, string>;
  /** The first nonce, and the first hash. */
  readonly #nonce: string | undefined;
  readonly #hashes: readonly Hash[];
  /** Texts of hashes by algorithm and digest. */
  readonly #digests = new Map<string, string>();
  readonly #algorithms: ReadonlySet<Hash['algorithm']>;
  readonly #index: SourceIndex;

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
    this.#algorithms = new Set(this.#hashes.map(({ algorithm }) => algorithm));
    for (const { algorithm, digest, text } of this.#hashes.toReversed())
      this.#digests.set(`${algorithm} ${digest}`, text);
    this.#index = new SourceIndex(this.#sources);
  }

  /** @param directive the violated directive, which determines what nonces and hashes apply to */
  judge(directive: string, violation: Violation): PolicyVerdict {
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

  #byKeyword(names: readonly string[]): PolicyVerdict {
    const source = names.map(name => this.#keywords.get(name)).find(text => text !== undefined);
    return source === undefined ? this.#blocked : this.#allowSource(source);
  }

  /** CSP Level 3, 6.7.3.2 and 6.7.3.3. */
  #judgeInline(directive: string, { sample }: Violation): PolicyVerdict {
    const isStrict = isScript(directive) && this.#keywords.has('strict-dynamic');
    const inline = this.#keywords.get('unsafe-inline');
    if (inline !== undefined && !this.#nonce && this.#hashes.length === 0 && !isStrict) {
      return this.#allowSource(inline);
    }
    const isAttribute = directive.endsWith('-attr');
    const hashes = isAttribute && !this.#keywords.has('unsafe-hashes') ? [] : this.#hashes;
    const isWhole = sample !== undefined && sample !== '' && sample.length < LONGEST_SAMPLE;
    const existing = isWhole && hashes.length > 0 ? this.#isHash(sample) : undefined;
    if (existing !== undefined) return this.#allowSource(existing);
    if (hashes.length > 0 && !isWhole) {
      return this.#unknown('the code is not completely known', hashes[0]!.text);
    }
    if (this.#nonce && !isAttribute) return this.#byNonce();
    return this.#blocked;
  }

  #judgeAddress(directive: string, address: ParsedAddress, self: ParsedAddress): PolicyVerdict {
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

  /** A certain match comes before a possible one. */
  #matching(address: ParsedAddress, self: ParsedAddress): PolicyVerdict | undefined {
    const { matching, perhaps } = this.#index.find(address, self);
    if (matching.length > 0) return this.#allowSource(this.#first(matching));
    return perhaps.length > 0 ? this.#unknown('the report has no path', this.#first(perhaps)) : undefined;
  }

  #first(found: readonly Alike[]): string {
    return this.#sources[Math.min(...found.map(alike => alike[0]!))]!.text;
  }

  #isHash(sample: string): string | undefined {
    for (const algorithm of this.#algorithms) {
      const digest = createHash(algorithm).update(sample).digest('base64');
      const existing = this.#digests.get(`${algorithm} ${digest}`);
      if (existing !== undefined) return existing;
    }
    return undefined;
  }

  #allowSource(source: string): PolicyVerdict {
    return { outcome: 'allowed', directive: this.#blocked.directive, source };
  }

  #unknown(reason: string, source?: string): PolicyVerdict {
    const { directive } = this.#blocked;
    return { outcome: 'unknown', directive, reason, ...(source !== undefined && { source }) };
  }

  #byNonce(): PolicyVerdict {
    return this.#unknown('a report does not say whether there is a nonce', this.#nonce!);
  }
}
