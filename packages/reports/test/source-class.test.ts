import { describe, expect, it } from 'vitest';
import { readViolation, sourceClass, violationClass } from '../src/source-class.ts';
import type { SourceClass } from '../src/source-classes.ts';

const PAGE = 'https://www.shop.example.co.uk:8443/cart?a=b';

const CLASSES: Readonly<Record<SourceClass, readonly string[]>> = {
  extension: [
    'chrome-extension://abc/x.js',
    'moz-extension',
    'safari-web-extension://x',
    'MOZ-EXTENSION://Y',
    'se-extension://x',
    'mxaddon-pkg://x',
    'unheard-of-extension://x',
    'extension',
    'user-script:1',
    'userscript:1',
    'greasemonkey-script:1',
    'filesystem:moz-extension://x',
    'blob:chrome-extension://abc/1',
    'blob:unheard-of-extension://abc/1',
    'view-source:moz-extension://x',
    'webkit-masked-url://hidden/',
  ],
  browser: [
    'about',
    'about:blank',
    'chrome://newtab/',
    'resource://gre/x',
    'file:///etc/passwd',
    'chrome-error:',
    'mxjscall://x',
    'webviewprogressproxy:///complete',
    'safari-resource://x',
    'chromenull://',
    'chromeinvokeimmediate://x',
    'mbinit://x',
    'tmtbff://x',
    'symres:/x',
    'gsa://onpageload',
    'android-webview-video-poster:default',
    'sraf://img',
    'weixinping',
    'nikkomsgchannel',
    'none://',
    'intent://x',
    'bdvideo://x',
    'view-source',
    'view-source:data:text/html,x',
    'blob:resource://x',
    'chrome-native',
    'chrome-search',
    'chrome-untrusted',
    'chrome-devtools',
    'chromeinvoke',
    'chromium',
    'brave',
    'devtools',
    'edge',
    'ms-browser',
    'opera',
    'vivaldi',
    'moz-icon',
    'moz-page-thumb',
    'moz-safe-about',
    'jar',
    'wyciwyg',
    'isolated-app',
    'uuid-in-package',
    'cid',
    'x-apple-ql-id',
    'applewebdata',
    'x-apple-data-detectors',
    'ms-appx',
    'ms-appx-web',
    'ms-local-stream',
    'ms-appdata',
    'res',
    'content',
    'android-webview',
    'android-app',
    'baiduboxapp',
    'bytedance',
    'sslocal',
    'snssdk1128',
    'gap',
    'capacitor',
    'ionic',
    'mbpbsdk',
    'mqqapi',
    'mttbrowser',
    'mx',
    'null',
    'ucbrowser',
    'weixin',
    'wvjbscheme',
    'yy',
    'alipay',
  ],
  // Decided from the policy in the report, not from the address.
  impossible: [],
  inline: ['inline', 'javascript:alert(1)', 'trusted-types-sink', 'trusted-types-policy'],
  eval: ['eval', 'wasm-eval'],
  data: ['data', 'data:text/html,<b>', 'DATA:x'],
  blob: [
    'blob',
    'blob:https://www.shop.example.co.uk/1',
    'filesystem:https://x/',
    'blob:data:text/plain,x',
    'filesystem',
    'mediastream',
  ],
  sameOrigin: ['https://www.shop.example.co.uk:8443/x.js', 'wss://www.shop.example.co.uk:8443/', 'self'],
  sameSite: [
    'https://www.shop.example.co.uk/x.js',
    'http://www.shop.example.co.uk:8443/',
    'https://example.co.uk',
    'https://a.b.example.co.uk?x#y',
    'https://WWW.Shop.Example.CO.UK./',
  ],
  external: [
    'ftp://example.com/',
    'http://example.com/',
    'https://example.com/',
    'https://other.co.uk/',
    'https://192.0.2.1/',
    'ws://evil.test',
  ],
  unknown: [
    '',
    'https',
    'odd',
    'https://',
    'https://[',
    `https://${'a'.repeat(1000)}/`,
    'mailto:a@b',
    '//host/x',
    'eval()',
    'data/x',
    'chrome-extension/x',
  ],
};

