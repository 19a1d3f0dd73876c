import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { groupOutcomes } from '../../../test/support/group-outcomes.ts';
import { realPause, simulatePauses } from '../../../test/support/simulated-pauses.ts';
import { until } from '../../../test/support/until.ts';
import { type ForwardBody, Forwarder, isForwarded } from '../src/forward.ts';

/** The requested pauses in milliseconds; each ends immediately, unless it is held. */
let pauses: number[];
let heldPause: number | undefined;
let timeLimits: number[];
let restorePauses: () => void;

beforeEach(() => {
  [pauses, heldPause, timeLimits] = [[], undefined, []];
  restorePauses = simulatePauses((milliseconds, value, options) => {
    // Only the forwarder passes options; `until` does not.
    if (!options) return realPause(milliseconds, value);
    pauses.push(milliseconds);
    if (milliseconds !== heldPause) return Promise.resolve(value);
    return new Promise((_, reject) => options.signal?.addEventListener('abort', reject));
  });
  vi.spyOn(Math, 'random').mockReturnValue(0.25);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(milliseconds => {
    timeLimits.push(milliseconds);
    return new AbortController().signal;
  });
});
afterEach(() => {
  restorePauses();
  vi.restoreAllMocks();
});

type Outcomes = [account: string, outcome: string][];

/** Creates a forwarder whose requests are answered by `respond`. */
function create(
  respond: (request: Request, number: number) => Response | Promise<Response>,
  settings: object = {},
) {
  const requests: Request[] = [];
  const outcomes: Outcomes = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
    const request = new Request(url as string, init);
    requests.push(request.clone());
    return respond(request, requests.length);
  });
  const forwarder = new Forwarder(
    { url: 'https://other.example/r/T', hosts: ['a.example'], ...settings },
    () => true,
    (account, outcome) => void outcomes.push([account, outcome]),
  );
  const send = (more: Partial<ForwardBody> = {}) => {
    const item = {
      account: 'acme',
      body: Buffer.from('{"a":1}'),
      contentType: 'x/y',
      userAgent: 'Agent',
      ...more,
    };
    const isReserved = forwarder.reserve(item);
    if (isReserved) forwarder.send(item);
    return isReserved;
  };
  return { forwarder, requests, outcomes, send };
}

const STATUSES = [
  ...[200, 204, 226, 299, 300, 301, 304, 399, 400, 401, 403, 404, 407, 408, 409, 413, 428, 429, 431, 499],
  ...[500, 502, 503, 599],
];

it('each status of the other collector leads to the outcome, requests and pauses recorded', async () => {
  const outcomes: [string, string][] = [];
  const run = async (name: string, respond: Parameters<typeof create>[0], settings?: object) => {
    pauses = [];
    const { forwarder, requests, outcomes: found, send } = create(respond, settings);
    send();
    await until(() => found.length === 1);
    outcomes.push([name, `${found[0]}: ${requests.length} requests, pauses of ${pauses.join(', ')} ms`]);
    expect(forwarder.waiting).toBe(0);
  };
  const withStatus = (status: number) =>
    new Response([204, 304].includes(status) ? null : 'text', { status });
  for (const status of STATUSES) await run(`status ${status}`, () => withStatus(status));
  await run('no connection', () => {
    throw new TypeError('fetch failed');
  });
  await run('success at the fifth attempt', (_, number) => withStatus(number < 5 ? 503 : 200));
  await run('a refusal at the second attempt', (_, number) => withStatus(number < 2 ? 429 : 403));
  await run('a pause of 40 ms', () => withStatus(500), { pause: 40 });
  await expect(groupOutcomes(outcomes)).toMatchFileSnapshot('./recorded/deliveries.txt');
});

