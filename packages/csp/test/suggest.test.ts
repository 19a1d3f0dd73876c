import { CspParser } from 'csp_evaluator/dist/parser.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/faults/scale.ts';
import { ignoredSources, unusedSources } from '../src/change.ts';
import {
  judgeOf,
  openedBy,
  parsePolicy,
  parseSource,
  policyText,
  sourceFor,
  withSources,
} from '../src/index.ts';
import { matchSource, toAddress } from '../src/match.ts';
import type { ReportedViolation } from '../src/reach.ts';
import { findCandidates, rankSuggestions, type Suggestion, type Trust } from '../src/suggest.ts';
import { findWeaknesses } from '../src/weaknesses.ts';

const PAGE = 'https://shop.example/cart';
const reported = (directive: string, blockedUri: string): ReportedViolation => ({
  ...{ directive, blockedUri, page: PAGE, count: 1, reports: 1, dayBits: 1n },
  ...{ firstSeen: '2026-01-01', lastSeen: '2026-01-02' },
});

/** Nothing speaks against any source, so every eligible source is added. */
const trusting: Trust = { evidence: new Map(), newSince: '2026-12-01', allowed: new Set() };
/** Enough days and pages for a suggestion. */
const often = (violation: ReportedViolation) => [violation, { ...violation, page: `${PAGE}/2`, dayBits: 2n }];

async function suggestionsFor(
  baseline: ReturnType<typeof parsePolicy>,
  violations: readonly ReportedViolation[],
  trust: Partial<Trust> = {},
): Promise<Suggestion[]> {
  const { candidates } = await findCandidates(baseline, violations.flatMap(often));
  return rankSuggestions(candidates, { ...trusting, ...trust });
}

const hosts = fc.constantFrom(
  'a.example',
  'b.a.example',
  'shop.example',
  '*.example',
  '*.a.example',
  '*',
  'x',
);
const paths = fc.constantFrom('', '/', '/a', '/a/', '/a/b', '/%61/', '/a%2Fb', '//', '/a//b', '/%', '/%e4');
const ports = fc.constantFrom('', ':443', ':80', ':*', ':8080');
const sources = fc.oneof(
  fc.constantFrom('*', "'self'", 'https:', 'http:', 'ws:', 'wss:', 'data:', "'none'", 'ftp:'),
  fc
    .tuple(fc.constantFrom('', 'https://', 'http://', 'ws://', 'wss://', 'ftp://'), hosts, ports, paths)
    .map(parts => parts.join('')),
);
const schemes = fc.constantFrom('https', 'http', 'ws', 'wss', 'ftp', 'foo');
const addresses = fc
  .tuple(
    schemes,
    fc.constantFrom('a.example', 'c.b.a.example', 'shop.example', 'x', '.a.example'),
    ports,
    paths,
  )
  .map(([scheme, host, port, path]) => `${scheme}://${host}${port.replace('*', '1')}${path}`);

describe('indexed source lookup', () => {
  it('finds the first matching source and reports the others as unused, as a linear scan does', async () => {
    let matched = 0;
    const compared = fc.asyncProperty(
      fc.array(sources, { maxLength: 20 }),
      addresses,
      addresses,
      async (list, uri, page) => {
        const [address, self] = [toAddress(uri), toAddress(page)];
        if (!address || !self) return;
        const matches = list.map(text => matchSource(parseSource(text)!, address, self));
        const first = (match: string) => list[matches.indexOf(match as 'matches')];
        const policy = parsePolicy(`img-src ${list.join(' ')}`);
        const { outcome, source } = judgeOf(policy)({ directive: 'img-src', blockedUri: uri, page });
        const wanted = matches.includes('matches')
          ? 'allowed'
          : matches.includes('unless path')
            ? 'unknown'
            : 'blocked';
        expect([outcome, source]).toEqual([wanted, first('matches') ?? first('unless path')]);
        const unused = (await unusedSources(policy, [[uri, page]])).map(one => one.source);
        expect(unused).toEqual(
          list.filter((text, at) => matches[at] === 'not' && text !== "'none'" && text !== "'self'"),
        );
        matched += wanted === 'blocked' ? 0 : 1;
      },
    );
    const { numRuns } = runs(400, 2000);
    await fc.assert(compared, { numRuns });
    expect(matched).toBeGreaterThan(numRuns / 10);
  });
});

const PIECES = [
  'https://',
  '*',
  ';',
  ',',
  ' ',
  'sandbox',
  "'unsafe-inline'",
  "'",
  '"',
  '/',
  ':',
  '@',
  'evil.example',
];
const texts = fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 3, unit: 'binary' })), {
  maxLength: 8,
});

