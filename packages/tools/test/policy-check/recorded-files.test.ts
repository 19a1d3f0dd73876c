import { expect, it } from 'vitest';
import { changeLines } from '../../../../test/support/changed-inputs.ts';
import { describeCall, groupOutcomes } from '../../../../test/support/group-outcomes.ts';
import { readDmarcRecord } from '../../src/policy-check/dmarc/record.ts';
import { readPolicies } from '../../src/policy-check/read.ts';

const CSP = 'Content-Security-Policy';

const NGINX = `# comment { ; }
set $hosts "a.example b.example";
set $all "img-src \${hosts} $hosts";
add_header ${CSP} "$all" always;
server {
  server_name shop.example .pay.example;
  add_header ${CSP}-Report-Only "default-src 'self'; script-src $unknown";
  location / { add_header ${CSP} 'img-src "x"'; }
  location = /one { add_header content-security-policy img-src; }
  location ^~ /two { more_set_headers "${CSP}: img-src a" "X: y" "${CSP}-Report-Only: img-src b"; }
  location ~ \\.php$ { add_header ${CSP} "img-src c"; }
  if ($x) { add_header ${CSP} "img-src d, img-src e"; }
  limit_except GET { add_header ${CSP} "img-src f"; }
}
server { server_name _; add_header ${CSP} "script-src 'nonce-$request_id'"; }
server { server_name ~^x localhost; location @x { add_header ${CSP} "a\\"b"; } }
server { server_name www.*; add_header ${CSP} ""; add_header Other "img-src x"; }`;

const CADDY = `# comment
(snippet) {
  header ${CSP} "img-src 'self'"
}
@shop path /shop/* /cart
@long {
  path /long
}
@host host a.example
https://a.example:443, b.example/x {
  header {
    +${CSP} "default-src 'self'"
    ?${CSP}-Report-Only: \`img-src a\`
    >X-Other y
    ${CSP} img-src a b
    -${CSP}
  }
  header /login ${CSP} "img-src b"
  header @shop ${CSP} "img-src c"
  header @long ${CSP} "img-src d"
  header @host ${CSP} "img-src e"
  header * ${CSP} "img-src f {http.x}"
  handle /api/* {
    header ${CSP} <<END
      img-src g
      END
  }
  handle_path @none {
    header ${CSP} "script-src 'nonce-{nonce}'"
  }
}
:80 {
  route {
    header ${CSP} "img-src \\"h\\""
  }
  header ${CSP} \\
    "img-src i"
}
localhost {
  header ${CSP} ""
}`;

const HEADERS_FILE = `# comment
/*
  ${CSP}: default-src 'self'
  ${CSP}-Report-Only: img-src a, img-src b
  X-Frame-Options: DENY
/shop/:id
  ${CSP} : img-src 'nonce-<%= nonce %>'
https://blog.example/news/*
  ${CSP}: img-src c
  ! ${CSP}
https://:host.example/
  ${CSP}:
http://b.example
  ${CSP}: {{ policy }}`;

const TEXT = `HTTP/2 200
# comment
server: x
${CSP}: default-src 'self';
  img-src a
\tb
${CSP}-Report-Only: script-src 'nonce-\${nonce}' 'nonce-{{ n }}' 'nonce-$x'

${CSP}: img-src c, , img-src d
date: today`;

const JSON_FILE = JSON.stringify(
  {
    headers: [
      { source: '/(.*)', headers: [{ key: CSP, value: "default-src 'self'" }] },
      { source: '/shop/:id', headers: [{ key: `${CSP}-Report-Only`, value: 'img-src a, img-src b' }] },
      { source: '/x(a|b)', headers: [{ name: CSP, value: 'img-src c' }] },
      { route: '/deep/:rest*', headers: { [CSP]: ['img-src d', 7] } },
      { for: '/y/*', has: [], values: { [CSP]: 'img-src e' } },
      {
        path: 'z',
        headers: { [CSP]: { defaultSrc: ["'self'"], imgSrc: 'f', sandbox: true, scriptSrc: null } },
      },
      { glob: '**/*', headers: { [CSP]: { 'default-src': ['a;b'] }, 'X-Other': 'x' } },
    ],
  },
  null,
  1,
);

