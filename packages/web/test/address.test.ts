import { describe, expect, it } from 'vitest';
import { atPath, formatAddress, readAddress, withParams } from '../src/app/browser/address.ts';

describe('an address of the page', () => {
  it.each([
    ['', [], ''],
    ['#', [], ''],
    ['#/', [], ''],
    ['#/csp', ['csp'], ''],
    ['#csp/reports?period=7d', ['csp', 'reports'], 'period=7d'],
    ['#/csp/reports/a%2Fb%3F?x=1?y&x=2', ['csp', 'reports', 'a/b?'], 'x=1%3Fy&x=2'],
    ['#/csp//reports/?', ['csp', 'reports'], ''],
    ['#/csp/100%', ['csp', '100%'], ''],
    ['#/csp?a=line%0Abreak', ['csp'], 'a=line%0Abreak'],
  ])('%j has a path and parameters', (hash, path, params) => {
    const address = readAddress(hash);
    expect([address.path, address.params.toString()]).toEqual([path, params]);
  });

  it.each([
    ['#/', '#/'],
    ['#/csp/reports/a%2Fb%3F?x=a%20b&y=%26', '#/csp/reports/a%2Fb%3F?x=a+b&y=%26'],
  ])('%j is formatted as %j', (hash, text) => {
    expect(formatAddress(readAddress(hash))).toBe(text);
    expect(formatAddress(readAddress(text))).toBe(text);
  });

  it('is changed by parameters, which replace all of the same name or remove them', () => {
    const address = readAddress('#/csp?a=1&b=2&a=3');
    const change = (changes: Parameters<typeof withParams>[1]) => formatAddress(withParams(address, changes));
    expect(change({ a: '4' })).toBe('#/csp?b=2&a=4');
    expect(change({ b: ['5', '6'], c: '' })).toBe('#/csp?a=1&a=3&b=5&b=6&c=');
    expect(change({ a: undefined, d: [] })).toBe('#/csp?b=2');
    expect(formatAddress(address)).toBe('#/csp?a=1&b=2&a=3');
  });

  it('keeps the account and the named parameters at another path', () => {
    const address = readAddress('#/csp?account=a&period=7d&browser=x&browser=y');
    expect(formatAddress(atPath(address, ['nel']))).toBe('#/nel?account=a');
    expect(formatAddress(atPath(address, ['nel', 'a/b'], ['browser', 'period', 'split']))).toBe(
      '#/nel/a%2Fb?account=a&browser=x&browser=y&period=7d',
    );
  });
});
