import { expect, test } from 'vitest';
import { normalizeHost, normalizePath, parseAddress, reverseHost } from '../src/addresses.ts';
import {
  addressDigits,
  isHost,
  isHostPattern,
  isPathPattern,
  parseIpAddress,
  toReadableHost,
} from '../src/index.ts';

test.each([
  ['WWW.Example.COM', 'www.example.com'],
  ['  example.com ', 'example.com'],
  ['example.com.', 'example.com'],
  ['example.com:8443', 'example.com'],
  ['example.com.:443', 'example.com'],
  ['example.com:', 'example.com'],
  ['_dmarc.example.com', '_dmarc.example.com'],
  ['localhost', 'localhost'],
  ['', ''],
])('normalizes the host %j to %j', (name, host) => {
  expect(normalizeHost(name)).toBe(host);
});

test.each([
  ['bücher.example', 'xn--bcher-kva.example'],
  ['BÜCHER.example', 'xn--bcher-kva.example'],
  ['straße.example', 'xn--strae-oqa.example'],
  ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['xn--a', 'xn--a'],
])('converts the international name %j to punycode', (name, host) => {
  expect(normalizeHost(name)).toBe(host);
});

test.each([
  ['::1', '[::1]'],
  ['[::1]', '[::1]'],
  ['[::1]:8080', '[::1]'],
  ['2001:DB8::0:1', '[2001:db8::1]'],
  ['[2001:db8:0:0:0:0:0:1]:443', '[2001:db8::1]'],
  ['::ffff:192.0.2.1', '[::ffff:c000:201]'],
  ['192.0.2.1:80', '192.0.2.1'],
])('normalizes the IP address %j to %j', (name, host) => {
  expect(normalizeHost(name)).toBe(host);
});

test.each([
  ['*', '*'],
  ['*.Example.com', '*.example.com'],
  ['*.bücher.example', '*.xn--bcher-kva.example'],
  ['bü*.bücher.example', 'bü*.xn--bcher-kva.example'],
  ['*.example.com.', '*.example.com'],
  ['*.example.com:443', '*.example.com'],
  ['example.com:*', 'example.com'],
  ['2001:db8::*', '[2001:db8::*]'],
])('preserves the wildcards of the pattern %j', (pattern, host) => {
  expect(normalizeHost(pattern)).toBe(host);
});

test.each(['example.com/path', 'user@example.com', 'a b', 'a?b', '%', "'; --"])(
  'leaves the invalid host %j unchanged',
  text => {
    expect(normalizeHost(text)).toBe(text);
  },
);

const letters = (count: number) =>
  String.fromCodePoint(...Array.from({ length: count }, (_, i) => 0x4e00 + i));

test.each([
  ['unencoded', letters(254)],
  ['percent-encoded', encodeURIComponent(letters(254))],
])('does not convert names beyond the length limit to punycode: %s', (_, written) => {
  const name = `${written}.example`;
  expect(normalizeHost(name)).toBe(name.toLowerCase());
  expect(parseAddress(`https://${name}/`)).toBeUndefined();
});

test('converts a name to punycode regardless of the length of its path', () => {
  const name = letters(40);
  const host = parseAddress(`https://${encodeURIComponent(name)}.example/${letters(300)}`)?.host;
  expect(host).toMatch(/^xn--.*\.example$/);
  expect(normalizeHost(`${name}.example`)).toBe(host);
});

test('reverses a host by code points, so a suffix becomes a prefix', () => {
  expect(reverseHost('www.example.com')).toBe('moc.elpmaxe.www');
  expect(reverseHost('*.example.com')).toBe('moc.elpmaxe.*');
  expect(reverseHost('a😀.example')).toBe('elpmaxe.😀a');
});

test.each([
  ['/a/b?q=1', '/a/b'],
  ['/a/b#top', '/a/b'],
  ['/a\n?b\n', '/a%0A'],
  ['/Case', '/Case'],
  ['*/admin/*', '*/admin/*'],
  ['/a%20b', '/a%20b'],
  ['/%_\\', '/%_\\'],
  ['/a^b', '/a%5Eb'],
  ['', ''],
  ['/\ud800', '/\ud800'],
])('normalizes the path %j to %j', (path, normal) => {
  expect(normalizePath(path)).toBe(normal);
});

test.each(['/a b', '/ü/😀', '/"<>`{}', "/^|[]'", '/~a!$&()*+,;=:@'])(
  'normalizes the path %j in the same way as a parsed address',
  path => {
    expect(normalizePath(path)).toBe(parseAddress(`https://example.com${path}`)?.path);
  },
);