const DIRECTIVES = `{
 "defaultSrc": ["'self'"],
 "upgradeInsecureRequests": [],
 "requireTrustedTypesFor": "'script'",
 "blockAllMixedContent": true,
 "reportUri": "/x",
 "imgSrc": false
}`;

const POLICY = `# comment\n\ndefault-src 'self';\n  img-src a.example\n`;

const FILES: [string, string][] = [
  ['nginx.conf', NGINX],
  ['Caddyfile', CADDY],
  ['_headers', HEADERS_FILE],
  ['headers.txt', TEXT],
  ['vercel.json', JSON_FILE],
  ['helmet.json', DIRECTIVES],
  ['policy', POLICY],
];

function read(name: string, text: string): string[] {
  const outcome = describeCall(() => {
    const { policies, refusals } = readPolicies(name, text);
    return [
      ...policies.map(({ isEnforced, text, ...place }) => ({
        ...place,
        text: `${isEnforced ? '!' : '?'} ${text}`,
      })),
      ...refusals,
    ]
      .map(({ line, location, paths, hosts, ...rest }) =>
        [
          `${line}:`,
          ...Object.values(rest),
          location && `at ${location}`,
          paths && `paths ${paths.join(' ')}`,
        ]
          .concat(hosts && `hosts ${hosts.join(' ')}`)
          .filter(Boolean)
          .join(' '),
      )
      .join('\n');
  });
  return outcome.split('\n');
}

/** Formats only what differs from the outcome of the unchanged file, except for the numbers of its lines. */
function describeDifference(lines: readonly string[], usual: readonly string[]): string {
  const [after, before] = [lines, usual].map(all => all.map(line => line.replace(/^\d+: /, '')));
  const gone = usual.filter((_, at) => !after!.includes(before![at]!)).map(line => line.split(':')[0]);
  const added = after!.filter((line, at) => !before!.includes(line) || after!.indexOf(line) !== at);
  const parts = [gone.length > 0 && `without ${gone.join(' ')}`, ...added.map(line => `+ ${line}`)];
  return parts.filter(Boolean).join(' ') || 'no difference';
}

it.each(FILES)('the policies of %s, and of each change of it, are read as recorded', async (name, text) => {
  const usual = read(name, text);
  const changed = [...changeLines(text)].map(
    ({ change, input }) => [change, describeDifference(read(name, input), usual)] as const,
  );
  await expect(`${usual.join('\n')}\n\n${groupOutcomes(changed)}`).toMatchFileSnapshot(
    `./recorded/${name}.txt`,
  );
});

const LOCATIONS = [
  ...[
    '/',
    '/*',
    '/**',
    '**',
    '**/*',
    '/(.*)',
    '^/(.*)$',
    '/:path*',
    '/:path+',
    '/a/:path*',
    '/a/:b/c',
    '/a/:b?',
  ],
  ...[
    '/a/:b(\\d+)',
    '/a/(.*)/b',
    'a',
    '*',
    '*.html',
    '/a/**/*',
    '/a+',
    '/a.b',
    '',
    '^/a$',
    '/[ab]',
    '/{a,b}',
    '/:a(.*)',
    '^/a/.*$',
    '/.*',
    '/a/*.*',
  ],
];

it('each location in JSON leads to the paths recorded', async () => {
  const text = groupOutcomes(
    LOCATIONS.map(source => [
      JSON.stringify(source),
      read('x.json', JSON.stringify({ source, headers: { [CSP]: 'img-src a' } })).join('\n'),
    ]),
  );
  await expect(text).toMatchFileSnapshot('./recorded/locations.txt');
});

