import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ask, download, findVisitor, type NoAnswer, redeem } from '../src/app/browser/api.ts';
import { TypedDocumentString } from '../src/app/browser/documents/documents.generated.ts';

const NOW = Date.parse('2026-03-10T15:30:00Z');
const DOCUMENT = new TypedDocumentString<{ viewer: string }, { first: number }>('query A { viewer }');

let requests: [path: string, init: RequestInit][];
/** Responds to all requests until the end of the test. */
function respond(response: () => Response): void {
  requests = [];
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    requests.push([path, init]);
    return response();
  });
}
const json = (value: unknown, status = 200, headers: Record<string, string> = {}) =>
  respond(() => Response.json(value, { status, headers }));

/** Keys have separate rate limits, so that each test uses its own. */
let keys = 0;
let key: string;
beforeEach(() => {
  key = `svc_${keys++}`;
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const reason = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    ({ kind, message, again }: NoAnswer) => [kind, message, again],
  );
const query = (own = key) => ask(own, DOCUMENT, { first: 7 });

describe('a query of the page', () => {
  it('is sent with its variables and the key, without cookies and caches', async () => {
    json({ data: { viewer: 'me' } });
    expect(await query()).toEqual({ viewer: 'me' });
    expect(requests).toEqual([
      [
        'graphql',
        {
          method: 'POST',
          body: '{"query":"query A { viewer }","variables":{"first":7}}',
          headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
          credentials: 'omit',
          cache: 'no-store',
        },
      ],
    ]);
  });

  it('can be aborted', async () => {
    vi.stubGlobal('fetch', async (_: string, { signal }: RequestInit) => signal!.throwIfAborted());
    await expect(ask(key, DOCUMENT, { first: 7 }, AbortSignal.abort())).rejects.toHaveProperty(
      'name',
      'AbortError',
    );
  });

  it('may lack fields that the plan does not include', async () => {
    json({ data: { viewer: null }, errors: [{ message: 'no', extensions: { code: 'FORBIDDEN' } }] });
    expect(await query()).toEqual({ viewer: null });
  });

  it.each<[object, string]>([
    [{ errors: [{ message: 'a', extensions: { code: 'FORBIDDEN' } }, { message: 'b' }], data: {} }, 'b'],
    [{ errors: [{ message: 'a', extensions: { code: 'FORBIDDEN' } }], data: null }, 'a'],
    [{ data: null }, 'The answer was empty.'],
  ])('with the answer %j is refused: %s', async (answer, message) => {
    json(answer);
    expect(await reason(query())).toEqual(['refused', message, undefined]);
  });

  it.each<[string, () => Response, unknown[]]>([
    [
      'an answer that is cut off',
      () => new Response('{"data":'),
      ['failed', 'The answer was cut off, or did not come from this service.', undefined],
    ],
    [
      'an unknown key',
      () => Response.json({ error: 'Unauthorized' }, { status: 401 }),
      ['unauthorized', 'This key is unknown or no longer valid.', undefined],
    ],
    [
      'a refusal with a reason',
      () => Response.json({ error: 'Too long' }, { status: 499 }),
      ['refused', 'Too long', undefined],
    ],
    [
      'a refusal without a reason',
      () => new Response('', { status: 400 }),
      ['refused', 'The service answered 400.', undefined],
    ],
    [
      'a failure',
      () => Response.json({ error: 'inside' }, { status: 500 }),
      ['failed', 'The service failed (500).', undefined],
    ],
    [
      'a failure with an id',
      () => new Response('', { status: 503, headers: { 'x-request-id': 'r7' } }),
      ['failed', 'The service failed (503). Request id in its log: r7.', undefined],
    ],
    [
      'no service',
      () => {
        throw new TypeError('fetch failed');
      },
      ['offline', 'The service cannot be reached.', undefined],
    ],
    [
      'a rate limit',
      () => new Response('', { status: 429, headers: { 'retry-after': '7' } }),
      ['limited', 'Too many requests with this key.', NOW + 7000],
    ],
    [
      'a rate limit without a time',
      () => new Response('', { status: 429 }),
      ['limited', 'Too many requests with this key.', NOW + 10_000],
    ],
  ])('fails with the reason for %s', async (_, response, expected) => {
    respond(response);
    expect(await reason(query())).toEqual(expected);
  });

  it.each(['a b', 'schlüssel', 'a\n', '\x7f'])('is not sent with the invalid key %j', async wrong => {
    json({ data: {} });
    expect(await reason(query(wrong))).toEqual([
      'unauthorized',
      'A key contains only letters, digits and _.',
      undefined,
    ]);
    expect(requests).toEqual([]);
  });

  it('waits for the next window of the rate limit of its key', async () => {
    json({ data: { viewer: 'me' } }, 200, { ratelimit: '"default";r=0;t=12' });
    await query();
    vi.setSystemTime(NOW + 11_999);
    expect(await reason(query())).toEqual(['limited', 'Too many requests with this key.', NOW + 12_000]);
    expect(requests).toHaveLength(1);
    expect(await query(`${key}_other`)).toEqual({ viewer: 'me' });
    vi.setSystemTime(NOW + 12_000);
    json({ data: { viewer: 'me' } }, 200, { ratelimit: '"default";r=1;t=12' });
    await query();
    await query();
    expect(requests).toHaveLength(2);
  });
});

describe('other requests of the page', () => {
  it('ask for the visitor without a key', async () => {
    json({ user: 'ada', accounts: [], signOut: null });
    expect(await findVisitor()).toEqual({ user: 'ada', accounts: [], signOut: null });
    expect(requests).toEqual([
      ['app/session', { method: 'GET', headers: {}, credentials: 'omit', cache: 'no-store' }],
    ]);
    respond(() => new Response('<html>'));
    expect(await reason(findVisitor())).toEqual([
      'failed',
      'The answer was cut off, or did not come from this service.',
      undefined,
    ]);
  });

  it('return a file unread', async () => {
    respond(() => new Response('a,b\n'));
    expect(await (await download(key, 'export/csp')).text()).toBe('a,b\n');
    expect(requests).toMatchObject([
      ['export/csp', { method: 'GET', headers: { Authorization: `Bearer ${key}` } }],
    ]);
  });

  it('redeem a code for a key, unless it was used', async () => {
    json({ key: 'svc_new' });
    expect(await redeem('code')).toBe('svc_new');
    expect(requests).toMatchObject([['app/sign-in', { method: 'POST', body: '{"code":"code"}' }]]);
    json({ error: 'used' }, 404);
    expect(await redeem('code')).toBeUndefined();
    json({ error: 'down' }, 500);
    expect(await reason(redeem('code'))).toEqual(['failed', 'The service failed (500).', undefined]);
  });
});

describe('a request of a visitor at a proxy', () => {
  /** The page decides when it is loaded, so that it is loaded once more. */
  const load = (): Promise<typeof import('../src/app/browser/api.ts')> => {
    vi.stubGlobal('document', { documentElement: { dataset: { login: 'proxy' } } });
    return import(String(new URL('../src/app/browser/api.ts?proxy', import.meta.url)));
  };

  it('has the cookies of the proxy in place of a key, and names the account', async () => {
    const api = await load();
    json({ data: { viewer: 'me' } });
    expect(await api.ask('a/c&d', DOCUMENT, { first: 7 })).toEqual({ viewer: 'me' });
    expect(requests).toEqual([
      [
        'app/graphql?account=a%2Fc%26d',
        {
          method: 'POST',
          body: '{"query":"query A { viewer }","variables":{"first":7}}',
          headers: { 'Content-Type': 'application/json' },
          credentials: 'same-origin',
          cache: 'no-store',
        },
      ],
    ]);
  });

  it('after the end of the sign-in says where to sign in', async () => {
    const { findVisitor } = await load();
    respond(() => new Response('', { status: 401 }));
    expect(await reason(findVisitor())).toEqual([
      'unauthorized',
      'Your sign-in at the proxy has ended. Load the page again to sign in.',
      undefined,
    ]);
    expect(requests).toMatchObject([['app/session', { credentials: 'same-origin' }]]);
  });
});
