import { afterAll, beforeAll, expect, it } from 'vitest';
import { finding, open, personal, plan, policyFinding, report, watch } from '../support/fixtures.ts';
import { data } from '../support/graphql.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startService({ now: '2026-05-20T01:00:00Z' });
  key = await open(service, personal('a'), plan('a'));
  const found = (uri: string, firstSeen: string, count = 1) =>
    finding('a', 'script', 'www.example.com', uri, { firstSeen, lastSeen: '2026-05-19T00:00:00Z', count });
  await service.load(
    watch('a', 'script', 'www.example.com'),
    watch('a', 'policy', 'www.example.com'),
    policyFinding('a', 'www.example.com', "script-src 'self'"),
    ...[1, 2, 3].map(number =>
      found(`https://x${number}.ads.co.uk/${number}.js`, '2026-05-18T00:00:00Z', 50),
    ),
    found('https://other.co.uk/a.js', '2026-05-18T00:00:00Z', 60),
    found('https://pay.test/a.js', '2026-05-19T00:00:00Z'),
    ...['Chrome', 'Firefox'].map(browser =>
      report('a', 'csp', browser, {
        date: '2026-05-18T10:00:00Z',
        uri: 'https://www.example.com/checkout',
        directive: 'script-src-elem',
        blockedUri: 'https://pay.test/a.js',
        browser,
      }),
    ),
  );
});
afterAll(() => service?.close());

const ask = async (args: string) =>
  (
    await data(
      service,
      key,
      `{ viewer { findingGroups${args} { totalCount otherGroups
        groups { product name isDomain findings count browsers pages days isSensitive firstSeen } } } }`,
    )
  ).viewer.findingGroups;

it('groups findings by registrable domain and ranks those on payment pages first', async () => {
  const { groups, ...rest } = await ask('(since: "2026-05-10")');
  expect(rest).toEqual({ totalCount: 5, otherGroups: 0 });
  expect(groups).toMatchObject([
    { name: 'pay.test', isDomain: false, findings: 1, browsers: 2, pages: 1, days: 1, isSensitive: true },
    { name: 'ads.co.uk', isDomain: true, findings: 3, count: 150, browsers: null, isSensitive: false },
    { name: 'other.co.uk', isDomain: false, findings: 1, count: 60 },
  ]);
  // Findings that were first seen earlier are left out, although they were seen again since then.
  expect((await ask('(since: "2026-05-19")')).groups).toMatchObject([{ name: 'pay.test', browsers: 2 }]);
});

it('counts the findings of all groups even if it returns only the first', async () => {
  const found = await ask('(first: 1)');
  expect(found.groups).toHaveLength(1);
  expect(found).toMatchObject({ totalCount: 6, otherGroups: 3 });
});

it('returns one group per policy of a policy watch', async () => {
  const { groups } = await ask('(until: "2026-05-02")');
  expect(groups).toMatchObject([{ product: 'policy', name: "script-src 'self'", findings: 1 }]);
});

it('ranks by at most four browsers and five pages of a day, and then by count', async () => {
  const ranked = await open(service, personal('b'), plan('b'));
  const hosts = [
    { host: 'six-browsers.test', browsers: 6, pages: 1, count: 1 },
    { host: 'four-browsers.test', browsers: 4, pages: 1, count: 2 },
    { host: 'six-pages.test', browsers: 1, pages: 6, count: 3 },
    { host: 'five-pages.test', browsers: 1, pages: 5, count: 4 },
    { host: 'three-browsers.test', browsers: 3, pages: 1, count: 5 },
  ];
  await service.load(
    watch('b', 'script', 'www.example.com'),
    ...hosts.flatMap(({ host, browsers, pages, count }) => [
      finding('b', 'script', 'www.example.com', `https://${host}/a.js`, {
        ...{ firstSeen: '2026-05-20T01:30:00Z', lastSeen: '2026-05-20T01:30:00Z', count },
      }),
      ...Array.from({ length: Math.max(browsers, pages) }, (_, index) =>
        report('b', 'csp', `${host}-${index}`, {
          date: '2026-05-18T10:00:00Z',
          uri: `https://www.example.com/page-${index % pages}`,
          directive: 'script-src-elem',
          blockedUri: `https://${host}/a.js`,
          browser: `Browser ${index % browsers}`,
        }),
      ),
    ]),
  );
  const { viewer } = await data(service, ranked, '{ viewer { findingGroups { groups { name } } } }');
  expect(viewer.findingGroups.groups.map(({ name }: { name: string }) => name)).toEqual([
    ...['five-pages.test', 'six-pages.test', 'four-browsers.test', 'six-browsers.test'],
    'three-browsers.test',
  ]);
});

it('measures the first 200 hosts, and shows the widest reach of the hosts of a domain', async () => {
  const measured = await open(service, personal('c'), plan('c'));
  const found = (host: string, firstSeen: string, lastSeen: string, count: number, fields = {}) =>
    finding('c', 'script', 'www.example.com', `https://${host}/a.js`, {
      ...{ firstSeen: `2026-05-${firstSeen}Z`, lastSeen: `2026-05-${lastSeen}Z`, count, ...fields },
    });
  const reported = (host: string, day: number, page: string, browser = 'Chrome') =>
    report('c', 'csp', `${host}-${day}-${page}-${browser}`, {
      ...{ date: `2026-05-${day}T10:00:00Z`, uri: `https://www.example.com${page}`, browser },
      ...{ directive: 'script-src-elem', blockedUri: `https://${host}/a.js` },
    });
  await service.load(
    watch('c', 'script', 'www.example.com'),
    found('x1.multi.test', '10T00:00:00', '15T00:00:00', 1, { source: 'csp_integrity' }),
    found('x2.multi.test', '09T00:00:00', '12T00:00:00', 1),
    found('two-days.test', '12T00:00:00', '12T01:00:00', 1),
    found('one-day.test', '12T00:00:00', '12T01:00:00', 9),
    ...Array.from({ length: 196 }, (_, n) =>
      found(`f-${String(n).padStart(3, '0')}.test`, '12T00:00:00', '12T00:00:00', 5),
    ),
    found('last.test', '12T00:00:00', '12T00:00:00', 4),
    ...['Chrome', 'Edge'].map(browser => reported('x1.multi.test', 18, '/checkout', browser)),
    ...[16, 17, 18].map(day => reported('x2.multi.test', day, `/${day}`)),
    ...[17, 18].map(day => reported('two-days.test', day, '/')),
    reported('one-day.test', 18, '/'),
    ...[1, 2, 3].map(page => reported('f-195.test', 18, `/${page}`)),
    ...[1, 2, 3, 4].map(page => reported('last.test', 18, `/${page}`)),
  );
  const query = `{ viewer { findingGroups(first: 4) { totalCount otherGroups
    groups { name source count browsers pages days isSensitive firstSeen lastSeen } } } }`;
  const { groups, ...rest } = (await data(service, measured, query)).viewer.findingGroups;
  expect(rest).toEqual({ totalCount: 201, otherGroups: 196 });
  expect(groups).toMatchObject([
    {
      ...{ name: 'multi.test', source: 'csp_integrity', count: 2, isSensitive: true },
      ...{ browsers: 2, pages: 3, days: 3 },
      ...{ firstSeen: '2026-05-09T00:00:00+00:00', lastSeen: '2026-05-15T00:00:00+00:00' },
    },
    { name: 'f-195.test', browsers: 1, pages: 3, days: 1 },
    { name: 'two-days.test', pages: 1, days: 2 },
    { name: 'one-day.test', days: 1 },
  ]);
});
