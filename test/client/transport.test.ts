import { parse } from 'graphql';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ClientOptions, createClient, SightlineError } from '../../packages/client/src/index.ts';
import { NOW, team } from '../support/fixtures.ts';
import { belongings } from '../support/routes.ts';
import { startService } from '../support/service.ts';

const QUOTA = { used: 1, limit: 2 };

/** Creates a client that receives these responses in order, and records its requests. */
function answered(answers: (() => Response)[], options: Partial<ClientOptions> = {}) {
  const requests: Request[] = [];
  const client = createClient({
    baseUrl: 'https://api.example/under/',
    key: 'svc_t_key',
    fetch: async request => {
      requests.push(request.clone());
      // A request can be sent only once.
      await request.arrayBuffer();
      return answers[Math.min(requests.length, answers.length) - 1]!();
    },
    ...options,
  });
  return { asked: requests, client };
}

const json =
  (body: unknown, init: ResponseInit = {}) =>
  () =>
    new Response(JSON.stringify(body), init);
const ok = (headers: Record<string, string> = {}) => json(QUOTA, { headers })();
const refused = (status: number, headers: Record<string, string> = {}) =>
  json({ error: 'Too many requests' }, { status, headers: { 'x-request-id': 'r-1', ...headers } });
const broken = () => {
  throw new TypeError('fetch failed');
};

describe('a request of the client', () => {
  it('contains the key, the path below the base URL, and comma-separated lists', async () => {
    const { client, asked: requests } = answered([json({ reports: [], truncated: false })]);
    const hostnames = ['a.example', '*.b.example'];
    await client.get('/v1/reports/csp', { unit: 'days', date: '2026-05-20', hostnames });
    const [{ url, headers }] = requests as [Request];
    expect(url).toBe(
      'https://api.example/under/v1/reports/csp?unit=days&date=2026-05-20&hostnames=a.example,*.b.example',
    );
    expect(headers.get('authorization')).toBe('Bearer svc_t_key');
    await client.get('/v1/policies/csp/{id}', { id: '../a b/?' });
    expect(requests[1]!.url).toBe('https://api.example/under/v1/policies/csp/..%2Fa%20b%2F%3F');
  });
});

describe('the creation of a client', () => {
  it.each([
    ['a missing base URL', { baseUrl: undefined as never }, 'baseUrl is not the URL of a service: undefined'],
    ['a base URL without a scheme', { baseUrl: 'localhost:4000' }, 'baseUrl is not the URL'],
    ['an invalid base URL', { baseUrl: 'https://' }, 'baseUrl is not the URL'],
    ['a missing key', { key: undefined as never }, 'key is not an API key'],
    ['a key with characters outside Latin-1', { key: 'svc_t_кey' }, 'key is not an API key'],
    ['a key with a line break', { key: 'svc_t_key\n' }, 'key is not an API key'],
  ])('throws for %s', (_, options, message) => {
    const make = () => answered([ok], options);
    expect(make).toThrow(SightlineError);
    expect(make).toThrow(message);
    expect(make).not.toThrow('svc_');
  });
});

