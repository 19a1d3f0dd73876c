import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { beginTurn, isWorkWaiting, judgeOf, parsePolicy, policyText, withSources } from '../src/index.ts';
import type { Policy } from '../src/policy.ts';
import type { ReportedViolation } from '../src/reach.ts';
import {
  findCandidates,
  findConnections,
  findWeaknesses,
  rankSuggestions,
  type Trust,
} from '../src/suggestions.ts';

const PAGE = 'https://shop.example/cart';
const baseline = parsePolicy("default-src 'none'; img-src 'none'; font-src 'none'");

/** Reports of one address on two days and from two pages. */
const reports = (blockedUri: string, change: Partial<ReportedViolation> = {}): ReportedViolation[] =>
  [1n, 2n].map(dayBits => ({
    ...{ directive: 'img-src', blockedUri, page: `${PAGE}/${dayBits}`, count: 1, reports: 1, dayBits },
    ...{ firstSeen: '2026-01-01T00:00:00+00:00', lastSeen: '2026-01-02T00:00:00+00:00' },
    ...change,
  }));

async function rank(violations: readonly ReportedViolation[], trust: Partial<Trust> = {}) {
  const { candidates } = await findCandidates(baseline, violations);
  const usual = { evidence: new Map(), newSince: '2026-12-01T00:00:00Z', allowed: new Set<string>() };
  return rankSuggestions(candidates, { ...usual, ...trust });
}

it.each([
  ['2026-01-01T00:00:00.000Z', ['new']],
  ['2025-12-31T19:00:00-05:00', ['new']],
  ['2026-01-01T00:00:01+00:00', []],
  ['2026-01-01T01:00:00+02:00', ['new']],
])('a source seen first at midnight is new since %s: %j', async (newSince, doubts) => {
  expect(await rank(reports('https://cdn.example/'), { newSince })).toMatchObject([{ doubts }]);
});

it('a source of several hosts is judged by its best known host, and by any threat', async () => {
  const own = ['a', 'b', 'c'].flatMap(name =>
    reports(`https://${name}.example/x`).map((one, at) => ({
      ...one,
      page: `https://${name}.example/${at}`,
    })),
  );
  const evidence = (threat?: string) =>
    new Map(
      [1, 5, 2].map((browsers, at) => [`${'abc'[at]}.example`, { browsers, isThreat: 'abc'[at] === threat }]),
    );
  expect(await rank(own, { evidence: evidence() })).toMatchObject([
    { source: "'self'", browsers: 5, pages: 6, doubts: [], isAdded: true },
  ]);
  for (const threat of 'abc')
    expect(await rank(own, { evidence: evidence(threat) })).toMatchObject([
      { doubts: ['threat'], isAdded: false },
    ]);
});

it('hosts of a site form a wildcard in one directive, with the same scheme and port', async () => {
  const found = await rank([
    ...reports('https://a.media.example/'),
    ...reports('https://b.media.example/'),
    ...reports('https://c.media.example/', { directive: 'font-src' }),
    ...reports('http://d.media.example/'),
    ...reports('https://e.media.example:444/'),
    ...reports('https://f.other.example/'),
  ]);
  expect(found.map(({ source }) => source).filter(source => source.includes('*'))).toEqual([]);
  expect(found).toHaveLength(6);
});

it('a wildcard has the most browsers of its hosts, and one if none is known', async () => {
  const hosts = ['a', 'b', 'c', 'd'].map(name => `${name}.media.example`);
  const all = hosts.flatMap(host => reports(`https://${host}/`));
  const evidence = new Map([
    [hosts[1]!, { browsers: 2, isThreat: false }],
    [hosts[2]!, { browsers: 6, isThreat: false }],
  ]);
  expect(await rank(all, { evidence })).toMatchObject([{ source: 'https://*.media.example', browsers: 6 }]);
  expect(await rank(all)).toMatchObject([{ source: 'https://*.media.example', browsers: 1 }]);
});