const VALUES = [
  ...[
    '',
    ' , ,',
    'v=DMARC1; p=none',
    'V=dmarc1',
    'a\nb',
    'a\rb',
    'a\0b',
    '$a',
    `\${a}`,
    '{{a}}',
    '{a',
    '{ a',
    '{$a',
  ],
  ...[
    '<%= a %>',
    "'nonce-$a'",
    `'nonce-\${a}'`,
    "'nonce-{a}'",
    "'nonce-{{a}}'",
    "'nonce-<%a%>'",
    "'NONCE-<%=a%>'",
  ],
  ...["'nonce-$a$b'", 'a\tb  c', 'a,b', '$', '{', '<', '%'],
];
const NAMES = [CSP, CSP.toUpperCase(), `${CSP}-Report-Only`, `${CSP}-Other`, `X-${CSP}`];

it('each header value is accepted or refused as recorded', async () => {
  const inJson = (name: string, value: string) =>
    read('x.json', JSON.stringify({ [name]: value })).join('\n');
  const text = groupOutcomes([
    ...VALUES.map(value => [JSON.stringify(value), inJson(CSP, value)] as const),
    ...NAMES.map(name => [name, inJson(name, 'img-src a')] as const),
    ...[58, 59, 60, 61, 62].map(depth => {
      const deep = `${'['.repeat(depth)}{"${CSP}":"img-src a"}${']'.repeat(depth)}`;
      return [`depth ${depth}`, read('x.json', deep).join('\n')] as const;
    }),
  ]);
  await expect(text).toMatchFileSnapshot('./recorded/values.txt');
});

const RECORDS = [
  ...[
    'v=DMARC1; p=none',
    ' v = DMARC1;p=reject',
    'v=DMARC1',
    'p=none',
    'v=DMARC2; p=none',
    '"v=DMARC1; " "p=none"',
  ],
  ...[
    '("v=DMARC1;"\n "p=none")',
    '"v=DMARC1; p=none" ; comment',
    '"v=DMARC1; p=none" x',
    '"v=DMARC1; p=none',
  ],
  ...['# c\n\n; d\nv=DMARC1;\n p=none', '"v=DMARC1\\; p=\\110one"', '"v=DMARC1; p=none"; "x"'],
  ...['_dmarc.a.example. 3600 IN TXT "v=DMARC1; p=none"', '_dmarc.A.example. IN 1h TXT "v=DMARC1; p=none"'],
  ...[
    '_dmarc.a.example TXT "v=DMARC1; p=none"',
    '_dmarc TXT "v=DMARC1; p=none"',
    'a.example. TXT "v=DMARC1; p=none"',
  ],
  ...[
    '_dmarc.a.example. TXT v=DMARC1; p=none',
    '_dmarc.a.example. TXT "hello"',
    '_dmarcx TXT "v=DMARC1; p=none"',
  ],
  ...[
    '_dmarc.a.example. A 127.0.0.1',
    `v=DMARC1; p=none; ${'x'.repeat(4078)}`,
    `v=DMARC1; p=none; ${'x'.repeat(4079)}`,
  ],
  ...['v=DMARC1; p=none; pct=100', 'v=DMARC1; p=none; pct=101', 'v=DMARC1; p=nothing', 'v=DMARC1; sp=none'],
  ...[
    'v=DMARC1; p=none; adkim=x',
    'v=DMARC1; p=none; rua=x',
    'v=DMARC1; p=none; rua=mailto:a@b.example',
    'v=DMARC1; p=none; p=none',
  ],
  ...[
    'v=DMARC1; p=none; fo=9',
    'v=DMARC1; p=none; ri=x',
    'v=DMARC1; p=none; t=z',
    'v=DMARC1; p=none; np=x',
    'v=DMARC1; p=none; psd=y',
  ],
];

it('each DMARC record is read as recorded', async () => {
  const shorten = (text: string) => text.replace(/x{9,}/g, run => `x{${run.length}}`);
  const text = groupOutcomes(
    RECORDS.map(record => [
      shorten(JSON.stringify(record)),
      shorten(describeCall(() => readDmarcRecord(record))),
    ]),
  );
  await expect(text).toMatchFileSnapshot('./recorded/dmarc.txt');
});
