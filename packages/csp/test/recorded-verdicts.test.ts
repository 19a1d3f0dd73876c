import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { describeCall, groupOutcomes } from '../../../test/support/group-outcomes.ts';
import { createTightness, ignoredSources, unusedSources } from '../src/change.ts';
import {
  directiveName,
  directiveToChange,
  hasSources,
  judgeOf,
  listPlaces,
  matchPath,
  openedBy,
  parsePolicy,
  parseSource,
  policyText,
  replay,
  replayChange,
  sourceFor,
  withSources,
} from '../src/index.ts';
import type { ReportedViolation } from '../src/reach.ts';
import {
  allowlistText,
  findCandidates,
  findConnections,
  findWeaknesses,
  rankSuggestions,
} from '../src/suggestions.ts';

const PAGE = 'https://shop.example/cart';
const CODE = 'f()';
const hash = (algorithm: string) => `'${algorithm}-${createHash(algorithm).update(CODE).digest('base64')}'`;
const OTHER_HASH = `'sha256-${createHash('sha256').update('other').digest('base64')}'`;

const POLICIES = [
  ...["default-src 'none'", "default-src 'self'", 'default-src *', 'default-src https:', 'default-src http:'],
  ...['default-src ws:', 'default-src data: blob:', 'default-src a.example', 'default-src *.a.example'],
  ...['default-src https://a.example', 'default-src http://a.example', 'default-src a.example:443'],
  ...['default-src a.example:80', 'default-src http://a.example:80', 'default-src a.example:*'],
  ...['default-src a.example:8080', 'default-src a.example/js/', 'default-src a.example/js/app.js'],
  ...['default-src a.example/js', 'default-src ws://a.example', 'img-src a.example', 'script-src a.example'],
  ...[
    "script-src-elem 'self'; script-src-attr 'none'",
    "script-src 'unsafe-inline'",
    "style-src 'unsafe-inline'",
  ],
  ...["script-src 'unsafe-inline' 'nonce-abc'", `script-src 'unsafe-inline' ${OTHER_HASH}`],
  ...["script-src 'unsafe-inline' 'strict-dynamic'", "script-src 'strict-dynamic' 'nonce-abc' https:"],
  ...[
    "style-src 'unsafe-inline' 'strict-dynamic'",
    `script-src ${hash('sha256')}`,
    `script-src ${hash('sha512')}`,
  ],
  ...[`script-src 'unsafe-hashes' ${hash('sha384')}`, `style-src ${OTHER_HASH}`, "style-src 'nonce-abc'"],
  ...["default-src 'unsafe-eval'", "script-src 'wasm-unsafe-eval'", "default-src 'self' 'nonce-x'"],
  ...[
    "child-src a.example; script-src 'self'; frame-src b.example",
    "worker-src 'self'; script-src a.example",
  ],
  ...["frame-ancestors 'self'; form-action a.example; base-uri 'none'", 'trusted-types a', 'trusted-types *'],
  ...["require-trusted-types-for 'script'", 'sandbox', 'upgrade-insecure-requests', 'default-src'],
].map(parsePolicy);

const ADDRESSES = [
  ...['inline', 'eval', 'wasm-eval', 'data', 'blob', 'a.example', '', 'https://shop.example/x'],
  ...[
    'http://shop.example/x',
    'wss://shop.example/',
    'https://shop.example:8443/',
    'https://a.example/js/app.js',
  ],
  ...['https://a.example/', 'https://a.example', 'https://a.example/js/', 'https://a.example/js'],
  ...['http://a.example/js/app.js', 'https://a.example:8080/', 'http://a.example:443/', 'ws://a.example/'],
  ...[
    'wss://a.example/x',
    'https://b.a.example/',
    'https://xa.example/',
    'ftp://a.example/',
    'https://b.example/',
  ],
];
const DIRECTIVES = [
  'script-src-elem',
  'script-src-attr',
  'img-src',
  'script-src',
  'style-src-elem',
  'style-src',
];
const FURTHER = ['worker-src', 'frame-src', 'fenced-frame-src', 'frame-ancestors', 'form-action', 'base-uri'];
const OTHERS = [
  'trusted-types',
  'require-trusted-types-for',
  'sandbox',
  'default-src',
  'manifest-src',
  'nonsense',
];

