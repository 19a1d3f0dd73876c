import { describe, expect, it } from 'vitest';
import { readPolicies } from '../../src/policy-check/read.ts';

const P = "default-src 'self'";
const read = (text: string, name = 'file') => {
  const { policies, refusals } = readPolicies(name, text);
  return {
    policies: policies.map(({ isEnforced, text, line, location, paths, hosts }) =>
      [isEnforced ? 'enforced' : 'reported', line, text, location, paths, hosts].filter(
        one => one !== undefined,
      ),
    ),
    refused: refusals.map(({ line, reason }) => `${line}: ${reason}`),
  };
};
const texts = (text: string, name?: string) => read(text, name).policies.map(policy => policy[2]);

describe('headers as text', () => {
  it.each([
    [P, [['enforced', 1, P]]],
    [`# ours\n\ndefault-src\n  'self'\n`, [['enforced', 3, P]]],
    [`Content-Security-Policy: ${P}`, [['enforced', 1, P]]],
    [
      `HTTP/2 200\r\nserver: x\r\ncontent-security-policy: ${P}\r\nCONTENT-SECURITY-POLICY-REPORT-ONLY: img-src *\r\n`,
      [
        ['enforced', 3, P],
        ['reported', 4, 'img-src *'],
      ],
    ],
    [`Content-Security-Policy: default-src\n  'self'`, [['enforced', 1, P]]],
    [`Content-Security-Policy: ${P}\n  # ours\nX-Test: y`, [['enforced', 1, P]]],
    [
      `Content-Security-Policy: ${P}, img-src *`,
      [
        ['enforced', 1, P],
        ['enforced', 1, 'img-src *'],
      ],
    ],
    [
      `Content-Security-Policy: script-src 'nonce-{{ nonce }}' 'nonce-$id'`,
      [['enforced', 1, "script-src 'nonce-check' 'nonce-check'"]],
    ],
  ])('are parsed: %j', (text, expected) => {
    expect(read(text)).toEqual({ policies: expected, refused: [] });
  });

  it.each([
    ['Content-Security-Policy:', /^1: It is empty/],
    ['v=DMARC1; p=reject', /^1: It is a DMARC record/],
    ['Content-Security-Policy: script-src $hosts', /^1: It has the variable \$hosts/],
    ['Content-Security-Policy: script-src {{ hosts }}', /^1: It has the variable/],
  ])('are refused with a reason: %j', (text, reason) => {
    expect(read(text)).toEqual({ policies: [], refused: [expect.stringMatching(reason)] });
  });

  it.each([
    ['', 'unknown format'],
    ['Server: x', 'no Content-Security-Policy'],
    ['Just some words', 'unknown format'],
    [`Content-Security-Policy: ${P}\nand words`, 'unknown format'],
    ['{', 'JSON'],
    ['{}', 'no Content-Security-Policy'],
    ['/*\n  X-Frame-Options: DENY', 'no Content-Security-Policy'],
    ['server { }', 'unknown format'],
  ])('are rejected if they contain no policy: %j', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});

describe('a _headers file', () => {
  it('yields each policy with its path and host', () => {
    const text = [
      '# Pages',
      '/*',
      `  content-security-policy: ${P}`,
      '  Content-Security-Policy-Report-Only: img-src *',
      '/shop/*',
      `\tContent-Security-Policy: img-src a.example`,
      'https://blog.example/:page',
      '  Content-Security-Policy: img-src b.example',
      '  ! Content-Security-Policy',
      'https://:project.pages.dev/*',
      '  Content-Security-Policy: img-src c.example',
    ].join('\n');
    expect(read(text, 'public/_headers')).toEqual({
      policies: [
        ['enforced', 3, P, '/*'],
        ['reported', 4, 'img-src *', '/*'],
        ['enforced', 6, 'img-src a.example', '/shop/*', ['/shop/*', '/shop']],
        ['enforced', 8, 'img-src b.example', 'https://blog.example/:page', ['blog.example']],
        ['enforced', 11, 'img-src c.example', 'https://:project.pages.dev/*'],
      ],
      refused: [],
    });
  });

  it.each([
    ['https://*.pages.example/*', []],
    ['https://a.example:8443/*', []],
    ['https://a.example/:page/in/:place', [['/*/in/*', '/*/in'], ['a.example']]],
  ])('yields the pages and the host of %s', (location, scope) => {
    const text = `${location}\n  Content-Security-Policy: img-src *`;
    expect(read(text, '_headers').policies).toEqual([['enforced', 2, 'img-src *', location, ...scope]]);
  });

  it('must name a path before the first policy', () => {
    expect(read(`  Content-Security-Policy: ${P}\n/*\n  X: y`, '_headers').refused[0]).toMatch(
      /^1: It precedes/,
    );
  });
});

describe('an nginx configuration', () => {
  it('yields policies of servers and locations', () => {
    const text = `
      # add_header Content-Security-Policy "img-src commented.example";
      set $csp "default-src 'self'";
      set $csp "\${csp}; img-src *";
      server {
        server_name shop.example .news.example;
        add_header Content-Security-Policy $csp always;
        location / { add_header X-Test "{};"; }
        location ^~ /pay { add_header 'Content-Security-Policy-Report-Only' 'script-src \\'self\\''; }
        location = /exact { more_set_headers "Content-Security-Policy: img-src https://a.example:8443"; }
        location ~ \\.php$ { add_header Content-Security-Policy "img-src php.example"; }
      }
      server { server_name _; add_header Content-Security-Policy "script-src 'nonce-$request_id'"; }
    `;
    const hosts = ['shop.example', 'news.example', '*.news.example'];
    expect(read(text)).toEqual({
      policies: [
        ['enforced', 7, `${P}; img-src *`, hosts],
        ['reported', 9, "script-src 'self'", '^~ /pay', ['/pay*'], hosts],
        ['enforced', 10, 'img-src https://a.example:8443', '= /exact', ['/exact'], hosts],
        ['enforced', 13, "script-src 'nonce-check'"],
      ],
      refused: [expect.stringMatching(/^11: The pages of "location ~/)],
    });
  });

  it.each([
    ['a quoted text', 'add_header X-Test "a\n\nb";\n', 4],
    ['a text in apostrophes', "add_header X-Test 'a\nb';\n", 3],
    ['a comment', '# one\n# two { "\n', 3],
    ['an escaped line break', 'add_header X-Test a\\\nb;\n', 3],
  ])('names the lines after %s with line breaks', (_, before, line) => {
    const text = `${before}add_header Content-Security-Policy "img-src *";\nadd_header\n  Content-Security-Policy $x;`;
    const { policies, refused } = read(text);
    expect(policies).toEqual([['enforced', line, 'img-src *']]);
    expect(refused).toEqual([expect.stringMatching(new RegExp(`^${line + 1}: .*variable`))]);
  });

  it('yields the pages of the innermost of nested locations', () => {
    const text = 'location /shop { location /shop/pay { add_header Content-Security-Policy "img-src *"; } }';
    expect(read(text).policies).toEqual([['enforced', 1, 'img-src *', '/shop/pay', ['/shop/pay*']]]);
  });

  it('yields the names of all server_name directives of a server', () => {
    const header = 'add_header Content-Security-Policy "img-src *";';
    const text = `server { server_name a.example b.example; server_name c.example; ${header} }`;
    expect(read(text).policies).toEqual([
      ['enforced', 1, 'img-src *', ['a.example', 'b.example', 'c.example']],
    ]);
  });

  it('inserts variables of at most 16,000 characters, which could double with each line', () => {
    const header = 'add_header Content-Security-Policy $csp;';
    const write = (length: number) => `set $csp "${'img-src *'.padEnd(length, 'a')}"; ${header}`;
    expect(texts(write(16_000))).toEqual(['img-src *'.padEnd(16_000, 'a')]);
    expect(read(write(16_001))).toEqual({
      policies: [],
      refused: [expect.stringContaining('variable $csp')],
    });
  });

  it('yields policies after a server for all hosts', () => {
    const text = 'server { server_name shop.example; }\nadd_header Content-Security-Policy "img-src *";';
    expect(read(text)).toEqual({ policies: [['enforced', 2, 'img-src *']], refused: [] });
  });

  it.each([
    ['if ($x) { add_header Content-Security-Policy "img-src *"; }', /condition: if/],
    ['add_header Content-Security-Policy $csp;', /variable \$csp/],
    ['add_header Content-Security-Policy "img-src *;\n script-src *";', /line break/],
    ['add_header Content-Security-Policy "";', /empty/],
  ])('reports policies that it cannot evaluate: %j', (text, reason) => {
    expect(read(text)).toEqual({ policies: [], refused: [expect.stringMatching(reason)] });
  });
});

describe('a Caddyfile', () => {
  it.each([
    ['a.example, https://b.example:8443/x', [['a.example', 'b.example']]],
    ['a.example,', [['a.example']]],
    [':443, a.example', []],
    ['a.example, http://', []],
    ['localhost', []],
  ])('yields the hosts of the site %s', (addresses, hosts) => {
    const text = `${addresses} {\n  header Content-Security-Policy "img-src *"\n}`;
    expect(read(text).policies).toEqual([['enforced', 2, 'img-src *', ...hosts]]);
  });

  it('is read with either form of line breaks', () => {
    const text =
      'a.example {\n  header Content-Security-Policy <<CSP\n    img-src *\n    CSP\n  header \\\n    X-Test y\n}';
    const found = { policies: [['enforced', 2, 'img-src *', ['a.example']]], refused: [] };
    expect([read(text), read(text.replaceAll('\n', '\r\n'))]).toEqual([found, found]);
  });

  it('yields policies by site, block and matcher', () => {
    const text = `shop.example, www.shop.example {
  header Content-Security-Policy "default-src 'self'"
  header /pay/* >Content-Security-Policy-Report-Only \`script-src 'self'\`
  @docs path /docs /docs/*
  header @docs {
    -Server
    ?Content-Security-Policy "img-src 'none'" # a default
  }
  handle /here/* {
    header Content-Security-Policy <<CSP
      default-src 'self';
      img-src *
      CSP
  }
  @other header X-Test 1
  header @other Content-Security-Policy "img-src other.example"
  header Content-Security-Policy self none
}
:443 {
  header Content-Security-Policy "font-src 'self'"
}`;
    const hosts = ['shop.example', 'www.shop.example'];
    expect(read(text)).toEqual({
      policies: [
        ['enforced', 2, P, hosts],
        ['reported', 3, "script-src 'self'", '/pay/*', ['/pay/*'], hosts],
        ['enforced', 7, "img-src 'none'", '@docs', ['/docs', '/docs/*'], hosts],
        ['enforced', 10, `${P}; img-src *`, '/here/*', ['/here/*'], hosts],
        ['enforced', 20, "font-src 'self'"],
      ],
      refused: [
        expect.stringMatching(/^16: The pages of the matcher @other/),
        expect.stringMatching(/^17: It replaces/),
      ],
    });
  });
});

it('a matcher of a Caddyfile that several sites define has no certain pages', () => {
  const site = (host: string, path: string) =>
    `${host} {\n  @docs path ${path}\n  header @docs Content-Security-Policy "img-src *"\n}\n`;
  expect(read(site('a.example', '/a') + site('b.example', '/b'))).toEqual({
    policies: [],
    refused: [3, 7].map(line => expect.stringContaining(`${line}: The pages of the matcher @docs cannot`)),
  });
});

describe('JSON', () => {
  it.each([
    [JSON.stringify(P), [['enforced', 1, P]]],
    [
      JSON.stringify(
        [
          { key: 'Content-Security-Policy', value: P },
          { name: 'x', value: 'y' },
        ],
        null,
        2,
      ),
      [['enforced', 4, P]],
    ],
    [
      JSON.stringify({ 'content-security-policy': [P, 'img-src *'] }),
      [
        ['enforced', 1, P],
        ['enforced', 1, 'img-src *'],
      ],
    ],
    [
      JSON.stringify({ defaultSrc: ["'self'"], 'img-src': '*', upgradeInsecureRequests: [], fontSrc: null }),
      [['enforced', 1, `${P}; img-src *; upgrade-insecure-requests`]],
    ],
    [
      `{"Content-Security-Policy": "${P}",\n "Content-Security-Policy": "img-src *"}`,
      [
        ['enforced', 1, P],
        ['enforced', 2, 'img-src *'],
      ],
    ],
    [
      JSON.stringify({
        headers: [
          { source: '/(.*)', headers: [{ key: 'Content-Security-Policy', value: P }] },
          {
            source: '/shop/:path*',
            headers: [{ key: 'Content-Security-Policy-Report-Only', value: 'img-src *' }],
          },
        ],
      }),
      [
        ['enforced', 1, P, '/(.*)'],
        ['reported', 1, 'img-src *', '/shop/:path*', ['/shop/*', '/shop']],
      ],
    ],
    [
      JSON.stringify({
        hosting: { headers: [{ source: '**', headers: [{ key: 'Content-Security-Policy', value: P }] }] },
      }),
      [['enforced', 1, P, '**']],
    ],
  ])('is parsed: %s', (text, expected) => {
    expect(read(text)).toEqual({ policies: expected, refused: [] });
  });

  it.each([
    [{ 'Content-Security-Policy': 5 }, /not text/],
    [{ 'Content-Security-Policy': null }, /not text/],
    [{ 'Content-Security-Policy': { defaultSrc: [1] } }, /not a list/],
    [{ 'Content-Security-Policy': 'img-src *;\nscript-src *' }, /line break/],
    [[{ key: 'Content-Security-Policy' }], /not text/],
    [
      { source: '/((?!api).*)', headers: [{ key: 'Content-Security-Policy', value: P }] },
      /pages of .* cannot be determined/,
    ],
    [{ source: '/a', has: [], headers: [{ key: 'Content-Security-Policy', value: P }] }, /condition/],
  ])('is refused with a reason: %j', (value, reason) => {
    expect(read(JSON.stringify(value))).toEqual({ policies: [], refused: [expect.stringMatching(reason)] });
  });

  it('is refused if it is nested too deeply', () => {
    const nested = (levels: number) => {
      const header = '{"key":"Content-Security-Policy","value":"img-src *"}';
      return read(`${'['.repeat(levels)}${header}${']'.repeat(levels)}`);
    };
    expect(nested(60)).toEqual({ policies: [['enforced', 1, 'img-src *']], refused: [] });
    for (const levels of [61, 5000])
      expect(nested(levels)).toEqual({
        policies: [],
        refused: [expect.stringContaining('nested too deeply')],
      });
  });
});

describe('arbitrary text', () => {
  it('is parsed in reasonable time', { tags: 'slow' }, () => {
    const started = performance.now();
    for (const piece of ['"', "'", '<<A\n', '{', '/*\n ', '\\', '`', '$', '# ', 'add_header "'])
      for (const start of ['', 'add_header x;', 'header x\n', '[', '/*\n'])
        try {
          readPolicies('file', start + piece.repeat(5000));
        } catch {
          // Most random inputs have no known format.
        }
    expect(performance.now() - started).toBeLessThan(60_000);
  });

  it('yields the policy that it contains', () => {
    expect(texts('img-src a.example')).toEqual(['img-src a.example']);
  });
});
