import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { directiveToChange, isAsTight, judgeOf, parsePolicy, policyText, withSources } from '../src/index.ts';

const PAGE = 'https://shop.example/cart';

/** The outcome and the source of a verdict, such as `allowed by https:`. */
function ask(policy: string, directive: string, blockedUri: string, sample?: string, page = PAGE): string {
  const { outcome, source } = judgeOf(parsePolicy(policy))({ directive, blockedUri, page, sample });
  return source === undefined ? outcome : `${outcome} by ${source}`;
}

describe('a policy', () => {
  it('is parsed as in browsers, ignoring case, extra white space and repeated directives', () => {
    const policy = parsePolicy(' Script-SRC  a.example\tb.example ;; script-src c.example; img-src');
    expect(policyText(policy)).toBe('script-src a.example b.example; img-src');
  });

  it('is parsed and evaluated in time proportional to its length', () => {
    const hostile = `script-src ${' '.repeat(200_000)}a ${'\t'.repeat(200_000)}b ${"'self' ".repeat(20_000)} ${'a.'.repeat(50_000)}/`;
    const { cpuUsage } = process;
    const start = cpuUsage.call(process);
    judgeOf(parsePolicy(hostile))({
      directive: 'script-src-elem',
      blockedUri: 'https://x.example/',
      page: PAGE,
    });
    expect(cpuUsage.call(process, start).user).toBeLessThan(2_000_000);
  });
});

describe('the deciding directive', () => {
  it.each([
    ["default-src 'none'", 'manifest-src', 'blocked'],
    ["default-src 'none'; script-src cdn.example", 'worker-src', 'allowed by cdn.example'],
    ["default-src 'none'; child-src cdn.example", 'frame-src', 'allowed by cdn.example'],
    ['script-src cdn.example; script-src-elem other.example', 'script-src-elem', 'blocked'],
    ['script-src cdn.example; script-src-elem other.example', 'script-src', 'blocked'],
    ["default-src 'none'", 'form-action', 'allowed'],
    ["default-src 'none'", 'base-uri', 'allowed'],
    ["form-action 'self'", 'form-action', 'blocked'],
    ['img-src cdn.example', 'script-src-elem', 'allowed'],
    ['', 'script-src-elem', 'allowed'],
    ["default-src 'none'", 'constructor', 'allowed'],
    ["frame-ancestors 'self'", 'frame-ancestors', 'unknown'],
    ['img-src cdn.example', "img-src 'self' https://other.example", 'allowed by cdn.example'],
    ['img-src cdn.example', "IMG-SRC 'self'", 'allowed by cdn.example'],
    ['img-src other.example', "IMG-SRC 'self'", 'blocked'],
  ])('of "%s" for %s yields %s', (policy, directive, answer) => {
    expect(ask(policy, directive, 'https://cdn.example/a.js')).toBe(answer);
  });

  it('is included in the verdict', () => {
    const verdict = judgeOf(parsePolicy("default-src 'none'"))({
      directive: 'img-src',
      blockedUri: 'https://a.example/',
      page: PAGE,
    });
    expect(verdict).toEqual({ outcome: 'blocked', directive: 'default-src' });
  });
});

