import { readFileSync } from 'node:fs';
import { sourceClass } from '@sightline/reports';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatRollupTable } from '../../sql/report/daily-sets.ts';
import { runs } from '../faults/scale.ts';
import { NOW, open, personal, plan, report, THREAT_INTELLIGENCE } from '../support/fixtures.ts';
import { ask, data } from '../support/graphql.ts';
import { type Line, startService, type TestService } from '../support/service.ts';

let service: TestService;
let key: string;

const FROM = Date.parse('2026-04-21T00:00:00Z');
const HOUR = 3_600_000;

/** Returns a generator of random numbers from 0 to 1, with a seed. */
function random(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const PAGES = ['https://shop.example/cart', 'https://www.shop.example/', 'https://bücher.example/b?c=1', ''];
const BLOCKED = [
  'https://cdn.example/x.js',
  'https://shop.example/own.js',
  'https://static.shop.example/y.js',
  'chrome-extension://abcdef/inject.js',
  'moz-extension',
  'inline',
  'eval',
  'data',
  'blob',
  'about',
  '',
];
const DIRECTIVES = ['script-src-elem', 'img-src', 'style-src', ''];
const BROWSERS = ['Firefox', 'Chrome', ''];

const next = random();
const pick = <Of>(values: readonly Of[]): Of => values[Math.floor(next() * values.length)]!;

const CSP = Array.from({ length: 400 }, (_, index) => ({
  date: new Date(FROM + Math.floor(next() * 29 * 24) * HOUR).toISOString().replace('.000Z', 'Z'),
  id: `r-${index}`,
  uri: pick(PAGES),
  blockedUri: pick(BLOCKED),
  directive: pick(DIRECTIVES),
  browser: pick(BROWSERS),
  action: pick(['enforced', 'reportOnly']),
  policyId: pick(['main-site', 'checkout', '']),
  count: 1 + Math.floor(next() * 9),
}));
type CspReport = (typeof CSP)[number];

beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, personal('ada'), plan('ada', { dataRetentionDays: 60 }, THREAT_INTELLIGENCE));
  await service.load(...CSP.map(({ id, ...fields }) => report('ada', 'csp', id, fields)));
});
afterAll(() => service.close());

const RESULT = `{
  groups { keys { by value domain } count reports firstSeen lastSeen days countBefore }
  otherGroups otherCount totalCount totalReports truncated
}`;

const QUERY = `query ($type: ReportTypeName!, $unit: ReportUnit, $date: PeriodDate, $from: Instant, $to: Instant,
    $by: [GroupBy!]!, $where: ReportFilter, $not: ReportFilter, $orderBy: GroupOrder, $first: Int,
    $since: Instant) {
  viewer { reportGroups(type: $type, unit: $unit, date: $date, from: $from, to: $to, by: $by, where: $where, not: $not,
    orderBy: $orderBy, first: $first, firstSeenSince: $since) ${RESULT} }
}`;

type Variables = Record<string, unknown>;

async function groups(variables: Variables) {
  const { viewer } = await data(service, key, QUERY, { variables });
  return viewer.reportGroups;
}

/** Requests several groupings of the same reports in one document. */
async function groupsBySeveral(
  variables: Variables,
  sets: readonly (readonly string[])[],
): Promise<unknown[]> {
  const fields = sets.map(
    (
      by,
      index,
    ) => `g${index}: reportGroups(type: csp, from: "2026-04-21", by: [${by}], where: $where, not: $not,
      first: 1000) ${RESULT}`,
  );
  const query = `query ($where: ReportFilter, $not: ReportFilter) { viewer { ${fields.join('\n')} } }`;
  const { viewer } = await data(service, key, query, { variables });
  return sets.map((_, index) => viewer[`g${index}`]);
}

interface Counted {
  keys: { value: string }[];
  dailyCounts: number[] | null;
}

async function countDays(variables: Variables, as = key): Promise<Counted[]> {
  const query = `query ($type: ReportTypeName!, $from: Instant, $to: Instant, $by: [GroupBy!]!, $where: ReportFilter) {
    viewer { reportGroups(type: $type, from: $from, to: $to, by: $by, where: $where, first: 1000) {
      groups { keys { value } dailyCounts } } } }`;
  const { viewer } = await data(service, as, query, { variables: { type: 'csp', ...variables } });
  return viewer.reportGroups.groups;
}