test.each([
  ['https://www.example.com/a/b?q#f', 'www.example.com', '/a/b'],
  ['https://example.com', 'example.com', '/'],
  ['https://example.com/a^b?^', 'example.com', '/a%5Eb'],
  ['https://user:secret@Example.com.:8443/x', 'example.com', '/x'],
  ['wss://bücher.example/socket', 'xn--bcher-kva.example', '/socket'],
  ['http://[2001:DB8::1]:8080/', '[2001:db8::1]', '/'],
  ['chrome-extension://ABCdef/page.html', 'abcdef', '/page.html'],
  ['custom://straße.example/', 'xn--strae-oqa.example', '/'],
])('extracts host and path from %s', (uri, host, path) => {
  expect(parseAddress(uri)).toEqual({ host, path });
});

test.each([
  '',
  'inline',
  'eval',
  'data',
  'self',
  'example.com',
  'data:text/plain,x',
  'about:blank',
  'blob:https://example.com/0a1b',
  'file:///etc/hosts',
  'https:',
  'https://',
  'https://%/',
  'not an address: at all',
])('finds no host in %j', uri => {
  expect(parseAddress(uri)).toBeUndefined();
});

test('normalizes a host identically in an address and in a filter', () => {
  for (const name of ['EXAMPLE.com.', 'Bücher.example', '127.1', '[2001:db8::0:1]:8080']) {
    expect(parseAddress(`https://${name}/`)?.host).toBe(normalizeHost(name));
  }
});

test('parses a non-ASCII host even after many other addresses', { tags: 'slow' }, () => {
  for (let i = 0; i < 200_000; i++) parseAddress(`https://www.example.com/${i % 7}`);
  expect(parseAddress('https://www.b\u00fccher.example/')?.host).toBe('www.xn--bcher-kva.example');
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  [' 192.0.2.1\n', '192.0.2.1'],
  ['192.0.2.1:25', '192.0.2.1'],
  ['192.0.2.1:65535', '192.0.2.1'],
  ['[192.0.2.1]', '192.0.2.1'],
  ['[192.0.2.1]:25', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['[::FFFF:c000:201]:25', '192.0.2.1'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['[2001:db8::1]:25', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['[fe80::1%eth0]', 'fe80::1'],
  ['', undefined],
  ['mail.example.com', undefined],
  ['192.0.2.256', undefined],
  ['192.0.2.01', undefined],
  ['192.0.2.1:', undefined],
  ['192.0.2.1:smtp', undefined],
  ['192.0.2.0/24', undefined],
  ['2001:db8::1::', undefined],
  [`${' '.repeat(200)}192.0.2.1`, undefined],
])('reads the IP address of %j as %j', (text, address) => {
  expect(parseIpAddress(text)).toBe(address);
});

test.each([
  ['example.com', true],
  ['Example.COM:443', true],
  ['a_b-1.example', true],
  ['bücher.example', true],
  ['[2001:db8::1]', true],
  [`${'a'.repeat(245)}.example`, true],
  [`${'a'.repeat(246)}.example`, false],
  ['', false],
  ['*.example.com', false],
  ['https://example.com', false],
  ['example.com/x', false],
  ['a b', false],
  [':x', false],
  ['example.com:x', false],
  ['[example.com]', false],
])('that %j is a host is %s', (text, isIt) => {
  expect(isHost(text)).toBe(isIt);
});

test.each([
  ['xn--bcher-kva.example', 'bücher.example'],
  ['www.xn--r8jz45g.xn--zckzah', 'www.例え.テスト'],
  ['example.com', 'example.com'],
  ['xn--a', 'xn--a'],
  ['', ''],
])('shows the host %j as %j', (host, shown) => {
  expect(toReadableHost(host)).toBe(shown);
});

test.each([
  ['*.example.com', true],
  ['*.bücher.example', true],
  ['bü*.example', false],
  ['www.bü*.example', false],
  ['bücher.example', true],
])('that the host pattern %j can match is %s', (pattern, isIt) => {
  expect(isHostPattern(pattern)).toBe(isIt);
});

test.each([
  ['/a/*', true],
  ['/a?b', false],
  ['/a#b', false],
])('that the path pattern %j can match is %s', (pattern, isIt) => {
  expect(isPathPattern(pattern)).toBe(isIt);
});

test.each([
  ['192.0.2.10', '00000000000000000000ffffc000020a'],
  ['::ffff:192.0.2.10', '00000000000000000000ffffc000020a'],
  ['::', '0'.repeat(32)],
  ['::1', `${'0'.repeat(31)}1`],
  ['2001:db8::', '20010db8000000000000000000000000'],
  ['1:2:3:4:5:6:7:8', '00010002000300040005000600070008'],
  ['fe80::1%eth0', 'fe800000000000000000000000000001'],
])('the digits of %s are %s', (address, digits) => {
  expect(addressDigits(address)).toBe(digits);
});
