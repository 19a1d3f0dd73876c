import { REST_REPORT_TYPES } from '@sightline/reports';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { type Client, createClient, SightlineError } from '../../packages/client/src/index.ts';
import { handlers, respond } from '../../packages/client/src/msw.ts';
import { auditEvent, NOW, report, team } from '../support/fixtures.ts';
import { mockServer } from '../support/mocks.ts';
import { belongings } from '../support/routes.ts';
import { startService } from '../support/service.ts';

const mocks = mockServer();

interface Server {
  client: Client;
  /** Makes all policies nonexistent, because by default the mock returns one for every id. */
  knowNoPolicy(): void;
  close(): Promise<void>;
}

async function startMock(): Promise<Server> {
  const baseUrl = 'https://sightline.example';
  mocks.use(...handlers({ baseUrl }));
  return {
    client: createClient({ baseUrl, key: 'svc_t_any' }),
    knowNoPolicy: () => mocks.use(respond('/v1/policies/csp/{id}', 404, { baseUrl })),
    close: async () => mocks.resetHandlers(),
  };
}

async function startReal(): Promise<Server> {
  const service = await startService({ now: NOW });
  const onHost = report('crew', 'csp', 'csp-2', { uri: 'https://own.example.com/' });
  await service.load(team('crew'), ...belongings('crew'), onHost);
  const client = createClient({ baseUrl: `${service.url}/`, key: await service.key('team', 'crew') });
  return { client, knowNoPolicy: () => {}, close: () => service.close() };
}

/** The client reads from the service exactly as from a mock of the OpenAPI description. */
describe.each([
  ['its own mocks', startMock],
  ['the service', startReal],
])('a client of %s', (_, start) => {
  let server: Server;
  let client: Client;
  beforeAll(async () => {
    server = await start();
    ({ client } = server);
  });
  afterAll(() => server.close());

  it('reads the owner of its key', async () => {
    const me = await client.get('/v1/me');
    if (me.type === 'personal') expect(me.email).toContain('@');
    else expect(me.teamName).toBeTypeOf('string');
  });

  it('reads the account and its configuration', async () => {
    const plan = await client.get('/v1/plan');
    expect(plan.features.blockedWatch).toBeInstanceOf(Array);
    const setup = await client.get('/v1/setup');
    expect(setup.reportingApi.endpoints[0]?.url).toMatch(/^https:/);
    const { members } = await client.get('/v1/team');
    expect(members[0]?.role).toBe('owner');
    const filters = await client.get('/v1/filters');
    expect(filters.samplingRates.csp).toBeGreaterThan(0);
    const { used, limit } = await client.get('/v1/quota');
    expect(used).toBeLessThanOrEqual(limit);
  });

  it('reads reports with the fields of their type', async () => {
    const period = { unit: 'days', date: '2026-05-20' } as const;
    const csp = await client.get('/v1/reports/csp', { ...period, hostnames: ['*', 'own.example.com'] });
    expect(csp.truncated).toBe(false);
    expect(csp.reports.length).toBeGreaterThan(0);
    expect(csp.reports.every(report => report.suspicious === 0 || report.suspicious === 1)).toBe(true);
    const nel = await client.get('/v1/reports/nel', period);
    expect(nel.reports[0]?.statusCode).toBeTypeOf('number');
    const dmarc = await client.get('/v1/reports/dmarc', period);
    expect(dmarc.reports[0]?.publishedPolicy.p).toBeTypeOf('string');
  });

  it('includes the empty string in the type of an optional text', async () => {
    const { reports } = await client.get('/v1/reports/csp', { unit: 'days', date: '2026-05-20' });
    const [report] = reports;
    expectTypeOf(report!.action).toEqualTypeOf<'enforced' | 'reportOnly' | ''>();
    for await (const { disposition } of client.export('/export/reports/{type}', { type: 'dmarc' })) {
      expectTypeOf(disposition).toEqualTypeOf<'none' | 'quarantine' | 'reject' | 'pass' | ''>();
    }
    expect(['enforced', 'reportOnly', '']).toContain(report!.action);
  });

  it('reads the reports of every type', async () => {
    const { types } = await client.get('/v1/report-types');
    expect(types).toHaveLength(REST_REPORT_TYPES.length);
    for (const { type } of types) {
      const { reports } = await client.get('/v1/reports/{type}', { type, unit: 'days', date: '2026-05-20' });
      expect(reports).toBeInstanceOf(Array);
    }
  });

  it('reads counts and graphs', async () => {
    const path = '/v1/graphs/{type}/{unit}/{amount}';
    const graph = await client.get(path, { type: 'csp', unit: 'weeks', amount: 1 });
    expect(graph.periods.at(-1)?.total).toBeTypeOf('number');
    const { days } = await client.get('/v1/last-seven-days');
    expect(days.map(({ csp }) => csp)).not.toContain(undefined);
    const { breakdown } = await client.get('/v1/breakdown');
    expect(breakdown.certificate_transparency).toBeTypeOf('number');
    const { metrics } = await client.get('/v1/usage-metrics');
    expect(metrics.map(({ accepted }) => accepted)).not.toContain(undefined);
  });

  it('reads each listed policy, and the findings of each listed watch', async () => {
    const { policies } = await client.get('/v1/policies/csp');
    expect(policies.length).toBeGreaterThan(0);
    for (const { id } of policies) {
      expect((await client.get('/v1/policies/csp/{id}', { id })).policy).toContain('-src');
    }
    const { watches } = await client.get('/v1/watches/script');
    expect(watches.length).toBeGreaterThan(0);
    for (const { site } of watches) {
      const { findings } = await client.get('/v1/watches/script/{domain}', { domain: site });
      expect(findings[0]?.uri).toMatch(/^https:/);
    }
  });

  it('throws errors with their status and message', async () => {
    server.knowNoPolicy();
    const error = await client.get('/v1/policies/csp/{id}', { id: 'none' }).catch(error => error);
    expect(error).toBeInstanceOf(SightlineError);
    expect(error).toMatchObject({ status: 404, message: 'Policy not found' });
  });
});

it('the client reads the entire audit log page by page', async () => {
  await using service = await startService({ now: NOW });
  const events = ['event-1', 'event-2', 'event-3'].map(id => auditEvent('crew', id));
  await service.load(team('crew'), ...belongings('crew'), ...events);
  const key = await service.key('team', 'crew');
  const requested: string[] = [];
  const client = createClient({
    baseUrl: service.url,
    key,
    fetch: request => {
      requested.push(new URL(request.url).search);
      return fetch(request);
    },
  });
  const whole = await client.get('/v1/audit-log');
  const read = [];
  for await (const event of client.auditEvents({ pageSize: 2 })) read.push(event);
  expect(read).toEqual(whole.events);
  expect(requested).toHaveLength(1 + Math.ceil(whole.events.length / 2));
  // Pages that are not read are not requested.
  for await (const _first of client.auditEvents({ pageSize: 1 })) break;
  expect(requested.at(-1)).toBe('?limit=1');
});
