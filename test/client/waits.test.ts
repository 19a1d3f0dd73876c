import { describe, expect, it, vi } from 'vitest';
import { keeping } from '../../packages/client/src/answer-cache.ts';
import { createClient, SightlineError } from '../../packages/client/src/index.ts';
import { readParts } from '../../packages/client/src/parts.ts';
import { complete, pause } from '../../packages/client/src/retry.ts';
import { START, seconds, settle, simulateTime } from './simulated-time.ts';

simulateTime();

const never = new AbortController().signal;

describe('a pause', () => {
  it.each([
    [0, 0],
    [1500, 1500],
    [2 ** 31 - 1, 2 ** 31 - 1],
    // A longer timer would end immediately.
    [2 ** 31, 2 ** 31 - 1],
  ])('of %i ms ends after %i ms', async (milliseconds, expected) => {
    const ended = pause(milliseconds, never).then(() => Date.now() - START);
    await vi.advanceTimersToNextTimerAsync();
    expect([await ended, vi.getTimerCount()]).toEqual([expected, 0]);
  });

  it('ends with the reason of its signal, and leaves neither a timer nor a listener', async () => {
    const ending = new AbortController();
    const remove = vi.spyOn(ending.signal, 'removeEventListener');
    await Promise.all([pause(10, ending.signal), vi.advanceTimersByTimeAsync(10)]);
    expect(remove).toHaveBeenCalledWith('abort', expect.any(Function));
    const waiting = settle(pause(1000, ending.signal));
    const reason = new Error('enough');
    ending.abort(reason);
    expect([await waiting, await settle(pause(1000, ending.signal)), vi.getTimerCount()]).toEqual([
      reason,
      reason,
      0,
    ]);
  });
});

describe('a multipart response', () => {
  const TYPE = { 'content-type': 'multipart/mixed; boundary=b' };
  const part = (text: string) => `\r\n--b\r\nContent-Length: ${text.length}\r\n\r\n${text}`;

  it('ends after a silence of a minute, but not while parts arrive', async () => {
    let stream!: ReadableStreamDefaultController<Uint8Array>;
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        stream = controller;
      },
      cancel() {
        isCancelled = true;
      },
    });
    const parts = readParts(new Response(body, { headers: TYPE }));
    for (const text of ['one', 'two', 'three']) {
      const next = parts.next();
      await vi.advanceTimersByTimeAsync(59_999);
      stream.enqueue(new TextEncoder().encode(part(text)));
      expect(Buffer.concat((await next).value!.chunks).toString()).toBe(text);
      expect(vi.getTimerCount()).toBe(0);
    }
    const last = settle(parts.next());
    await vi.advanceTimersByTimeAsync(59_999);
    expect(isCancelled).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect([isCancelled, vi.getTimerCount()]).toEqual([true, 0]);
    expect(await last).toEqual(new SightlineError('The response ended within a part, or is malformed', 0));
  });
});

const json = (body: unknown, init: ResponseInit = {}) => new Response(JSON.stringify(body), init);
const limit = (left: number, time: number, policy = '') =>
  json({}, { headers: { ratelimit: `"default";r=${left};t=${time}`, 'ratelimit-policy': policy } });

describe('the rate limit', () => {
  /** Sends requests one after another, and returns the second at which each is sent. */
  async function listTimes(answers: (() => Response)[], count: number, longestWait?: number) {
    const sent: number[] = [];
    const client = createClient({
      ...{ baseUrl: 'https://a.example', key: 'k', retries: 0 },
      ...(longestWait !== undefined && { longestWait }),
      fetch: async () => {
        sent.push(seconds());
        return answers[Math.min(sent.length, answers.length) - 1]!();
      },
    });
    const all = (async () => {
      for (let time = 0; time < count; time++) await client.get('/v1/quota');
    })();
    await vi.runAllTimersAsync();
    await all;
    return sent;
  }

  it('of the last response applies, and of its window the shorter rest', async () => {
    expect(await listTimes([() => limit(0, 42), () => limit(5, 10)], 3)).toEqual([0, 42, 42]);
    vi.setSystemTime(START);
    // The second response says that the window ends sooner.
    expect(await listTimes([() => limit(1, 42), () => limit(0, 7), () => json({})], 3)).toEqual([0, 0, 7]);
    vi.setSystemTime(START);
    expect(await listTimes([() => limit(1, 7), () => limit(0, 42), () => json({})], 3)).toEqual([0, 0, 42]);
  });

  it('allows in each further window what the policy says', async () => {
    const answers = [() => limit(0, 5, '"default";q=2;w=60'), () => json({})];
    expect(await listTimes(answers, 6)).toEqual([0, 5, 5, 65, 65, 125]);
  });

  it('is not awaited if that takes longer than allowed', async () => {
    expect(await listTimes([() => limit(0, 6), () => json({})], 3, 5999)).toEqual([0, 0, 0]);
    vi.setSystemTime(START);
    expect(await listTimes([() => limit(0, 6), () => json({})], 3, 6000)).toEqual([0, 6, 6]);
  });
});