async function refusal(variables: Variables): Promise<string> {
  const { body } = await ask(service, key, QUERY, { variables });
  return body.errors[0].message;
}

const EVERYTHING = { type: 'csp', from: '2026-04-21', first: 1000 };

/** The value of each dimension for a report. */
const READ: Record<string, (report: CspReport) => string> = {
  PAGE_HOST: ({ uri }) => getHost(uri),
  PAGE_PATH: ({ uri }) => (uri ? new URL(uri).pathname : ''),
  PAGE_ORIGIN: ({ uri }) => /^https:\/\/[^/]+/.exec(uri)?.[0] ?? '',
  BLOCKED_HOST: ({ blockedUri }) =>
    blockedUri.startsWith('http') ? getHost(blockedUri) : extensionHost(blockedUri),
  BLOCKED_ORIGIN: ({ blockedUri }) => /^[a-z-]+:\/\/[^/]+/.exec(blockedUri)?.[0] ?? blockedUri,
  SOURCE_CLASS: ({ blockedUri, uri }) => sourceClass(blockedUri, uri),
  DIRECTIVE: ({ directive }) => directive,
  POLICY_ID: ({ policyId }) => policyId,
  BROWSER: ({ browser }) => browser,
  ACTION: ({ action }) => action,
  DAY: ({ date }) => date.slice(0, 10),
  HOUR: ({ date }) => date.slice(0, 13),
  MINUTE: ({ date }) => date.slice(0, 16),
};
const getHost = (uri: string) => (uri ? new URL(uri).hostname : '');
const extensionHost = (uri: string) => (uri.includes('://') ? new URL(uri).hostname : '');

interface ExpectedGroup {
  values: string[];
  count: number;
  reports: number;
  days: number;
}

function reckon(reports: readonly CspReport[], by: readonly string[]): ExpectedGroup[] {
  const found = new Map<string, ExpectedGroup & { seen: Set<string> }>();
  for (const report of reports) {
    const values = by.map(name => READ[name]!(report));
    const name = JSON.stringify(values);
    const group = found.get(name) ?? { values, count: 0, reports: 0, days: 0, seen: new Set() };
    group.count += report.count;
    group.reports++;
    group.seen.add(report.date.slice(0, 10));
    found.set(name, group);
  }
  return [...found.values()].map(({ seen, ...group }) => ({ ...group, days: seen.size })).sort(byCount);
}

const order = (one: string, other: string) => Number(one > other) - Number(one < other);
const byCount = (one: ExpectedGroup, other: ExpectedGroup) =>
  other.count - one.count ||
  one.values.map((value, place) => order(value, other.values[place]!)).find(sign => sign !== 0) ||
  0;

// biome-ignore lint/suspicious/noExplicitAny: an answer
const simplified = (answer: any): ExpectedGroup[] =>
  // biome-ignore lint/suspicious/noExplicitAny: a group
  answer.groups.map(({ keys, count, reports, days }: any) => ({
    // biome-ignore lint/suspicious/noExplicitAny: a key
    values: keys.map(({ value }: any) => value),
    count,
    reports,
    days,
  }));

const total = (reports: readonly { count: number }[]) => reports.reduce((sum, { count }) => sum + count, 0);

/** Filters, each with a predicate that selects the matching reports. */
const FILTERS: [filter: Variables, matches: (report: CspReport) => boolean][] = [
  [{ action: 'enforced' }, ({ action }) => action === 'enforced'],
  [{ browser: 'firefox' }, ({ browser }) => browser === 'Firefox'],
  [{ effectiveDirective: 'img-src' }, ({ directive }) => directive === 'img-src'],
  [{ hostnames: ['*.shop.example'] }, ({ uri }) => getHost(uri) === 'www.shop.example'],
  [
    { blockedHostnames: ['cdn.example', 'shop.example'] },
    ({ blockedUri }) =>
      ['cdn.example', 'shop.example'].includes(getHost(blockedUri.startsWith('http') ? blockedUri : '')),
  ],
  [
    { sourceClass: ['extension', 'browser'] },
    ({ blockedUri, uri }) => ['extension', 'browser'].includes(sourceClass(blockedUri, uri)),
  ],
  [{ sourceClass: 'inline' }, ({ blockedUri }) => blockedUri === 'inline'],
  [{ anyThreatIntel: true }, () => false],
];

