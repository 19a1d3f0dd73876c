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
    found('https://other.co.uk/a.js', '2026-05-18T00:00:00Z', 9),
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
    { name: 'other.co.uk', isDomain: false, findings: 1, count: 9 },
  ]);
  // Findings that were first seen earlier are left out, although they were seen again since then.
  expect((await ask('(since: "2026-05-19")')).groups).toMatchObject([{ name: 'pay.test' }]);
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
