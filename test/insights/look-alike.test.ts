import { expect, it } from 'vitest';
import { findImitated, getRegistrableDomain } from '../../schema/insights/look-alike.ts';

const OWN = ['shop.example-store.com', 'acme.de', 'xyz.org'];

it.each([
  // Two characters of a name of at least eight, one of a shorter one.
  ['exampel-store.com', 'example-store.com'],
  ['examle-stor.com', 'example-store.com'],
  ['exmle-stor.com', undefined],
  ['cdn.example-store.net', 'example-store.com'],
  ['acme.com', 'acme.de'],
  ['acne.de', undefined],
  ['xyz.com', undefined],
  // Characters that look the same.
  ['exarnple-store.com', 'example-store.com'],
  ['examp1e-st0re.com', 'example-store.com'],
  ['xn--xample-store-0dk.com', 'example-store.com'],
  ['éxample-store.com', 'example-store.com'],
  ['éxámplé-stòré.com', 'example-store.com'],
  // The complete domain at the start of a host.
  ['example-store.com.login.test', 'example-store.com'],
  ['www-example-store.com.login.test', undefined],
  ['example-store-com.login.test', 'example-store.com'],
  ['acme.de.login.test', 'acme.de'],
  ['xyz.org.login.test', undefined],
  ['login.test', undefined],
  // Its own hosts and those without a domain.
  ['example-store.com', undefined],
  ['a.b.example-store.com', undefined],
  ['*.exampel-store.com', 'example-store.com'],
  ['EXAMPEL-STORE.com', 'example-store.com'],
  ['com', undefined],
  ['192.0.2.1', undefined],
  ['localhost', undefined],
])('the host %s imitates %s', (host, domain) => {
  expect(findImitated(host, OWN)).toBe(domain);
});

it('two different characters are an imitation in a name of eight, but not of seven', () => {
  expect(findImitated('abcdefxy.de', ['abcdefgh.de'])).toBe('abcdefgh.de');
  expect(findImitated('abcdexy.de', ['abcdefg.de'])).toBeUndefined();
  expect(findImitated('abcdefx.de', ['abcdefg.de'])).toBe('abcdefg.de');
});

it('names of more than 63 characters imitate nothing', () => {
  const own = `${'a'.repeat(60)}.com`;
  expect(findImitated(`${'a'.repeat(61)}.com`, [own])).toBe(own);
  expect(findImitated(`${'a'.repeat(64)}.com`, [`${'a'.repeat(63)}.com`])).toBeUndefined();
});

it.each([
  ['a.b.example.co.uk', 'example.co.uk'],
  ['example.com', 'example.com'],
  ['co.uk', undefined],
  ['192.0.2.1', undefined],
])('the registrable domain of %s is %s', (host, domain) => {
  expect(getRegistrableDomain(host)).toBe(domain);
});