describe('report groups', () => {
  it('equal a calculation over all reports, for any dimensions, filters and exclusions', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.constantFrom(...Object.keys(READ)), { minLength: 1, maxLength: 3 }),
        fc.option(fc.constantFrom(...FILTERS)),
        fc.option(fc.constantFrom(...FILTERS)),
        fc.constantFrom(1, 3, 1000),
        async (by, where, not, first) => {
          const reports = CSP.filter(report => (where?.[1](report) ?? true) && !not?.[1](report));
          const expected = reckon(reports, by);
          const answer = await groups({ ...EVERYTHING, by, where: where?.[0], not: not?.[0], first });
          expect(simplified(answer)).toEqual(expected.slice(0, first));
          expect(answer.totalCount).toBe(total(reports));
          expect(answer.totalReports).toBe(reports.length);
          expect(answer.otherCount).toBe(total(expected.slice(first)));
          expect(answer.otherGroups).toBe(Math.max(0, expected.length - first));
          expect(answer.truncated).toBe(expected.length > first);
        },
      ),
      { ...runs(10, 300), seed: 7 },
    );
  });

  it('are the same when several groupings are requested at once', async () => {
    const dimensions = fc.uniqueArray(fc.constantFrom(...Object.keys(READ)), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(dimensions, { minLength: 2, maxLength: 8 }),
        fc.option(fc.constantFrom(...FILTERS)),
        fc.option(fc.constantFrom(...FILTERS)),
        async (sets, where, not) => {
          const reports = CSP.filter(report => (where?.[1](report) ?? true) && !not?.[1](report));
          const answers = await groupsBySeveral({ where: where?.[0], not: not?.[0] }, sets);
          expect(answers.map(simplified)).toEqual(sets.map(by => reckon(reports, by)));
          for (const answer of answers)
            expect(answer).toMatchObject({ totalCount: total(reports), totalReports: reports.length });
        },
      ),
      { ...runs(6, 150), seed: 8 },
    );
  });

  it('have the same total as the breakdown of the month', async () => {
    const { body } = await service.get('/v1/breakdown', key);
    const month = { type: 'csp', unit: 'months', date: '2026-05' };
    expect((await groups({ ...month, by: ['DIRECTIVE'] })).totalCount).toBe(body.breakdown.csp);
  });

  it('include the times of their first and last reports', async () => {
    const dates = CSP.filter(({ blockedUri }) => blockedUri === 'inline')
      .map(({ date }) => date.replace('Z', '+00:00'))
      .sort();
    const answer = await groups({ ...EVERYTHING, by: ['SOURCE_CLASS'], where: { sourceClass: ['inline'] } });
    expect(answer.groups[0]).toMatchObject({ firstSeen: dates[0], lastSeen: dates.at(-1) });
  });

  it.each([
    ['REPORTS', (one: ExpectedGroup, other: ExpectedGroup) => other.reports - one.reports],
    ['KEY', (one: ExpectedGroup, other: ExpectedGroup) => order(one.values[0]!, other.values[0]!)],
  ])('are sorted by %s on request', async (orderBy, compare) => {
    const answer = await groups({ ...EVERYTHING, by: ['PAGE_HOST'], orderBy });
    const expected = reckon(CSP, ['PAGE_HOST']).sort(
      (one, other) => compare(one, other) || order(one.values[0]!, other.values[0]!),
    );
    expect(simplified(answer)).toEqual(expected);
  });

  it('are sorted by first or last appearance, newest first', async () => {
    const seen = async (orderBy: string, name: string) =>
      (await groups({ ...EVERYTHING, by: ['BLOCKED_ORIGIN'], orderBy })).groups.map(
        (group: Variables) => group[name],
      );
    for (const [orderBy, name] of [
      ['FIRST_SEEN', 'firstSeen'],
      ['LAST_SEEN', 'lastSeen'],
    ] as const) {
      const dates = await seen(orderBy, name);
      expect(dates).toEqual([...dates].sort().reverse());
    }
  });

  it.each([
    ['a past period', '2026-05-08T00:00:00Z', '2026-05-14T00:00:00Z', '2026-05-02T00:00:00Z'],
    ['a period up to now', '2026-05-14T14:30:00Z', undefined, '2026-05-08T14:30:00Z'],
    [
      'a period that ends in the future',
      '2026-05-14T14:30:00Z',
      '2026-06-01T00:00:00Z',
      '2026-05-08T14:30:00Z',
    ],
  ])(
    'are sorted by their rise over the previous period of the same length: %s',
    async (_, from, to, start) => {
      const by = ['BLOCKED_HOST', 'DIRECTIVE'];
      const within = (begin: string, end = '9') => CSP.filter(({ date }) => date >= begin && date < end);
      const before = new Map(
        reckon(within(start, from), by).map(({ values, count }) => [String(values), count]),
      );
      const rise = ({ values, count }: ExpectedGroup) => count - (before.get(String(values)) ?? 0);
      const byKey = (one: ExpectedGroup, other: ExpectedGroup) =>
        byCount({ ...one, count: 0 }, { ...other, count: 0 });
      const expected = reckon(within(from, to), by).sort(
        (one, other) => rise(other) - rise(one) || byKey(one, other),
      );
      for (const first of [3, 1000]) {
        const answer = await groups({ type: 'csp', from, to, by, orderBy: 'RISE', first });
        expect(simplified(answer)).toEqual(expected.slice(0, first));
        expect(answer.groups.map(({ countBefore }: { countBefore: number }) => countBefore)).toEqual(
          expected.slice(0, first).map(({ values }) => before.get(String(values)) ?? 0),
        );
        expect(answer.otherGroups).toBe(Math.max(0, expected.length - first));
      }
      const unsorted = await groups({ type: 'csp', from, to, by });
      expect(unsorted.groups[0].countBefore).toBeNull();
    },
  );

  it.each([
    ['a past period', '2026-05-08', '2026-05-14', [['BLOCKED_HOST'], ['BLOCKED_HOST', 'DIRECTIVE']]],
    ['a period from within a day', '2026-05-08T13:00:00Z', '2026-05-14T02:00:00Z', [['PAGE_HOST']]],
    ['a period that has not ended', '2026-05-14', '2026-06-01', [['PAGE_HOST'], ['BROWSER', 'ACTION']]],
    ['a period without an end', '2026-05-14', undefined, [['PAGE_PATH']]],
  ])('count the reports of each day: %s', async (_, from, to, groupings) => {
    const days: string[] = [];
    const last = new Date(Math.min(Date.parse(NOW), Date.parse(to ?? '2099-01-01') - 1)).toISOString();
    for (let at = Date.parse(from.slice(0, 10)); at <= Date.parse(last); at += 24 * HOUR)
      days.push(new Date(at).toISOString().slice(0, 10));
    for (const by of groupings) {
      const found = await countDays({ from, to, by });
      expect(found.length).toBeGreaterThan(1);
      for (const { keys, dailyCounts } of found) {
        const own = CSP.filter(
          report =>
            Date.parse(report.date) >= Date.parse(from) &&
            (to === undefined || Date.parse(report.date) < Date.parse(to)) &&
            by.every((name, place) => READ[name]!(report) === keys[place]!.value),
        );
        expect(dailyCounts).toEqual(days.map(day => total(own.filter(({ date }) => date.startsWith(day)))));
      }
    }
  });

  it('count the reports of a day from its first instant on', async () => {
    service.setNow('2026-05-20T00:00:00Z');
    const own = await open(service, personal('midnight'), plan('midnight'));
    await service.load(
      report('midnight', 'csp', 'r-1', { date: '2026-05-19T23:59:59Z', count: 2 }),
      report('midnight', 'csp', 'r-2', { date: '2026-05-20T00:00:00Z', count: 3 }),
    );
    const found = await countDays({ from: '2026-05-18', by: ['ACTION'] }, own);
    service.setNow(NOW);
    expect(found.map(({ dailyCounts }) => dailyCounts)).toEqual([[0, 2, 3]]);
  });

  it('count the days of the first 50 groups, in periods of up to 92 days, if rollups by day can', async () => {
    const by = ['BLOCKED_HOST', 'DIRECTIVE'];
    const from = '2026-04-21';
    const isCounted = (found: Counted[]) => found.map(({ dailyCounts }) => dailyCounts !== null);
    const paths = Array.from({ length: 60 }, (_, index) =>
      report('ada', 'nel', `n-${index}`, { date: '2026-05-19T10:00:00Z', uri: `https://a.example/${index}` }),
    );
    await service.load(...paths);
    const many = await countDays({ type: 'nel', from, by: ['PAGE_PATH'] });
    expect(isCounted(many)).toEqual(many.map((_, place) => place < 50));
    for (const uncounted of [
      { from, by: ['DAY'] },
      { from, by: [...by, 'ACTION'] },
      { from, by, to: '2026-05-01', where: { id: 'r-1' } },
    ])
      expect(isCounted(await countDays(uncounted)), JSON.stringify(uncounted)).not.toContain(true);
    expect(isCounted(await countDays({ from, by }))).not.toContain(false);
    const long = await open(service, personal('long'), plan('long', { dataRetentionDays: 400 }));
    await service.load(report('long', 'csp', 'r-1', { date: '2026-05-19T10:00:00Z' }));
    const [most] = await countDays({ from: '2026-02-18', by }, long);
    const [more] = await countDays({ from: '2026-02-17', by }, long);
    expect([most!.dailyCounts?.length, more!.dailyCounts]).toEqual([92, null]);
  });

  it('name the registrable domain of a host', async () => {
    const { groups: found } = await groups({ ...EVERYTHING, by: ['BLOCKED_HOST', 'DIRECTIVE'] });
    const domains = new Map(
      found.map(({ keys: [host] }: { keys: { value: string; domain: string | null }[] }) => [
        host!.value,
        host!.domain,
      ]),
    );
    expect(Object.fromEntries(domains)).toMatchObject({
      'cdn.example': 'cdn.example',
      'static.shop.example': 'shop.example',
      '': null,
    });
    expect(found[0].keys[1].domain).toBeNull();
  });

  it.each([1, 1000])(
    'include only groups that first appeared since a given time, limited to %i',
    async first => {
      const since = '2026-04-22T00:00:00Z';
      const by = ['PAGE_PATH', 'BLOCKED_HOST', 'DIRECTIVE'];
      const isOld = new Set(
        CSP.filter(({ date }) => date < since).map(report => String(by.map(name => READ[name]!(report)))),
      );
      const fresh = CSP.filter(report => !isOld.has(String(by.map(name => READ[name]!(report)))));
      const expected = reckon(fresh, by);
      const answer = await groups({ ...EVERYTHING, by, since, first });
      expect(isOld.size).toBeGreaterThan(0);
      expect(simplified(answer)).toEqual(expected.slice(0, first));
      expect(answer).toMatchObject({
        totalCount: total(fresh),
        totalReports: fresh.length,
        otherGroups: Math.max(0, expected.length - first),
        otherCount: total(expected.slice(first)),
      });
      const none = await groups({ ...EVERYTHING, by: ['ACTION'], since });
      expect(none).toMatchObject({ groups: [], totalCount: 0, otherGroups: 0 });
    },
  );

  it('cover periods of any length', async () => {
    const answer = await groups({ type: 'csp', from: '2020-01-01', to: '2027-01-01', by: ['ACTION'] });
    expect(simplified(answer)).toEqual(reckon(CSP, ['ACTION']));
  });

  it('include the start of the period but not its end', async () => {
    const [from, to] = ['2026-05-01T06:00:00+02:00', '2026-05-10T00:00:00Z'];
    const inPeriod = CSP.filter(({ date }) => Date.parse(date) >= Date.parse(from) && date < to);
    expect((await groups({ type: 'csp', from, to, by: ['ACTION'] })).totalReports).toBe(inPeriod.length);
  });

  it('are empty for reports past the retention', async () => {
    const old = report('bob', 'csp', 'old', { date: '2026-04-01T00:00:00Z' });
    await service.load(personal('bob'), plan('bob', { dataRetentionDays: 7 }), old);
    const bob = await service.key('personal', 'bob');
    const variables = { type: 'csp', from: '2026-03-01', by: ['ACTION'] };
    const { viewer } = await data(service, bob, QUERY, { variables });
    expect(viewer.reportGroups).toEqual({
      groups: [],
      otherGroups: 0,
      otherCount: 0,
      totalCount: 0,
      totalReports: 0,
      truncated: false,
    });
  });

  it('are read in one statement, and from the cache until the next load', async () => {
    const aliases = Object.keys(READ)
      .map(by => `${by}: reportGroups(type: csp, from: "2026-04-21", by: [${by}], first: 7) { totalCount }`)
      .join(' ');
    const query = `{ viewer { ${aliases} } }`;
    const splitStatements = async () => {
      const before = service.statements;
      const { viewer } = await data(service, key, query);
      expect(new Set(Object.values(viewer).map(group => JSON.stringify(group))).size).toBe(1);
      return service.statements - before;
    };
    const first = await splitStatements();
    service.setNow(NOW.replace(/:\d\dZ$/, ':59Z'));
    const second = await splitStatements();
    service.setNow(NOW);
    expect(first - second).toBe(1);
    await service.load(report('ada', 'nel', 'any'));
    expect(await splitStatements()).toBe(first);
  });
});