describe('the retries of a request', () => {
  beforeEach(() => vi.useFakeTimers({ now: Date.parse(NOW) }));
  afterEach(() => vi.useRealTimers());

  /** Returns the milliseconds until the result or error. */
  async function measureTime(promise: Promise<unknown>) {
    const begin = Date.now();
    const settled = promise.then(
      value => ({ value, after: Date.now() - begin }),
      error => ({ error, after: Date.now() - begin }),
    );
    await vi.runAllTimersAsync();
    return settled;
  }

  it.each([
    ['seconds', '7'],
    ['a date', new Date(Date.parse(NOW) + 7000).toUTCString()],
  ])('wait as long as Retry-After requires in %s', async (_, retryAfter) => {
    const { client, asked: requests } = answered([refused(429, { 'retry-after': retryAfter }), ok]);
    expect(await measureTime(client.get('/v1/quota'))).toEqual({ value: QUOTA, after: 7000 });
    expect(requests).toHaveLength(2);
  });

  it.each([
    ['the service is unavailable', refused(503)],
    ['the service fails', refused(500)],
    ['a proxy cannot reach the service', () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
    ['the connection breaks', broken],
    [
      'the body is truncated',
      () => new Response(new ReadableStream({ pull: stream => stream.error('cut') })),
    ],
    ['Retry-After is invalid', refused(429, { 'retry-after': 'soon' })],
  ])('wait longer each time when %s', async (_, failure) => {
    const { client, asked: requests } = answered([failure, failure, failure, ok]);
    const { after, ...answer } = await measureTime(client.get('/v1/quota'));
    expect(answer).toEqual({ value: QUOTA });
    expect(requests).toHaveLength(4);
    expect(after).toBeGreaterThanOrEqual(125 + 250 + 500);
    expect(after).toBeLessThanOrEqual(250 + 500 + 1000);
  });

  it.each([400, 401, 403, 404, 405])('do not happen when the status is %i', async status => {
    const { client, asked: requests } = answered([refused(status)]);
    expect(await measureTime(client.get('/v1/quota'))).toMatchObject({ error: { status }, after: 0 });
    expect(requests).toHaveLength(1);
  });

  it('end with the last error, including its status and request id', async () => {
    const { client, asked: requests } = answered([refused(429, { 'retry-after': '1' })], { retries: 2 });
    const { error, after } = (await measureTime(client.get('/v1/quota'))) as {
      error: SightlineError;
      after: number;
    };
    expect(error).toBeInstanceOf(SightlineError);
    const expected = { status: 429, message: 'Too many requests', requestId: 'r-1', retryAfter: 1000 };
    expect(error).toMatchObject(expected);
    expect([requests.length, after]).toEqual([3, 2000]);
  });

  it.each([
    ['7', 7000],
    ['0', 0],
    [new Date(Date.parse(NOW) + 7000).toUTCString(), 7000],
    [new Date(Date.parse(NOW) - 7000).toUTCString(), 0],
    ['soon', undefined],
  ])('report in their error how long Retry-After %j requires to wait', async (text, retryAfter) => {
    const { client } = answered([refused(429, { 'retry-after': text })], { retries: 0 });
    expect(await measureTime(client.get('/v1/quota'))).toMatchObject({ error: { status: 429 }, after: 0 });
    await expect(client.get('/v1/quota')).rejects.toHaveProperty('retryAfter', retryAfter);
  });

  it('number three by default, and none if configured', async () => {
    const { client, asked } = answered([refused(503)]);
    expect(await measureTime(client.get('/v1/quota'))).toMatchObject({ error: { status: 503 } });
    expect(asked).toHaveLength(4);
    const none = answered([refused(503)], { retries: 0 });
    expect(await measureTime(none.client.get('/v1/quota'))).toMatchObject({
      error: { status: 503 },
      after: 0,
    });
    expect(none.asked).toHaveLength(1);
  });

  it('wait for at most 65 seconds by default', async () => {
    const wait = async (seconds: string) => {
      const { client, asked } = answered([refused(429, { 'retry-after': seconds }), ok]);
      const { after } = await measureTime(client.get('/v1/quota'));
      return [asked.length, after];
    };
    expect([await wait('65'), await wait('66')]).toEqual([
      [2, 65_000],
      [1, 0],
    ]);
  });

  it('stop immediately when the required wait exceeds the configured maximum', async () => {
    const { client, asked: requests } = answered([refused(429, { 'retry-after': '60' })], {
      longestWait: 5000,
    });
    expect(await measureTime(client.get('/v1/quota'))).toMatchObject({ error: { status: 429 }, after: 0 });
    expect(requests).toHaveLength(1);
  });

  /** Creates a client for a service that accepts ten requests per minute and answers the newest first. */
  function limited() {
    const seen = { refusals: 0 };
    let [left, end] = [10, 0];
    const fetch = async () => {
      if (Date.now() >= end) [left, end] = [10, Date.now() + 60_000];
      const remaining = Math.max(0, left - 1);
      const seconds = Math.ceil((end - Date.now()) / 1000);
      const headers = {
        ratelimit: `"default";r=${remaining};t=${seconds}`,
        'ratelimit-policy': '"default";q=10;w=60',
        'retry-after': String(seconds),
      };
      const isTaken = left-- > 0;
      if (!isTaken) seen.refusals++;
      await new Promise(resolve => setTimeout(resolve, 20 + 5 * remaining));
      return isTaken ? ok(headers) : refused(429, headers)();
    };
    return { seen, client: createClient({ baseUrl: 'https://api.example', key: 'svc_t_key', fetch }) };
  }
  type LimitedService = ReturnType<typeof limited>['client'];
  const askTimes = (client: LimitedService, times: number) =>
    measureTime(Promise.all(Array.from({ length: times }, () => client.get('/v1/quota'))));

  it('complete all concurrent requests over several rate limit windows', async () => {
    const { seen, client } = limited();
    // More requests than the retries of a single request would allow.
    const { value } = (await askTimes(client, 95)) as { value: unknown[] };
    expect(value).toHaveLength(95);
    // Sent before the client knew the limit.
    expect(seen.refusals).toBe(85);
  });

  it('are unnecessary even if responses arrive out of order', async () => {
    const { seen, client } = limited();
    await askTimes(client, 10);
    const { value, after } = (await askTimes(client, 3)) as { value: unknown[]; after: number };
    expect([value.length, seen.refusals]).toEqual([3, 0]);
    expect(after).toBeGreaterThan(59_000);
  });

  it('stop when the request is aborted in flight', async () => {
    let tries = 0;
    const ending = new AbortController();
    const { client } = answered([], {
      fetch: request => {
        tries++;
        return new Promise((_, reject) => {
          request.signal.addEventListener('abort', () => reject(request.signal.reason));
        });
      },
    });
    const answer = client.get('/v1/quota', {}, { signal: ending.signal }).catch(error => error);
    await vi.advanceTimersByTimeAsync(10);
    ending.abort(new Error('enough'));
    expect(await answer).toMatchObject({ message: 'enough' });
    await vi.advanceTimersByTimeAsync(10_000);
    expect([tries, vi.getTimerCount()]).toEqual([1, 0]);
  });

  it('end with the abort reason, regardless of the error of the connection', async () => {
    for (const retries of [0, 3]) {
      let tries = 0;
      const ending = new AbortController();
      const { client } = answered([], {
        retries,
        fetch: async () => {
          tries++;
          ending.abort(new Error('enough'));
          throw new TypeError('terminated');
        },
      });
      const error = await client.get('/v1/quota', {}, { signal: ending.signal }).catch(error => error);
      expect(error).toBe(ending.signal.reason);
      expect([tries, vi.getTimerCount()]).toEqual([1, 0]);
    }
  });

  it('stop when the signal is aborted during the wait', async () => {
    const { client, asked: requests } = answered([refused(429, { 'retry-after': '60' })]);
    const ending = new AbortController();
    const answer = client.get('/v1/quota', {}, { signal: ending.signal }).catch(error => error);
    await vi.advanceTimersByTimeAsync(10);
    ending.abort(new Error('enough'));
    expect(await answer).toMatchObject({ message: 'enough' });
    expect(vi.getTimerCount()).toBe(0);
    expect(requests).toHaveLength(1);
  });

  it('are avoided by waiting for the next window when RateLimit has no request left', async () => {
    const last = json(QUOTA, { headers: { ratelimit: '"default";r=0;t=42' } });
    const { client, asked: requests } = answered([last, ok]);
    expect(await measureTime(client.get('/v1/quota'))).toMatchObject({ after: 0 });
    expect(await measureTime(client.get('/v1/quota'))).toMatchObject({ value: QUOTA, after: 42_000 });
    expect(requests).toHaveLength(2);
  });
});

describe('a GraphQL request', () => {
  beforeEach(() => vi.useFakeTimers({ now: Date.parse(NOW) }));
  afterEach(() => vi.useRealTimers());

  const data = { viewer: { id: 'crew' } };
  const failed = (code: string) =>
    json({ data: { viewer: null }, errors: [{ message: 'No', extensions: { code } }] });
  const settle = async <Value>(promise: Promise<Value>) => {
    const settled = promise.catch((error: unknown) => error);
    await vi.runAllTimersAsync();
    return settled;
  };

  it('posts the query and variables with the key, and returns the data', async () => {
    const { client, asked } = answered([json({ data })]);
    expect(await client.graphql('query ($id: ID) { viewer { id } }', { id: 'a' })).toEqual(data);
    const [{ method, url, headers }] = asked as [Request];
    expect([method, url]).toEqual(['POST', 'https://api.example/under/graphql']);
    expect(headers.get('authorization')).toBe('Bearer svc_t_key');
    expect(await asked[0]!.json()).toEqual({
      query: 'query ($id: ID) { viewer { id } }',
      variables: { id: 'a' },
    });
  });

  it('uses the source text of a parsed document', async () => {
    const { client, asked } = answered([json({ data })]);
    await client.graphql(parse('{ viewer { id } }'), {});
    expect(await asked[0]!.json()).toMatchObject({ query: '{ viewer { id } }' });
  });

  it('is sent again with its body after failures and rate limits', async () => {
    const answers = [refused(503), broken, refused(429, { 'retry-after': '7' }), json({ data })];
    const { client, asked } = answered(answers);
    expect(await settle(client.graphql('{ viewer { id } }', {}))).toEqual(data);
    const bodies = await Promise.all(asked.map(request => request.text()));
    expect([new Set(bodies).size, bodies.length]).toEqual([1, 4]);
  });

  it('waits for the next window when RateLimit has no request left', async () => {
    const last = json({ data }, { headers: { ratelimit: '"default";r=0;t=42' } });
    const { client, asked } = answered([last, json({ data })]);
    const begin = Date.now();
    await settle(Promise.all([client.graphql('{ a }', {}).then(() => client.graphql('{ b }', {}))]));
    expect([asked.length, Date.now() - begin]).toEqual([2, 42_000]);
  });

  it('stops when its signal is aborted', async () => {
    const ending = new AbortController();
    const { client } = answered([refused(429, { 'retry-after': '60' })]);
    const answer = client.graphql('{ a }', {}, { signal: ending.signal }).catch(error => error);
    await vi.advanceTimersByTimeAsync(10);
    ending.abort(new Error('enough'));
    expect(await answer).toMatchObject({ message: 'enough' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('throws the first field error with its code, unless the code is allowed', async () => {
    const { client } = answered([failed('FORBIDDEN')]);
    const error = await settle(client.graphql('{ viewer { id } }', {}));
    expect(error).toBeInstanceOf(SightlineError);
    expect(error).toMatchObject({ message: 'No', code: 'FORBIDDEN', status: 200 });
    const allowed = client.graphql('{ viewer { id } }', {}, { allow: ['FORBIDDEN'] });
    expect(await settle(allowed)).toEqual({ viewer: null });
  });

  it('throws errors of the service and of proxies as other requests do', async () => {
    for (const [answer, message] of [
      [refused(401), 'Too many requests'],
      [() => new Response('<h1>No</h1>', { status: 404, statusText: 'Not Found' }), 'HTTP 404'],
      [() => new Response('<h1>Hello</h1>'), 'not JSON'],
    ] as const) {
      const { client } = answered([answer]);
      const error = (await settle(client.graphql('{ a }', {}))) as SightlineError;
      expect(error).toBeInstanceOf(SightlineError);
      expect(error.message).toContain(message);
    }
  });

  it('does not follow redirects, and names their target', async () => {
    const location = 'https://elsewhere.example/graphql';
    const { client, asked } = answered([() => new Response(null, { status: 308, headers: { location } })]);
    const error = (await settle(client.graphql('{ a }', {}))) as SightlineError;
    expect(error.message).toContain(location);
    expect(asked.map(({ redirect }) => redirect)).toEqual(['manual']);
  });

  it('requires a query text or a hash', async () => {
    const { client, asked } = answered([json({ data })]);
    const error = await settle(client.graphql({}, {}));
    expect(error).toMatchObject({ message: expect.stringContaining('pass its text') });
    expect(asked).toEqual([]);
  });
});

describe('an error of the client', () => {
  it('is a SightlineError when the service cannot be reached', async () => {
    const { client } = answered([broken], { retries: 0 });
    const error = await client.get('/v1/quota').catch(error => error);
    expect(error).toBeInstanceOf(SightlineError);
    expect(error).toMatchObject({ name: 'SightlineError', status: 0, requestId: undefined });
    expect(error.cause).toBeInstanceOf(TypeError);
  });

  it.each([
    [
      'an HTML page of a proxy',
      () => new Response('<h1>No</h1>', { status: 404, statusText: 'Not Found' }),
      'HTTP 404',
    ],
    ['a response that is not JSON', () => new Response('<h1>Hello</h1>'), 'not JSON'],
    ['an empty response', () => new Response(''), 'not JSON'],
  ])('describes %s', async (_, page, text) => {
    const { client } = answered([page]);
    const error = await client.get('/v1/quota').catch(error => error);
    expect(error).toBeInstanceOf(SightlineError);
    expect(error.message).toContain(text);
  });
});

describe('cached responses', () => {
  const toTaggedResponse = (tag: string, body: unknown) => json(body, { headers: { etag: tag } });
  const unchanged = () => new Response(null, { status: 304 });

  it('are revalidated with their entity tag, and returned if unchanged', async () => {
    const { client, asked: requests } = answered([toTaggedResponse('"a"', QUOTA), unchanged, unchanged]);
    const first = await client.get('/v1/quota');
    const second = await client.get('/v1/quota');
    expect(second).toEqual(QUOTA);
    // Results are copies, so changing one does not affect another.
    expect(second).not.toBe(first);
    expect(requests.map(({ headers }) => headers.get('if-none-match'))).toEqual([null, '"a"']);
  });

  it.each([
    ['replaced', [toTaggedResponse('"a"', QUOTA)]],
    [
      'revalidated',
      [...Array(2).fill(toTaggedResponse('"a"', QUOTA)), unchanged, toTaggedResponse('"a"', QUOTA)],
    ],
  ])('are evicted in the order of their last use when the cache is full: %s', async (_, answers) => {
    const { client, asked: requests } = answered(answers, { keep: 2 * JSON.stringify(QUOTA).length });
    const [quota, plan, me] = ['/v1/quota', '/v1/plan', '/v1/me'] as const;
    for (const path of [quota, plan, quota, me, plan, me]) await client.get(path);
    expect(requests.map(({ headers }) => headers.has('if-none-match'))).toEqual([
      false, // quota
      false, // plan
      true, // quota
      false, // me, which evicts plan
      false, // plan, which evicts quota
      true,
    ]);
  });

  it('are not evicted for a response that is too large for the cache', async () => {
    const large = { ...QUOTA, padding: 'x'.repeat(100) };
    const answers = [toTaggedResponse('"a"', QUOTA), toTaggedResponse('"b"', large), unchanged];
    const { client, asked: requests } = answered(answers, { keep: 2 * JSON.stringify(QUOTA).length });
    for (const path of ['/v1/quota', '/v1/plan', '/v1/quota'] as const) await client.get(path);
    expect(requests.at(-1)!.headers.get('if-none-match')).toBe('"a"');
  });

  it.each([
    ['without a tag', ok, undefined],
    ['that are errors', json({ error: 'Not found' }, { status: 404, headers: { etag: '"a"' } }), undefined],
    ['when the cache is disabled', toTaggedResponse('"a"', QUOTA), 0],
  ])('do not include responses %s', async (_, answer, keep) => {
    const { client, asked: requests } = answered([answer], keep === undefined ? {} : { keep });
    for (const _time of [1, 2]) await client.get('/v1/quota').catch(() => {});
    expect(requests.map(({ headers }) => headers.get('if-none-match'))).toEqual([null, null]);
  });

  it('of the service are reused until its data changes', async () => {
    await using service = await startService({ now: NOW, rateLimit: { max: 3, window: 1000 } });
    await service.load(team('crew'), ...belongings('crew'));
    const statuses: number[] = [];
    const client = createClient({
      baseUrl: service.url,
      key: await service.key('team', 'crew'),
      fetch: async request => {
        const answer = await fetch(request);
        statuses.push(answer.status);
        return answer;
      },
    });
    const first = await client.get('/v1/team');
    expect(await client.get('/v1/team')).toEqual(first);
    await service.load({ ...team('crew'), require2fa: !first.require2fa });
    expect((await client.get('/v1/team')).require2fa).toBe(!first.require2fa);
    expect(statuses).toEqual([200, 304, 200]);
    // The three requests of this window are used up, so the next request waits for the next window.
    await client.get('/v1/team');
    expect(statuses).toEqual([200, 304, 200, 304]);
  });
});
