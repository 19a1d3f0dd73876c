import { afterAll, beforeAll, expect, it } from 'vitest';
import { askFilters } from '../../../src/collect/ask-filters.ts';
import { open, personal, plan } from '../../../test/support/fixtures.ts';
import { startService, type TestService } from '../../../test/support/service.ts';
import { until } from '../../../test/support/until.ts';
import { collecting, post, violation } from './collecting.ts';

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
    blockedHosts: ['*.noise.example'],
    blockedSchemes: ['data:'],
    pagePaths: ['/internal/*'],
  },
  samplingRates: { csp: 100 },
};

it("an account's own filters are asked for with its key, and applied", async () => {
  const key = await open(service, personal('acme'), plan('acme'));
  await service.load({ kind: 'filters', accountId: 'acme', ...FILTERS });
  const problems: string[] = [];
  const keys = new Map([
    ['acme', key],
    ['other', 'svc_d_wrong'],
  ]);
  const asked = await askFilters(service.url, keys, (account, problem) =>
    problems.push(`${account}: ${problem}`),
  );
  try {
    expect(problems).toEqual(['other: it answers with 401']);
    expect(asked.of('other')).toBeUndefined();
    await using collector = await collecting({ filtersOf: asked.of });
    const page = 'https://www.acme.example/cart?id=7#top';
    const dropped = [
      { 'document-uri': 'https://acme.example/' },
      { 'document-uri': 'https://www.acme.example/internal/x' },
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
    ];
    for (const fields of dropped) expect((await post(collector.to, violation(fields))).status).toBe(204);
    const count = 'sightline_collect_reports_total{account="acme",outcome="filtered"}';
    expect(await collector.metric(count)).toBe(dropped.length);
    const kept = violation({ 'document-uri': page, 'blocked-uri': 'https://noise.example/x.js?v=1' });
    await post(collector.to, kept);
    const [line] = await until(async () => {
      const lines = await collector.lines();
      return lines.length > 0 && lines;
    });
    const report = line!.body['csp-report'];
    expect(report).toMatchObject({
      'document-uri': 'https://www.acme.example/cart',
      'blocked-uri': 'https://noise.example/x.js',
    });
    expect(report).not.toHaveProperty('referrer');
    await collector.collector.close();
    expect((await collector.lines()).at(-1)!.usage).toMatchObject({ filtered: dropped.length, rejected: 0 });
  } finally {
    asked.stop();
  }
});
