import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Announcer } from '../../sql/changes/announcer.ts';
import { maintain } from '../../sql/maintenance/maintain.ts';
import {
  finding,
  NOW,
  open,
  personal,
  plan,
  policyFinding,
  report,
  THREAT_INTELLIGENCE,
  watch,
} from '../support/fixtures.ts';
import { ask, data } from '../support/graphql.ts';
import { connectOperator, type Operator } from '../support/operator.ts';
import { type Line, startService, type TestService } from '../support/service.ts';

let service: TestService;
let key: string;

const SITE = 'shop.example';
const PAGE = `https://${SITE}/cart`;

/** Makes one report of a violation on each of this many pages. */
function violations(name: string, pages: number, fields: Record<string, unknown>): Line[] {
  return Array.from({ length: pages }, (_, page) =>
    report('ada', 'csp', `${name}-${page}`, {
      date: `2026-05-${10 + (page % 8)}T08:00:00Z`,
      uri: `${PAGE}/${page}?visit=${page}`,
      directive: 'script-src-elem',
      browser: page % 2 ? 'Firefox' : 'Chrome',
      count: 2,
      ...fields,
    }),
  );
}

const REPORTS = [
  ...violations('cdn', 12, { blockedUri: 'https://cdn.example/app.js?v=1' }),
  ...violations('skimmer', 2, { blockedUri: 'https://evil.example/x.js', browser: 'Chrome' }),
  ...violations('flagged', 3, { blockedUri: 'https://flagged.example/x.js', indicatorOfCompromise: 1 }),
  ...violations('recent', 3, { blockedUri: 'https://recent.example/x.js' }).map((line, at) => ({
    ...line,
    date: `2026-05-${17 + at}T08:00:00Z`,
  })),
  ...violations('inline', 3, { blockedUri: 'inline' }),
  ...violations('eval', 1, { blockedUri: 'eval', directive: 'script-src' }),
  ...violations('img', 4, { blockedUri: 'data', directive: 'img-src' }),
  ...violations('own', 2, { blockedUri: `https://${SITE}/own.js` }),
  ...['a', 'b', 'c'].flatMap(host =>
    violations(`shard-${host}`, 2, {
      blockedUri: `https://${host}.media.example/1.png`,
      directive: 'img-src',
    }),
  ),
  ...['x', 'y', 'z'].flatMap(host =>
    violations(`tenant-${host}`, 1, { blockedUri: `https://${host}.github.io/1.png`, directive: 'img-src' }),
  ),
  ...violations('extension', 5, { blockedUri: 'chrome-extension://abc/inject.js' }),
  ...violations('elsewhere', 9, { uri: 'https://other.example/', blockedUri: 'https://cdn.example/app.js' }),
];

beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, personal('ada'), plan('ada', {}, THREAT_INTELLIGENCE));
  await service.load(
    ...REPORTS,
    watch('ada', 'script', SITE),
    watch('ada', 'policy', SITE),
    finding('ada', 'script', SITE, 'https://stats.example/s.js', { source: 'csp_integrity' }),
    watch('ada', 'frame', SITE),
    finding('ada', 'frame', SITE, 'https://video.example/embed'),
    watch('ada', 'data', SITE),
    finding('ada', 'data', SITE, 'https://api.example/v1'),
    policyFinding('ada', SITE, "default-src 'self'", { firstSeen: '2026-04-01T00:00:00Z', enforced: false }),
  );
});
afterAll(() => service.close());

const REACH = 'count reports pages days firstSeen lastSeen';
const OUTCOME = `{ ${REACH} otherEffects effects { violated directive blocked source reason ${REACH}
  examples { page blockedUri } } }`;
const REPLAY = `query ($site: HostName!, $policy: PolicyText!, $add: [AddedSource!], $from: Instant!, $to: Instant,
    $baseline: PolicyText, $paths: [PathPattern!]) {
  viewer { policyReplay(site: $site, policy: $policy, add: $add, from: $from, to: $to, baseline: $baseline, paths: $paths) {
    policy blocked ${OUTCOME} allowed ${OUTCOME} unknown ${OUTCOME} noise { ${REACH} } otherCount
    unused { directive source } ignored { directive source } trial { isWatched since } } } }`;
const SUGGEST = `query ($site: HostName!, $baseline: PolicyText!, $allow: [UnsafeSource!], $from: Instant!) {
  viewer { policySuggestion(site: $site, baseline: $baseline, allow: $allow, from: $from) {
    suggestions { directive source covers opens browsers doubts isAdded ${REACH} } otherSuggestions policy header
    weaknesses { directive value severity description } } } }`;

