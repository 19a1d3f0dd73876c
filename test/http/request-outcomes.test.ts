import { BlockList } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SessionDocument } from '../../packages/web/src/app/browser/documents/documents.generated.ts';
import { createProxyLogin } from '../../src/pages/login/proxy-login.ts';
import { OneTimeKey } from '../../src/pages/sign-in.ts';
import { builtFiles } from '../support/built.ts';
import { exchange } from '../support/exchange.ts';
import { finding, NOW, open, personal, plan, watch } from '../support/fixtures.ts';
import { groupByPlace, type Outcome } from '../support/group-outcomes.ts';
import { type Answer, startService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** Records the response and the log line of each kind of request, with one unusual header at a time. */

const SECRET = 'a-secret-of-thirty-two-characters-or-more';

let service: TestService;
let keys: Record<'own' | 'unentitled' | 'internal', string>;
const oneTimeKey = new OneTimeKey('the key');
const lines: string[] = [];

beforeAll(async () => {
  const peers = new BlockList();
  peers.addAddress('127.0.0.1');
  const names = { userHeader: 'x-forwarded-user', groupsHeader: 'x-forwarded-groups' };
  const login = createProxyLogin(
    { peers, secret: SECRET, ...names, accountsFile: '', signOut: '/sign-out' },
    { listAccounts: user => (user === 'ann' ? ['ada', 'missing', 'bob'] : []) },
  );
  service = await startService({ now: NOW, login, oneTimeKey, onLog: line => lines.push(line) });
  keys = {
    own: await open(service, personal('ada'), plan('ada')),
    unentitled: await open(service, personal('bob')),
    internal: await service.key('internal'),
  };
  await service.load(
    watch('ada', 'script', 'own.example.com'),
    finding('ada', 'script', 'own.example.com', 'https://cdn.example.net/a.js'),
  );
});
afterAll(() => service.close());

interface Sent {
  method: string;
  target: string;
  headers: Record<string, string | undefined>;
  body?: string;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const ANN = { 'x-sightline-proxy-secret': SECRET, 'x-forwarded-user': 'ann' };

const get = (target: string, headers = {}): Sent => ({ method: 'GET', target, headers });
const post = (target: string, body: object, headers = {}): Sent => ({
  method: 'POST',
  target,
  headers: { ...JSON_TYPE, ...headers },
  body: JSON.stringify(body),
});

function listRequests(): Sent[] {
  const [script, style] = ['.js', '.css'].map(
    end => builtFiles('app').find(({ name }) => name.endsWith(end))!,
  );
  return [
    ...['/v1/me', '/v1/nothing', '/v1/reports/csp?unit=days&date=2026-05-20'].map(path => get(path)),
    get('/graphql?query={viewer{id}}'),
    post('/graphql', { query: '{ viewer { id } }' }),
    ...['/export/findings', '/export/metrics', '/export'].map(path => get(path)),
    ...['/app', `/app/${script!.name}`, `/app/${style!.name}`, '/app/nothing.js'].map(path => get(path)),
    post('/app/sign-in', { code: 'another' }),
    get('/app/session', ANN),
    post('/app/graphql?account=ada', { query: String(SessionDocument) }, ANN),
    ...['/', '/openapi.json', '/healthz', '/readyz', '/nothing'].map(path => get(path)),
  ];
}

/** Unusual headers, sent one at a time; `OWN` is a placeholder for the entity tag of the response. */
const HEADERS: Record<string, readonly string[]> = {
  Accept: [
    'text/html',
    'text/html;q=0, */*',

    'text/csv',
    'image/png',
  ],
  'If-None-Match': ['OWN', '"other"', '"other", OWN', 'xOWN', '*'],
  'Accept-Encoding': ['gzip', 'br;q=0.5, gzip;q=0.4', 'identity;q=0', '*'],
  'Content-Type': ['text/plain', 'application/x-www-form-urlencoded'],
  'Content-Encoding': ['gzip'],
  Expect: ['100-continue'],
  'X-Forwarded-User': ['eve'],
  'Sec-Fetch-Site': ['cross-site', 'same-origin'],
};

/** Headers that the service does not evaluate. */
const UNUSED = {
  ...{ 'if-match': '"other"', 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
  ...{ 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT', range: 'bytes=0-3' },
  ...{ 'x-forwarded-for': '192.0.2.1', 'x-forwarded-host': 'other.example', 'x-forwarded-proto': 'https' },
  ...{ origin: 'https://other.example', 'x-http-method-override': 'DELETE', cookie: 'a=b' },
};

function* changeRequest(sent: Sent, tag: string): Generator<[change: string, sent: Sent]> {
  for (const method of ['HEAD', 'POST', 'PUT', 'BREW']) yield [`method: ${method}`, { ...sent, method }];
  const browser = { ...sent.headers, accept: 'text/html' };
  yield ['method: HEAD of a browser', { ...sent, method: 'HEAD', headers: browser }];
  yield ['method: POST of a browser', { ...sent, method: 'POST', headers: browser }];
  const known = { ...browser, 'if-none-match': '*', 'accept-encoding': 'gzip' };
  yield ['a browser that knows the page', { ...sent, headers: known }];
  const preflight = { origin: 'https://other.example', 'access-control-request-method': 'POST' };
  yield ['method: OPTIONS as a preflight', { ...sent, method: 'OPTIONS', headers: preflight }];
  yield ['unused headers', { ...sent, headers: { ...sent.headers, ...UNUSED } }];
  for (const [name, values] of Object.entries(HEADERS)) {
    for (const value of values) {
      const headers = { ...sent.headers, [name.toLowerCase()]: value.replace('OWN', tag) };
      yield [`${name}: ${value.replace(' ', '_')}`, { ...sent, headers }];
    }
  }
  const credentials = {
    none: undefined,
    basic: `Basic ${btoa(`${keys.own}:`)}`,
    invalid: 'Bearer svc_d_x',
    spaces: `bearer   ${keys.own}`,
    unentitled: `Bearer ${keys.unentitled}`,
    internal: `Bearer ${keys.internal}`,
  };
  for (const [name, authorization] of Object.entries(credentials))
    yield [`Authorization: ${name}`, { ...sent, headers: { ...sent.headers, authorization } }];
}

/** Headers of every response, which are checked instead of recorded. */
const USUAL = [
  'date',
  'connection',
  'keep-alive',
  'x-request-id',
  'x-content-type-options',
  'content-length',
];
const policies: string[] = [];

/** Shortens values that depend on the content of the pages or on earlier requests. */
function describeHeader(name: string, value: string, tag: string): string {
  if (name === 'etag') return value === tag ? 'its tag' : 'another tag';
  if (name === 'ratelimit') return value.replace(/\d+/g, '…');
  if (name !== 'content-security-policy') return value;
  const policy = value.replace(/sha256-[\w+/=]+/g, 'sha256-…');
  if (!policies.includes(policy)) policies.push(policy);
  return `policy ${policies.indexOf(policy) + 1}`;
}

function describeBody({ text, headers }: Answer, usual: string): string {
  if (text === '') return 'no body';
  if (text === usual) return 'its body';
  return /json|plain/.test(headers.get('content-type') ?? '') ? text.slice(0, 200) : 'another body';
}

function describeAnswer(answer: Answer, usual: Answer | undefined): string {
  const tag = (usual ?? answer).headers.get('etag') ?? '';
  const headers = [...answer.headers].filter(([name]) => !USUAL.includes(name));
  return [
    answer.status,
    ...headers.map(([name, value]) => `${name}: ${describeHeader(name, value, tag)}`),
    describeBody(answer, usual?.text ?? ''),
  ].join(' | ');
}

/** Checks the headers that do not depend on the kind of request. */
function checkUsual({ status, headers, text }: Answer, id: string, { method }: Sent): void {
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  // A method that Node's parser refuses has no headers.
  expect(headers.get('x-request-id')).toEqual(method === 'BREW' ? expect.stringMatching(/^[\w-]{36}$/) : id);
  const length = headers.get('content-length');
  const isChunked = headers.get('transfer-encoding') === 'chunked';
  if (status === 304 || isChunked) expect(length).toBeNull();
  else if (method === 'HEAD') expect(Number(length)).toBeGreaterThanOrEqual(0);
  else if (!headers.has('content-encoding')) expect(Number(length)).toBe(Buffer.byteLength(text));
}

/** Describes the log line of a request, without its times. */
function describeLine(id: string, method: string, { status: sent, text, headers }: Answer): string {
  const found = lines.find(text => text.includes(`"requestId":"${id}","method"`));
  if (!found) return 'no log line';
  const { time: _, pid: _pid, hostname: _host, requestId: _id, ms, ...line } = JSON.parse(found);
  const { method: said, status, bytes, msg, ...rest } = line;
  expect([said, status, msg, typeof ms]).toEqual([method, sent, 'request', 'number']);
  if (text !== '' && !headers.has('content-encoding')) expect(bytes).toBe(Buffer.byteLength(text));
  return JSON.stringify(rest);
}

it('each request has the response and the log line that are recorded', async () => {
  const sections: string[] = [];
  let number = 0;
  const send = async ({ method, target, headers, body }: Sent) => {
    const id = `request-${++number}.`;
    const authorization = `Bearer ${keys.own}`;
    const init = {
      method,
      headers: { authorization, 'x-request-id': id, ...headers },
      ...(body && { body }),
    };
    const answer = await service.request(target, init);
    checkUsual(answer, id, { method, target, headers });
    return { id, method, answer };
  };
  for (const sent of listRequests()) {
    const usual = await send(sent);
    const answers: [string, typeof usual][] = [['usual', usual]];
    for (const [change, changed] of changeRequest(sent, usual.answer.headers.get('etag') ?? '"none"'))
      answers.push([change, await send(changed)]);
    const last = answers.findLast(([, { answer }]) => answer.status !== 405)![1].id;
    if (!/^.(healthz|readyz)/.test(sent.target)) await until(() => lines.some(line => line.includes(last)));
    const outcomes = answers.map(
      ([change, { id, method, answer }]): Outcome => [
        change,
        `${describeAnswer(answer, usual.answer)} | ${describeLine(id, method, answer)}`,
      ],
    );
    const { text } = usual.answer;
    const name = `${sent.method} ${sent.target.replace(/\.[\w-]+\.(js|css)$/, '.….$1')}`;
    sections.push(
      `${name}${/^[{[]/.test(text) && text.length < 300 ? `: ${text}` : ''}\n${groupByPlace(outcomes)}`,
    );
  }
  const legend = policies.map((policy, index) => `policy ${index + 1}: ${policy}\n`).join('');
  await expect(`${sections.join('\n')}\n${legend}`).toMatchFileSnapshot('./recorded/request-outcomes.txt');
});

it('a request that the server refuses by its length has a log line as well', async () => {
  const { status } = await exchange(`${service.url}/v1/me?${'a'.repeat(128 * 1024)}`, {
    headers: { 'x-request-id': 'too-long' },
  });
  const line = await until(() => lines.find(text => text.includes('"requestId":"too-long"')) ?? false);
  expect([status, JSON.parse(line)]).toEqual([414, expect.objectContaining({ method: 'GET', status: 414 })]);
});