const REQUESTS = [
  ...DIRECTIVES.slice(0, 3).flatMap(directive =>
    ADDRESSES.map(blockedUri => ({ directive, blockedUri, page: PAGE })),
  ),
  ...[...DIRECTIVES.slice(3), ...FURTHER, ...OTHERS].flatMap(directive =>
    ['inline', 'eval', 'https://a.example/x', 'https://shop.example/x'].map(blockedUri => ({
      ...{ directive, blockedUri, page: PAGE },
    })),
  ),
  ...['script-src-elem', 'script-src-attr', 'style-src-elem'].flatMap(directive =>
    [CODE, '', 'x', 'x'.repeat(39), 'x'.repeat(40)].map(sample => ({
      ...{ directive, blockedUri: 'inline', page: PAGE, sample },
    })),
  ),
  ...['http://shop.example/', 'about', '', 'data:text/html,x'].flatMap(page =>
    ['https://shop.example/x', 'http://a.example/x', 'ws://shop.example/', 'https://shop.example:443/'].map(
      blockedUri => ({ directive: 'connect-src', blockedUri, page }),
    ),
  ),
];

/** Shortens long runs of a letter. */
const shorten = (text: string) => text.replace(/a{9,}|b{9,}/g, run => `${run[0]}{${run.length}}`);

/** Shortens 3, 4, 5 to 3-5. */
function toRanges(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(' ');
}