describe('a suggested policy', () => {
  it.each([
    'https://*',
    'https://*.com/',
    'https://x;sandbox',
    "https://'unsafe-inline'",
    'https://a,frame-src',
    'wss://*:443',
    "https://'self'",
  ])('contains no part of %s', async blocked => {
    const baseline = parsePolicy("default-src 'self'");
    const all = [reported('img-src', blocked), reported('img-src', 'https://cdn.example/x')];
    const suggested = await suggestionsFor(baseline, all);
    expect(suggested.map(({ source }) => source)).toEqual(['https://cdn.example']);
  });

  it.each(['sandbox', 'report-uri', 'img-src; sandbox', 'img-src,default-src', 'require-trusted-types-for'])(
    'adds no source for the directive %s',
    async directive => {
      const baseline = parsePolicy(
        "default-src 'self'; sandbox; report-uri /r; require-trusted-types-for 'script'",
      );
      expect(await suggestionsFor(baseline, [reported(directive, 'https://a.example/')])).toEqual([]);
    },
  );

  it('parses to exactly the intended directives and sources, for arbitrary reports', async () => {
    const baseline = parsePolicy("default-src 'none'; script-src 'self'");
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(texts, texts), { maxLength: 6 }), async list => {
        const violations = list.flatMap(([directive, uri]) => [
          reported('img-src', `https://${uri.join('')}`),
          reported('script-src', uri.join('')),
          reported(directive.join(''), `https://${uri.join('')}`),
        ]);
        const suggested = await suggestionsFor(baseline, violations);
        const policy = withSources(
          baseline,
          suggested.filter(({ isAdded }) => isAdded),
        );
        const text = policyText(policy);
        expect(text).toMatch(/^[\x21-\x7e ]*$/);
        expect(text).not.toContain(',');
        expect(new Map(parsePolicy(text))).toEqual(new Map(policy));
        // An independent parser reads the same policy, so the result does not depend on this parser.
        const { directives } = new CspParser(text).csp;
        expect(directives).toEqual(Object.fromEntries(policy));
        const meant = violations.flatMap(({ blockedUri }) => toAddress(blockedUri)?.host ?? []);
        for (const { source, covers } of suggested)
          for (const one of covers)
            expect(
              source === "'self'" || openedBy(source) !== undefined || meant.includes(toAddress(one)!.host),
            ).toBe(true);
        for (const [name, values] of policy) {
          expect(['default-src', 'script-src', 'img-src']).toContain(name);
          for (const value of values)
            expect(value).toMatch(
              /^(?:'self'|'none'|(?:https?|wss?):\/\/(?:\[[\d.:a-f]+\]|(?:\*\.)?[a-z\d_-]+[a-z\d._-]*)(?::\d+)?)$/,
            );
        }
      }),
      runs(100, 2000),
    );
  });
});

/** Hosts of few sites, so that some form a wildcard and some are flagged while their neighbours are not. */
const siteHosts = fc
  .tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.constantFrom('one.example', 'two.example', 'github.io'))
  .map(parts => parts.join('.'));

it('a policy with all automatic suggestions allows neither flagged hosts nor hosts of other sites', async () => {
  let wildcards = 0;
  const { numRuns } = runs(200, 2000);
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(siteHosts, { minLength: 3, maxLength: 12 }),
      fc.uniqueArray(siteHosts, { maxLength: 2 }),
      texts,
      async (blocked, flagged, hostile) => {
        const all = [...blocked, hostile.join('')].map(host => reported('img-src', `https://${host}/x.png`));
        const evidence = new Map(flagged.map(host => [host, { browsers: 9, isThreat: true }]));
        const none = parsePolicy("default-src 'none'");
        const added = (await suggestionsFor(none, all, { evidence })).filter(({ isAdded }) => isAdded);
        const judge = judgeOf(parsePolicy(policyText(withSources(none, added))));
        const isAllowed = (host: string) =>
          judge({ directive: 'img-src', blockedUri: `https://${host}/y.png`, page: PAGE }).outcome ===
          'allowed';
        wildcards += added.filter(({ source }) => source.includes('*')).length;
        for (const host of flagged)
          expect({ host, isAllowed: isAllowed(host) }).toEqual({ host, isAllowed: false });
        for (const host of ['new.github.io', 'one.test', 'example'])
          expect({ host, isAllowed: isAllowed(host) }).toEqual({ host, isAllowed: false });
      },
    ),
    { numRuns },
  );
  expect(wildcards).toBeGreaterThan(numRuns / 10);
});

