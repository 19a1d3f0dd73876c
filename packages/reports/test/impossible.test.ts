import { expect, it } from 'vitest';
import { violationClass } from '../src/index.ts';

const usual = {
  uri: 'https://shop.example/cart?x#y',
  directive: 'script-src-elem',
  blockedUri: 'https://cdn.example/x.js',
  policy: "script-src 'self' https://cdn.example",
};
type Violation = typeof usual;

const padded = (length: number) => `${usual.policy}; img-src `.padEnd(length, 'x');

it.each<[string, Partial<Violation>, string]>([
  ['of an allowed host', {}, 'impossible'],
  ['of a host that is not allowed', { blockedUri: 'https://cdn2.example/x.js' }, 'external'],
  ['of the page itself', { blockedUri: 'https://shop.example/x.js' }, 'impossible'],
  ['of another port of the page', { blockedUri: 'https://shop.example:8443/x.js' }, 'sameSite'],
  [
    'of a page that is only an origin',
    { uri: 'https://shop.example', blockedUri: 'https://shop.example/' },
    'impossible',
  ],
  ['without a directive', { directive: '' }, 'external'],
  ['without a policy', { policy: '' }, 'external'],
  ['with a directive as old browsers send it', { directive: "script-src-elem 'self'" }, 'impossible'],
  ['of an unknown directive without sources', { directive: 'magic-src' }, 'external'],
  [
    'of a directive that falls back to the default',
    { policy: 'default-src https://cdn.example' },
    'impossible',
  ],
  [
    'of a directive that the policy does not restrict',
    { policy: 'img-src https://cdn.example' },
    'impossible',
  ],
  ['of one of several policies', { policy: `${usual.policy} , img-src 'none'` }, 'external'],
  ['of a policy of 60,000 characters', { policy: padded(60_000) }, 'impossible'],
  ['of a policy that can be cut', { policy: padded(60_001) }, 'external'],
  ['with a nonce beside an allowed host', { policy: `${usual.policy} 'nonce-abc'` }, 'impossible'],
  ['with a nonce alone', { policy: "script-src 'nonce-abc'" }, 'external'],
])('a report %s has the class of its policy', (_, change, expected) => {
  for (let time = 0; time < 2; time++) expect(violationClass({ ...usual, ...change }, {})).toBe(expected);
});

it('policies that differ only in their nonces are judged alike, and others on their own', () => {
  const judge = (policy: string, blockedUri = usual.blockedUri) =>
    violationClass({ ...usual, policy, blockedUri }, {});
  const withNonce = (nonce: string, host: string) => `script-src 'nonce-${nonce}' https://${host}`;
  expect([
    judge(withNonce('a', 'cdn.example')),
    judge(withNonce('b', 'cdn.example')),
    judge(withNonce('a', 'other.example')),
    judge(withNonce('b', 'other.example'), 'https://other.example/x'),
  ]).toEqual(['impossible', 'impossible', 'external', 'impossible']);
});

it('noise of extensions and browsers comes before the judgement of the policy', () => {
  const of = (blockedUri: string, sourceFile: string) =>
    violationClass({ ...usual, blockedUri }, { sourceFile });
  expect([
    of(usual.blockedUri, 'moz-extension://1/x.js'),
    of('moz-extension://1/x.js', 'chrome://x'),
    of(usual.blockedUri, 'chrome://x'),
    of('about', 'moz-extension://1/x.js'),
    of(usual.blockedUri, 'https://shop.example/x.js'),
    of('inline', 'about:srcdoc'),
  ]).toEqual(['extension', 'extension', 'browser', 'extension', 'impossible', 'inline']);
});
