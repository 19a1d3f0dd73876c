import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  post,
  startTestCollector,
  type TestCollector,
  violation,
} from '../../packages/collector/test/collecting.ts';
import { createRemoteFilters } from '../../src/collect/ask-filters.ts';
import { open, personal, plan } from '../support/fixtures.ts';
import { startService, type TestService } from '../support/service.ts';
import { sightlineHere, sightlineLasting } from '../support/sightline.ts';
import { until } from '../support/until.ts';

const NO_FILTERS = {
  global: { sites: [], removeReferrer: false, removeQueryString: false, minimumClientReputation: 0 },
  advanced: {
    browserExtensions: false,
    unactionableReports: false,
    inlineEval: false,
    blockedHosts: ['*.noise.example'],
    blockedSchemes: [],
    pagePaths: [],
  },
  samplingRates: {},
};

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startService();
  key = await open(service, personal('acme'), plan('acme'));
  await service.load({ kind: 'filters', accountId: 'acme', ...NO_FILTERS });
});
afterAll(() => service.close());

/** Sends reports with every possible outcome, and returns the collector's counts. */
async function send(collector: TestCollector & { to: string }): Promise<Record<string, number>> {
  const nel = {
    type: 'network-error',
    url: 'https://acme.example/',
    body: { type: 'tcp.reset', phase: 'dns' },
  };
  const bodies = [
    ...Array<string>(60).fill(violation()),
    ...Array<string>(3).fill(violation({ 'blocked-uri': 'https://a.noise.example/x.js' })),
    ...Array<string>(2).fill(violation({ 'document-uri': 'https://other.example/' })),
    JSON.stringify(nel),
  ];
  for (const body of bodies) expect((await post(collector.to, body)).status).toBe(204);
  await collector.collector.close();
  const outcomes = ['accepted', 'filtered', 'sampled', 'otherHost'];
  const values = outcomes.map(outcome =>
    collector.metric(`sightline_collect_reports_total{account="acme",outcome="${outcome}"}`),
  );
  const counts = await Promise.all(values);
  return Object.fromEntries(outcomes.map((outcome, index) => [outcome, counts[index]!]));
}

it('imports the counts and sampling rates of collectors once, even if the spool is imported again', async () => {
  const { of: listFilters, ask } = createRemoteFilters(service.url, new Map([['acme', key]]), () => {});
  const wanted = { hosts: ['acme.example'], sampling: { csp: 50 } };
  await using first = await startTestCollector({ listFilters, ask }, wanted);
  const before = await send(first);
  // A second collector continues the day's totals, and its line replaces the earlier one.
  await using second = await startTestCollector({ listFilters, ask, spool: first.spool }, wanted);
  const after = await send(second);
  const sum = (outcome: string) => before[outcome]! + after[outcome]!;
  expect([sum('filtered'), sum('otherHost')]).toEqual([6, 4]);
  expect(sum('sampled')).toBeGreaterThan(0);
  expect(sum('accepted') + sum('sampled')).toBe(122);

  const env = { DATABASE_URL: service.databaseUrl };
  const command = ['import', '--watch-root', first.spool, '--format', 'collected', '--every', '100ms'];
  const importer = sightlineLasting(command, env);
  const metrics = async () => {
    const { body } = await service.get('/v1/usage-metrics', key);
    return body.metrics.filter(({ type }: { type: string }) => type === 'csp' || type === 'nel');
  };
  const expected = [
    {
      type: 'csp',
      accepted: sum('accepted') - 2,
      filtered: sum('filtered'),
      sampled: sum('sampled'),
      rejected: sum('otherHost'),
    },
    { type: 'nel', accepted: 2, filtered: 0, sampled: 0, rejected: 0 },
  ];
  try {
    await until(async () => expect(await metrics()).toEqual(expected));
  } finally {
    expect(await importer.end()).toMatchObject({ code: 0 });
  }
  const rates = async (type: string) => {
    const { body } = await service.get(`/export/reports/${type}?format=json`, key);
    return body.map(({ samplingRate }: { samplingRate: number | null }) => samplingRate);
  };
  expect(await rates('csp')).toEqual(Array(sum('accepted') - 2).fill(0.5));
  expect(await rates('nel')).toEqual([null, null]);
  const done = join(first.spool, 'acme', 'done');
  const repeated = await sightlineHere(['import', '--account', 'acme', '--format', 'collected', done], env);
  expect(repeated).toMatchObject({ code: 0 });
  expect(await metrics()).toEqual(expected);
});