describe('a doubtful source', () => {
  const baseline = parsePolicy("default-src 'self'");
  const uri = 'https://cdn.example/a.js';
  const evidence = (browsers: number, isThreat = false) => new Map([['cdn.example', { browsers, isThreat }]]);

  it.each<[string, Partial<Trust>]>([
    ['one browser', { evidence: evidence(1) }],
    ['threat', { evidence: evidence(5, true) }],
    ['new', { newSince: '2026-01-01' }],
  ])('is listed but not added because of %s', async (doubt, trust) => {
    const [suggested] = await suggestionsFor(baseline, [reported('img-src', uri)], trust);
    expect(suggested).toMatchObject({ doubts: [doubt], isAdded: false });
  });

  it('is listed but not added when seen on one page on one day', async () => {
    const { candidates } = await findCandidates(baseline, [reported('img-src', uri)]);
    expect(rankSuggestions(candidates, trusting)).toMatchObject([
      { doubts: ['one page', 'one day'], isAdded: false },
    ]);
  });

  it('is excluded from wildcards and ranked after trusted sources', async () => {
    const all = ['a', 'b', 'c', 'd'].map(host => reported('img-src', `https://${host}.media.example/`));
    const trust = { evidence: new Map([['a.media.example', { browsers: 9, isThreat: true }]]) };
    const suggested = await suggestionsFor(baseline, all, trust);
    // A wildcard would also allow the flagged host.
    expect(suggested.map(({ source, isAdded }) => [source, isAdded])).toEqual([
      ['https://b.media.example', true],
      ['https://c.media.example', true],
      ['https://d.media.example', true],
      ['https://a.media.example', false],
    ]);
    const few = {
      evidence: new Map(
        all
          .slice(0, 2)
          .map(({ blockedUri }) => [toAddress(blockedUri)!.host, { browsers: 1, isThreat: false }]),
      ),
    };
    expect((await suggestionsFor(baseline, all, few)).some(({ source }) => source.includes('*'))).toBe(false);
  });

  it('does not displace a real source, even when thousands are forged', async () => {
    const forged = Array.from({ length: 3000 }, (_, n) =>
      reported('img-src', `https://${n}.forged.example/`),
    );
    const true_ = [1n, 2n, 4n, 8n].map((dayBits, n) => ({
      ...reported('img-src', uri),
      dayBits,
      page: `${PAGE}/${n}`,
    }));
    const { candidates, others } = await findCandidates(baseline, [...forged, ...true_]);
    expect(candidates[0]!.source).toBe('https://cdn.example');
    expect(others).toBe(3001 - candidates.length);
  });
});

it('a source on more days is stronger than one on very many pages, of which twenty count', async () => {
  const seen = (host: string, pages: number, dayBits: bigint) =>
    Array.from({ length: pages }, (_, n) => ({
      ...reported('img-src', `https://${host}/a.png`),
      ...{ dayBits, page: `${PAGE}/${n}` },
    }));
  const all = [
    ...seen('many-pages.example', 21, 1n),
    ...seen('enough-pages.example', 20, 1n),
    ...seen('a-few-pages.example', 19, 1n),
    ...seen('two-days.example', 20, 3n),
  ];
  const { candidates } = await findCandidates(parsePolicy("default-src 'self'"), all);
  expect(candidates.map(({ source }) => source)).toEqual([
    'https://two-days.example',
    'https://enough-pages.example',
    'https://many-pages.example',
    'https://a-few-pages.example',
  ]);
});

it("a wildcard never replaces the site's own name, which it would not allow", async () => {
  const all = ['', 'a.', 'b.'].map(name => reported('img-src', `https://${name}media.example/`));
  const suggested = await suggestionsFor(parsePolicy("default-src 'self'"), all);
  expect(suggested.map(({ source }) => source)).toEqual([
    'https://a.media.example',
    'https://b.media.example',
    'https://media.example',
  ]);
});

describe('a source whose use is unobservable', () => {
  it.each([
    "img-src 'self'",
    "script-src 'nonce-abc' 'report-sample'",
    'frame-ancestors https://partner.example',
    'prefetch-src https://partner.example',
    'sandbox https://partner.example',
  ])('is never reported as unused: %s', async text =>
    expect(await unusedSources(parsePolicy(text), [])).toEqual([]),
  );
});

