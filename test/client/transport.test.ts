import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ClientOptions, createClient, SightlineError } from '../../packages/client/src/index.ts';
import { NOW, team } from '../support/fixtures.ts';
import { belongings } from '../support/routes.ts';
import { startService } from '../support/service.ts';

const QUOTA = { used: 1, limit: 2 };

/** A client whose requests get these answers, one after the other, and what it asked for. */
function answered(answers: (() => Response)[], options: Partial<ClientOptions> = {}) {
  const asked: Request[] = [];
  const client = createClient({
    baseUrl: 'https://api.example/under/',
    key: 'svc_t_key',
    fetch: async request => {
      asked.push(request.clone());
      return answers[Math.min(asked.length, answers.length) - 1]!();
    },
    ...options,
  });
  return { asked, client };
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

describe('a request', () => {
  it('has the key, the path below the base address, and lists with commas', async () => {
    const { client, asked } = answered([json({ reports: [], truncated: false })]);
    const hostnames = ['a.example', '*.b.example'];
    await client.get('/v1/reports/csp', { unit: 'days', date: '2026-05-20', hostnames });
    const [{ url, headers }] = asked as [Request];
    expect(url).toBe(
      'https://api.example/under/v1/reports/csp?unit=days&date=2026-05-20&hostnames=a.example,*.b.example',
    );
    expect(headers.get('authorization')).toBe('Bearer svc_t_key');
    await client.get('/v1/policies/csp/{id}', { id: '../a b/?' });
    expect(asked[1]!.url).toBe('https://api.example/under/v1/policies/csp/..%2Fa%20b%2F%3F');
  });
});

describe('a client', () => {
  it.each([
    ['no address', { baseUrl: undefined as never }, 'baseUrl is no address of a service: undefined'],
    ['an address without a scheme', { baseUrl: 'localhost:4000' }, 'baseUrl is no address'],
    ['an address that is none', { baseUrl: 'https://' }, 'baseUrl is no address'],
    ['no key', { key: undefined as never }, 'key is no API key'],
    ['a key beyond Latin-1', { key: 'svc_t_кey' }, 'key is no API key'],
    ['a key with a line break', { key: 'svc_t_key\n' }, 'key is no API key'],
  ])('is not made with %s', (_, options, message) => {
    const make = () => answered([ok], options);
    expect(make).toThrow(SightlineError);
    expect(make).toThrow(message);
    expect(make).not.toThrow('svc_');
  });
});

describe('retries', () => {
  beforeEach(() => vi.useFakeTimers({ now: Date.parse(NOW) }));
  afterEach(() => vi.useRealTimers());

  /** Milliseconds until the answer, or the error. */
  async function timed(promise: Promise<unknown>) {
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
  ])('wait for as long as Retry-After says in %s', async (_, retryAfter) => {
    const { client, asked } = answered([refused(429, { 'retry-after': retryAfter }), ok]);
    expect(await timed(client.get('/v1/quota'))).toEqual({ value: QUOTA, after: 7000 });
    expect(asked).toHaveLength(2);
  });

  it.each([
    ['the service cannot answer', refused(503)],
    ['a proxy cannot reach it', () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
    ['the connection breaks', broken],
    ['the body breaks off', () => new Response(new ReadableStream({ pull: stream => stream.error('cut') }))],
    ['Retry-After says nothing', refused(429, { 'retry-after': 'soon' })],
  ])('wait longer each time where %s', async (_, failure) => {
    const { client, asked } = answered([failure, failure, failure, ok]);
    const { after, ...answer } = await timed(client.get('/v1/quota'));
    expect(answer).toEqual({ value: QUOTA });
    expect(asked).toHaveLength(4);
    expect(after).toBeGreaterThanOrEqual(125 + 250 + 500);
    expect(after).toBeLessThanOrEqual(250 + 500 + 1000);
  });

  it.each([400, 401, 403, 404, 500])('are none where the answer is %i', async status => {
    const { client, asked } = answered([refused(status)]);
    expect(await timed(client.get('/v1/quota'))).toMatchObject({ error: { status }, after: 0 });
    expect(asked).toHaveLength(1);
  });

  it('end with the last error, its status and the id of its request', async () => {
    const { client, asked } = answered([refused(429, { 'retry-after': '1' })], { retries: 2 });
    const { error, after } = (await timed(client.get('/v1/quota'))) as {
      error: SightlineError;
      after: number;
    };
    expect(error).toBeInstanceOf(SightlineError);
    const told = { status: 429, message: 'Too many requests', requestId: 'r-1', retryAfter: 1000 };
    expect(error).toMatchObject(told);
    expect([asked.length, after]).toEqual([3, 2000]);
  });

  it('are given up at once where the wait is longer than the caller takes', async () => {
    const { client, asked } = answered([refused(429, { 'retry-after': '60' })], { longestWait: 5000 });
    expect(await timed(client.get('/v1/quota'))).toMatchObject({ error: { status: 429 }, after: 0 });
    expect(asked).toHaveLength(1);
  });

  it('are of as many requests at once as the limit has room for', async () => {
    let [left, end] = [10, 0];
    let refusals = 0;
    const client = createClient({
      baseUrl: 'https://api.example',
      key: 'svc_t_key',
      fetch: async () => {
        if (Date.now() >= end) [left, end] = [10, Date.now() + 60_000];
        const seconds = (end - Date.now()) / 1000;
        const headers = {
          ratelimit: `"default";r=${Math.max(0, left - 1)};t=${seconds}`,
          'ratelimit-policy': '"default";q=10;w=60',
          'retry-after': String(seconds),
        };
        if (left-- > 0) return ok(headers);
        refusals++;
        return refused(429, headers)();
      },
    });
    // Many more than the tries of one would make room for.
    const all = Promise.all(Array.from({ length: 95 }, () => client.get('/v1/quota')));
    const { value } = (await timed(all)) as { value: unknown[] };
    expect(value).toHaveLength(95);
    // Those that went before anything was known.
    expect(refusals).toBe(85);
  });

  it('end with their signal', async () => {
    const { client, asked } = answered([refused(429, { 'retry-after': '60' })]);
    const ending = new AbortController();
    const answer = client.get('/v1/quota', {}, { signal: ending.signal }).catch(error => error);
    await vi.advanceTimersByTimeAsync(10);
    ending.abort(new Error('enough'));
    expect(await answer).toMatchObject({ message: 'enough' });
    expect(vi.getTimerCount()).toBe(0);
    expect(asked).toHaveLength(1);
  });

  it('are spared where RateLimit says that no request is left: the next one waits for the window', async () => {
    const last = json(QUOTA, { headers: { ratelimit: '"default";r=0;t=42' } });
    const { client, asked } = answered([last, ok]);
    expect(await timed(client.get('/v1/quota'))).toMatchObject({ after: 0 });
    expect(await timed(client.get('/v1/quota'))).toMatchObject({ value: QUOTA, after: 42_000 });
    expect(asked).toHaveLength(2);
  });
});

describe('an error', () => {
  it('is one class where the service cannot be reached', async () => {
    const { client } = answered([broken], { retries: 0 });
    const error = await client.get('/v1/quota').catch(error => error);
    expect(error).toBeInstanceOf(SightlineError);
    expect(error).toMatchObject({ name: 'SightlineError', status: 0, requestId: undefined });
    expect(error.cause).toBeInstanceOf(TypeError);
  });

  it.each([
    [
      'a page of a proxy',
      () => new Response('<h1>No</h1>', { status: 404, statusText: 'Not Found' }),
      'HTTP 404',
    ],
    ['an answer that is no JSON', () => new Response('<h1>Hello</h1>'), 'no JSON'],
    ['an empty answer', () => new Response(''), 'no JSON'],
  ])('says what %s is', async (_, page, text) => {
    const { client } = answered([page]);
    const error = await client.get('/v1/quota').catch(error => error);
    expect(error).toBeInstanceOf(SightlineError);
    expect(error.message).toContain(text);
  });
});

describe('answers that are kept', () => {
  const tagged = (tag: string, body: unknown) => json(body, { headers: { etag: tag } });
  const unchanged = () => new Response(null, { status: 304 });

  it('are asked for with their entity tag, and given where nothing has changed', async () => {
    const { client, asked } = answered([tagged('"a"', QUOTA), unchanged, unchanged]);
    const first = await client.get('/v1/quota');
    const second = await client.get('/v1/quota');
    expect(second).toEqual(QUOTA);
    // A changed answer changes no other.
    expect(second).not.toBe(first);
    expect(asked.map(({ headers }) => headers.get('if-none-match'))).toEqual([null, '"a"']);
  });

  it('go for newer ones, and the longest unused go first where there is no room', async () => {
    const { client, asked } = answered([tagged('"a"', QUOTA)], { keep: 2 * JSON.stringify(QUOTA).length });
    const [quota, plan, me] = ['/v1/quota', '/v1/plan', '/v1/me'] as const;
    for (const path of [quota, plan, quota, me, plan, me]) await client.get(path);
    expect(asked.map(({ headers }) => headers.has('if-none-match'))).toEqual([
      false, // quota
      false, // plan
      true, // quota
      false, // me, for which plan goes
      false, // plan, for which quota goes
      true,
    ]);
  });

  it.each([
    ['without a tag', ok, undefined],
    ['that are errors', json({ error: 'Not found' }, { status: 404, headers: { etag: '"a"' } }), undefined],
    ['where the caller wants none kept', tagged('"a"', QUOTA), 0],
  ])('are none %s', async (_, answer, keep) => {
    const { client, asked } = answered([answer], keep === undefined ? {} : { keep });
    for (const _time of [1, 2]) await client.get('/v1/quota').catch(() => {});
    expect(asked.map(({ headers }) => headers.get('if-none-match'))).toEqual([null, null]);
  });

  it('of the service are given again until its data has changed', async () => {
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
    // The window's three requests are spent, so the next one comes when it is over, and none is refused.
    await client.get('/v1/team');
    expect(statuses).toEqual([200, 304, 200, 304]);
  });
});