describe('inline code', () => {
  it.each([
    ["script-src 'unsafe-inline'", 'script-src-elem', "allowed by 'unsafe-inline'"],
    ["script-src 'self'", 'script-src-elem', 'blocked'],
    ["script-src 'unsafe-inline' 'nonce-abc'", 'script-src-elem', "unknown by 'nonce-abc'"],
    ["script-src 'unsafe-inline' 'nonce-abc'", 'script-src-attr', 'blocked'],
    ["script-src 'unsafe-inline' 'strict-dynamic'", 'script-src-elem', 'blocked'],
    ["style-src 'unsafe-inline' 'strict-dynamic'", 'style-src-elem', "allowed by 'unsafe-inline'"],
    ["script-src 'sha256-AAAA'", 'script-src-elem', "unknown by 'sha256-AAAA'"],
    ["script-src 'sha256-AAAA'", 'script-src-attr', 'blocked'],
    ["script-src 'sha256-AAAA' 'unsafe-hashes'", 'script-src-attr', "unknown by 'sha256-AAAA'"],
    ["script-src-elem 'unsafe-inline'; script-src-attr 'none'", 'script-src', 'unknown'],
    ["script-src-elem 'none'; script-src-attr 'unsafe-inline'", 'script-src', 'unknown'],
    ["script-src 'unsafe-inline'", 'script-src', "allowed by 'unsafe-inline'"],
    ["script-src 'unsafe-inline' 'sha256-AAAA'", 'script-src-elem', "unknown by 'sha256-AAAA'"],
    ["style-src 'unsafe-inline' 'sha256-AAAA'", 'style-src-attr', 'blocked'],
    ["style-src 'nonce-abc'", 'style-src-elem', "unknown by 'nonce-abc'"],
    ["style-src-elem 'unsafe-inline'; style-src-attr 'none'", 'style-src', 'unknown'],
    ["style-src 'unsafe-inline'", 'style-src', "allowed by 'unsafe-inline'"],
    ["script-src 'sha256-AAAA' 'nonce-abc'", 'script-src-elem', "unknown by 'sha256-AAAA'"],
  ])('under "%s" for %s is %s', (policy, directive, answer) => {
    expect(ask(policy, directive, 'inline')).toBe(answer);
  });

  it('is matched by its hash if the sample is complete', () => {
    const hash = "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='";
    expect(ask(`script-src ${hash}`, 'script-src-elem', 'inline', "alert('Hello, world.');")).toBe(
      `allowed by ${hash}`,
    );
    expect(ask(`script-src ${hash}`, 'script-src-elem', 'inline', 'alert(1)')).toBe('blocked');
    expect(ask(`script-src ${hash}`, 'script-src-elem', 'inline', 'x'.repeat(40))).toBe(`unknown by ${hash}`);
  });

  it('with a sample of 39 characters is complete, and of 40 characters can be truncated', () => {
    const policy = "script-src 'sha256-AAAA'";
    expect(ask(policy, 'script-src-elem', 'inline', 'x'.repeat(39))).toBe('blocked');
    expect(ask(policy, 'script-src-elem', 'inline', 'x'.repeat(40))).toBe("unknown by 'sha256-AAAA'");
    expect(ask(policy, 'script-src-elem', 'inline', '')).toBe("unknown by 'sha256-AAAA'");
  });

  it.each(['sha256', 'sha384', 'sha512'])('is matched by its %s among other hashes', algorithm => {
    const hash = `'${algorithm}-${createHash(algorithm).update('a()').digest('base64')}'`;
    const policy = `script-src 'sha256-AAAA' 'sha384-AAAA' 'sha512-AAAA' ${hash}`;
    expect(ask(policy, 'script-src-elem', 'inline', 'a()')).toBe(`allowed by ${hash}`);
    expect(ask(policy, 'script-src-elem', 'inline', 'b()')).toBe('blocked');
  });

  it('is matched by its hash in either alphabet of Base64', () => {
    const hash = "'sha256-qznLcsROx4GACP2dm0UCKCzCG-HiZ1guq6ZZDob_Tng='";
    expect(ask(`script-src ${hash}`, 'script-src-elem', 'inline', "alert('Hello, world.');")).toBe(
      `allowed by ${hash}`,
    );
  });
});

describe('evaluated code', () => {
  it.each([
    ["script-src 'unsafe-eval'", 'eval', "allowed by 'unsafe-eval'"],
    ["script-src 'self'", 'eval', 'blocked'],
    ["script-src 'wasm-unsafe-eval'", 'eval', 'blocked'],
    ["script-src 'wasm-unsafe-eval'", 'wasm-eval', "allowed by 'wasm-unsafe-eval'"],
    ["script-src 'unsafe-eval'", 'wasm-eval', "allowed by 'unsafe-eval'"],
    ["script-src 'wasm-unsafe-eval' 'unsafe-eval'", 'wasm-eval', "allowed by 'unsafe-eval'"],
    ["script-src-elem 'self'", 'eval', 'allowed'],
    ["default-src 'self'", 'eval', 'blocked'],
  ])('under "%s" for %s is %s', (policy, blockedUri, answer) => {
    expect(ask(policy, 'script-src', blockedUri)).toBe(answer);
  });
});

describe('Trusted Types', () => {
  it('are allowed unless the policy requires them', () => {
    expect(ask("require-trusted-types-for 'script'", 'require-trusted-types-for', 'trusted-types-sink')).toBe(
      'blocked',
    );
    expect(ask("script-src 'self'", 'require-trusted-types-for', 'trusted-types-sink')).toBe('allowed');
    expect(ask('trusted-types *', 'trusted-types', 'trusted-types-policy')).toBe('allowed');
    expect(ask('trusted-types a', 'trusted-types', 'trusted-types-policy')).toBe('unknown');
  });
});