it('groups that are new since a time rise over all of the previous period that is within the retention', async () => {
  const own = await open(service, personal('risen'), plan('risen', { dataRetentionDays: 10 }));
  const lines = Object.entries({ '2026-05-09': 90, '2026-05-12': 4, '2026-05-18': 5 }).map(([day, count]) =>
    report('risen', 'csp', day, { date: `${day}T12:00:00Z`, count }),
  );
  await service.load(...lines);
  const asked = 'type: csp, from: "2026-05-14", by: [ACTION], orderBy: RISE, firstSeenSince: "2026-05-17"';
  const query = `{ viewer { reportGroups(${asked}) { groups { count countBefore } } } }`;
  const { viewer } = await data(service, own, query);
  expect(viewer.reportGroups.groups).toEqual([{ count: 5, countBefore: 4 }]);
});

it('groups are read once for all ends after the latest reports', async () => {
  const before = service.statements;
  const ends = ['2026-05-23', '2026-06-01', '2027-01-01'];
  const sums = await Promise.all(
    ends.map(async to => (await groups({ type: 'csp', from: '2026-05-03', to, by: ['ACTION'] })).totalCount),
  );
  expect(new Set(sums).size).toBe(1);
  const parallel = service.statements - before;
  await groups({ type: 'csp', from: '2026-05-03', to: '2028-01-01', by: ['ACTION'] });
  // Only the look-up of its key.
  expect(service.statements - before - parallel).toBe(1);
});

