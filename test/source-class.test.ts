import { describe, expect, it } from 'vitest';
import { sourceClass } from '../sql/report/source-class.ts';
import type { SourceClass } from '../sql/report/source-classes.ts';

const PAGE = 'https://www.shop.example.co.uk:8443/cart?a=b';

const CLASSES: Readonly<Record<SourceClass, readonly string[]>> = {
  extension: [
    'chrome-extension://abc/x.js',
    'moz-extension',
    'safari-web-extension://x',
    'MOZ-EXTENSION://Y',
  ],
  browser: [
    'about',
    'about:blank',
    'chrome://newtab/',
    'resource://gre/x',
    'file:///etc/passwd',
    'chrome-error:',
  ],
  inline: ['inline', 'javascript:alert(1)', 'trusted-types-sink'],
  eval: ['eval', 'wasm-eval'],
  data: ['data', 'data:text/html,<b>', 'DATA:x'],
  blob: ['blob', 'blob:https://www.shop.example.co.uk/1', 'filesystem:https://x/'],
  sameOrigin: ['https://www.shop.example.co.uk:8443/x.js', 'wss://www.shop.example.co.uk:8443/', 'self'],
  sameSite: [
    'https://www.shop.example.co.uk/x.js',
    'http://www.shop.example.co.uk:8443/',
    'https://example.co.uk',
    'https://a.b.example.co.uk?x#y',
    'https://WWW.Shop.Example.CO.UK./',
  ],
  external: ['https://example.com/', 'https://other.co.uk/', 'https://192.0.2.1/', 'ws://evil.test'],
  unknown: [
    '',
    'https',
    'odd',
    'https://',
    'https://[',
    `https://${'a'.repeat(1000)}/`,
    'mailto:a@b',
    '//host/x',
  ],
};

describe('the class of a blocked source', () => {
  it.each(Object.entries(CLASSES).flatMap(([name, uris]) => uris.map(uri => [name, uri])))(
    'is %s for %s',
    (name, uri) => {
      expect(sourceClass(uri!, PAGE)).toBe(name);
    },
  );

  it('holds sites of a private public suffix apart', () => {
    expect(sourceClass('https://a.github.io/', 'https://b.github.io/')).toBe('external');
    expect(sourceClass('https://a.b.github.io/', 'https://b.github.io/')).toBe('sameSite');
  });

  it('is external for an address of the web on a page that is not known', () => {
    expect(sourceClass('https://example.com/', '')).toBe('external');
  });

  it('takes an IP address for a site of its own', () => {
    expect(sourceClass('https://192.0.2.1:1/', 'https://192.0.2.1/')).toBe('sameSite');
    expect(sourceClass('https://192.0.2.2/', 'https://192.0.2.1/')).toBe('external');
  });
});
