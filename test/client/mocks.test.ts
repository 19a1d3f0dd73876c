import { REST_REPORT_TYPES } from '@sightline/reports';
import { afterEach, describe, expect, it } from 'vitest';
import { createClient, type Path } from '../../packages/client/src/index.ts';
import { answer, handlers, record, respond } from '../../packages/client/src/msw.ts';
import { contract, expectContract, resolve, violations } from '../support/contract.ts';
import { mockServer } from '../support/mocks.ts';

const baseUrl = 'https://sightline.example';
const client = createClient({ baseUrl, key: 'svc_t_any', retries: 0 });
const mocks = mockServer();
afterEach(() => mocks.resetHandlers());

/** Requests a mock and validates its response against openapi.yaml, as with the service. */
async function held(target: string, init: RequestInit = {}): Promise<{ status: number; body: unknown }> {
  const response = await fetch(baseUrl + target, init);
  const text = await response.text();
  expectContract(init.method ?? 'GET', target, response.status, response.headers, text);
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

const authorization = 'Bearer svc_d_any';

/** Every example of the OpenAPI description, by path and status. */
const examples = Object.entries(contract.paths).flatMap(([path, { get }]) =>
  Object.entries(get.responses).map(([status, response]) => {
    const { content } = resolve([], response).value;
    return {
      path: path as Path,
      status: Number(status),
      names: Object.keys(content?.['application/json']?.examples ?? {}),
    };
  }),
);

describe('the mock handlers', () => {
  it.each(Object.keys(contract.paths))('respond to GET %s like the service', async path => {
    mocks.use(...handlers({ baseUrl }));
    const target = path.replace(/\{\w+\}/g, 'x');
    // No report type has this name.
    const status = path.endsWith('{type}') ? 404 : 200;
    expect((await held(target, { headers: { authorization } })).status).toBe(status);
    expect((await held(target)).status).toBe(401);
    expect((await held(target, { headers: { authorization: 'Basic abc' } })).status).toBe(401);
    expect((await held(target, { method: 'POST', headers: { authorization } })).status).toBe(405);
  });

  it('respond with every status and example of the OpenAPI description', { tags: 'slow' }, async () => {
    for (const { path, status, names } of examples) {
      const target = path.replace(/\{\w+\}/g, 'x');
      for (const example of names.length > 0 ? names : [undefined]) {
        mocks.use(respond(path, status, { baseUrl, ...(example && { example }) }));
        expect((await held(target, { headers: { authorization } })).status).toBe(status);
        mocks.resetHandlers();
      }
    }
    expect(examples.length).toBeGreaterThan(200);
  });

  it('respond at any URL by default, and return 404 for unknown paths', async () => {
    mocks.use(...handlers());
    const elsewhere = createClient({ baseUrl: 'https://other.example', key: 'svc_d_any' });
    expect((await elsewhere.get('/v1/me')).type).toBe('personal');
    expect(await held('/v1/nothing', { headers: { authorization } })).toEqual({
      status: 404,
      body: { error: 'Not found' },
    });
  });

  it('return an audit log whose last page has no cursor', async () => {
    mocks.use(...handlers({ baseUrl }));
    const read = [];
    for await (const event of client.auditEvents()) read.push(event);
    expect(read.length).toBeGreaterThan(0);
    const page = await held('/v1/audit-log?limit=1&cursor=x', { headers: { authorization } });
    expect(page.body).toMatchObject({ nextCursor: null, truncated: false });
  });

  it('support entity tags', async () => {
    const statuses: number[] = [];
    mocks.use(...handlers({ baseUrl }));
    const asking = createClient({
      baseUrl,
      key: 'svc_d_any',
      fetch: async request => {
        const answer = await fetch(request);
        statuses.push(answer.status);
        return answer;
      },
    });
    expect(await asking.get('/v1/quota')).toEqual(await asking.get('/v1/quota'));
    expect(statuses).toEqual([200, 304]);
  });
});

describe('a mocked response', () => {
  it.each(REST_REPORT_TYPES)('contains valid reports of the type %s', async type => {
    const path = `/v1/reports/${type}` as const;
    const reports = [record(type, { count: 7 }), record(type)];
    mocks.use(answer(path, { reports, truncated: false } as never, { baseUrl }), ...handlers({ baseUrl }));
    const { body } = await held(`${path}?unit=days&date=2026-05-20`, { headers: { authorization } });
    expect(body).toEqual({ reports, truncated: false });
    expect(reports[0]!.count).toBe(7);
    const [own, other] = reports.map(report => ('id' in report ? report.id : report.raw + report.count));
    expect(own).not.toBe(other);
  });

  it('can be an error of the OpenAPI description', async () => {
    mocks.use(
      respond('/v1/team', 403, { baseUrl, example: 'ATeamAPIKeyIsRequired' }),
      ...handlers({ baseUrl }),
    );
    const refused = await client.get('/v1/team').catch(error => error);
    expect(refused).toMatchObject({ status: 403, message: 'A team API key is required' });
    expect(refused.requestId).toMatch(/\w/);
  });

  it('can only have a status and an example of the OpenAPI description', () => {
    expect(() => respond('/v1/me', 404)).toThrow('/v1/me answers with 200, 304, 401');
    expect(() => respond('/v1/me', 200, { example: 'Robot' })).toThrow(
      'PersonalAccount, TeamAccount, not Robot',
    );
  });

  it('is not affected by changes to an earlier record', () => {
    const first = record('dmarc');
    first.publishedPolicy.p = 'changed';
    expect(record('dmarc').publishedPolicy.p).not.toBe('changed');
    const schema = ['components', 'schemas', 'DmarcReport'];
    expect(violations(schema, record('dmarc'))).toEqual([]);
  });
});