describe('the class of a blocked source', () => {
  it.each(Object.entries(CLASSES).flatMap(([name, uris]) => uris.map(uri => [name, uri])))(
    'is %s for %s',
    (name, uri) => {
      expect(sourceClass(uri!, PAGE)).toBe(name);
    },
  );

  it('treats sites below a private public suffix as different', () => {
    expect(sourceClass('https://a.github.io/', 'https://b.github.io/')).toBe('external');
    expect(sourceClass('https://a.b.github.io/', 'https://b.github.io/')).toBe('sameSite');
  });

  it('is external for a web address if the page is unknown', () => {
    expect(sourceClass('https://example.com/', '')).toBe('external');
    const write = (user: number) =>
      `https://${'u'.repeat(user - 'https://@example.com'.length)}@example.com/x`;
    expect([506, 507].map(length => sourceClass(write(length), PAGE))).toEqual(['external', 'unknown']);
  });

  it('is that of the HTTP page for a WebSocket of the same origin', () => {
    expect(sourceClass('ws://shop.example/', 'http://shop.example/cart')).toBe('sameOrigin');
    expect(sourceClass('ws://shop.example/', 'https://shop.example/cart')).toBe('sameSite');
  });

  it('does not depend on the length of a query without a path before it', () => {
    const query = 'q'.repeat(600);
    for (const uri of [`https://shop.example?${query}`, `https://shop.example#${query}`])
      expect(sourceClass(uri, 'https://shop.example/')).toBe('sameOrigin');
  });

  it('treats an IP address as a separate site', () => {
    expect(sourceClass('https://192.0.2.1:1/', 'https://192.0.2.1/')).toBe('sameSite');
    expect(sourceClass('https://192.0.2.2/', 'https://192.0.2.1/')).toBe('external');
  });
});

describe('the class of a CSP report', () => {
  const violation = {
    uri: PAGE,
    directive: 'script-src-elem',
    blockedUri: 'https://cdn.example/a.js',
    policy: "default-src 'self'; script-src 'self'",
  };
  const impossible = (changes: Partial<typeof violation>) =>
    violationClass({ ...violation, ...changes }, {}) === 'impossible';

  it.each([
    'chrome-extension',
    'moz-extension://1/a.js',
    'safari-web-extension://x',
    'webkit-masked-url://hidden/',
  ])('is extension for the source file %s', sourceFile => {
    expect(violationClass(violation, { sourceFile })).toBe('extension');
    expect(violationClass({ ...violation, blockedUri: 'inline' }, { sourceFile })).toBe('extension');
  });

  it('depends on the blocked address for any other source file', () => {
    for (const sourceFile of ['', 'https://cdn.example/chrome-extension', 'extensions.js', 'about:blank'])
      expect(violationClass(violation, { sourceFile })).toBe('external');
  });

  it('is impossible if the policy allows the source', () => {
    expect(impossible({ policy: 'script-src https://*.example' })).toBe(true);
    expect(impossible({ policy: "default-src 'none'; script-src CDN.example:443" })).toBe(true);
    expect(impossible({ blockedUri: 'inline', policy: "script-src 'unsafe-inline'" })).toBe(true);
    expect(impossible({ blockedUri: 'data', directive: 'img-src', policy: 'img-src data:' })).toBe(true);
    expect(impossible({ blockedUri: PAGE })).toBe(true);
    // No directive of the policy covers it.
    expect(impossible({ policy: 'img-src *' })).toBe(true);
  });

  it('is computed separately for reports that differ in a single field', () => {
    const policy = "script-src 'self' 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='";
    const inline = { ...violation, blockedUri: 'inline', policy };
    // The hash is that of `alert(1)`.
    for (const sample of ['alert(1)', 'alert(2)', 'alert(1)'])
      expect(violationClass(inline, { sample })).toBe(sample === 'alert(1)' ? 'impossible' : 'inline');
    for (const uri of [PAGE, 'https://shop.example/', PAGE])
      expect(impossible({ uri, blockedUri: PAGE, policy })).toBe(uri === PAGE);
    for (const directive of ['script-src-elem', 'img-src', 'script-src-elem'])
      expect(impossible({ directive, policy })).toBe(directive === 'img-src');
  });

  it('is not impossible if the verdict is unknown', () => {
    expect(impossible({ policy: '' })).toBe(false);
    expect(impossible({ directive: '', policy: '*' })).toBe(false);
    expect(impossible({ directive: 'new-src', policy: 'img-src *' })).toBe(false);
    expect(impossible({ policy: "script-src 'nonce-abc'" })).toBe(false);
    expect(impossible({ policy: "script-src 'strict-dynamic' https://cdn.example" })).toBe(false);
    expect(
      impossible({ blockedUri: 'https://cdn.example', policy: 'script-src https://cdn.example/x/' }),
    ).toBe(false);
    expect(impossible({ policy: `img-src *, script-src 'none'` })).toBe(false);
    expect(impossible({ policy: `img-src * ${' '.repeat(70_000)}` })).toBe(false);
  });

  it('remains extension or browser even if the policy allows the source', () => {
    const policy = 'script-src * chrome-extension: about:';
    expect(violationClass({ ...violation, policy, blockedUri: 'chrome-extension' }, {})).toBe('extension');
    expect(violationClass({ ...violation, policy, blockedUri: 'about' }, {})).toBe('browser');
  });

  it('is browser or extension if the source file belongs to one', () => {
    const of = (sourceFile: string) => violationClass({ ...violation, blockedUri: 'inline' }, { sourceFile });
    for (const file of ['resource://gre/x.js', 'chromenull://', 'view-source', 'chrome://x'])
      expect(of(file), file).toBe('browser');
    for (const file of ['se-extension://x', 'blob:chrome-extension://x/1', 'user-script:1'])
      expect(of(file), file).toBe('extension');
    for (const file of ['about:srcdoc', 'blob:https://shop.example/1', 'https://shop.example/x.js'])
      expect(of(file), file).toBe('inline');
    for (const file of ['ABOUT:srcdoc', 'content://app/page.html', 'file:///a.html', 'none'])
      expect(of(file), file).toBe('inline');
    for (const file of ['capacitor://localhost/a.js', 'ionic://localhost/a.js', 'gap://ready'])
      expect(of(file), file).toBe('inline');
  });
});