describe('an address', () => {
  it.each([
    ['img-src data:', 'data', 'allowed by data:'],
    ['img-src *', 'data', 'blocked'],
    ['img-src *', 'chrome-extension', 'blocked'],
    ['img-src *', 'https://a.example', 'allowed by *'],
    ['img-src a.example/img/', 'https://a.example', 'unknown by a.example/img/'],
    ['img-src a.example/img/', 'https://a.example/img/x', 'allowed by a.example/img/'],
    ['img-src a.example/img/', 'https://a.example/js/x', 'blocked'],
    ['img-src http://a.example:443', 'https://a.example/', 'allowed by http://a.example:443'],
    ['img-src http://a.example:8443', 'https://a.example:8443/', 'blocked'],
    ["img-src 'none'", 'https://a.example/', 'blocked'],
    ["img-src 'none' a.example", 'https://a.example/', 'allowed by a.example'],
    ['img-src xn--bcher-kva.example', 'https://bücher.example/', 'allowed by xn--bcher-kva.example'],
    ['img-src https: a.example', 'https://a.example/', 'allowed by https:'],
    ['img-src a.example https:', 'https://a.example/', 'allowed by a.example'],
    ['img-src a.example/img/ *.example', 'https://a.example', 'allowed by *.example'],
    ['img-src DATA:', 'Data', 'allowed by DATA:'],
    ['img-src *', 'ftp://a.example/', 'blocked'],
    ["img-src 'sha256-AAAA'", 'https://a.example/', 'blocked'],
    ['img-src a.example', '', 'unknown'],
    ['img-src a.example', 'not an address', 'unknown'],
  ])('under "%s": %s is %s', (policy, blockedUri, answer) => {
    expect(ask(policy, 'img-src', blockedUri)).toBe(answer);
  });

  it.each([
    ['http://shop.example/', 'https://shop.example/a.png', "allowed by 'self'"],
    ['http://shop.example/', 'wss://shop.example/', "allowed by 'self'"],
    ['http://shop.example/', 'ws://shop.example/', "allowed by 'self'"],
    ['http://shop.example:8080/', 'ws://shop.example:8080/', "allowed by 'self'"],
    ['http://shop.example:8080/', 'ws://shop.example/', 'blocked'],
    ['https://shop.example/', 'ws://shop.example/', 'blocked'],
    ['http://shop.example:8080/', 'https://shop.example:8080/', "allowed by 'self'"],
    ['http://shop.example:8080/', 'https://shop.example/', 'blocked'],
    ['https://shop.example/', 'https://shop.example:8443/', 'blocked'],
    ['https://shop.example/', 'http://shop.example/', 'blocked'],
    ['about', 'https', 'blocked'],
    ['https://shop.example/', 'https://shop.example/a.png', "allowed by 'Self'", "img-src 'Self'"],
  ])("under 'self' on a page at %s: %s is %s", (page, blockedUri, answer, policy = "img-src 'self'") => {
    expect(ask(policy, 'img-src', blockedUri, undefined, page)).toBe(answer);
  });

  it('is unknown if a nonce, a hash or strict-dynamic can allow the script', () => {
    expect(ask("script-src 'nonce-abc'", 'script-src-elem', 'https://a.example/a.js')).toBe(
      "unknown by 'nonce-abc'",
    );
    expect(ask("script-src 'sha256-AAAA'", 'script-src-elem', 'https://a.example/a.js')).toBe(
      "unknown by 'sha256-AAAA'",
    );
    expect(ask("script-src 'strict-dynamic' a.example", 'script-src-elem', 'https://a.example/a.js')).toBe(
      "unknown by 'strict-dynamic'",
    );
    expect(ask("img-src 'nonce-abc'", 'img-src', 'https://a.example/a.png')).toBe('blocked');
  });

  it.each([
    ["style-src 'nonce-abc'", 'style-src-elem', "unknown by 'nonce-abc'"],
    ["style-src 'sha256-AAAA'", 'style-src-elem', 'blocked'],
    ["worker-src 'nonce-abc'", 'worker-src', 'blocked'],
    ["script-src 'sha256-AAAA' 'nonce-abc'", 'script-src-elem', "unknown by 'nonce-abc'"],
    ["script-src 'nonce-abc' a.example", 'script-src', 'allowed by a.example'],
  ])('under "%s" for %s is %s', (policy, directive, answer) => {
    expect(ask(policy, directive, 'https://a.example/a.js')).toBe(answer);
  });

  it.each([
    ['script-src-elem', "unknown by 'strict-dynamic'"],
    ['worker-src', "unknown by 'strict-dynamic'"],
    ['style-src-elem', 'allowed by a.example'],
    ['img-src', 'allowed by a.example'],
  ])("under 'strict-dynamic' for %s is %s", (directive, answer) => {
    const policy = `${directive} 'strict-dynamic' a.example`;
    expect(ask(policy, directive, 'https://a.example/a.js')).toBe(answer);
  });
});