describe('a report with several values', () => {
  const certificate = (name: string, hostnames: string[], count: number) =>
    report('eve', 'certificate_transparency', name, { hostnames, count });
  let eve: string;

  beforeAll(async () => {
    const tls = (name: string, kinds: string[]) =>
      report('eve', 'tls_rpt', name, {
        policyType: 'sts',
        successfulSessions: 1,
        failedSessions: kinds.length,
        failureDetails: kinds.map(resultType => ({ resultType, failedSessions: 1 })),
      });
    const lines: Line[] = [
      personal('eve'),
      plan('eve'),
      certificate('one', ['a.example', 'b.example', 'a.example'], 2),
      certificate('two', ['b.example'], 3),
      certificate('none', [], 5),
      tls('expired', ['certificate-expired', 'starttls-not-supported']),
      tls('fine', []),
    ];
    await service.load(...lines);
    eve = await service.key('personal', 'eve');
  });

  const groupsOfEve = async (variables: Variables) =>
    (await data(service, eve, QUERY, { variables: { from: '2026-05-01', ...variables } })).viewer
      .reportGroups;

  it('counts once in the group of each value, and once in the total', async () => {
    const answer = await groupsOfEve({ type: 'certificate_transparency', by: ['PAGE_HOST'] });
    expect(simplified(answer).map(({ values, count }) => [values[0], count])).toEqual([
      ['', 5],
      ['b.example', 5],
      ['a.example', 2],
    ]);
    expect(answer).toMatchObject({ totalCount: 10, totalReports: 3, otherCount: null });
  });

  it('can be grouped by a second dimension', async () => {
    const answer = await groupsOfEve({ type: 'tls_rpt', by: ['POLICY_TYPE', 'RESULT_TYPE'] });
    expect(simplified(answer).map(({ values }) => values)).toEqual([
      ['sts', ''],
      ['sts', 'certificate-expired'],
      ['sts', 'starttls-not-supported'],
    ]);
    expect(answer).toMatchObject({ totalReports: 2, otherCount: null });
  });

  it('matches a filter or an exclusion by any of its failure types', async () => {
    const where = { resultType: 'STARTTLS-not-supported' };
    expect((await groupsOfEve({ type: 'tls_rpt', by: ['POLICY_TYPE'], where })).totalReports).toBe(1);
    expect((await groupsOfEve({ type: 'tls_rpt', by: ['POLICY_TYPE'], not: where })).totalReports).toBe(1);
    expect(
      (await groupsOfEve({ type: 'tls_rpt', by: ['POLICY_TYPE'], where: { hasFailures: false } }))
        .totalReports,
    ).toBe(1);
  });
});

