import { describe, expect, it } from 'vitest';
import { parseSource } from '../src/index.ts';

describe('a source expression', () => {
  it.each([
    'self',
    'unsafe-inline',
    'unsafe-eval',
    'wasm-unsafe-eval',
    'unsafe-hashes',
    'strict-dynamic',
    'report-sample',
    'inline-speculation-rules',
    'none',
  ])('is the keyword %s in any case', keyword => {
    for (const text of [`'${keyword}'`, `'${keyword.toUpperCase()}'`])
      expect(parseSource(text)).toEqual({ kind: 'keyword', text, keyword });
  });

  it.each(["'nonce-aZ09+/-_=='", "'NONCE-a'"])('is a nonce: %s', text => {
    expect(parseSource(text)).toEqual({ kind: 'nonce', text });
  });

  it.each([
    ["'sha256-AZaz09+/=='", 'sha256', 'AZaz09+/=='],
    ["'SHA384-a-_b='", 'sha384', 'a+/b='],
    ["'sha512-a'", 'sha512', 'a'],
  ])('is a hash: %s', (text, algorithm, digest) => {
    expect(parseSource(text)).toEqual({ kind: 'hash', text, algorithm, digest });
  });

  it.each([
    ['https:', 'https'],
    ['Data:', 'data'],
    ['a1+.-:', 'a1+.-'],
  ])('is a scheme: %s', (text, scheme) => {
    expect(parseSource(text)).toEqual({ kind: 'scheme', text, scheme });
  });

  it.each<[string, (string | undefined)[]]>([
    ['*', [undefined, '*', undefined, '']],
    ['*:8080', [undefined, '*', '8080', '']],
    ['localhost', [undefined, 'localhost', undefined, '']],
    ['*.Example.com', [undefined, '*.example.com', undefined, '']],
    ['HTTPS://a_b-c.example.:8443/Path/x?query', ['https', 'a_b-c.example.', '8443', '/Path/x']],
    ['a.example:*', [undefined, 'a.example', '*', '']],
    ['[2001:DB8::1]:80', [undefined, '[2001:db8::1]', '80', '']],
    ['a.example/#top', [undefined, 'a.example', undefined, '/']],
    ['a.example?x', [undefined, 'a.example', undefined, '']],
  ])('is a host: %s', (text, [scheme, host, port, path]) => {
    expect(parseSource(text)).toEqual({ kind: 'host', text, scheme, host, port, path });
  });

  it.each([
    '',
    "'self",
    "'unknown'",
    "'nonce-'",
    "'nonce-a b'",
    "'nonce-a==='",
    "'sha1-abc'",
    "'sha256-'",
    'a..example',
    '.example',
    '*.',
    '*a.example',
    'a.*.example',
    'a.example:x',
    'https://',
    'a.example/x,y',
    'a.example/x;y',
    'bücher.example',
    '1a:',
    '[::1',
  ])('is not: %j', text => {
    expect(parseSource(text)).toBeUndefined();
  });
});
