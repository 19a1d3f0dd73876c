import { describe, expect, it } from 'vitest';
import { describe as explain, formatHeading, formatValue } from '../src/app/browser/parts/group-words.ts';
import { inWords } from '../src/app/browser/words.ts';

describe('a value on the page', () => {
  it.each([
    ['country', 'DE', 'Germany (DE)'],
    ['country', 'de', 'de'],
    ['aligned', 'false', 'not aligned'],
    ['policyType', 'sts', 'MTA-STS'],
    ['sourceClass', 'sameSite', 'own domain'],
    ['sourceClass', 'blob', 'blob: address'],
    ['discoveryMethod', 'psl', 'public suffix list'],
    ['discoveryMethod', 'treewalk', 'DNS tree walk'],
    ['policyType', 'toString', 'toString'],
    ['toString', 'sts', 'sts'],
    ['browser', 'Fire\u202efox', 'Fire⟨U+202E⟩fox'],
  ])('of %s, %j reads %j', (name, value, text) => {
    expect(inWords(name, value)).toBe(text);
  });

  it.each([
    ['BLOCKED_HOST', '', 'no host'],
    ['RESULT_TYPE', '', 'no failure'],
    ['BROWSER', '', 'unknown'],
    ['DKIM', 'pass', 'DKIM aligned'],
    ['SPF', 'fail', 'SPF not aligned'],
    ['ISSUER', 'C=US, CN=R\u200b11', 'R⟨U+200B⟩11'],
    ['SOURCE_CLASS', 'extension', 'browser extension'],
  ] as const)('of the dimension %s, %j reads %j', (by, value, text) => {
    expect(formatValue(by, value)).toBe(text);
  });

  it.each([
    ['BLOCKED_HOST', 'Blocked host'],
    ['PAGE_HOST', 'Host'],
    ['DKIM', 'DKIM'],
  ] as const)('of %s has the heading %s', (by, text) => {
    expect(formatHeading(by)).toBe(text);
  });

  it('has an explanation by dimension, which some types replace', () => {
    expect(explain('VIOLATION', 'coop')).toBe('How a window was isolated from the one that opened it.');
    expect(explain('VIOLATION', 'coep')).toMatch(/corp/);
    expect(explain('HASH', 'csp_integrity')).toMatch(/different hash/);
    expect(explain('BROWSER', 'csp')).toBeUndefined();
  });
});
