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

/** Says of each violation whether a policy allows it. The policy is read once. */
export function judgeOf(policy: Policy): Judge {
  const lists = new Map<string, SourceList>();
  const read = addressReader();
  for (const [name, values] of policy) if (hasSources(name)) lists.set(name, new SourceList(values, read));
  const judgeBy = (wanted: string, violation: Violation): Verdict => {
    const directive = fallbacksOf(wanted).find(name => policy.has(name));
    if (directive === undefined) return { outcome: 'allowed', directive };
    const list = lists.get(directive);
    const answer = list ? list.judge(wanted, violation) : judgeOther(directive, policy.get(directive)!);
    return { ...answer, directive };
  };
  return violation => {
    const verdicts = directivesOf(violation).map(directive => judgeBy(directive, violation));
    const [first] = verdicts;
    if (verdicts.every(({ outcome }) => outcome === first!.outcome)) return first!;
    return {
      directive: first!.directive,
      outcome: 'unknown',
      reason: 'the report does not say whether it is an element or an attribute',
    };
  };
}

/** Some browsers report `script-src` for what is of `script-src-elem` or `script-src-attr`. */
function directivesOf({ directive, blockedUri }: Violation): string[] {
  const name = directive.trim().split(/\s+/)[0]!.toLowerCase();
  if (name !== 'script-src' && name !== 'style-src') return [name];
  if (EVALS.has(blockedUri)) return [name];
  return blockedUri === 'inline' ? [`${name}-elem`, `${name}-attr`] : [`${name}-elem`];
}

/** Directives that have no list of sources: what they forbid does not depend on an address. */
function judgeOther(directive: string, values: readonly string[]): Pick<Verdict, 'outcome' | 'reason'> {
  if (directive === 'trusted-types') {
    if (values.includes('*')) return { outcome: 'allowed' };
    return { outcome: 'unknown', reason: 'a report does not name the Trusted Types policy' };
  }
  return { outcome: 'blocked' };
}

const EVALS: ReadonlyMap<string, readonly string[]> = new Map([
  ['eval', ['unsafe-eval']],
  ['wasm-eval', ['unsafe-eval', 'wasm-unsafe-eval']],
]);

type Answer = Omit<Verdict, 'directive'>;

/** The sources of one directive. */
class SourceList {
  readonly #sources: readonly Source[];
  readonly #read: ReturnType<typeof addressReader>;
  readonly #keywords: ReadonlyMap<string, string>;
  /** The first nonce, and the first hash. */
  readonly #nonce: string | undefined;
  readonly #hashes: readonly Extract<Source, { kind: 'hash' }>[];

  constructor(values: readonly string[], read: ReturnType<typeof addressReader>) {
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
  judge(directive: string, violation: Violation): Answer {
    const { blockedUri, page } = violation;
    const allowing = EVALS.get(blockedUri);
    if (allowing) return this.#byKeyword(allowing);
    if (blockedUri === 'inline') return this.#judgeInline(directive, violation);
    if (directive === 'frame-ancestors')
      return { outcome: 'unknown', reason: 'a report does not name the ancestor' };
    const address = this.#read(blockedUri);
    const self = this.#read(page);
    if (!address || !self) return { outcome: 'unknown', reason: 'the report has no address' };
    return this.#judgeAddress(directive, address, self);
  }

  #byKeyword(names: readonly string[]): Answer {
    const source = names.map(name => this.#keywords.get(name)).find(text => text !== undefined);
    return source === undefined ? { outcome: 'blocked' } : { outcome: 'allowed', source };
  }

  /** CSP Level 3, 6.7.3.2 and 6.7.3.3. */
  #judgeInline(directive: string, { sample }: Violation): Answer {
    const isStrict = isScript(directive) && this.#keywords.has('strict-dynamic');
    const inline = this.#keywords.get('unsafe-inline');
    if (inline !== undefined && !this.#nonce && this.#hashes.length === 0 && !isStrict) {
      return { outcome: 'allowed', source: inline };
    }
    const isAttribute = directive.endsWith('-attr');
    const hashes = isAttribute && !this.#keywords.has('unsafe-hashes') ? [] : this.#hashes;
    const known = hashes.find(hash => isHashOf(hash, sample));
    if (known) return { outcome: 'allowed', source: known.text };
    const isWhole = sample !== undefined && sample !== '' && sample.length < LONGEST_SAMPLE;
    if (hashes.length > 0 && !isWhole) {
      return { outcome: 'unknown', source: hashes[0]!.text, reason: 'the code is not known whole' };
    }
    if (this.#nonce && !isAttribute) return this.#byNonce();
    return { outcome: 'blocked' };
  }

  #judgeAddress(directive: string, address: Address, self: Address): Answer {
    const takesNonce = /^(script|style)-src(-elem)?$/.test(directive);
    const isLoaded = isScript(directive) || directive === 'worker-src';
    const isStrict = isLoaded && this.#keywords.has('strict-dynamic');
    if (!isStrict) {
      const matches = this.#sources.map(source => [source, matchSource(source, address, self)] as const);
      const source = matches.find(([, match]) => match === 'matches')?.[0];
      if (source) return { outcome: 'allowed', source: source.text };
      const perhaps = matches.find(([, match]) => match === 'unless path')?.[0];
      if (perhaps) return { outcome: 'unknown', source: perhaps.text, reason: 'the report has no path' };
    }
    if (isStrict)
      return {
        outcome: 'unknown',
        source: "'strict-dynamic'",
        reason: 'scripts that are trusted load others',
      };
    if (this.#nonce && takesNonce) return this.#byNonce();
    if (this.#hashes.length > 0 && isScript(directive) && takesNonce) {
      return { outcome: 'unknown', source: this.#hashes[0]!.text, reason: 'an integrity hash may allow it' };
    }
    return { outcome: 'blocked' };
  }

  #byNonce(): Answer {
    return {
      outcome: 'unknown',
      source: this.#nonce!,
      reason: 'a report does not say whether there is a nonce',
    };
  }
}

function isHashOf(
  { algorithm, digest }: Extract<Source, { kind: 'hash' }>,
  sample: string | undefined,
): boolean {
  if (sample === undefined || sample === '' || sample.length >= LONGEST_SAMPLE) return false;
  return createHash(algorithm).update(sample).digest('base64') === digest;
}