describe('a retry', () => {
  /** Sends a request that always fails, and returns the seconds at which it is sent. */
  async function listTimes(options: { firstWait: number; longestWait?: number }) {
    const sent: number[] = [];
    const client = createClient({
      ...{ baseUrl: 'https://a.example', key: 'k', ...options },
      fetch: async () => {
        sent.push(seconds());
        return json({}, { status: 503 });
      },
    });
    const failed = settle(client.get('/v1/quota'));
    await vi.runAllTimersAsync();
    expect(await failed).toBeInstanceOf(SightlineError);
    return sent;
  }

  it('waits for half to all of a doubling time, and for at most a minute', async () => {
    expect(await listTimes({ firstWait: 20_000 })).toEqual([0, 10, 30, 60]);
    vi.setSystemTime(START);
    vi.spyOn(Math, 'random').mockReturnValue(1);
    expect(await listTimes({ firstWait: 20_000 })).toEqual([0, 20, 60, 120]);
  });

  it('is not sent if its own wait would be longer than allowed', async () => {
    expect(await listTimes({ firstWait: 10_000, longestWait: 4999 })).toEqual([0]);
    expect(await listTimes({ firstWait: 10_000, longestWait: 5000 })).toEqual([0, 5]);
  });

  it('ends the response before it', async () => {
    let isCancelled = false;
    const body = new ReadableStream({
      cancel() {
        isCancelled = true;
      },
    });
    const answers = [new Response(body, { status: 503 }), new Response('{"id":"a"}\n')];
    const fetch = async () => answers.shift()!;
    const client = createClient({ baseUrl: 'https://a.example', key: 'k', fetch });
    const first = client.export('/export/findings', {}).next();
    await vi.runAllTimersAsync();
    expect([(await first).value, isCancelled]).toEqual([{ id: 'a' }, true]);
  });
});

describe('a complete response', () => {
  it('keeps its status, text and headers, and has no body if there was none', async () => {
    const read = (response: Response) => complete(async () => response)(new Request('https://a.example'));
    const whole = await read(new Response('x', { status: 404, statusText: 'No', headers: { a: 'b' } }));
    expect([whole.status, whole.statusText, whole.headers.get('a'), await whole.text()]).toEqual([
      404,
      'No',
      'b',
      'x',
    ]);
    expect((await read(new Response(null, { status: 304 }))).body).toBeNull();
    const hidden = Object.defineProperty(new Response(), 'type', { value: 'opaqueredirect' });
    expect(await read(hidden)).toBe(hidden);
  });
});

describe('cached responses', () => {
  it('take the tag of the last response, and belong to their own address', async () => {
    const asked: string[] = [];
    const answers: [body: string | null, init: ResponseInit][] = [
      ['1', { headers: { etag: '"a"' } }],
      [null, { status: 304, headers: { etag: '"b"' } }],
      [null, { status: 304 }],
      ['2', { headers: { etag: '"c"' } }],
      ['3', {}],
      [null, { status: 304, headers: { etag: '"c"' } }],
    ];
    const fetch = keeping(async request => {
      asked.push(`${new URL(request.url).pathname} ${request.headers.get('if-none-match')}`);
      const [body, init] = answers[asked.length - 1]!;
      return new Response(body, init);
    });
    const bodies: string[] = [];
    for (const path of ['x', 'x', 'x', 'x', 'y', 'x']) {
      const response = await fetch(new Request(`https://a.example/${path}`));
      bodies.push(`${response.status} ${await response.text()}`);
    }
    expect(asked).toEqual(['/x null', '/x "a"', '/x "b"', '/x "b"', '/y null', '/x "c"']);
    expect(bodies).toEqual(['200 1', '200 1', '200 1', '200 2', '200 3', '200 2']);
  });

  it.each([
    [3, 3, true],
    [3, 4, false],
    // The default.
    [undefined, 8 * 1024 * 1024, true],
    [undefined, 8 * 1024 * 1024 + 1, false],
  ])('of a cache of %s characters have at most as many: %i', async (size, length, isKept) => {
    const text = 'x'.repeat(length);
    const tags: (string | null)[] = [];
    const fetch = keeping(async request => {
      tags.push(request.headers.get('if-none-match'));
      // A real response would encode and decode the text, which takes long.
      return { status: 200, headers: new Headers({ etag: '"a"' }), text: async () => text } as Response;
    }, size);
    for (let time = 0; time < 2; time++) await fetch(new Request('https://a.example/x'));
    expect(tags).toEqual([null, isKept ? '"a"' : null]);
  });

  it('are evicted by a larger one of the same address, and 304 without one is returned', async () => {
    const answers = ['123', '12345', '1'].map(body => () => new Response(body, { headers: { etag: '"a"' } }));
    const tags: (string | null)[] = [];
    const fetch = keeping(async request => {
      tags.push(request.headers.get('if-none-match'));
      return answers[tags.length - 1]?.() ?? new Response(null, { status: 304 });
    }, 4);
    for (let time = 0; time < 3; time++) await fetch(new Request('https://a.example/x'));
    expect(tags).toEqual([null, '"a"', null]);
    expect((await fetch(new Request('https://a.example/y'))).status).toBe(304);
  });
});

it('a page is decoded even if its chunks end within characters', async () => {
  const bytes = new TextEncoder().encode('[{"a":"größer ✓"}]');
  const body = () =>
    new ReadableStream({
      start(stream) {
        const head = `\r\n--b\r\nContent-Length: ${bytes.length}\r\nSightline-Cursor: c\r\nRetry-After: 1\r\n\r\n`;
        stream.enqueue(new TextEncoder().encode(head));
        for (const byte of bytes) stream.enqueue(Uint8Array.of(byte));
        stream.enqueue(new TextEncoder().encode('\r\n--b--\r\n'));
        stream.close();
      },
    });
  const type = { 'content-type': 'multipart/mixed; boundary=b' };
  const fetch = async () => new Response(body(), { headers: type });
  const client = createClient({ baseUrl: 'https://a.example', key: 'k', fetch });
  const pages = [];
  for await (const page of client.arrivals('/export/findings', {})) pages.push(page);
  expect(pages).toEqual([{ records: [{ a: 'größer ✓' }], cursor: 'c', gap: false }]);
});
