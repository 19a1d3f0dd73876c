import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOW, open, personal, plan } from '../support/fixtures.ts';
import { exchangeRaw, type RawAnswer } from '../support/raw-connection.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startService({ now: NOW, mayFail: true });
  key = await open(service, personal('ada'), plan('ada'));
});
afterAll(() => service.close());

/** The head of a request. `KEY` is a placeholder for a key. Lines are joined with `\r\n`. */
const head = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;
const HOST = 'Host: localhost';
const KEY = 'Authorization: Bearer KEY';
const CLOSE = 'Connection: close';
const JSON_BODY = 'Content-Type: application/json';
const get = (target: string, ...lines: string[]) =>
  head(`GET ${target} HTTP/1.1`, HOST, KEY, CLOSE, ...lines);
const post = (lines: string[], body: string) =>
  head('POST /graphql HTTP/1.1', HOST, KEY, JSON_BODY, ...lines) + body;
const x = (count: number) => 'x'.repeat(count);

const send = (request: string) =>
  exchangeRaw(service.url, Buffer.from(request.replaceAll('KEY', key), 'latin1'));

/** Checks the headers that every response of the service has. */
function expectOurs({ status, headers, body }: RawAnswer): void {
  expect(headers.get('content-type')).toMatch(/^application\/(json|graphql-response\+json); charset=utf-8$/);
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toMatch(
    status === 200 ? /^(private, no-cache|no-store)$/ : /^no-store$/,
  );
  if (status >= 400)
    expect(Object.keys(JSON.parse(body))).toEqual([body.startsWith('{"errors"') ? 'errors' : 'error']);
  expect(body).not.toMatch(/node_modules|\bat .*\.[jt]s:\d|select |Error:/);
}

type Case = [what: string, status: number, request: string];

