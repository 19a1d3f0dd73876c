import { REPORT_TYPES, REST_REPORT_TYPES, type ReportType } from '@sightline/reports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOW, open, personal, plan, report } from '../support/fixtures.ts';
import { data } from '../support/graphql.ts';
import { startService, type TestService } from '../support/service.ts';

const BEYOND = REPORT_TYPES.filter(type => !(REST_REPORT_TYPES as readonly ReportType[]).includes(type));

let service: TestService;
let key: string;
let without: string;
beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, personal('with'), plan('with'));
  without = await open(service, personal('without'), plan('without'));
  const csp = (account: string) => report(account, 'csp', 'r-1', { count: 3 });
  const exportOnly = BEYOND.map((type, index) => report('with', type, 'r-1', { count: 10 + index }));
  await service.load(csp('with'), csp('without'), ...exportOnly);
  await service.load({
    kind: 'usage',
    accountId: 'with',
    type: 'other',
    date: '2026-05-20',
    filtered: 1,
    sampled: 2,
    rejected: 3,
  });
});
afterAll(() => service.close());

describe('reports of types that are not part of /v1', () => {
  it.each([
    '/report-types',
    '/breakdown',
    '/usage-metrics',
    '/last-seven-days',
    '/quota',
    '/filters',
    '/graphs/csp/weeks/1',
  ])('do not change the response of /v1%s', async path => {
    const answer = await service.get(`/v1${path}`, key);
    expect(answer.status).toBe(200);
    expect(answer.text).toBe((await service.get(`/v1${path}`, without)).text);
    for (const type of BEYOND) expect(answer.text).not.toContain(type);
  });

  it.each(BEYOND)('have no list and no graph in /v1: %s', async type => {
    for (const path of [`/v1/reports/${type}?unit=days&date=2026-05-20`, `/v1/graphs/${type}/weeks/1`])
      expect([path, (await service.get(path, key)).body]).toEqual([path, { error: 'Unknown report type' }]);
  });

  it('are included in the counts, sampling rates and graphs of /graphql', async () => {
    const { viewer } = await data(
      service,
      key,
      `{ viewer { breakdown { csp connection_allowlist other } lastSevenDays { other } quota { used }
         usageMetrics { type accepted filtered } filters { samplingRates { other } }
         graph(type: other, unit: weeks, amount: 1) { type periods { ... on TotalGraphPeriod { total } } } } }`,
    );
    expect(viewer.breakdown).toEqual({ csp: 3, connection_allowlist: 10, other: 11 });
    expect(viewer.lastSevenDays.at(-1)).toEqual({ other: 11 });
    expect(viewer.quota).toEqual({ used: 3 });
    expect(viewer.usageMetrics).toContainEqual({ type: 'other', accepted: 11, filtered: 1 });
    expect(viewer.filters.samplingRates).toEqual({ other: 100 });
    expect(viewer.graph.type).toBe('other');
    expect(viewer.graph.periods.at(-1)).toEqual({ total: 11 });
  });
});
