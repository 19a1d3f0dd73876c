import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOW, open, personal, plan, report, THREAT_INTELLIGENCE } from '../support/fixtures.ts';
import { ask, data } from '../support/graphql.ts';
import { type Line, startService, type TestService } from '../support/service.ts';

const SITE = 'shop.example';
/** A site that connects to many hosts. */
const WIDE = 'wide.example';
/** A site that began to connect to a host three days ago. */
const RECENT = 'recent.example';

/** Makes reports of a connection, each from a different page and day, in two browsers. */
function connections(
  name: string,
  connection: string,
  pages = 4,
  fields: Record<string, unknown> = {},
): Line[] {
  return Array.from({ length: pages }, (_, page) =>
    report('ada', 'connection_allowlist', `${name}-${page}`, {
      date: `2026-05-${String(1 + page).padStart(2, '0')}T08:00:00Z`,
      uri: `https://${SITE}/${page}?visit=${page}`,
      connection,
      browser: page % 2 ? 'Edge' : 'Chrome',
      count: 2,
      ...fields,
    }),
  );
}

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, personal('ada'), plan('ada', {}, THREAT_INTELLIGENCE));
  await service.load(
    ...connections('cdn', 'https://cdn.example/app.js?v=1'),
    ...connections('own', `https://${SITE}/api`),
    ...connections('socket', 'wss://live.example:8443/feed'),
    ...connections('looked-up', 'fonts.example'),
    ...['a', 'b', 'c'].flatMap(host => connections(`shard-${host}`, `https://${host}.media.example/1.png`)),
    ...connections('webrtc', 'webrtc', 3),
    ...connections('once', 'https://once.example/x', 1),
    ...connections('one-browser', 'https://forged.example/x', 4, { browser: 'Chrome' }),
    ...[8443, 9443].flatMap(port =>
      connections(`port-${port}`, `wss://ports.example:${port}/x`, 4, { browser: 'Chrome' }),
    ),
    ...connections('flagged', 'https://flagged.example/x'),
    report('ada', 'csp', 'flagged', {
      date: '2026-05-03T08:00:00Z',
      uri: `https://${SITE}/`,
      blockedUri: 'https://flagged.example/x.js',
      indicatorOfCompromise: 1,
    }),
    ...connections('quoted', 'https://evil.example"),("https://x'),
    ...connections('elsewhere', 'https://elsewhere.example/', 4, { uri: 'https://blog.example/' }),
    ...connections('recent', 'https://cdn.example/app.js', 1, {
      date: '2026-05-17T08:00:00Z',
      uri: `https://${RECENT}/`,
    }),
    ...Array.from({ length: 252 }, (_, index) =>
      connections(`many-${index}`, `https://x.many-${index}.example/`, 1, { uri: `https://${WIDE}/` }),
    ).flat(),
  );
});
afterAll(() => service.close());

const QUERY = `query ($site: HostName!, $baseline: [String!], $to: Instant) { viewer {
  connectionAllowlistSuggestion(site: $site, baseline: $baseline, from: "2026-05-01", to: $to) {
    patterns { pattern covers doubts isAdded count reports pages days browsers }
    otherPatterns unlisted { count reports } allowlist header
  } } }`;

async function suggest(baseline?: string[], site = SITE) {
  const { viewer } = await data(service, key, QUERY, { variables: { site, baseline } });
  return viewer.connectionAllowlistSuggestion;
}

