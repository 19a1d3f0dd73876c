import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SightlineError, type TypedDocument } from '@sightline/client';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { connect, describeServiceError } from '../../src/service/service.ts';

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function start(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const startAnswering = (status: number, body: string, headers: Record<string, string> = {}) =>
  start((_, response) => response.writeHead(status, headers).end(body));
const to = (url: string) => connect(url, 'svc_t_key', { retries: 0 });

/** A document without a hash, as other generators create. */
const VIEWER = new String('{ viewer { id } }') as TypedDocument<{ viewer: { id: string } | null }, object>;

it('a query sends the key and the variables', async () => {
  const seen: string[][] = [];
  const url = await start(async (request, response) => {
    const { method, url, headers } = request;
    seen.push([method!, url!, String(headers.authorization), await text(request)]);
    // A service on the same machine need not compress.
    seen.push([String(headers['accept-encoding'])]);
    response.end(JSON.stringify({ data: { viewer: { id: 'a' } } }));
  });
  expect(await to(url).ask(VIEWER, { from: 'x' })).toEqual({ id: 'a' });
  const body = '{"query":"{ viewer { id } }","variables":{"from":"x"}}';
  expect(seen).toEqual([['POST', '/graphql', 'Bearer svc_t_key', body], ['identity']]);
});

it.each<[string, number, string, string]>([
  [
    'the error message of the service',
    403,
    '{"error":"No such key"}',
    'The service responded with 403: No such key',
  ],
  ['the error page of a proxy', 502, '<h1>Bad gateway</h1>', 'The service answers HTTP 502 Bad Gateway'],
  [
    'an HTML page instead of JSON',
    200,
    '<h1>Hello</h1>',
    'The response is not JSON: check the URL of the service (HTTP 200 OK)',
  ],
  ['a GraphQL error', 200, '{"data":null,"errors":[{"message":"Too deep"}]}', 'Too deep'],
  ['a missing account', 200, '{"data":{"viewer":null}}', 'This needs the key of an account'],
])('a query fails with %s', async (_, status, body, message) => {
  const failure = await to(await startAnswering(status, body))
    .ask(VIEWER, {})
    .catch(error => error);
  expect(failure).toBeInstanceOf(SightlineError);
  expect(describeServiceError(failure)).toContain(message);
});

it('a query does not follow redirects, and names the target', async () => {
  let others = 0;
  const elsewhere = await start((_, response) => {
    others++;
    response.end('{}');
  });
  const url = await startAnswering(302, '', { location: elsewhere });
  await expect(to(url).ask(VIEWER, {})).rejects.toThrow(`The service redirects to ${elsewhere}`);
  expect(others).toBe(0);
});

const FOUND = '{"data":{"viewer":{"id":"a"}}}';

it('the clock follows the date header of the service after the first response', async () => {
  const hour = 3_600_000;
  for (const ahead of [-hour, hour]) {
    const url = await startAnswering(200, FOUND, { date: new Date(Date.now() + ahead).toUTCString() });
    const service = to(url);
    expect(Math.abs(service.now().getTime() - Date.now())).toBeLessThan(60_000);
    await service.ask(VIEWER, {});
    expect(Math.abs(service.now().getTime() - Date.now() - ahead)).toBeLessThan(60_000);
  }
  // Without a valid date from the service, the local clock is used.
  const url = await startAnswering(200, FOUND, { date: 'soon' });
  const service = to(url);
  await service.ask(VIEWER, {});
  expect(Math.abs(service.now().getTime() - Date.now())).toBeLessThan(60_000);
});

it('a link points to a view of the page', () => {
  expect(to('https://a.example/under').link('csp')).toBe('https://a.example/under/app#/csp');
  expect(to('https://a.example').link('csp', { a: 'b c' })).toBe('https://a.example/app#/csp?a=b+c');
});

it.each([
  [399, 'No answer', 'No answer'],
  [400, 'No answer', 'The service responded with 400: No answer'],
  [500, `${'a'.repeat(299)}bc`, `The service responded with 500: ${'a'.repeat(299)}b`],
])('an error with the status %i is described in one line', (status, message, expected) => {
  expect(describeServiceError(new SightlineError(message, status))).toBe(expected);
});

it.each([
  ['http://localhost', 'identity'],
  ['http://localhost:8080/under', 'identity'],
  ['http://127.1.2.3', 'identity'],
  ['https://[::1]:8443', 'identity'],
  ['https://reports.example.com', null],
  ['https://localhost.example.com', null],
  ['https://127.0.0.1.example.com', null],
])('the answers of %s are requested with the encoding %s', async (url, encoding) => {
  const seen: (string | null)[] = [];
  stubFetch(async ({ headers }) => {
    seen.push(headers.get('accept-encoding'));
    return new Response(FOUND);
  });
  await to(url).ask(VIEWER, {});
  expect(seen).toEqual([encoding]);
});

it('an attempt ends after 30 seconds without an answer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let onSent: (signal: AbortSignal) => void;
  const sent = new Promise<AbortSignal>(resolve => {
    onSent = resolve;
  });
  stubFetch((_, signal) => {
    onSent(signal);
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  const failure = to('https://reports.example.com')
    .ask(VIEWER, {})
    .catch(error => error);
  const signal = await sent;
  vi.advanceTimersByTime(29_999);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
  expect(await failure).toBeInstanceOf(SightlineError);
});

it.each([
  ['application/json', true],
  ['multipart/mixed; boundary=a', false],
])('the time of an answer of the type %s is limited: %s', async (type, isLimited) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const signals: AbortSignal[] = [];
  stubFetch(async (_, signal) => {
    signals.push(signal);
    return new Response(FOUND, { headers: { 'content-type': type } });
  });
  await to('https://reports.example.com')
    .ask(VIEWER, {})
    .catch(() => {});
  vi.advanceTimersByTime(30_000);
  expect(signals.map(({ aborted }) => aborted)).toEqual([isLimited]);
});

function stubFetch(answer: (request: Request, signal: AbortSignal) => Promise<Response>): void {
  vi.stubGlobal('fetch', (request: Request, { signal }: { signal: AbortSignal }) => answer(request, signal));
  onTestFinished(() => void vi.unstubAllGlobals());
}