describe('policy weaknesses', () => {
  it('state that only the first 200 sources were checked', async () => {
    const many = Array.from({ length: 300 }, (_, n) => `https://h${n}.example`);
    const found = await findWeaknesses(parsePolicy(`script-src 'unsafe-inline' ${many.join(' ')}`));
    expect(found[0]).toMatchObject({ directive: 'script-src', severity: 'high' });
    expect(found.at(-1)!.description).toContain('Only the first 200');
  });

  it('are all found among exactly 200 sources', async () => {
    const all = Array.from({ length: 200 }, (_, n) => `https://h${n}.example`);
    expect(await findWeaknesses(parsePolicy(`img-src ${all.join(' ')}`))).not.toContainEqual(
      expect.objectContaining({ directive: 'img-src' }),
    );
  });

  it('are sorted by severity', async () => {
    const found = await findWeaknesses(parsePolicy("script-src 'self' 'unsafe-inline' http://192.0.2.1"));
    const severities = found.map(({ severity }) => severity);
    expect(severities).toEqual(['high', 'high', 'medium', 'medium', 'medium', 'info']);
  });
});

it('ranks equally strong suggestions by their reports, then by text, in any order of reports', async () => {
  const counts = {
    'https://c.example': 9,
    'https://d.example': 5,
    'https://a.example': 5,
    'https://b.example': 1,
  };
  const violations = Object.entries(counts).map(([source, count]) => ({
    ...reported('img-src', `${source}/a.png`),
    count,
  }));
  const order = fc.shuffledSubarray(violations, { minLength: violations.length });
  await fc.assert(
    fc.asyncProperty(order, async shuffled => {
      const suggested = await suggestionsFor(parsePolicy("default-src 'self'"), shuffled);
      expect(suggested.map(({ source }) => source)).toEqual([
        'https://c.example',
        'https://a.example',
        'https://d.example',
        'https://b.example',
      ]);
    }),
    { numRuns: 24 },
  );
});

it('keeps the candidates on the most days and pages, and equally strong ones by text, in any order of reports', async () => {
  const baseline = parsePolicy("default-src 'self'")!;
  const found = Array.from({ length: 600 }, (_, n) => ({ n, days: 1 + (n % 3) }));
  const toReports = ({ n, days }: (typeof found)[number]) => ({
    ...reported('img-src', `https://${String(n).padStart(3, '0')}.example/a.png`),
    dayBits: 2n ** BigInt(days) - 1n,
  });
  const expected = found
    .toSorted((one, other) => other.days - one.days || one.n - other.n)
    .slice(0, 250)
    .map(({ n }) => `https://${String(n).padStart(3, '0')}.example`);
  const orders = fc.shuffledSubarray(found, { minLength: found.length });
  await fc.assert(
    fc.asyncProperty(orders, async order => {
      const { candidates, others } = await findCandidates(baseline, order.map(toReports));
      expect(candidates.map(({ source }) => source)).toEqual(expected);
      expect(others).toBe(350);
    }),
    runs(5, 50),
  );
  const just = found.slice(0, 250).toSorted((one, other) => other.days - one.days);
  const { candidates, others } = await findCandidates(baseline, just.map(toReports));
  expect([candidates.length, others]).toEqual([250, 0]);
});

it.each([
  ['inline', "'unsafe-inline'"],
  ['eval', "'unsafe-eval'"],
  ['wasm-eval', "'wasm-unsafe-eval'"],
  ['data', 'data:'],
  ['blob', 'blob:'],
  ['filesystem', 'filesystem:'],
  ['mediastream', 'mediastream:'],
  ['about', undefined],
  ['chrome-extension', undefined],
  ['', undefined],
  ['https://CDN.example:443/a.js', 'https://cdn.example'],
  ['https://cdn.example:8443/a.js', 'https://cdn.example:8443'],
  ['http://cdn.example/', 'http://cdn.example'],
  ['ws://cdn.example/', 'ws://cdn.example'],
  ['wss://cdn.example/', 'wss://cdn.example'],
  ['https://cdn.example./', 'https://cdn.example.'],
  ['https://a_b-1.example/', 'https://a_b-1.example'],
  ['https://[2001:DB8::1]/', 'https://[2001:db8::1]'],
  ['https://192.0.2.1/', 'https://192.0.2.1'],
  ['ftp://cdn.example/', undefined],
  ['https://shop.example/a.js', "'self'"],
  ['https://shop.example:8443/a.js', 'https://shop.example:8443'],
])('the source for %j is %s', (blocked, source) => {
  expect(sourceFor(blocked, PAGE)).toBe(source);
});