describe('the suggested Connection-Allowlist', () => {
  it('lists the origins that several browsers, pages and days reported, as one header', async () => {
    const { allowlist, header } = await suggest();
    expect([...allowlist].sort()).toEqual([
      'https://*.media.example',
      'https://cdn.example',
      'https://fonts.example',
      'response-origin',
      'wss://live.example:8443',
    ]);
    const items = allowlist.map((item: string) => (item === 'response-origin' ? item : `"${item}"`));
    expect(header).toBe(`Connection-Allowlist-Report-Only: (${items.join(' ')});report-to=default`);
  });

  it('returns the reach of each pattern and the origins that a wildcard covers', async () => {
    const { patterns } = await suggest();
    const find = (name: string) => patterns.find(({ pattern }: { pattern: string }) => pattern === name);
    expect(find('https://cdn.example')).toMatchObject({
      count: 8,
      reports: 4,
      pages: 4,
      days: 4,
      browsers: 2,
      doubts: [],
      isAdded: true,
    });
    expect(find('https://*.media.example')).toMatchObject({
      covers: ['https://a.media.example', 'https://b.media.example', 'https://c.media.example'],
      reports: 12,
    });
    expect(find('response-origin')).toMatchObject({ browsers: 2, doubts: [] });
  });

  it('does not add patterns with too little evidence, or flagged by threat intelligence', async () => {
    const { patterns } = await suggest();
    const doubted = patterns.filter(({ isAdded }: { isAdded: boolean }) => !isAdded);
    expect(
      Object.fromEntries(doubted.map(({ pattern, doubts }: Record<string, unknown>) => [pattern, doubts])),
    ).toEqual({
      'https://flagged.example': ['THREAT'],
      'https://forged.example': ['ONE_BROWSER'],
      'https://once.example': ['ONE_BROWSER', 'ONE_PAGE', 'ONE_DAY'],
      'wss://ports.example:8443': ['ONE_BROWSER'],
      'wss://ports.example:9443': ['ONE_BROWSER'],
    });
  });

  it.each([
    ['2026-05-08', SITE, true],
    ['2026-05-09', SITE, false],
    ['2026-06-30', SITE, false],
    ['2026-06-30', RECENT, true],
  ])(
    'doubts what is new in the last seven days of a period that ends on %s on %s',
    async (to, site, isNew) => {
      const { viewer } = await data(service, key, QUERY, { variables: { site, to } });
      const [{ doubts }] = viewer.connectionAllowlistSuggestion.patterns.filter(
        ({ pattern }: { pattern: string }) => pattern === 'https://cdn.example',
      );
      expect(doubts.includes('NEW')).toBe(isNew);
    },
  );

  it('has no threats without Threat Intelligence in the plan', async () => {
    const free = await open(service, personal('bob'), plan('bob'));
    const uri = `https://${SITE}/`;
    const blocked = { date: '2026-05-03T08:00:00Z', uri };
    await service.load(
      report('bob', 'connection_allowlist', 'one', { ...blocked, connection: 'https://flagged.example/x' }),
      report('bob', 'csp', 'flagged', {
        ...blocked,
        blockedUri: 'https://flagged.example/x.js',
        indicatorOfCompromise: 1,
      }),
    );
    const { viewer } = await data(service, free, QUERY, { variables: { site: SITE } });
    expect(viewer.connectionAllowlistSuggestion.patterns).toMatchObject([
      { pattern: 'https://flagged.example', doubts: ['ONE_BROWSER', 'ONE_PAGE', 'ONE_DAY'] },
    ]);
  });

  it('counts reports that no pattern can allow, and keeps injected values out of the header', async () => {
    const { unlisted, otherPatterns, header } = await suggest();
    expect(unlisted).toEqual({ count: 14, reports: 7 });
    expect(otherPatterns).toBe(0);
    expect(header).not.toMatch(/evil|elsewhere/);
  });

  it('lists 200 patterns, and counts the others', async () => {
    const { patterns, otherPatterns } = await suggest(undefined, WIDE);
    expect([patterns.length, otherPatterns]).toEqual([200, 52]);
  });

  it('takes a baseline of 200 patterns', async () => {
    const baseline = Array.from({ length: 200 }, (_, index) => `https://${index}.example`);
    expect((await suggest(baseline)).allowlist.slice(0, 200)).toEqual(baseline);
  });

  it('starts with the baseline patterns, escaped as structured field strings', async () => {
    const { allowlist, header } = await suggest(['https://*.site.([a-z\\-]+)', 'https://cdn.example']);
    expect(allowlist.slice(0, 2)).toEqual(['https://*.site.([a-z\\-]+)', 'https://cdn.example']);
    expect(new Set(allowlist).size).toBe(allowlist.length);
    expect(header).toContain('("https://*.site.([a-z\\\\-]+)" "https://cdn.example" ');
  });

  it.each([
    ['a line break', ['https://a.example\r\nSet-Cookie: x']],
    ['non-ASCII characters', ['https://ä.example']],
    ['an empty pattern', ['']],
    ['too many patterns', Array.from({ length: 201 }, (_, index) => `https://${index}.example`)],
  ])('rejects a baseline with %s', async (_, baseline) => {
    const { body } = await ask(service, key, QUERY, { variables: { site: SITE, baseline } });
    expect(body.errors[0].message).toMatch(
      /^Invalid value for parameter: baseline\. It accepts up to 200 patterns of printable ASCII\.$/,
    );
  });
});
