import { REST_REPORT_TYPES } from '@sightline/reports';
import { afterEach, expect, it, vi } from 'vitest';
import { createClient } from '../../packages/client/src/index.ts';
import { answer, handlers, record, respond } from '../../packages/client/src/msw.ts';
import { mockServer } from '../support/mocks.ts';

const baseUrl = 'https://sightline.example';
const mocks = mockServer();
afterEach(() => {
  mocks.resetHandlers();
  vi.useRealTimers();
});

const OF_ARRIVALS = ['link', 'sightline-cursor', 'retry-after', 'sightline-gap'];
/** Requests an export, and returns its lines and the headers that depend on the cursor. */
async function read(query: string) {
  const response = await fetch(`${baseUrl}/export/findings${query}`, {
    headers: { authorization: 'Bearer svc_d_any' },
  });
  const text = await response.text();
  const type = response.headers.get('content-type')?.split(';', 1)[0];
  const found = OF_ARRIVALS.filter(name => response.headers.has(name));
  return { text, type, found, cursor: response.headers.get('sightline-cursor') };
}

it('a mocked export has the headers of its cursor, and ends after the documented one', async () => {
  mocks.use(answer('/export/findings', [{ id: '1' }, { id: '2' }] as never, { baseUrl }));
  const lines = { text: '{"id":"1"}\n{"id":"2"}\n', type: 'application/x-ndjson' };
  expect(await read('')).toEqual({ ...lines, found: [], cursor: null });
  const { cursor, ...first } = await read('?after=x');
  expect(first).toEqual({ ...lines, found: ['link', 'sightline-cursor'] });
  const end = { text: '', type: 'application/x-ndjson', found: OF_ARRIVALS.slice(0, 3), cursor };
  expect(await read('?after=now')).toEqual(end);
  expect(await read(`?after=${cursor}`)).toEqual(end);
  const json = await read('?after=&format=json');
  expect([json.text, json.type]).toEqual(['[{"id":"1"},{"id":"2"}]', 'application/json']);
});

it('the mocks know the paths of the service below any form of the base URL, and no others', async () => {
  mocks.use(...handlers({ baseUrl: `${baseUrl}/below/` }));
  const ask = async (path: string, key = 'svc_d_any') =>
    (await fetch(`${baseUrl}/below${path}`, { headers: { authorization: `Bearer ${key}` } })).status;
  expect(await ask('/v1/quota')).toBe(200);
  expect(await ask('/v1/quota', 'other')).toBe(401);
  expect(await ask('/export/reports/csp')).toBe(200);
  expect(await ask('/export/reports/x')).toBe(404);
});

it('the mocks respond to an export that does not exist', async () => {
  mocks.use(...handlers({ baseUrl }));
  const response = await fetch(`${baseUrl}/export/x`);
  expect([response.status, await response.json()]).toEqual([404, { error: 'Not found' }]);
});

it('each mocked record has an id of its own, unless the test chooses it', () => {
  const withId = REST_REPORT_TYPES.filter(type => 'id' in record(type));
  expect(withId.length).toBeGreaterThan(0);
  for (const type of withId) expect(record(type, { id: 'own' } as never)).toMatchObject({ id: 'own' });
});

it('an error of the description is given for its base URL with a slash', async () => {
  mocks.use(respond('/v1/quota', 401, { baseUrl: `${baseUrl}/` }));
  expect((await fetch(`${baseUrl}/v1/quota`)).status).toBe(401);
});

it('a document that the service does not list is sent by its text from then on', async () => {
  const sent: object[] = [];
  const fetch = async (request: Request) => {
    const body = (await request.json()) as { query?: string };
    sent.push(Object.keys(body));
    const errors = [{ message: 'x', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }];
    return Response.json(body.query ? { data: { a: 1 } } : { errors });
  };
  const client = createClient({ baseUrl, key: 'k', retries: 0, fetch });
  const named = (hash: string) => Object.assign(new String('{ a }'), { __meta__: { hash } });
  for (const hash of ['h', 'h', 'i']) await client.graphql(named(hash) as never, {});
  const [byHash, byText] = [
    ['extensions', 'variables'],
    ['query', 'variables'],
  ];
  expect(sent).toEqual([byHash, byText, byText, byHash, byText]);
});

it('a wait of 0 ms between pages replaces the interval of the service', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  const headers = { 'sightline-cursor': 'c', 'retry-after': '60' };
  const client = createClient({ baseUrl, key: 'k', fetch: async () => new Response('', { headers }) });
  const begin = Date.now();
  const read = (async () => {
    let count = 0;
    for await (const _page of client.pages('/export/findings', {}, { follow: true, every: 0 }))
      if (++count === 3) break;
    return Date.now() - begin;
  })();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(await read).toBeLessThan(10);
});