it.each([
  "'unsafe-inline'",
  "'unsafe-eval'",
  "'wasm-unsafe-eval'",
  'data:',
  'blob:',
  'filesystem:',
  'mediastream:',
])('the source %s is added only if it is allowed, because it opens more than was reported', async source => {
  const blocked = { "'unsafe-inline'": 'inline', "'unsafe-eval'": 'eval', "'wasm-unsafe-eval'": 'wasm-eval' };
  const uri = (blocked as Record<string, string>)[source] ?? source.slice(0, -1);
  const all = [reported('script-src', uri)];
  for (const allowed of [[], [source]])
    expect(
      await suggestionsFor(parsePolicy("default-src 'self'"), all, { allowed: new Set(allowed) }),
    ).toMatchObject([
      { source, covers: [source], opens: expect.any(String), doubts: [], isAdded: allowed.length > 0 },
    ]);
  expect(openedBy('https://cdn.example')).toBeUndefined();
});

it.each([
  ['https://%.media.example', 'https://*.media.example'],
  ['http://%.a.media.example', 'http://*.media.example'],
  ['wss://%.media.example:8443', 'wss://*.media.example:8443'],
  ['ws://%.media.example', 'ws://*.media.example'],
])('three hosts such as %s are covered by %s, and two hosts by none', async (host, wildcard) => {
  const all = ['one', 'two', 'three'].map(name => reported('connect-src', host.replace('%', name)));
  const sources = ['one', 'three', 'two'].map(name => host.replace('%', name));
  const none = parsePolicy("default-src 'none'");
  expect(await suggestionsFor(none, all)).toMatchObject([
    {
      source: wildcard,
      covers: sources,
      browsers: 1,
      count: 6,
      reports: 6,
      pages: 2,
      days: 2,
      isAdded: true,
    },
  ]);
  const strongest = { ...all[1]!, page: `${PAGE}/3` };
  expect(await suggestionsFor(none, [...all, strongest])).toMatchObject([{ covers: sources }]);
  const two = await suggestionsFor(none, all.slice(0, 2));
  expect(two.map(({ source }) => source)).toEqual([sources[0], sources[2]]);
});

it('a suggestion is stronger if up to four kinds of browsers have reported it', async () => {
  const browsers = { 'a.example': 9, 'b.example': 4, 'c.example': 3, 'd.example': 2 };
  const evidence = new Map(
    Object.entries(browsers).map(([host, count]) => [host, { browsers: count, isThreat: false }]),
  );
  const all = Object.keys(browsers).map((host, n) => ({
    ...reported('img-src', `https://${host}/`),
    count: n + 1,
  }));
  const suggested = await suggestionsFor(parsePolicy("default-src 'self'"), all, { evidence });
  expect(suggested.map(({ source, browsers, isAdded }) => [source, browsers, isAdded])).toEqual([
    ['https://b.example', 4, true],
    ['https://a.example', 9, true],
    ['https://c.example', 3, true],
    ['https://d.example', 2, true],
  ]);
});

it('sources are unused unless an address matches them or may match them', async () => {
  const policy = parsePolicy(
    'img-src data: blob: a.example b.example/x/ c.example; script-src d.example; sandbox e',
  );
  const unused = await unusedSources(policy, [
    ['https://a.example', PAGE],
    ['https://b.example', PAGE],
    ['blob', PAGE],
    ['https://d.example', ''],
    ['not an address', PAGE],
  ]);
  expect(unused).toEqual([
    { directive: 'img-src', source: 'data:' },
    { directive: 'img-src', source: 'c.example' },
    { directive: 'script-src', source: 'd.example' },
  ]);
});

it('the expressions that browsers ignore are those of source lists that are invalid', () => {
  const policy = parsePolicy("script-src 'self' 'unsafe' a..b; base-uri x:y; form-action self; sandbox 'x'");
  expect(ignoredSources(policy)).toEqual([
    { directive: 'script-src', source: "'unsafe'" },
    { directive: 'script-src', source: 'a..b' },
    { directive: 'base-uri', source: 'x:y' },
  ]);
});

it('sources that are added to a policy keep their case', () => {
  const policy = parsePolicy("script-src 'self'; img-src 'none'");
  const added = [
    { directive: 'script-src', source: "'sha256-AbCd='" },
    { directive: 'script-src', source: 'https://a.example/Path/' },
    { directive: 'img-src', source: 'https://a.example/Image' },
  ];
  expect(policyText(withSources(policy, added))).toBe(
    "script-src 'self' 'sha256-AbCd=' https://a.example/Path/; img-src https://a.example/Image",
  );
});