describe('the directive that a source is added to', () => {
  it.each([
    ["img-src 'self'", 'img-src', 'img-src'],
    ["default-src 'self'", 'img-src', 'img-src'],
    ["script-src 'self'", 'script-src-elem', 'script-src'],
    ["default-src 'self'", 'script-src-elem', 'script-src'],
    ["script-src-elem 'self'; script-src 'self'", 'script-src-elem', 'script-src-elem'],
    ["style-src-attr 'self'", 'style-src-attr', 'style-src-attr'],
    ["default-src 'self'", 'style-src-elem', 'style-src'],
    ["default-src 'self'", 'worker-src', 'worker-src'],
    ["child-src 'self'", 'frame-src', 'frame-src'],
    ['sandbox', 'sandbox', undefined],
    ["child-src 'self'", 'worker-src', 'worker-src'],
    ["img-src 'self'", 'script-src-elem', undefined],
  ])('in "%s" after a violation of %s is %s, which then allows the source', (text, violated, expected) => {
    const policy = parsePolicy(text);
    const directive = directiveToChange(policy, violated);
    expect(directive).toBe(expected);
    if (directive === undefined) return;
    const changed = policyText(withSources(policy, [{ directive, source: 'cdn.example' }]));
    expect(ask(changed, violated, 'https://cdn.example/a.js')).toBe('allowed by cdn.example');
  });
});

describe('a policy with an added source', () => {
  it.each([
    ["default-src 'NONE'", "default-src 'NONE'; img-src cdn.example"],
    ["img-src 'none'", 'img-src cdn.example'],
    ["default-src 'self'", "default-src 'self'; img-src 'self' cdn.example"],
    ['img-src cdn.example', 'img-src cdn.example'],
  ])('starts with what "%s" allows', (text, changed) => {
    const added = [{ directive: 'img-src', source: 'cdn.example' }];
    expect(policyText(withSources(parsePolicy(text), added))).toBe(changed);
  });
});

it.each([
  ['img-src https://CDN.example', 'img-src HTTPS://cdn.example', true],
  ['img-src https://cdn.example/A', 'img-src https://cdn.example/a', false],
  ["script-src 'nonce-abc'", "script-src 'nonce-def'", true],
  ["script-src 'NONCE-abc'", "script-src 'nonce-def'", true],
  ["img-src 'NONE'", 'img-src cdn.example', true],
  ['img-src cdn.example other.example', 'img-src cdn.example', false],
  ['script-src cdn.example', 'img-src cdn.example', false],
  ["default-src 'self'", "img-src 'self'", true],
  ['img-src a.io/A', 'img-src a.io/a', false],
  ['img-src a.io/A', 'img-src a.io/A', true],
  ["script-src 'sha256-Abc='", "script-src 'sha256-aBC='", false],
  ["script-src 'SHA256-a-_c='", "script-src 'sha256-a+/c='", true],
  ["img-src 'self'; sandbox allow-scripts", "img-src 'self'; sandbox", true],
  ["img-src 'self' data:", "default-src 'self'", false],
])('that "%s" is as tight as "%s" is %s', (tried, wanted, tight) => {
  expect(isAsTight(parsePolicy(tried), parsePolicy(wanted))).toBe(tight);
});

describe('an undecidable violation', () => {
  it.each([
    [
      "script-src 'nonce-abc'",
      'script-src-elem',
      'https://a.example/',
      'a report does not say whether there is a nonce',
    ],
    [
      "script-src 'strict-dynamic'",
      'script-src-elem',
      'https://a.example/',
      'scripts that are trusted load others',
    ],
    ["script-src 'sha256-AAAA'", 'script-src-elem', 'https://a.example/', 'an integrity hash may allow it'],
    ["script-src 'sha256-AAAA'", 'script-src-elem', 'inline', 'the code is not completely known'],
    ['img-src a.example/x/', 'img-src', 'https://a.example', 'the report has no path'],
    ['img-src a.example', 'img-src', '', 'the report has no address'],
    [
      "frame-ancestors 'self'",
      'frame-ancestors',
      'https://a.example/',
      'a report does not name the ancestor',
    ],
    [
      'trusted-types a',
      'trusted-types',
      'trusted-types-policy',
      'a report does not name the Trusted Types policy',
    ],
    [
      "script-src-elem 'unsafe-inline'; script-src-attr 'none'",
      'script-src',
      'inline',
      'the report does not say whether it is an element or an attribute',
    ],
  ])('under "%s" for %s of %s has a reason', (policy, directive, blockedUri, reason) => {
    const verdict = judgeOf(parsePolicy(policy))({ directive, blockedUri, page: PAGE });
    expect(verdict).toMatchObject({ outcome: 'unknown', reason });
  });
});

it('sources are added to each directive with those of its fallback, including ones added before', () => {
  const added = [
    { directive: 'script-src', source: 'a.example' },
    { directive: 'script-src', source: 'b.example' },
    { directive: 'script-src-elem', source: 'c.example' },
    { directive: 'script-src-elem', source: "'self'" },
  ];
  expect(policyText(withSources(parsePolicy("default-src 'self'"), added))).toBe(
    "default-src 'self'; script-src 'self' a.example b.example; script-src-elem 'self' a.example b.example c.example",
  );
});
