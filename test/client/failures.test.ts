import { describe, expect, it, vi } from 'vitest';
import { createClient, type SightlineError } from '../../packages/client/src/index.ts';
import { seconds, settle, simulateTime } from './simulated-time.ts';

simulateTime();

const json = (body: unknown, init: ResponseInit = {}) => new Response(JSON.stringify(body), init);

describe('an error', () => {
  const failing = (respond: (request: Request) => Response | Promise<Response>) => {
    const retried: string[] = [];
    const client = createClient({
      ...{ baseUrl: 'https://a.example:8443/base', key: 'k', retries: 1 },
      onRetry: ({ message, status, requestId, retryAfter }, tries) =>
        void retried.push([tries, message, status, requestId, retryAfter].join(' ')),
      fetch: async request => respond(request),
    });
    return { client, retried };
  };
  const toFields = ({ name, message, status, requestId, retryAfter, code, cause }: SightlineError) => ({
    ...{ name, message, status, requestId, retryAfter, code },
    cause: cause instanceof Error ? cause.message : cause,
  });
  const catchFields = async (promise: Promise<unknown>) => {
    const settled = settle(promise);
    await vi.runAllTimersAsync();
    return toFields((await settled) as SightlineError);
  };
  const headers = { 'x-request-id': 'r7', 'retry-after': '3' };
  const none = { requestId: undefined, retryAfter: undefined, code: undefined, cause: undefined };

  it('of the service has its status, request and wait, also for each retry', async () => {
    const { client, retried } = failing(() => json({ error: 'Busy' }, { status: 503, headers }));
    expect(await catchFields(client.get('/v1/quota'))).toEqual({
      ...none,
      ...{ name: 'SightlineError', message: 'Busy', status: 503, requestId: 'r7', retryAfter: 3000 },
    });
    expect([retried, seconds()]).toEqual([['1 HTTP 503 503 r7 3000'], 3]);
  });

  it('of GraphQL has its code and request', async () => {
    const errors = [{ message: 'No', extensions: { code: 'FORBIDDEN' } }];
    const { client, retried } = failing(() => json({ errors }, { headers }));
    expect(await catchFields(client.graphql('{ a }', {}))).toMatchObject({
      ...{ name: 'SightlineError', message: 'No', status: 200, requestId: 'r7', code: 'FORBIDDEN' },
    });
    expect(retried).toEqual([]);
  });

  it('of the connection has its cause, and names only the origin', async () => {
    const { client, retried } = failing(() => {
      throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    });
    const message = 'https://a.example:8443 cannot be reached: connect ECONNREFUSED';
    expect(await catchFields(client.get('/v1/quota'))).toEqual({
      ...none,
      ...{ name: 'SightlineError', message, status: 0, cause: 'fetch failed' },
    });
    expect(retried).toEqual([`1 ${message} 0  `]);
  });

  it('of a setting has the cause', () => {
    const make = () => createClient({ baseUrl: 'ftp://a.example', key: 'k' });
    try {
      make();
      expect.unreachable();
    } catch (error) {
      expect(toFields(error as SightlineError)).toEqual({
        ...none,
        name: 'SightlineError',
        message: 'baseUrl is not the URL of a service: ftp://a.example',
        status: 0,
        cause: 'ftp: is not spoken',
      });
    }
  });
});

describe('an abort', () => {
  const reason = new Error('enough');
  const lastPage = () => json([], { headers: { 'sightline-cursor': 'c', 'retry-after': '60' } });
  const readAll = async (values: AsyncIterable<unknown>) => {
    for await (const _value of values);
  };
  type Client = ReturnType<typeof createClient>;
  type Read = (client: Client, signal: AbortSignal) => Promise<unknown>;

  it.each<[string, () => Response, Read]>([
    [
      'the wait for a window',
      () => json({}, { headers: { ratelimit: '"default";r=0;t=60' } }),
      async (client, signal) => {
        await client.get('/v1/quota', {}, { signal });
        return client.get('/v1/quota', {}, { signal });
      },
    ],
    [
      'the wait for a retry of GraphQL',
      () => json({}, { status: 503 }),
      (client, signal) => client.graphql('{ a }', {}, { signal }),
    ],
    [
      'an export',
      () => new Response(new ReadableStream()),
      (client, signal) => readAll(client.export('/export/findings', {}, { signal })),
    ],
    [
      'a page',
      () => new Response(new ReadableStream()),
      (client, signal) => readAll(client.pages('/export/findings', {}, { signal })),
    ],
    [
      'the wait for the next page',
      lastPage,
      (client, signal) => readAll(client.pages('/export/findings', {}, { signal, follow: true })),
    ],
    [
      'the audit log',
      () => json({ error: 'x' }, { status: 503 }),
      (client, signal) => readAll(client.auditEvents({ signal })),
    ],
  ])('ends %s with its reason, and leaves no timer', async (_, respond, read) => {
    let sent = 0;
    const ending = new AbortController();
    const client = createClient({
      ...{ baseUrl: 'https://a.example', key: 'k', firstWait: 60_000 },
      fetch: async request => {
        sent++;
        const answer = respond();
        // As `fetch` does, an abort ends the body.
        const body = answer.body?.pipeThrough(new TransformStream(), { signal: request.signal });
        return new Response(body, answer);
      },
    });
    const reading = settle(read(client, ending.signal));
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent).toBe(1);
    let ended: unknown;
    void reading.then(result => {
      ended = result;
    });
    ending.abort(reason);
    await vi.advanceTimersByTimeAsync(1000);
    expect(ended).toBe(reason);
    await vi.advanceTimersByTimeAsync(600_000);
    expect([sent, vi.getTimerCount()]).toEqual([1, 0]);
  });
});