/** A policy without source lists. */
const ALLOWS_ALL = 'upgrade-insecure-requests';

const FROM = '2026-05-01T00:00:00Z';

type Variables = Record<string, unknown>;

async function replay(policy: string, variables: Variables = {}) {
  const options = { variables: { site: SITE, from: FROM, policy, ...variables } };
  return (await data(service, key, REPLAY, options)).viewer.policyReplay;
}

async function suggest(baseline: string, variables: Variables = {}) {
  const options = { variables: { site: SITE, from: FROM, baseline, ...variables } };
  return (await data(service, key, SUGGEST, options)).viewer.policySuggestion;
}

const POLICY =
  "default-src 'self'; script-src 'self' https://cdn.example https://stats.example https://gone.example";

describe('a policy replay', () => {
  it('returns the sources that the policy would block and allow, with pages and days', async () => {
    const { allowed, blocked, noise } = await replay(POLICY);
    expect(allowed).toMatchObject({ reports: 14, count: 28, pages: 12, days: 8 });
    expect(allowed.effects[0]).toEqual({
      violated: 'script-src-elem',
      directive: 'script-src',
      blocked: 'https://cdn.example',
      source: 'https://cdn.example',
      reason: null,
      count: 24,
      reports: 12,
      pages: 12,
      days: 8,
      firstSeen: '2026-05-10T08:00:00+00:00',
      lastSeen: '2026-05-17T08:00:00+00:00',
      examples: expect.arrayContaining([{ page: `${PAGE}/0`, blockedUri: 'https://cdn.example/app.js' }]),
    });
    expect(blocked).toMatchObject({ reports: 25, otherEffects: 0 });
    expect(blocked.effects.map((effect: { blocked: string }) => effect.blocked)).toContain(
      'https://evil.example',
    );
    expect(noise).toMatchObject({ reports: 5 });
  });

  it('returns the reason when the outcome of a violation is unknown', async () => {
    const { unknown } = await replay("script-src 'nonce-abc'; img-src *");
    expect(unknown.effects.map(({ reason }: { reason: string }) => reason)).toContain(
      'a report does not say whether there is a nonce',
    );
  });

  it('adds sources to the policy while keeping the fallback sources', async () => {
    const { policy, blocked } = await replay("default-src 'self' https://a.media.example", {
      add: [{ directive: 'img-src', source: 'data:' }],
    });
    expect(policy).toBe(
      "default-src 'self' https://a.media.example; img-src 'self' https://a.media.example data:",
    );
    expect(blocked.effects.map((effect: { blocked: string }) => effect.blocked)).not.toContain('data');
  });

  it('names unused sources and invalid sources', async () => {
    const loaded = 'frame-src https://video.example; connect-src https://api.example';
    const { unused, ignored } = await replay(`${POLICY} htp:/wrong; ${loaded}`);
    expect(unused).toEqual([{ directive: 'script-src', source: 'https://gone.example' }]);
    expect(ignored).toEqual([{ directive: 'script-src', source: 'htp:/wrong' }]);
  });

  it('returns the date since which an equally strict policy has been in use', async () => {
    expect((await replay("default-src 'self' https://x.example")).trial).toEqual({
      isWatched: true,
      since: '2026-04-01T00:00:00+00:00',
    });
    expect((await replay("default-src 'none'")).trial).toEqual({ isWatched: true, since: null });
    expect((await replay("default-src 'none'", { site: 'other.example' })).trial.isWatched).toBe(false);
  });

  it('returns the earliest date of several equally strict policies', async () => {
    const site = 'tried.example';
    await service.load(
      watch('ada', 'policy', site),
      ...[
        ["default-src 'none'", '2026-04-03', '2026-05-20'],
        ["default-src 'self'", '2026-04-02', '2026-05-19'],
        ["default-src 'self'; img-src 'none'", '2026-04-04', '2026-05-18'],
        ['default-src *', '2026-04-01', '2026-05-17'],
      ].map(([policy, first, last]) =>
        policyFinding('ada', site, policy!, {
          firstSeen: `${first}T00:00:00Z`,
          lastSeen: `${last}T00:00:00Z`,
        }),
      ),
    );
    expect((await replay("default-src 'self'", { site })).trial.since).toBe('2026-04-02T00:00:00+00:00');
  });

  it('does not count a policy with a looser directive as a trial of its default', async () => {
    const site = 'loose.example';
    await service.load(
      watch('ada', 'policy', site),
      policyFinding('ada', site, "default-src 'self'; img-src *", { firstSeen: '2026-04-01T00:00:00Z' }),
    );
    const since = async (policy: string) => (await replay(policy, { site })).trial.since;
    expect(await since("default-src 'self'")).toBeNull();
    expect(await since("default-src 'self'; img-src *")).not.toBeNull();
    expect(await since("script-src 'self'")).not.toBeNull();
    expect(await since("default-src 'self'; img-src *; font-src a.example")).toBeNull();
  });

  it('covers one site or host pattern within the period', async () => {
    const { allowed } = await replay(ALLOWS_ALL, { site: '*.example' });
    expect(allowed.reports).toBe(REPORTS.length - 5);
    expect((await replay(ALLOWS_ALL, { to: '2026-05-11T00:00:00Z' })).allowed.days).toBe(1);
    expect((await replay(ALLOWS_ALL, { from: '2026-05-25T00:00:00Z' })).allowed).toMatchObject({
      reports: 0,
      firstSeen: null,
    });
  });

  it('lists separately the sources that the baseline does not block', async () => {
    const blocked = async (policy: string, baseline: string | null) => {
      const { viewer } = await data(service, key, CHANGE, { variables: { policy, baseline } });
      return viewer.policyReplay.newlyBlocked?.effects.map((effect: { blocked: string }) => effect.blocked);
    };
    const [tight, loose] = ["default-src 'self'", "default-src 'self' https://cdn.example"];
    expect(await blocked(tight, loose)).toEqual(['https://cdn.example']);
    expect(await blocked(loose, tight)).toEqual([]);
    expect(await blocked(tight, tight)).toEqual([]);
    expect(await blocked(tight, null)).toBeUndefined();
  });

  it('covers only pages whose path matches, ignoring query strings', async () => {
    const pages = async (paths: string[] | null) => {
      const { viewer } = await data(service, key, CHANGE, {
        variables: { policy: "default-src 'none'", baseline: ALLOWS_ALL, paths },
      });
      return viewer.policyReplay.blocked.pages;
    };
    expect(await pages(['/cart/1'])).toBe(1);
    expect(await pages(['/cart/1*', '/cart/2'])).toBe(4);
    expect(await pages(['*/11'])).toBe(1);
    expect(await pages(['/car', '/cart/', '/CART/1', '/cart/1?visit=1'])).toBe(0);
    expect(await pages([])).toBe(0);
    expect(await pages(['*'])).toBe(await pages(null));
  });

  it('takes 200 sources and 50 paths', async () => {
    const add = Array.from({ length: 200 }, () => ({ directive: 'img-src', source: '*' }));
    const { policy } = await replay("default-src 'self'", { add, paths: Array(50).fill('/') });
    expect(policy).toBe("default-src 'self'; img-src 'self' *");
  });

  it.each([
    ['baseline', { baseline: 'img-src *, script-src *' }],
    ['paths', { paths: Array.from({ length: 51 }, () => '/') }],
    ['policy', { policy: "script-src 'self', img-src *" }],
    ['add', { add: [{ directive: 'img-src; script-src', source: '*' }] }],
    ['add', { add: [{ directive: 'img-src', source: '*; script-src *' }] }],
    ['add', { add: Array.from({ length: 201 }, () => ({ directive: 'img-src', source: '*' })) }],
  ])('rejects an invalid value of %s', async (name, variables) => {
    const { body } = await ask(service, key, REPLAY, {
      variables: { site: SITE, from: FROM, policy: ALLOWS_ALL, ...variables },
    });
    expect(body.errors[0].message).toContain(`Invalid value for parameter: ${name}`);
  });

  it('returns no reports of other accounts', async () => {
    const other = await open(service, personal('eve'), plan('eve'));
    const { viewer } = await data(service, other, REPLAY, {
      variables: { site: SITE, from: FROM, policy: ALLOWS_ALL },
    });
    expect(viewer.policyReplay.allowed.reports).toBe(0);
  });
});