it('doubtful sources follow the others, and among them the strongest is first, however many doubts it has', async () => {
  const days = (bits: bigint) => ({ dayBits: bits });
  const found = await rank(
    [
      ...reports('https://sound.example/'),
      ...reports('https://two-doubts.example/', { ...days(63n), firstSeen: '2026-12-02T00:00:00Z' }),
      ...reports('https://one-doubt.example/', days(31n)),
    ],
    {
      evidence: new Map([
        ['two-doubts.example', { browsers: 1, isThreat: false }],
        ['one-doubt.example', { browsers: 1, isThreat: false }],
      ]),
    },
  );
  expect(found.map(({ source, doubts }) => [source, doubts.length])).toEqual([
    ['https://sound.example', 0],
    ['https://two-doubts.example', 2],
    ['https://one-doubt.example', 1],
  ]);
});

it('known directives are examined for weaknesses behind any number of others', async () => {
  const weak = await findWeaknesses(withOthers(60));
  expect(weak.map(({ value }) => value)).toContain("'unsafe-inline'");
});

it('a policy of more than fifty directives names the first that is not examined', async () => {
  const notes = async (count: number) =>
    (await findWeaknesses(withOthers(count)))
      .filter(({ description }) => description.startsWith('Only'))
      .map(({ directive, severity, description }) => [directive, severity, description]);
  expect([await notes(49), await notes(50)]).toEqual([
    [],
    [['x49-src', 'info', 'Only 50 directives were looked at.']],
  ]);
});

/** A policy with unknown directives before the one that is weak. */
function withOthers(count: number): Policy {
  const others = Array.from({ length: count }, (_, n) => `x${n}-src a`);
  return parsePolicy([...others, "script-src 'unsafe-inline'"].join('; '));
}

it('a host that was only resolved is one in any case', async () => {
  const connections = ['CDN.example', 'cdn.Example', 'https://cdn.example/a'].flatMap(uri => reports(uri));
  const { candidates, unlisted } = await findConnections(connections);
  expect(candidates.map(({ source, reach }) => [source, reach.reports])).toEqual([
    ['https://cdn.example', 6],
  ]);
  expect(unlisted.reports).toBe(0);
});

it('a source that a policy already contains is not added again', () => {
  const extend = (text: string, ...sources: string[]) =>
    policyText(
      withSources(
        parsePolicy(text),
        sources.map(source => ({ directive: 'img-src', source })),
      ),
    );
  expect(extend("img-src a.example 'none'", 'a.example')).toBe("img-src a.example 'none'");
  expect(extend("default-src a.example; font-src 'none'", 'a.example')).toBe(
    "default-src a.example; font-src 'none'",
  );
  expect(extend("img-src 'NONE' a.example", 'b.example', 'b.example', 'a.example')).toBe(
    'img-src a.example b.example',
  );
});

it.each([
  ['foo://a/', 'foo://shop/', 'allowed'],
  ['foo://a/', PAGE, 'blocked'],
  ['ftp://a.example/', PAGE, 'blocked'],
  ['wss://a.example/', 'foo://shop/', 'allowed'],
])(
  '* allows the schemes of the network and that of the page: %s on %s is %s',
  (blockedUri, page, outcome) => {
    expect(judgeOf(parsePolicy('img-src *'))({ directive: 'img-src', blockedUri, page }).outcome).toBe(
      outcome,
    );
  },
);

it('the first of several equal hashes is named', () => {
  const digest = createHash('sha256').update('a+b/c').digest('base64');
  const other = digest.replaceAll('+', '-').replaceAll('/', '_');
  const [first, second] = [`'sha256-${digest}'`, `'SHA256-${other}'`];
  for (const hashes of [
    [first, second],
    [second, first],
  ]) {
    const judge = judgeOf(parsePolicy(`script-src ${hashes.join(' ')}`));
    const violation = { directive: 'script-src-elem', blockedUri: 'inline', page: PAGE, sample: 'a+b/c' };
    expect(judge(violation)).toMatchObject({ outcome: 'allowed', source: hashes[0] });
  }
});

it('work waits from its request for a turn until it begins', async () => {
  expect(isWorkWaiting()).toBe(false);
  const begun = beginTurn();
  expect(isWorkWaiting()).toBe(true);
  await begun;
  expect(isWorkWaiting()).toBe(false);
});
