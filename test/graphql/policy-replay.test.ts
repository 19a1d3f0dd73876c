import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Announcer } from '../../sql/changes/announcer.ts';
import { maintain } from '../../sql/maintenance/maintain.ts';
import { finding, NOW, open, personal, plan, policyFinding, report, watch } from '../support/fixtures.ts';
import { ask, data } from '../support/graphql.ts';
import { connectOperator, type Operator } from '../support/operator.ts';
import { type Line, startService, type TestService } from '../support/service.ts';

let service: TestService;
let key: string;

const SITE = 'shop.example';
const PAGE = `https://${SITE}/cart`;

/** Reports of a violation, on so many pages. */
function violations(name: string, pages: number, fields: Record<string, unknown>): Line[] {
  return Array.from({ length: pages }, (_, page) =>
    report('ada', 'csp', `${name}-${page}`, {
      date: `2026-05-${10 + (page % 8)}T08:00:00Z`,
      uri: `${PAGE}/${page}?visit=${page}`,
      directive: 'script-src-elem',
      count: 2,
      ...fields,
    }),
  );
}

const REPORTS = [
  ...violations('cdn', 12, { blockedUri: 'https://cdn.example/app.js?v=1' }),
  ...violations('skimmer', 2, { blockedUri: 'https://evil.example/x.js' }),
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
  key = await open(service, personal('ada'), plan('ada'));
  await service.load(
    ...REPORTS,
    watch('ada', 'script', SITE),
    watch('ada', 'policy', SITE),
    finding('ada', 'script', SITE, 'https://stats.example/s.js', { source: 'csp_integrity' }),
    policyFinding('ada', SITE, "default-src 'self'", { firstSeen: '2026-04-01T00:00:00Z', enforced: false }),
  );
});
afterAll(() => service.close());

const REACH = 'count reports pages days firstSeen lastSeen';
const OUTCOME = `{ ${REACH} otherEffects effects { violated directive blocked source reason ${REACH}
  examples { page blockedUri } } }`;
const REPLAY = `query ($site: HostName!, $policy: PolicyText!, $add: [AddedSource!], $from: Instant!, $to: Instant) {
  viewer { policyReplay(site: $site, policy: $policy, add: $add, from: $from, to: $to) {
    policy blocked ${OUTCOME} allowed ${OUTCOME} unknown ${OUTCOME} noise { ${REACH} } otherCount
    unused { directive source } ignored { directive source } trial { isWatched since } } } }`;
const SUGGEST = `query ($site: HostName!, $baseline: PolicyText!, $allow: [UnsafeSource!], $from: Instant!) {
  viewer { policySuggestion(site: $site, baseline: $baseline, allow: $allow, from: $from) {
    suggestions { directive source covers opens isAdded ${REACH} } otherSuggestions policy header
    weaknesses { directive value severity description } } } }`;

/** A policy without a list of sources. */
const ALLOWS_ALL = 'upgrade-insecure-requests';

const FROM = '2026-05-01T00:00:00Z';

type Variables = Record<string, unknown>;

async function replay(policy: string, variables: Variables = {}) {
  const asked = { variables: { site: SITE, from: FROM, policy, ...variables } };
  return (await data(service, key, REPLAY, asked)).viewer.policyReplay;
}

async function suggest(baseline: string, variables: Variables = {}) {
  const asked = { variables: { site: SITE, from: FROM, baseline, ...variables } };
  return (await data(service, key, SUGGEST, asked)).viewer.policySuggestion;
}

const POLICY =
  "default-src 'self'; script-src 'self' https://cdn.example https://stats.example https://gone.example";

describe('a replay', () => {
  it('says what a policy would still block and now allow, by source, on how many pages and days', async () => {
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
    expect(blocked).toMatchObject({ reports: 19, otherEffects: 0 });
    expect(blocked.effects.map((effect: { blocked: string }) => effect.blocked)).toContain(
      'https://evil.example',
    );
    expect(noise).toMatchObject({ reports: 5 });
  });

  it('says what cannot be told, and why', async () => {
    const { unknown } = await replay("script-src 'nonce-abc'; img-src *");
    expect(unknown.effects.map(({ reason }: { reason: string }) => reason)).toContain(
      'a report does not say whether there is a nonce',
    );
  });

  it('adds sources to the policy, and leaves what other directives allow', async () => {
    const { policy, blocked } = await replay("default-src 'self' https://a.media.example", {
      add: [{ directive: 'img-src', source: 'data:' }],
    });
    expect(policy).toBe(
      "default-src 'self' https://a.media.example; img-src 'self' https://a.media.example data:",
    );
    expect(blocked.effects.map((effect: { blocked: string }) => effect.blocked)).not.toContain('data');
  });

  it('names the sources that nothing needs, and what is no source', async () => {
    const { unused, ignored } = await replay(`${POLICY} htp:/wrong`);
    expect(unused).toEqual([{ directive: 'script-src', source: 'https://gone.example' }]);
    expect(ignored).toEqual([{ directive: 'script-src', source: 'htp:/wrong' }]);
  });

  it('says since when a policy that is as tight was tried', async () => {
    expect((await replay("default-src 'self' https://x.example")).trial).toEqual({
      isWatched: true,
      since: '2026-04-01T00:00:00+00:00',
    });
    expect((await replay("default-src 'none'")).trial).toEqual({ isWatched: true, since: null });
    expect((await replay("default-src 'none'", { site: 'other.example' })).trial.isWatched).toBe(false);
  });

  it('is of one site, within its period', async () => {
    const { allowed } = await replay(ALLOWS_ALL, { site: '*.example' });
    expect(allowed.reports).toBe(REPORTS.length - 5);
    expect((await replay(ALLOWS_ALL, { to: '2026-05-11T00:00:00Z' })).allowed.days).toBe(1);
    expect((await replay(ALLOWS_ALL, { from: '2026-05-25T00:00:00Z' })).allowed).toMatchObject({
      reports: 0,
      firstSeen: null,
    });
  });

  it.each([
    ['policy', { policy: "script-src 'self', img-src *" }],
    ['add', { add: [{ directive: 'img-src; script-src', source: '*' }] }],
    ['add', { add: [{ directive: 'img-src', source: '*; script-src *' }] }],
    ['add', { add: Array.from({ length: 201 }, () => ({ directive: 'img-src', source: '*' })) }],
  ])('refuses what would be more than it says: %s', async (name, variables) => {
    const { body } = await ask(service, key, REPLAY, {
      variables: { site: SITE, from: FROM, policy: ALLOWS_ALL, ...variables },
    });
    expect(body.errors[0].message).toContain(`Invalid value for parameter: ${name}`);
  });

  it('shows nothing of another account', async () => {
    const other = await open(service, personal('eve'), plan('eve'));
    const { viewer } = await data(service, other, REPLAY, {
      variables: { site: SITE, from: FROM, policy: ALLOWS_ALL },
    });
    expect(viewer.policyReplay.allowed.reports).toBe(0);
  });
});

