import { Readable } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import { RequestCancelled, SendFailed, send } from '../src/docs/browser/send.ts';
import { SharedValue } from '../src/docs/browser/shared.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Responds to all requests of a test, and returns the requests. */
function respond(response: () => Response): unknown[] {
  const requests: unknown[] = [];
  vi.stubGlobal('fetch', async (...request: unknown[]) => {
    requests.push(request);
    return response();
  });
  return requests;
}
const { signal } = new AbortController();

it('a request of the documentation is sent with the key only, and its JSON is indented', async () => {
  const requests = respond(
    () => new Response('{"a":["ü"]}', { status: 201, statusText: 'Created', headers: { etag: '"7"' } }),
  );
  const answer = await send({ target: '/v1/csp?a=1' }, 'https://a.example', 'svc_a', signal);
  expect(answer).toEqual({
    status: 201,
    title: '201 Created',
    milliseconds: expect.any(Number),
    bytes: 12,
    isCut: false,
    body: '{\n  "a": [\n    "ü"\n  ]\n}',
    headers: [
      ['content-type', 'text/plain;charset=UTF-8'],
      ['etag', '"7"'],
    ],
  });
  const init = { headers: { Authorization: 'Bearer svc_a' }, credentials: 'omit', cache: 'no-store', signal };
  expect(requests).toEqual([['https://a.example/v1/csp?a=1', init]]);
});

it('a query of the documentation is sent as JSON', async () => {
  const requests = respond(() => new Response(null, { status: 204 }));
  const answer = await send({ target: '/graphql', body: '{}' }, '', 'svc_a', signal);
  expect(answer).toMatchObject({ title: '204', bytes: 0, body: '' });
  const headers = { Authorization: 'Bearer svc_a', 'Content-Type': 'application/json' };
  expect(requests).toMatchObject([['/graphql', { method: 'POST', body: '{}', headers }]]);
});

it.each([
  [200_000, false],
  [200_001, true],
])('of a response with %i bytes at most 200,000 are shown', async (length, isCut) => {
  respond(() => new Response('1'.repeat(length)));
  const { body, bytes, ...answer } = await send({ target: '/' }, '', '', signal);
  // A number of so many digits is infinite, which JSON writes as null.
  expect([answer.isCut, bytes, body]).toEqual([isCut, length, isCut ? '1'.repeat(200_000) : 'null']);
});

it('characters that are split between chunks are shown, and incomplete ones are replaced', async () => {
  const chunks = async function* () {
    for (const byte of Buffer.from('ü€ü').subarray(0, -1)) yield Uint8Array.of(byte);
  };
  respond(() => new Response(Readable.toWeb(Readable.from(chunks())) as unknown as BodyInit));
  expect(await send({ target: '/' }, '', '', signal)).toMatchObject({ body: 'ü€\ufffd', bytes: 6 });
});

it('a request that fails says so, unless the visitor cancelled it', async () => {
  const fail = () => {
    throw new TypeError('fetch failed');
  };
  respond(fail);
  await expect(send({ target: '/' }, '', '', signal)).rejects.toThrow(
    new SendFailed('The service cannot be reached, or its response was cut off.'),
  );
  await expect(send({ target: '/' }, '', '', AbortSignal.abort())).rejects.toBeInstanceOf(RequestCancelled);
});

it('a shared value calls its listeners until they are removed', () => {
  const shared = new SharedValue('a');
  const seen: string[] = [];
  const remove = shared.subscribe(value => seen.push(`1 ${value}`));
  shared.subscribe(value => seen.push(`2 ${value}`));
  shared.value = 'b';
  remove();
  shared.value = 'c';
  expect([shared.value, seen]).toEqual(['c', ['1 b', '2 b', '2 c']]);
});