const requestLines: Case[] = [
  ['no HTTP', 400, 'hello\r\n\r\n'],
  ['a TLS handshake', 400, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['an HTTP/2 preface', 400, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['an unknown version', 400, head('GET /v1/me HTTP/9.9', HOST)],
  ['a method that is not a token', 400, head('G@T /v1/me HTTP/1.1', HOST)],
  ['tabs instead of spaces', 400, head('GET\t/v1/me\tHTTP/1.1', HOST)],
  ['a leading space', 400, head(' GET /v1/me HTTP/1.1', HOST)],
  ['a space within the target', 400, head('GET /v1/ me HTTP/1.1', HOST)],
  ['NUL within the target', 400, head('GET /v1/me\0 HTTP/1.1', HOST)],
  ['non-ASCII bytes within the target', 400, head('GET /v1/m\xe9 HTTP/1.1', HOST)],
  ['no target', 400, head('GET HTTP/1.1', HOST)],
  ['a target without a slash', 400, head('GET v1/me HTTP/1.1', HOST)],
  ['lines that end with only LF', 400, `GET /v1/me HTTP/1.1\n${HOST}\n\n`],
  ['lines that end with only CR', 400, `GET /v1/me HTTP/1.1\r${HOST}\r\r`],
];

const headerLines: Case[] = [
  ['a space within a name', 400, get('/v1/me', 'a b: c')],
  ['a space before the colon', 400, get('/v1/me', 'X : c')],
  ['a line without a colon', 400, get('/v1/me', 'nothing')],
  ['NUL within a value', 400, get('/v1/me', 'X: a\0b')],
  ['a value on two lines', 400, get('/v1/me', 'X: a', ' b')],
  ['CR within a value', 400, get('/v1/me', 'X: a\rb')],
  ['no host', 400, head('GET /v1/me HTTP/1.1', KEY)],
  ['two hosts', 400, get('/v1/me', 'Host: other')],
  ['the same host twice', 400, get('/v1/me', HOST)],
  ...['a b c', 'a/b', 'a@b', 'a b<c', 'a:b', '[::1', 'a,b/c', '"a"', 'a\\b'].map(
    (host): Case => [`the host ${host}`, 400, head('GET /v1/me HTTP/1.1', `Host: ${host}`, KEY, CLOSE)],
  ),
];

const hosts: Case[] = [
  '',
  'a',
  'A.example:8080',
  '[::1]:4000',
  '192.0.2.1',
  'a_b',
  'xn--bcher-kva.example',
  'a:',
].map(host => [`the host "${host}"`, 200, head('GET /v1/me HTTP/1.1', `Host: ${host}`, KEY, CLOSE)]);

/** Two servers could interpret these differently, which would make request smuggling possible. */
const ambiguous: Case[] = [
  ['a length and chunks', 400, post(['Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n')],
  ['chunks and a length', 400, post(['Transfer-Encoding: chunked', 'Content-Length: 5'], '0\r\n\r\n')],
  ['two lengths', 400, post(['Content-Length: 5', 'Content-Length: 6'], 'hello')],
  ['the same length twice', 400, post(['Content-Length: 5', 'Content-Length: 5'], 'hello')],
  ['a list of lengths', 400, post(['Content-Length: 5, 5'], 'hello')],
  ['a negative length', 400, post(['Content-Length: -5'], 'hello')],
  ['a length with a sign', 400, post(['Content-Length: +5'], 'hello')],
  ['a hexadecimal length', 400, post(['Content-Length: 0x5'], 'hello')],
  ['a length that overflows', 400, post(['Content-Length: 99999999999999999999'], 'hello')],
  ['an unknown encoding', 400, post(['Transfer-Encoding: xchunked'], '0\r\n\r\n')],
  ['chunks that are not the last encoding', 400, post(['Transfer-Encoding: chunked, identity'], '0\r\n\r\n')],
  ['an encoding with a space', 400, post(['Transfer-Encoding : chunked'], '0\r\n\r\n')],
  ['a chunk without a size', 400, post(['Transfer-Encoding: chunked'], 'zz\r\n\r\n')],
  ['a chunk with a negative size', 400, post(['Transfer-Encoding: chunked'], '-1\r\n\r\n')],
  ['chunks that end with only LF', 400, post(['Transfer-Encoding: chunked'], '2\n{}\n0\n\n')],
  ['a chunk longer than its size', 400, post(['Transfer-Encoding: chunked'], '2\r\n{}}\r\n0\r\n\r\n')],
];

const LONGEST_BODY = '{"query":"{ __typename }"}'.padEnd(1_048_576);

const sizes: Case[] = [
  ['a target of 64 KiB', 200, get(`/v1/me?x=${x(65_536)}`)],
  ['a path of 64 KiB', 404, get(`/v1/${x(65_536)}`)],
  ['a longer target', 414, get(`/v1/me?x=${x(131_072)}`)],
  ['a longer path, without a key', 414, head(`GET /${x(131_072)} HTTP/1.1`, HOST, CLOSE)],
  ['a target beyond the size limit', 431, get(`/v1/me?x=${x(300_000)}`)],
  ['a header beyond the size limit', 431, get('/v1/me', `X: ${x(300_000)}`)],
  ['many headers beyond the size limit', 431, get('/v1/me', ...Array(6000).fill(`X: ${x(50)}`))],
  ['the longest target', 200, get(`/v1/me?x=${x(131_063)}`)],
  ['a target of one more character', 414, get(`/v1/me?x=${x(131_064)}`)],
  ['the longest body', 200, post(['Content-Length: 1048576', CLOSE], LONGEST_BODY)],
  [
    'the longest body in chunks',
    200,
    post(['Transfer-Encoding: chunked', CLOSE], `100000\r\n${LONGEST_BODY}\r\n0\r\n\r\n`),
  ],
  ['a body over 1 MiB', 413, post(['Content-Length: 1048577', CLOSE], x(1_048_577))],
  [
    'chunks over 1 MiB',
    413,
    post(['Transfer-Encoding: chunked', CLOSE], `100001\r\n${x(0x100001)}\r\n0\r\n\r\n`),
  ],
  ['a chunk extension beyond the size limit', 413, post(['Transfer-Encoding: chunked'], `2;${x(20_000)}`)],
];

const unusual: Case[] = [
  ['HTTP/1.0 without a host', 200, head('GET /v1/me HTTP/1.0', KEY)],
  ['an absolute URL', 200, get('http://elsewhere.example/v1/me')],
  ['an absolute URL with credentials', 200, get('http://u:p@elsewhere.example/v1/me')],
  ['an absolute URL with another scheme', 404, get('ftp://elsewhere.example/v1/me')],
  ['two leading slashes', 404, get('//v1/me')],
  ['a URL without a scheme', 404, get('//elsewhere.example/v1/me')],
  ['dots', 404, get('/v1/../v1/me')],
  ['a fragment', 404, get('/v1/me#x')],
  ['broken percent-encoding in the path', 404, get('/v1/%zz')],
  ['an encoded NUL in the path', 404, get('/v1/me%00')],
  ['broken percent-encoding in a parameter', 400, get('/v1/reports/csp?unit=%zz&date=2026-05-20')],
  ['an encoded NUL in a parameter', 400, get('/v1/reports/csp?unit=days&date=2026-05-20&id=%00')],
  ['a GET with a body', 200, `${get('/v1/me', 'Content-Length: 5')}hello`],
  [
    'an upgrade to a WebSocket',
    200,
    head('GET /v1/me HTTP/1.1', HOST, KEY, 'Connection: upgrade, close', 'Upgrade: websocket'),
  ],
  [
    'an upgrade to HTTP/2',
    200,
    head('GET /v1/me HTTP/1.1', HOST, KEY, 'Connection: upgrade, close', 'Upgrade: h2c'),
  ],
  ['an unknown expectation', 200, get('/v1/me', 'Expect: the unexpected')],
  [
    'a proxy request for another host',
    405,
    head('CONNECT elsewhere.example:443 HTTP/1.1', 'Host: elsewhere.example:443'),
  ],
  ['TRACE', 405, head('TRACE /v1/me HTTP/1.1', HOST, CLOSE)],
  ['OPTIONS for *', 404, head('OPTIONS * HTTP/1.1', HOST, CLOSE)],
];

describe.each([
  ['the request line', requestLines],
  ['the headers', headerLines],
  ['host values', hosts],
  ['body lengths', ambiguous],
  ['sizes', sizes],
  ['unusual requests', unusual],
])('%s', (_, cases) => {
  it.each(cases)('%s: %i', async (_, status, request) => {
    const answers = await send(request);
    expect(answers.map(answer => answer.status)).toEqual([status]);
    for (const answer of answers) expectOurs(answer);
  });
});

/** Method names that contain `GET`. */
const METHODS = [
  ...['get', 'Get', 'GETX', 'GE', 'X', 'FROBNICATE', 'FETCH', 'PROPFINDX', x(5000), "!#$%&'*+-.^_`|~9"],
  // Methods that Node's parser accepts, including some of other protocols.
  ...['PROPFIND', 'M-SEARCH', 'SOURCE', 'QUERY', 'DESCRIBE', 'PLAY', 'FLUSH', 'PRI', 'OPTIONS', 'POST'],
];

describe.each([
  ['/v1/me', 'GET'],
  ['/v1', 'GET'],
  ['/v1/nothing?x', 'GET'],
  ['http://elsewhere.example/v1/me', 'GET'],
  ['/graphql', 'GET, POST'],
  ['/docs', 'GET, HEAD'],
])('%s', (target, allowed) => {
  it.each(METHODS.filter(method => !allowed.split(', ').includes(method)))(
    'rejects the method %s and lists the allowed methods',
    async method => {
      const [answer, ...others] = await send(head(`${method} ${target} HTTP/1.1`, HOST, CLOSE));
      expect([answer?.status, answer?.headers.get('allow'), others]).toEqual([405, allowed, []]);
      expect(JSON.parse(answer!.body)).toEqual({ error: 'Method not allowed' });
      expectOurs(answer!);
    },
  );
});

it.each([
  ['an unknown method', 'FROBNICATE /v1/me HTTP/1.1'],
  ['CONNECT', 'CONNECT elsewhere.example:443 HTTP/1.1'],
])('%s is answered after earlier requests and ends the connection', async (_, line) => {
  const answers = await send(
    head('GET /v1/me HTTP/1.1', HOST, KEY) + head(line, HOST) + head('GET /v1/me HTTP/1.1', HOST, KEY),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 405]);
});

it.each([
  ['w.:/+=@-9', true],
  ['x'.repeat(128), true],
  ['x'.repeat(129), false],
  ['a b', false],
])("a client's own request id %j is used: %s", async (id, isUsed) => {
  const [answer] = await send(get('/healthz', `X-Request-Id: ${id}`));
  const used = answer!.headers.get('x-request-id');
  expect(used).toEqual(isUsed ? id : expect.stringMatching(/^[0-9a-f-]{36}$/));
});