describe('a suggestion', () => {
  const sources = (suggestions: { source: string }[]) => suggestions.map(({ source }) => source);

  it('ranks what to allow by its reach, and adds no source that opens more than was reported', async () => {
    const { suggestions, policy, header } = await suggest("default-src 'self'; script-src 'self'");
    expect(sources(suggestions)).toEqual([
      'https://cdn.example',
      'data:',
      "'unsafe-inline'",
      'https://*.media.example',
      'https://evil.example',
      "'unsafe-eval'",
      expect.stringContaining('github.io'),
      expect.stringContaining('github.io'),
      expect.stringContaining('github.io'),
    ]);
    expect(policy).toBe(
      "default-src 'self'; script-src 'self' https://cdn.example https://evil.example; " +
        "img-src 'self' https://*.media.example https://x.github.io https://y.github.io https://z.github.io",
    );
    expect(header).toBe(`Content-Security-Policy-Report-Only: ${policy}`);
  });

  it('takes the hosts of one site together from three on, but not those of a shared domain', async () => {
    const { suggestions } = await suggest("default-src 'self'");
    const wildcard = suggestions.find(({ source }: { source: string }) => source.includes('*'));
    expect(wildcard.covers).toEqual(['a', 'b', 'c'].map(host => `https://${host}.media.example`));
    expect(sources(suggestions).some(source => source.includes('*.github.io'))).toBe(false);
  });

  it('adds what opens more only where it is asked for', async () => {
    const { suggestions, policy } = await suggest("default-src 'self'", { allow: ['DATA'] });
    const data = suggestions.find(({ source }: { source: string }) => source === 'data:');
    expect(data).toMatchObject({ isAdded: true, opens: 'any content within an address' });
    expect(policy).toContain('data:');
    expect(policy).not.toContain('unsafe');
  });

  it('leaves nothing to suggest once it is taken', async () => {
    const { policy } = await suggest("default-src 'self'", {
      allow: ['DATA', 'UNSAFE_INLINE', 'UNSAFE_EVAL'],
    });
    expect((await suggest(policy)).suggestions).toEqual([]);
    const { blocked, noise } = await replay(policy);
    expect([blocked.reports, noise.reports]).toEqual([0, 5]);
  });

  it('names the weaknesses of what results', async () => {
    const { weaknesses } = await suggest("script-src 'unsafe-inline'");
    expect(weaknesses[0]).toMatchObject({ directive: 'script-src', severity: 'high' });
  });
});

describe('kept groups of days', () => {
  let sql: Operator;
  let lock: Operator;
  beforeAll(() => {
    [sql, lock] = [connectOperator(service.databaseUrl), connectOperator(service.databaseUrl)];
  });
  afterAll(() => Promise.all([sql.end(), lock.end()]));

  it('answer as the reports do', async () => {
    const many = Array.from({ length: 460 }, (_, n) =>
      report('ada', 'csp', `many-${n}`, {
        date: `2026-05-0${1 + (n % 2)}T0${n % 10}:00:00Z`,
        uri: n % 3 ? `${PAGE}/${n % 5}` : 'https://www.shop.example/',
        directive: ['img-src', 'script-src-elem', ''][n % 3],
        blockedUri: ['https://cdn.example/a', 'inline', '', 'moz-extension'][n % 4],
      }),
    );
    await service.load(...many);
    const asked = () => replay("default-src 'self'", { site: '*shop.example' });
    const read = await asked();
    await maintain(sql, lock, { announcer: new Announcer(lock, 0), today: NOW.slice(0, 10), tell: () => {} });
    const kept = await sql`select day::text from daily_group where dimensions = 'PAGE VIOLATION BLOCKED_URI'`;
    expect(kept.length).toBeGreaterThan(0);
    // A load moves the version on, so that nothing is answered from memory.
    await service.load(watch('ada', 'frame', SITE));
    expect(await asked()).toEqual(read);
  });
});
