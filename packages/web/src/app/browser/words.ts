import type { VerdictWordsFragment } from './documents/documents.generated.ts';
import { revealControlCharacters } from './format.ts';

/** Labels of alignment results: whether a method passed for the domain of the From header. */
const ALIGNMENT = { pass: 'aligned', fail: 'not aligned' };

/** Labels of values that are abbreviations or protocol terms, by field. */
const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  action: { reportOnly: 'report only' },
  disposition: {
    enforce: 'enforced',
    report: 'report only',
    reporting: 'report only',
    none: 'none (let through)',
  },
  sourceClass: {
    extension: 'browser extension',
    browser: 'the browser itself',
    impossible: 'allowed by its own policy',
    inline: 'inline code',
    eval: 'eval()',
    data: 'data: address',
    blob: 'blob: address',
    sameOrigin: 'own origin',
    sameSite: 'own domain',
    external: 'third party',
    unknown: 'unknown',
  },
  dkim: ALIGNMENT,
  spf: ALIGNMENT,
  aligned: { true: 'aligned', false: 'not aligned' },
  reason: { oom: 'out of memory' },
  nelType: { ok: 'ok (no error)' },
  policyType: { sts: 'MTA-STS', tlsa: 'DANE (TLSA)', 'no-policy-found': 'no policy' },
  adkim: { r: 'relaxed', s: 'strict' },
  aspf: { r: 'relaxed', s: 'strict' },
  testing: { y: 'yes', n: 'no' },
  discoveryMethod: { psl: 'public suffix list', treewalk: 'DNS tree walk' },
};

/** Labels of the team's verdicts. */
export const VERDICT_WORDS: Readonly<Record<VerdictWordsFragment['verdict'], string>> = {
  mine: 'it is ours',
  accepted: 'accepted',
  forwarder: 'it forwards mail',
  notMine: 'it is not ours',
};

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region' });

/**
 * Returns the label of a value, or the value itself with invisible characters marked.
 * @param name of the field or filter
 */
export function inWords(name: string, value: string): string {
  if (name === 'country' && /^[A-Z]{2}$/.test(value)) return `${COUNTRIES.of(value)} (${value})`;
  const words = Object.hasOwn(WORDS, name) ? WORDS[name] : undefined;
  return words && Object.hasOwn(words, value) ? words[value]! : revealControlCharacters(value);
}
