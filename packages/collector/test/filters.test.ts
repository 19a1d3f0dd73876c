import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRemoteFilters } from '../../../src/collect/ask-filters.ts';
import { open, personal, plan } from '../../../test/support/fixtures.ts';
import { startService, type TestService } from '../../../test/support/service.ts';
import { until } from '../../../test/support/until.ts';
import { post, startTestCollector, violation } from './collecting.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const FILTERS = {
  global: {
    sites: ['*.acme.example'],
    removeReferrer: true,
    removeQueryString: true,
    minimumClientReputation: 0,
  },
  advanced: {
    browserExtensions: true,
    unactionableReports: true,
    inlineEval: true,
    blockedHosts: ['*.noise.example', 'ads*.*.test'],
    blockedSchemes: ['data:'],
    pagePaths: ['/internal/*'],
  },
  samplingRates: { csp: 100 },
};

it('the collector fetches the filters of each account with its own key and applies them', async () => {
  const key = await open(service, personal('acme'), plan('acme'));
  await service.load({ kind: 'filters', accountId: 'acme', ...FILTERS });
  const problems: string[] = [];
  const keys = new Map([
    ['acme', key],
    ['other', 'svc_d_wrong'],
  ]);
  const filters = createRemoteFilters(service.url, keys, (account, problem) =>
    problems.push(`${account}: ${problem}`),
  );
  await filters.ask();
  expect(problems).toEqual(['other: Unauthorized']);
  expect(filters.of('other')).toBeUndefined();
  expect(filters.getQuota('other')).toBeUndefined();
  expect(filters.getQuota('acme')).toEqual({
    used: 0,
    limit: expect.any(Number),
    month: new Date().toISOString().slice(0, 7),
  });
  await using collector = await startTestCollector({ listFilters: filters.of });
  const page = 'https://www.acme.example/cart?id=7#top';
  const dropped = [
    { 'document-uri': 'https://acme.example/' },
    { 'document-uri': 'https://www.acme.example/internal/x' },
    { 'document-uri': 'https://www.acme.example/internal/' },
    { 'document-uri': 'about:blank' },
    { 'document-uri': page, 'blocked-uri': 'chrome-extension://abc/x.js' },
    {
      'document-uri': page,
      'blocked-uri': 'https://noise.example/x.js',
      'source-file': 'moz-extension://1/x.js',
    },
    { 'document-uri': page, 'blocked-uri': 'inline' },
    { 'document-uri': page, 'blocked-uri': 'eval' },
    { 'document-uri': page, 'blocked-uri': 'https://a.noise.example/x.js' },
    { 'document-uri': page, 'blocked-uri': 'data' },
    { 'document-uri': page, 'blocked-uri': 'https://ads.cdn.test/x.js' },
    { 'document-uri': page, 'blocked-uri': 'https://ADS7.a.b.test/x.js' },
  ];
  for (const fields of dropped) expect((await post(collector.to, violation(fields))).status).toBe(204);
  const count = 'sightline_collect_reports_total{account="acme",outcome="filtered"}';
  expect(await collector.metric(count)).toBe(dropped.length);
  const accepted = violation({ 'document-uri': page, 'blocked-uri': 'https://noise.example/x.js?v=1' });
  await post(collector.to, accepted);
  const [line] = await until(async () => {
    const lines = await collector.lines();
    return lines.length > 0 && lines;
  });
  // The parts of a pattern must not overlap.
  await post(collector.to, violation({ 'document-uri': page, 'blocked-uri': 'https://ads.test/x.js' }));
  await until(async () => (await collector.lines()).length > 1);
  const report = line!.body['csp-report'];
  expect(report).toMatchObject({
    'document-uri': 'https://www.acme.example/cart',
    'blocked-uri': 'https://noise.example/x.js',
  });
  expect(report).not.toHaveProperty('referrer');
  await collector.collector.close();
  expect((await collector.lines()).at(-1)!.usage).toMatchObject({ filtered: dropped.length, rejected: 0 });
});