it('each policy decides each request as recorded', async () => {
  const lines = REQUESTS.map(({ directive, blockedUri, page, ...rest }, at) => {
    const [sample] = Object.values(rest);
    const of = page === PAGE ? '' : ` on ${JSON.stringify(page)}`;
    return `${at}: ${directive} ${JSON.stringify(blockedUri)}${of}${sample === undefined ? '' : ` ${JSON.stringify(sample)}`}`;
  });
  for (const policy of POLICIES) {
    const judge = judgeOf(policy);
    const found = new Map<string, number[]>();
    for (const [at, request] of REQUESTS.entries()) {
      const { outcome, directive, source, reason } = judge(request);
      const text = [outcome, directive ?? '-', source, reason && `(${reason})`].filter(Boolean).join(' ');
      found.set(text, [...(found.get(text) ?? []), at]);
    }
    lines.push('', policyText(policy));
    lines.push(...[...found].map(([outcome, numbers]) => `  ${outcome} < ${toRanges(numbers)}`));
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./recorded/verdicts.txt');
});

const SOURCES = [
  ...[
    '*',
    "'self'",
    "'SELF'",
    'self',
    "'none'",
    "'unsafe-inline'",
    "'strict-dynamic'",
    "'nonce-a'",
    "'nonce-'",
  ],
  ...[
    "'nonce-a=='",
    "'nonce-a==='",
    "'sha256-a-_'",
    "'sha1-a'",
    "'SHA512-aB='",
    'https:',
    'HTTPS:',
    '1a:',
    'a+b.c-1:',
  ],
  ...[
    'a',
    'A.Example',
    'a..b',
    '.a',
    'a.',
    '*.a',
    '*a',
    'a.*',
    '**',
    '*.',
    'https://',
    'https://*',
    'https://*:*/x',
  ],
  ...[
    'a:1',
    'a:',
    'a:x',
    'a:*',
    'a/x',
    'a/',
    'a?x',
    'a/x?y#z',
    'a/x;y',
    'a/x,y',
    '[::1]',
    '[::1]:1/',
    '[x]',
    'a_b',
    'a b',
    '',
  ],
];

it('each text is read as a source as recorded', async () => {
  const text = groupOutcomes(
    SOURCES.map(source => {
      const { text: _, ...rest } = parseSource(source) ?? { text: '', kind: 'none' };
      return [source, JSON.stringify(rest)] as const;
    }),
  );
  await expect(text).toMatchFileSnapshot('./recorded/sources.txt');
});

const ALL_DIRECTIVES = [
  ...['connect-src', 'default-src', 'fenced-frame-src', 'font-src', 'frame-src', 'child-src', 'img-src'],
  ...[
    'manifest-src',
    'media-src',
    'object-src',
    'prefetch-src',
    'script-src',
    'script-src-attr',
    'script-src-elem',
  ],
  ...[
    'style-src',
    'style-src-attr',
    'style-src-elem',
    'worker-src',
    'base-uri',
    'form-action',
    'frame-ancestors',
  ],
  ...['sandbox', 'trusted-types', 'nonsense', ' Img-SRC x.example '],
];
const BASES = [
  ...["default-src 'none'", "default-src a.example; script-src 'self'; style-src 'None'", 'img-src *', ''],
  ...[
    "child-src a.example; script-src-elem 'self'; sandbox",
    "form-action 'none'; frame-ancestors b.example",
  ],
].map(parsePolicy);

it('each policy is extended for each directive as recorded', async () => {
  const text = BASES.map(
    policy =>
      `${policyText(policy) || 'no policy'}\n${groupOutcomes(
        ALL_DIRECTIVES.map(violated => {
          const directive = directiveToChange(policy, violated);
          const added = directive && policyText(withSources(policy, [{ directive, source: 'new.example' }]));
          return [violated, `${directive ?? 'no directive'}: ${added ?? '-'}`];
        }),
      )}`,
  ).join('\n');
  const names = ALL_DIRECTIVES.map(name => [name, `${hasSources(name)} ${directiveName(name)}`] as const);
  await expect(`${text}\n${groupOutcomes(names)}`).toMatchFileSnapshot('./recorded/extended.txt');
});

it('each blocked resource leads to a source as recorded', async () => {
  const uris = [
    ...ADDRESSES,
    ...[
      'filesystem',
      'mediastream',
      'about',
      'chrome-extension',
      'https://a.example:443/',
      'https://a.example:81/x',
    ],
    ...[
      'https://*.a.example/',
      "https://'self'/",
      'https://a;b/',
      'https://[::1]/',
      'https://A.example./',
      'trusted-types-sink',
    ],
    ...[
      `https://${'a'.repeat(60)}.${'b'.repeat(192)}/`,
      `https://${'a'.repeat(60)}.${'b'.repeat(193)}/`,
      'https://ä.example/',
    ],
  ];
  const outcomes = [PAGE, 'http://shop.example/', ''].flatMap(page =>
    (page === PAGE ? uris : ADDRESSES.slice(5, 12)).map(uri => {
      const source = sourceFor(uri, page);
      const name = shorten(uri);
      const result = shorten(String(source));
      return [`${name} on ${page || 'no page'}`, `${result} ${openedBy(source ?? '') ?? ''}`.trim()] as const;
    }),
  );
  const connections = await findConnections(
    [...uris, 'stun.a.example', 'one', 'a_b.c-d'].map((uri, at) => reported('connect-src', uri, at)),
  );
  const rows = connections.candidates.map(({ source, hosts, reach }) =>
    [source, ...hosts, JSON.stringify(reach)].join(' '),
  );
  const patterns = connections.candidates.map(one => one.source);
  const header = allowlistText(['response-origin', 'https://a.example', 'a"b\\c'], 'csp');
  const all = [
    groupOutcomes(outcomes),
    ...rows,
    JSON.stringify(connections.unlisted),
    header,
    patterns.length,
  ];
  await expect(shorten(`${all.join('\n')}\n`)).toMatchFileSnapshot('./recorded/sources-of-violations.txt');
});

const reported = (directive: string, blockedUri: string, at: number, page = PAGE): ReportedViolation => ({
  ...{
    directive,
    blockedUri,
    page: at % 2 ? page : `${page}/${at % 5}`,
    count: at + 1,
    reports: (at % 3) + 1,
  },
  ...{
    dayBits: BigInt((at * 5) % 16),
    firstSeen: `2026-01-${10 + (at % 9)}`,
    lastSeen: `2026-02-${10 + (at % 7)}`,
  },
});

const REPORTED = ALL_DIRECTIVES.slice(0, 19).flatMap((directive, row) =>
  [
    ...[
      'inline',
      'eval',
      'data',
      'https://a.example/x',
      'https://b.shop.example/y',
      'wss://c.shop.example:81/',
    ],
    ...[
      'https://d.shop.example',
      'https://e.shop.example/',
      'https://e.shop.example/2',
      'https://threat.example/',
    ],
  ].map((uri, at) => reported(directive, uri, row * 10 + at)),
);

it('reports are replayed and suggest sources as recorded', async () => {
  const lines: string[] = [];
  const write = (value: unknown) =>
    lines.push(
      JSON.stringify(value)
        .replace(/"([a-zA-Z]+)":/g, '$1 ')
        .replaceAll('"', ''),
    );
  for (const policy of BASES.slice(0, 3)) {
    lines.push('', policyText(policy));
    for (const [outcome, { effects, ...rest }] of Object.entries(await replay(policy, REPORTED))) {
      lines.push(outcome);
      write(rest);
      for (const effect of effects.slice(0, 3)) write(effect);
    }
    const { effects, ...rest } = await replayChange(policy, BASES[1]!, REPORTED);
    write(['changed', effects.length, rest]);
    const { candidates, others } = await findCandidates(policy, REPORTED);
    const evidence = new Map([
      ['threat.example', { browsers: 5, isThreat: true }],
      ['a.example', { browsers: 1, isThreat: false }],
      ['e.shop.example', { browsers: 2, isThreat: false }],
    ]);
    for (const newSince of ['2026-01-11', '2026-01-18']) {
      const allowed = new Set(['data:', "'unsafe-eval'"]);
      const ranked = rankSuggestions(candidates, { evidence, newSince, allowed });
      lines.push(`new since ${newSince}, ${others} others`);
      for (const one of ranked.slice(0, 14))
        lines.push(
          [
            ...[one.isAdded ? '+' : '-', one.directive, one.source, one.covers.length, one.browsers],
            ...[
              one.count,
              one.reports,
              one.pages,
              one.days,
              one.firstSeen,
              one.lastSeen,
              one.doubts.join(','),
            ],
          ].join(' '),
        );
    }
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./recorded/replayed.txt');
});

it('each policy has the weaknesses and unused sources recorded', async () => {
  const lines: string[] = [];
  const tight = BASES.map(createTightness);
  const places = listPlaces(REPORTED, ['https://seen.example/x', 'nonsense'], 'shop.example');
  lines.push(JSON.stringify([...places]));
  for (const policy of [
    ...POLICIES,
    ...BASES,
    parsePolicy("script-src 'sha1-x' http://* 'nonce-a' ; foo bar; img-src"),
  ]) {
    const weak = await findWeaknesses(policy);
    const unused = (await unusedSources(policy, places)).map(one => `${one.directive} ${one.source}`);
    const ignored = ignoredSources(policy).map(one => `${one.directive} ${one.source}`);
    lines.push(
      `${policyText(policy)}\n  weak: ${weak.map(one => `${one.severity} ${one.directive} ${one.value} ${one.description.slice(0, 30)}`).join(' | ')}`,
      `  unused: ${unused} ignored: ${ignored} as tight as: ${tight.map(isTight => (isTight(policy) ? 1 : 0)).join('')}`,
    );
  }
  for (const count of [200, 201]) {
    const many = Array.from({ length: count }, (_, at) => `https://h${at}.example`);
    const weak = await findWeaknesses(new Map([['img-src', many]]));
    lines.push(`${count} sources: ${weak.map(one => one.description).join(' | ')}`);
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./recorded/weaknesses.txt');
});

it('each path matches the patterns recorded', async () => {
  const patterns = ['', '*', '/', '/a', '/a*', '*a', '/a*b', '/a*b*c', '**', '/*/b', '*b*', '/a*a'];
  const paths = ['', '/', '/a', '/ab', '/aXb', '/aXbYc', '/x/b', '/a/b', '/aa', 'b', '/abc', '/acb'];
  const text = groupOutcomes(
    patterns.map(
      pattern => [pattern, describeCall(() => paths.filter(path => matchPath(pattern, path)))] as const,
    ),
  );
  await expect(text).toMatchFileSnapshot('./recorded/paths.txt');
});
