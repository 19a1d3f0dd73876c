import { readFileSync } from 'node:fs';
import openapiTypes, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOW, team } from './support/fixtures.ts';
import { MOCK_URL, mockHandlers } from './support/mock-server.ts';
import { outgoing } from './support/outgoing.ts';
import { createRestClient, type RestClient } from './support/rest-client.ts';
import { belongings } from './support/routes.ts';
import { startService } from './support/service.ts';

interface Server {
  client: RestClient;
  close(): Promise<void>;
}

async function startMock(): Promise<Server> {
  outgoing.use(...(await mockHandlers()));
  return { client: createRestClient(MOCK_URL, 'svc_t_any'), close: async () => outgoing.resetHandlers() };
}

async function startReal(): Promise<Server> {
  const service = await startService({ now: NOW });
  await service.load(team('crew'), ...belongings('crew'));
  const client = createRestClient(service.url, await service.key('team', 'crew'));
  return { client, close: () => service.close() };
}

it('the types of the client are those of openapi.yaml', async () => {
  const types = astToString(await openapiTypes(readFileSync('openapi.yaml', 'utf8'), { silent: true }));
  const head =
    '// Made from openapi.yaml. When that has changed: npx vitest run test/client.test.ts --update';
  await expect(`${head}\n${types}`).toMatchFileSnapshot('support/openapi.generated.ts');
});

/** What a client made from openapi.yaml can do holds for the description alone, and for the service. */
describe.each([
  ['the mock of openapi.yaml', startMock],
  ['the service', startReal],
])('a client of %s', (_, start) => {
  let server: Server;
  let client: RestClient;
  beforeAll(async () => {
    server = await start();
    ({ client } = server);
  });
  afterAll(() => server.close());

  it('learns whose key it has', async () => {
    const { data } = await client.GET('/v1/me');
    expect(data).toBeDefined();
    if (data?.type === 'personal') expect(data.email).toContain('@');
    else expect(data?.teamName).toBeTypeOf('string');
  });

  it('reads the account and its configuration', async () => {
    const { data: plan } = await client.GET('/v1/plan');
    expect(plan?.features.blockedWatch).toBeInstanceOf(Array);
    const { data: setup } = await client.GET('/v1/setup');
    expect(setup?.reportingApi.endpoints[0]?.url).toMatch(/^https:/);
    const { data: members } = await client.GET('/v1/team');
    expect(members?.members[0]?.role).toBe('owner');
    const { data: filters } = await client.GET('/v1/filters');
    expect(filters?.samplingRates.csp).toBeGreaterThan(0);
    const { data: quota } = await client.GET('/v1/quota');
    expect(quota?.used).toBeLessThanOrEqual(quota?.limit ?? 0);
  });

  it('reads the reports of a type, each with its own fields', async () => {
    const query = { unit: 'days', date: '2026-05-20' } as const;
    const { data: csp } = await client.GET('/v1/reports/csp', {
      params: { query: { ...query, hostnames: ['*'], anyThreatIntel: false } },
    });
    expect(csp?.truncated).toBe(false);
    expect(csp?.reports.every(report => report.suspicious === 0 || report.suspicious === 1)).toBe(true);
    const { data: nel } = await client.GET('/v1/reports/nel', { params: { query } });
    expect(nel?.reports[0]?.statusCode).toBeTypeOf('number');
    const { data: dmarc } = await client.GET('/v1/reports/dmarc', { params: { query } });
    expect(dmarc?.reports[0]?.publishedPolicy.p).toBeTypeOf('string');
  });

  it('reads the reports of every type there is', async () => {
    const { data } = await client.GET('/v1/report-types');
    expect(data?.types).toHaveLength(13);
    for (const { type } of data?.types ?? []) {
      const { data, error } = await client.GET('/v1/reports/{type}', {
        params: { path: { type }, query: { unit: 'days', date: '2026-05-20' } },
      });
      expect(error).toBeUndefined();
      expect(data?.reports).toBeInstanceOf(Array);
    }
  });

  it('reads counts', async () => {
    const { data: graph } = await client.GET('/v1/graphs/{type}/{unit}/{amount}', {
      params: { path: { type: 'csp', unit: 'weeks', amount: 1 } },
    });
    expect(graph?.periods.at(-1)?.total).toBeTypeOf('number');
    const { data: week } = await client.GET('/v1/last-seven-days');
    expect(week?.days.map(({ csp }) => csp)).not.toContain(undefined);
    const { data: month } = await client.GET('/v1/breakdown');
    expect(month?.breakdown.certificate_transparency).toBeTypeOf('number');
    const { data: usage } = await client.GET('/v1/usage-metrics');
    expect(usage?.metrics.map(({ accepted }) => accepted)).not.toContain(undefined);
  });

  it('follows lists to what is in them', async () => {
    const { data: saved } = await client.GET('/v1/policies/csp');
    for (const { id } of saved?.policies ?? []) {
      const { data } = await client.GET('/v1/policies/csp/{id}', { params: { path: { id } } });
      expect(data?.policy).toContain('-src');
    }
    const { data: enrolled } = await client.GET('/v1/watches/script');
    expect(enrolled?.watches.length).toBeGreaterThan(0);
    for (const { site } of enrolled?.watches ?? []) {
      const { data } = await client.GET('/v1/watches/script/{domain}', {
        params: { path: { domain: site } },
      });
      expect(data?.findings[0]?.uri).toMatch(/^https:/);
    }
  });

  it('pages through the audit trail', async () => {
    const { data } = await client.GET('/v1/audit-log', { params: { query: { limit: 1 } } });
    expect(data?.events.length).toBeGreaterThan(0);
    expect(data?.truncated).toBe(data?.nextCursor !== null);
  });

  it('sees errors as what they are', async () => {
    // The mock answers with the status it is asked for, and the service ignores what it does not know.
    const asked = { query: { response: '404' } as never };
    const { data, error, response } = await client.GET('/v1/policies/csp/{id}', {
      params: { path: { id: 'none' }, ...asked },
    });
    expect(data).toBeUndefined();
    expect(response.status).toBe(404);
    expect(error).toEqual({ error: 'Policy not found' });
  });
});