const CHANGE = `query ($policy: PolicyText!, $baseline: PolicyText, $paths: [PathPattern!]) { viewer {
  policyReplay(site: "${SITE}", policy: $policy, baseline: $baseline, paths: $paths, from: "2026-05-01") {
    blocked { pages } newlyBlocked { effects { blocked } } } } }`;

describe('a policy suggestion', () => {
  const sources = (suggestions: { source: string }[]) => suggestions.map(({ source }) => source);

  it('ranks sources by days, browsers and pages, and adds those without doubts', async () => {
    const { suggestions, policy, header } = await suggest("default-src 'self'; script-src 'self'");
    const found = suggestions.map(({ source, browsers, doubts }: Record<string, unknown>) => [
      source,
      browsers,
      doubts,
    ]);
    expect(found).toEqual([
      ['https://cdn.example', 2, []],
      ['data:', null, []],
      ["'unsafe-inline'", null, []],
      ['https://*.media.example', 2, []],
      ['https://flagged.example', 2, ['THREAT']],
      ['https://recent.example', 2, ['NEW']],
      ['https://evil.example', 1, ['ONE_BROWSER']],
      ["'unsafe-eval'", null, ['ONE_PAGE', 'ONE_DAY']],
      ...['x', 'y', 'z'].map(host => [
        `https://${host}.github.io`,
        1,
        ['ONE_BROWSER', 'ONE_PAGE', 'ONE_DAY'],
      ]),
    ]);
    expect(policy).toBe(
      "default-src 'self'; script-src 'self' https://cdn.example; img-src 'self' https://*.media.example",
    );
    expect(header).toBe(`Content-Security-Policy-Report-Only: ${policy}`);
  });

  it('has no threat doubts for an account without Threat Intelligence', async () => {
    const other = await open(service, personal('bob'), plan('bob'));
    await service.load(...REPORTS.map(line => ({ ...line, accountId: 'bob' })));
    const options = { variables: { site: SITE, from: FROM, baseline: "default-src 'self'" } };
    const { suggestions } = (await data(service, other, SUGGEST, options)).viewer.policySuggestion;
    const flagged = suggestions.find(
      ({ source }: { source: string }) => source === 'https://flagged.example',
    );
    expect(flagged.doubts).toEqual([]);
    expect(JSON.stringify(suggestions)).not.toContain('THREAT');
  });

  it('merges three or more hosts of one domain into a wildcard, except for shared domains', async () => {
    const { suggestions } = await suggest("default-src 'self'");
    const wildcard = suggestions.find(({ source }: { source: string }) => source.includes('*'));
    expect(wildcard.covers).toEqual(['a', 'b', 'c'].map(host => `https://${host}.media.example`));
    expect(sources(suggestions).some(source => source.includes('*.github.io'))).toBe(false);
  });

  it('adds a source that weakens the policy only if it is explicitly allowed', async () => {
    const { suggestions, policy } = await suggest("default-src 'self'", { allow: ['DATA'] });
    const data = suggestions.find(({ source }: { source: string }) => source === 'data:');
    expect(data).toMatchObject({ isAdded: true, opens: 'any content within an address' });
    expect(policy).toContain('data:');
    expect(policy).not.toContain('unsafe');
  });

  it('suggests nothing further when the resulting policy is the baseline', async () => {
    const { policy, suggestions } = await suggest("default-src 'self'", {
      allow: ['DATA', 'UNSAFE_INLINE', 'UNSAFE_EVAL'],
    });
    const add = suggestions
      .filter(({ isAdded }: { isAdded: boolean }) => !isAdded)
      .map(({ directive, source }: Record<string, string>) => ({ directive, source }));
    const { policy: whole, blocked, noise } = await replay(policy, { add });
    expect([blocked.reports, noise.reports]).toEqual([0, 5]);
    expect((await suggest(whole)).suggestions).toEqual([]);
  });

  it('lists the weaknesses of the resulting policy', async () => {
    const { weaknesses } = await suggest("script-src 'unsafe-inline'");
    expect(weaknesses[0]).toMatchObject({ directive: 'script-src', severity: 'high' });
  });
});

