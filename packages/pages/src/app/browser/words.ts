import { revealed } from './format.ts';

/** A receiver tells of each whether it passed for the domain of the From header. */
const ALIGNMENT = { pass: 'aligned', fail: 'not aligned' };

/** The meaning of values that are abbreviations, or names of a protocol. */
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
    sameOrigin: 'same origin',
    sameSite: 'same site',
    external: 'other host',
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

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region' });

/** @param name of a field or filter. @returns the value in words, or as it is with what is hidden in it as marks */
export function inWords(name: string, value: string): string {
  if (name === 'country' && /^[A-Z]{2}$/.test(value)) return `${COUNTRIES.of(value)} (${value})`;
  const words = Object.hasOwn(WORDS, name) ? WORDS[name] : undefined;
  return words && Object.hasOwn(words, value) ? words[value]! : revealed(value);
}
