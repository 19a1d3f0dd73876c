import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Collecting, collecting, post, violation } from '../../packages/collect/test/collecting.ts';
import { askFilters } from '../../src/collect/ask-filters.ts';
import { open, personal, plan } from '../support/fixtures.ts';
import { startService, type TestService } from '../support/service.ts';
import { exitCode, sightlineHere, startSightline } from '../support/sightline.ts';
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

/** Sends reports of every fate, and answers with the counts of the collector. */
async function send(collector: Collecting & { to: string }): Promise<Record<string, number>> {
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

it('what the collector has counted and sampled is read back, however often the spool is imported', async () => {
  const asked = await askFilters(service.url, new Map([['acme', key]]), () => {});
  const wanted = { hosts: ['acme.example'], sampling: { csp: 50 } };
  await using first = await collecting({ filtersOf: asked.of }, wanted);
  const before = await send(first);
  // A second one goes on with the sums of the day: its line replaces the one before.
  await using second = await collecting({ filtersOf: asked.of, spool: first.spool }, wanted);
  const after = await send(second);
  asked.stop();
  const sum = (outcome: string) => before[outcome]! + after[outcome]!;
  expect([sum('filtered'), sum('otherHost')]).toEqual([6, 4]);
  expect(sum('sampled')).toBeGreaterThan(0);
  expect(sum('accepted') + sum('sampled')).toBe(122);

  const env = { DATABASE_URL: service.databaseUrl };
  const command = ['import', '--watch-root', first.spool, '--format', 'collected', '--every', '100ms'];
  const importer = startSightline(command, { env });
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
    importer.kill('SIGTERM');
    await exitCode(importer);
  }
  const rates = async (type: string) => {
    const { body } = await service.get(`/export/reports/${type}?format=json`, key);
    return body.map(({ samplingRate }: { samplingRate: number | null }) => samplingRate);
  };
  expect(await rates('csp')).toEqual(Array(sum('accepted') - 2).fill(0.5));
  expect(await rates('nel')).toEqual([null, null]);
  const done = join(first.spool, 'acme', 'done');
  const again = await sightlineHere(['import', '--account', 'acme', '--format', 'collected', done], env);
  expect(again).toMatchObject({ code: 0 });
  expect(await metrics()).toEqual(expected);
});