describe('a policy replay with daily rollups', () => {
  let sql: Operator;
  let lock: Operator;
  beforeAll(() => {
    [sql, lock] = [connectOperator(service.databaseUrl), connectOperator(service.databaseUrl)];
  });
  afterAll(() => Promise.all([sql.end(), lock.end()]));

  it('returns the same result as without rollups', async () => {
    const many = Array.from({ length: 460 }, (_, n) =>
      report('ada', 'csp', `many-${n}`, {
        date: `2026-05-0${1 + (n % 2)}T0${n % 10}:00:00Z`,
        uri: n % 3 ? `${PAGE}/${n % 5}` : 'https://www.shop.example/',
        directive: ['img-src', 'script-src-elem', ''][n % 3],
        blockedUri: ['https://cdn.example/a', 'inline', '', 'moz-extension'][n % 4],
      }),
    );
    await service.load(...many);
    const options = () => replay("default-src 'self'", { site: '*shop.example' });
    const read = await options();
    await maintain(sql, lock, {
      announcer: new Announcer(lock, 0),
      today: NOW.slice(0, 10),
      report: () => {},
    });
    const rollups =
      await sql`select day::text from daily_group where dimensions = 'PAGE VIOLATION BLOCKED_URI'`;
    expect(rollups.length).toBeGreaterThan(0);
    // Loading data changes the version, which prevents cached results.
    await service.load(watch('ada', 'frame', SITE));
    expect(await options()).toEqual(read);
  });
});