describe('the context of a CSP report', () => {
  it.each([
    ['{"cspReport":{"sample":"a"}}', { sample: 'a' }],
    ['{"csp_report":{"sample":"a"}}', { sample: 'a' }],
    ['{"sample":"a"}', { sample: 'a' }],
    ['{"sample":"","script-sample":"a"}', { sample: 'a' }],
    ['[{"sample":"a"}]', {}],
    ['{"sample":"a"', {}],
    ['"sample"', {}],
    ['', {}],
  ])('is read from %s', (raw, context) => {
    const violation = { uri: PAGE, directive: 'script-src', blockedUri: 'inline', policy: '' };
    expect(readViolation(violation, raw)).toEqual({ sourceClass: 'inline', context });
  });

  it.each([
    ['the line and column 0', { lineNumber: 0, columnNumber: '0' }, { lineNumber: 0, columnNumber: 0 }],
    ['a status of 0', { statusCode: 0 }, { statusCode: 0 }],
    ['no position that is negative or not whole', { lineNumber: -1, columnNumber: 1.5 }, {}],
    ['no text as a position', { lineNumber: '1e3', columnNumber: '' }, {}],
    [
      'a file without query and fragment',
      { sourceFile: 'https://a.example/a.js?b\n#c' },
      { sourceFile: 'https://a.example/a.js' },
    ],
    [
      'a file without a fragment',
      { sourceFile: 'https://a.example/a.js#b?c' },
      { sourceFile: 'https://a.example/a.js' },
    ],
    ['a sample of up to 256 characters', { sample: 'x'.repeat(300) }, { sample: 'x'.repeat(256) }],
    [
      'the fields of report-uri',
      { 'source-file': 'a', 'line-number': 1, 'column-number': 2, 'script-sample': 's', 'status-code': 3 },
      { sourceFile: 'a', lineNumber: 1, columnNumber: 2, sample: 's', statusCode: 3 },
    ],
    [
      'the fields of collectors',
      { source_file: 'a', line_number: 1, column_number: 2, script_sample: 's', status_code: 3 },
      { sourceFile: 'a', lineNumber: 1, columnNumber: 2, sample: 's', statusCode: 3 },
    ],
    ['numbers of up to 15 digits', { lineNumber: '9'.repeat(15) }, { lineNumber: 999_999_999_999_999 }],
    ['no longer numbers', { lineNumber: '1'.repeat(16), columnNumber: 2 ** 53 }, {}],
    ['a file of up to 2,048 characters', { sourceFile: 'x'.repeat(2049) }, { sourceFile: 'x'.repeat(2048) }],
    ['no empty texts', { sourceFile: '?x', sample: '' }, {}],
    ['no characters that cannot be stored', { sample: 'a\0b\ud800' }, { sample: 'a\ufffdb\ufffd' }],
    ['the first name of a field', { sample: 'a()', 'script-sample': 'b()' }, { sample: 'a()' }],
  ])('contains %s', (_, body, context) => {
    const violation = { uri: PAGE, directive: 'script-src', blockedUri: 'inline', policy: '' };
    expect(readViolation(violation, JSON.stringify({ body })).context).toEqual(context);
    expect(readViolation(violation, JSON.stringify({ 'csp-report': body })).context).toEqual(context);
  });
});