describe('an invalid grouping', () => {
  const period = { type: 'csp', unit: 'months', date: '2026-05' };
  const BY = /^Invalid value for parameter: by\. It takes one to three different dimensions\.$/;

  it.each([
    [
      { ...period, by: ['NEL_TYPE'] },
      /^Reports of type csp cannot be grouped by NEL_TYPE, only by PAGE_HOST, /,
    ],
    [{ ...period, by: [] }, BY],
    [{ ...period, by: ['DAY', 'DAY'] }, BY],
    [{ ...period, by: ['DAY', 'HOUR', 'ACTION', 'BROWSER'] }, BY],
    [{ ...period, by: ['DAY'], first: 0 }, /^Invalid value for parameter: first\. It must be 1 to 1000\.$/],
    [{ ...period, by: ['DAY'], first: 1001 }, /^Invalid value for parameter: first\./],
    [
      { ...period, by: ['DAY'], where: { nelType: 'x' } },
      /^Parameter where\.nelType does not apply to report type csp$/,
    ],
    [
      { ...period, by: ['DAY'], not: { aligned: true } },
      /^Parameter not\.aligned does not apply to report type csp$/,
    ],
    [{ ...period, by: ['DAY'], not: { action: 'odd' } }, /^Invalid value for parameter: not\.action$/],
    [
      { ...period, by: ['DAY'], where: { hostnames: Array(51).fill('a') } },
      /^Invalid value for parameter: where\.hostnames$/,
    ],
    [{ ...period, date: '2026-02-30', by: ['DAY'] }, /^Invalid value for parameter: date$/],
    [{ type: 'csp', by: ['DAY'] }, /^Missing required parameter: give unit and date, or from$/],
    [{ type: 'csp', unit: 'days', by: ['DAY'] }, /^Missing required parameter: date$/],
    [{ ...period, from: '2026-05-01', by: ['DAY'] }, /^Give either unit and date, or from and to$/],
    [{ type: 'csp', from: '2026-02-30', by: ['DAY'] }, /Instant/],
    [{ ...period, by: ['DAY'], since: 'soon' }, /Instant/],
  ])('is rejected: %j', async (variables, message) => {
    expect(await refusal(variables)).toMatch(message);
  });

  it('is rejected when a filter in where or not is not included in the plan', async () => {
    await service.load(personal('free'), plan('free'));
    const free = await service.key('personal', 'free');
    for (const place of ['where', 'not']) {
      const variables = { ...period, by: ['DAY'], [place]: { ioc: true } };
      const { body } = await ask(service, free, QUERY, { variables });
      expect(body.errors[0].message).toBe('Threat Intelligence is not included in your plan');
    }
  });
});