it('a body is posted with its type and user agent, and the response is not read', async () => {
  let isCancelled = false;
  const unread = new ReadableStream({
    cancel() {
      isCancelled = true;
    },
  });
  const { requests, send, outcomes } = create(() => new Response(unread, { status: 200 }), { timeout: 1234 });
  send({ contentType: undefined, userAgent: '', body: Buffer.from('xx{"é":1}').subarray(2) });
  send({ contentType: 'application/csp-report' });
  await until(() => outcomes.length === 2);
  const described = requests.map(async request => [
    request.method,
    request.url,
    request.redirect,
    request.headers.get('content-type'),
    request.headers.get('user-agent'),
    request.headers.get('via'),
    await request.text(),
  ]);
  const common = ['POST', 'https://other.example/r/T', 'manual'];
  const via = '1.1 sightline-collect';
  expect(await Promise.all(described)).toEqual([
    [...common, 'application/json', null, via, '{"é":1}'],
    [...common, 'application/csp-report', 'Agent', via, '{"a":1}'],
  ]);
  expect([isCancelled, timeLimits]).toEqual([true, [1234, 1234]]);
});

it('a request may take five seconds by default', async () => {
  const { send, outcomes } = create(() => new Response());
  send();
  await until(() => outcomes.length === 1);
  expect(timeLimits).toEqual([5000]);
});

it.each([
  [undefined, false],
  ['1.1 sightline-collect', true],
  ['1.1 proxy, 1.1 Sightline-Collect (a comment)', true],
  ['1.1 sightline', false],
  ['', false],
])('a body with the header Via: %s was forwarded by a collector: %s', (via, expected) => {
  expect(isForwarded(via)).toBe(expected);
});

it('the room for bodies includes a KiB for each, and what has none is dropped', () => {
  const { forwarder, send, outcomes } = create(() => new Promise(() => {}));
  const half = 4 * 1024 * 1024;
  expect(send({ body: Buffer.alloc(half - 1024) })).toBe(true);
  expect([forwarder.waiting, forwarder.hosts]).toEqual([half, ['a.example']]);
  expect(send({ body: Buffer.alloc(0) })).toBe(false);
  expect(outcomes).toEqual([['acme', 'dropped']]);
  expect(send({ account: 'other', body: Buffer.alloc(0) })).toBe(true);
  expect(forwarder.waiting).toBe(half + 1024);
  forwarder.release({ account: 'other', body: Buffer.alloc(0), contentType: '', userAgent: '' });
  expect(forwarder.waiting).toBe(half);
});

it('up to four bodies are sent at the same time, also those of accounts that have just sent another one', async () => {
  const { requests, send } = create(() => new Promise(() => {}));
  const counts = ['acme', 'other', 'acme', 'third', 'other'].map(account => {
    send({ account });
    return requests.length;
  });
  expect(counts).toEqual([1, 2, 3, 4, 4]);
});

it('at its end, a forwarder waits for two seconds, drops what waits and aborts its requests', async () => {
  const abortedBy = (request: Request) =>
    new Promise<Response>((_, reject) => {
      request.signal.addEventListener('abort', () => reject(request.signal.reason));
    });
  const { forwarder, requests, outcomes, send } = create(abortedBy);
  for (let count = 0; count < 6; count++) send({ account: count === 5 ? 'other' : 'acme' });
  await until(() => requests.length === 4);
  await forwarder.close();
  expect(pauses).toEqual([2000]);
  expect(outcomes.map(pair => pair.join(' ')).sort()).toEqual([
    'acme dropped',
    ...Array(4).fill('acme failed'),
    'other dropped',
  ]);
  expect([requests.length, forwarder.waiting]).toEqual([4, 0]);
});

it('at its end, a forwarder sends what waits if the other collector answers', async () => {
  heldPause = 2000;
  const { forwarder, requests, outcomes, send } = create(async () => new Response());
  for (let count = 0; count < 9; count++) send();
  await forwarder.close();
  expect(outcomes).toEqual(Array(9).fill(['acme', 'taken']));
  expect(requests).toHaveLength(9);
});

it('at its end, a forwarder does not wait for the pause before a retry', async () => {
  heldPause = 750;
  const { forwarder, requests, outcomes, send } = create(() => new Response(null, { status: 503 }));
  send();
  await until(() => pauses.length === 1);
  await forwarder.close();
  expect(outcomes).toEqual([['acme', 'failed']]);
  expect([requests.length, pauses]).toEqual([2, [750, 2000]]);
});