describe('report lists in GraphQL', () => {
  it('omit reports that match any exclusion', async () => {
    const { viewer } = await data(
      service,
      key,
      `{ viewer { cspReports(unit: months, date: "2026-05", not: { sourceClass: [extension], browser: "Firefox" }) {
        reports { blockedUri browser } } } }`,
    );
    const expected = CSP.filter(({ date }) => date >= '2026-05').filter(
      ({ blockedUri, uri, browser }) => sourceClass(blockedUri, uri) !== 'extension' && browser !== 'Firefox',
    );
    expect(viewer.cspReports.reports).toHaveLength(expected.length);
  });

  it('with a pattern end with the requested number, newest first, and those of an instant by id', async () => {
    const tied = (id: string, date: string) =>
      report('ada', 'coop', id, { date, uri: 'https://shop.example/tied/path' });
    const same = '2026-05-04T10:00:00Z';
    await service.load(
      ...['tied-2', 'tied-4', 'tied-1', 'tied-3'].map(id => tied(id, same)),
      tied('tied-0', '2026-05-05T00:00:00Z'),
    );
    const list = async (first: number) => {
      const query = `{ viewer { reports(type: coop, from: "2026-05-01", where: { paths: ["*/tied*"] }, first: ${first}) {
        reports { recordId } truncated } } }`;
      const { reports, truncated } = (await data(service, key, query)).viewer.reports;
      return [...reports.map(({ recordId }: { recordId: string }) => recordId.at(-1)), truncated];
    };
    expect(await list(2)).toEqual(['0', '4', true]);
    expect(await list(4)).toEqual(['0', '4', '3', '2', true]);
    expect(await list(5)).toEqual(['0', '4', '3', '2', '1', false]);
  });

  it('support filters that /v1 does not have', async () => {
    const mail = (name: string, fields: Variables) =>
      report('ada', 'dmarc', name, {
        aligned: true,
        disposition: 'none',
        sourceIp: '192.0.2.1',
        reporter: 'Acme',
        ...fields,
      });
    await service.load(
      mail('good', {}),
      mail('bad', { aligned: false, disposition: 'reject', sourceIp: '192.0.2.2', reporter: 'Other' }),
    );
    const found = async (filter: string) => {
      const query = `{ viewer { dmarcReports(unit: months, date: "2026-05", ${filter}) { reports { sourceIp } } } }`;
      // biome-ignore lint/suspicious/noExplicitAny: a record
      return (await data(service, key, query)).viewer.dmarcReports.reports.map((one: any) => one.sourceIp);
    };
    expect(await found('aligned: false')).toEqual(['192.0.2.2']);
    expect(await found('aligned: true')).toEqual(['192.0.2.1']);
    expect(await found('disposition: reject')).toEqual(['192.0.2.2']);
    expect(await found('sourceIp: "192.0.2.1"')).toEqual(['192.0.2.1']);
    expect(await found('reporter: "other"')).toEqual(['192.0.2.2']);
    expect(await found('not: { aligned: true }')).toEqual(['192.0.2.2']);
  });

  it.each([
    ['dmarc', { dkim: 'pass' }, { dkim: 'fail' }],
    ['dmarc', { spf: 'fail' }, { spf: 'pass' }],
    ['nel', { serverIp: '192.0.2.44' }, { serverIp: '192.0.2.45' }],
    ['coep', { violation: 'corp' }, { violation: 'navigation' }],
    ['coop', { violation: 'navigation-to-response' }, { violation: 'navigation-from-response' }],
    ['tls_rpt', { reporter: 'Acme' }, { reporter: 'Other' }],
  ])('of type %s can be filtered by %j, or by the opposite', async (type, such, other) => {
    const period = { date: '2026-05-03T00:00:00Z' };
    const name = `of ${Object.keys(such)}`;
    await service.load(
      report('ada', type, `such ${name}`, { ...period, ...such }),
      report('ada', type, `other ${name}`, { ...period, ...other }),
    );
    const found = async (filters: Variables) => {
      const query = `query ($type: ReportTypeName!, $where: ReportFilter, $not: ReportFilter) { viewer {
        reports(type: $type, unit: days, date: "2026-05-03", where: $where, not: $not) { reports { recordId } } } }`;
      const { viewer } = await data(service, key, query, { variables: { type, ...filters } });
      return viewer.reports.reports
        .map(({ recordId }: { recordId: string }) => recordId)
        .filter((id: string) => id.endsWith(name));
    };
    expect(await found({ where: such })).toEqual([`such ${name}`]);
    expect(await found({ not: such })).toEqual([`other ${name}`]);
  });
});

it('docs/graphql.md lists the groupings that have rollups', () => {
  expect(readFileSync('docs/graphql.md', 'utf8')).toContain(`\n${formatRollupTable()}\n`);
});
