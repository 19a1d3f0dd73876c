import { createHash } from 'node:crypto';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BODY_TYPES } from '../../src/graphql/media-types.ts';
import { NOW, open, personal, plan } from '../support/fixtures.ts';
import { ask, askByGet, type GraphqlOptions } from '../support/graphql.ts';
import { connectOperator } from '../support/operator.ts';
import { type Answer, startService, type TestService } from '../support/service.ts';

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startService({ now: NOW, graphiql: true });
  key = await open(service, personal('a-1'), plan('a-1'));
});
afterAll(() => service.close());

const JSON_TYPE = 'application/json';
const GRAPHQL_TYPE = 'application/graphql-response+json';
const UTF8 = '; charset=utf-8';

describe('GraphQL over HTTP', () => {
  const withKey: typeof fetch = (url, init) =>
    fetch(url, { ...init, headers: { ...(init?.headers as object), authorization: `Bearer ${key}` } });

  it.each(serverAudits({ url: () => `${service.url}/graphql`, fetchFn: withKey }))(
    '$name',
    async ({ fn }) => {
      expect(await fn()).toMatchObject({ status: 'ok' });
    },
  );
});

const VIEWER = '{ viewer { id } }';
const NOT_JSON = /^The body is not JSON: the body of a POST must be a JSON object with the member query\.$/;

/** Requests to which POST and GET must return the same response. */
const options: [what: string, query: string, asked?: GraphqlOptions][] = [
  ['a query', VIEWER],
  ['variables', 'query($t: String!) { __type(name: $t) { name } }', { variables: { t: 'Account' } }],
  ['one of several operations', 'query a { __typename } query b { viewer { id } }', { operationName: 'b' }],
  ['several operations without an operation name', 'query a { __typename } query b { viewer { id } }'],
  ['an unknown operation', 'query a { __typename }', { operationName: 'c' }],
  ['a syntax error', '{ viewer {'],
  ['an empty document', ''],
  ['a document that contains only a comment', '# nothing'],
  ['an unknown field', '{ viewer { planX } }'],
  ['a missing variable', 'query($t: String!) { __type(name: $t) { name } }'],
  [
    'a variable of the wrong type',
    'query($f: Int) { accounts(first: $f) { hasNextPage } }',
    { variables: { f: 'x' } },
  ],
  ['an undeclared variable', VIEWER, { variables: { unknown: 1 } }],
  [
    'a query that exceeds a limit',
    `{ ${Array.from({ length: 16 }, (_, i) => `a${i}: __typename`).join(' ')} }`,
  ],
  ['a forbidden root field', '{ accounts { hasNextPage } }'],
  ['a forbidden nested field', '{ viewer { id graph(type: csp, unit: months, amount: 1) { type } } }'],
  ['a mutation', 'mutation { a }'],
  [
    'a string with escapes and non-ASCII characters',
    '{ __type(name: "\\u00e9\\n\\"ä日\\ud83d\\ude00") { name } }',
  ],
];

const accepts = [
  undefined,
  '*/*',
  JSON_TYPE,
  GRAPHQL_TYPE,
  `${GRAPHQL_TYPE}, ${JSON_TYPE};q=0.9`,
  'application/*',
];

describe('POST and GET', () => {
  it.each(options.filter(([, query]) => query !== ''))(
    'give the same response for %s',
    async (_, query, options = {}) => {
      for (const accept of accepts) {
        const request = { ...options, headers: accept ? { accept } : {} };
        const answers = [
          await ask(service, key, query, request),
          await askByGet(service, key, query, request),
        ];
        const [post, get] = answers.map(({ status, headers, text }) => [
          status,
          headers.get('content-type'),
          text,
        ]);
        expect(get).toEqual(post);
      }
    },
  );
});

it.each([VIEWER, '{'])('sends every response with Cache-Control: no-store: %s', async query => {
  for (const { headers } of [await ask(service, key, query), await askByGet(service, key, query)]) {
    expect(headers.get('cache-control')).toBe('no-store');
  }
});

describe('content negotiation', () => {
  it.each([
    [undefined, JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['', JSON_TYPE],
    ['application/*', JSON_TYPE],
    [JSON_TYPE, JSON_TYPE],
    [GRAPHQL_TYPE, GRAPHQL_TYPE],
    [`${GRAPHQL_TYPE}, ${JSON_TYPE}`, GRAPHQL_TYPE],
    [`${JSON_TYPE};q=0.5, ${GRAPHQL_TYPE}`, GRAPHQL_TYPE],
    [`text/event-stream, multipart/mixed, ${JSON_TYPE}`, JSON_TYPE],
  ])('answers Accept: %s with %s', async (accept, type) => {
    const { status, headers } = await ask(service, key, VIEWER, {
      headers: accept === undefined ? {} : { accept },
    });
    expect([status, headers.get('content-type')]).toEqual([200, type + UTF8]);
  });

  it.each(['application/graphql+json', 'text/plain', 'text/event-stream;q=0', 'application/json;q=0'])(
    'returns 406 for Accept: %s',
    async accept => {
      const { status, headers, body } = await ask(service, key, VIEWER, { headers: { accept } });
      expect([status, headers.get('content-type')]).toEqual([406, JSON_TYPE + UTF8]);
      expect(body).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
    },
  );
});

describe('POST /graphql', () => {
  const post = (body: string | Buffer, contentType = JSON_TYPE, accept = GRAPHQL_TYPE, headers = {}) =>
    service.request('/graphql', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': contentType, accept, ...headers },
      body,
    });
  const QUERY = JSON.stringify({ query: VIEWER });
  /** Without the header of zlib, but its first two bytes would pass as the header's checksum. */
  const LIKE_ZLIB = Array.from({ length: 100 }, (_, at) => deflateRawSync(' '.repeat(at) + QUERY)).find(
    body => body.readUInt16BE(0) % 31 === 0,
  )!;
  const ANSWER = { data: { viewer: { id: 'a-1' } } };

  it.each([
    JSON_TYPE,
    `${JSON_TYPE}; charset=utf-8`,
    `${JSON_TYPE};charset="UTF-8"`,
    `${JSON_TYPE};charset=utf8`,
    `${JSON_TYPE}; charset=us-ascii`,
    'Application/JSON',
    `${JSON_TYPE};`,
    `${JSON_TYPE} ; ;charset=utf-8`,
    `${JSON_TYPE}; charset=utf-8; odata.metadata=minimal`,
    `${JSON_TYPE}; profile="a, b; charset=x"`,
    `${JSON_TYPE}, ${JSON_TYPE}`,
  ])('accepts the content type %s', async type => {
    const { status, body } = await post(QUERY, type);
    expect([status, body]).toEqual([200, ANSWER]);
  });

  it.each([
    ['id', 'x'],
    ['documentId', 'a/b'],
    ['doc_id', 7],
    ['onError', 'PROPAGATE'],
    ['queryId', null],
    ['extensions', { persistedQuery: undefined, clientLibrary: { name: 'a' } }],
    ['__proto__', { a: 1 }],
    ['constructor', { a: 1 }],
  ])('ignores the unknown member %s', async (name, value) => {
    const sent = `${QUERY.slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`;
    expect((await post(sent)).body).toEqual(ANSWER);
    const parameters = new URLSearchParams({ query: VIEWER, [name]: JSON.stringify(value) });
    expect((await service.get(`/graphql?${parameters}`, key)).body).toEqual(ANSWER);
  });

  it.each<[coding: string, body: Buffer]>([
    ['gzip', gzipSync(QUERY)],
    ['x-gzip', gzipSync(QUERY)],
    ['GZIP', gzipSync(QUERY)],
    ['deflate', deflateSync(QUERY)],
    ['deflate', deflateRawSync(QUERY)],
    ['deflate', LIKE_ZLIB],
    ['br', brotliCompressSync(QUERY)],
    ['identity', Buffer.from(QUERY)],
    ['', Buffer.from(QUERY)],
    ['gzip, identity', gzipSync(QUERY)],
  ])('accepts a body with Content-Encoding: %s', async (coding, sent) => {
    const { status, body } = await post(sent, JSON_TYPE, JSON_TYPE, { 'content-encoding': coding });
    expect([status, body]).toEqual([200, ANSWER]);
  });

  it.each<[what: string, coding: string, body: Buffer, status: number, text: string]>([
    ['an unknown coding', 'zstd', Buffer.from(QUERY), 415, 'Content-Encoding'],
    ['two codings', 'gzip, gzip', gzipSync(gzipSync(QUERY)), 415, 'Content-Encoding'],
    ['the name of an inherited property', 'constructor', Buffer.from(QUERY), 415, 'Content-Encoding'],
    ['plain text', 'gzip', Buffer.from(QUERY), 400, 'Content-Encoding'],
    ['a truncated body', 'gzip', gzipSync(QUERY).subarray(0, 20), 400, 'Content-Encoding'],
    ['an empty body', 'br', Buffer.alloc(0), 400, 'JSON'],
    ['a decompression bomb', 'gzip', gzipSync(Buffer.alloc(32 * 1024 * 1024, ' ')), 413, 'too large'],
    [
      'a Brotli decompression bomb',
      'br',
      brotliCompressSync(Buffer.alloc(2 * 1024 * 1024, ' ')),
      413,
      'too large',
    ],
  ])('rejects %s with Content-Encoding: %s', async (_, coding, sent, status, text) => {
    const answer = await post(sent, JSON_TYPE, JSON_TYPE, { 'content-encoding': coding });
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(text)]);
    expect(answer.headers.get('accept-encoding')).toBe(status === 415 ? 'gzip, deflate, br' : null);
  });

  it.each([
    ['identity', Buffer.from],
    ['gzip', gzipSync],
  ] as const)('can have 1 MiB, and not a byte more: %s', async (coding, encode) => {
    const most = 1024 * 1024;
    const send = (length: number) =>
      post(encode(QUERY.padEnd(length)), JSON_TYPE, JSON_TYPE, { 'content-encoding': coding });
    expect((await send(most)).body).toEqual(ANSWER);
    expect((await send(most + 1)).status).toBe(413);
  });

  it('accepts a byte order mark at the start of the body', async () => {
    expect((await post(`\ufeff${QUERY}`)).body).toEqual(ANSWER);
  });

  it('accepts an empty operation name, also as an empty parameter of a GET', async () => {
    expect((await post(JSON.stringify({ query: VIEWER, operationName: '' }))).body).toEqual(ANSWER);
    const query = `/graphql?query=${encodeURIComponent(VIEWER)}&operationName=&variables=&extensions=`;
    expect((await service.get(query, key)).body).toEqual(ANSWER);
  });

  it.each([
    [
      'Latin-1',
      Buffer.from('{"query":"{ viewer { id } } # caf\xe9"}', 'latin1'),
      /^The body is not UTF-8\.$/,
    ],
    ['UTF-16', Buffer.from(`\ufeff${QUERY}`, 'utf16le'), /^The body is not UTF-8\.$/],
    ['truncated JSON', '{"query":', NOT_JSON],
    ['a bare query', '{ viewer { id } }', NOT_JSON],
    ['a form', `query=${encodeURIComponent(VIEWER)}`, NOT_JSON],
    ['a number', '7', /^The body of a POST must be a JSON object with the member query\.$/],
    ['null', 'null', /^The body of a POST must be a JSON object with the member query\.$/],
    [
      'a number as the operation name',
      JSON.stringify({ query: VIEWER, operationName: 7 }),
      /^operationName must be text\.$/,
    ],
    ['a missing query', '{"variables":{}}', /query/],
    ['a batch', `[${QUERY}]`, /Batching/],
  ])('returns an error that describes the invalid body: %s', async (_, sent, text) => {
    const { status, body } = await post(sent);
    expect([status, body.errors[0].message]).toEqual([400, expect.stringMatching(text)]);
    expect(body.errors[0].extensions).toEqual({ code: 'BAD_REQUEST' });
  });

  it.each([
    'text/plain',
    'text/json',
    'application/graphql; charset=latin1',
    'application/x-www-form-urlencoded; charset=windows-1252',
    'multipart/form-data; boundary=x',
    `${JSON_TYPE}; charset=latin1`,
    `${JSON_TYPE}; charset=utf-16`,
    `${JSON_TYPE}x`,
    'json',
    '',
  ])('returns 415 and the supported type for the content type "%s"', async type => {
    const { status, headers, body } = await post(QUERY, type);
    expect([status, headers.get('accept')]).toEqual([415, BODY_TYPES.join(', ')]);
    const given = type === '' ? 'Content-Type is missing' : `Content-Type ${type} is not supported`;
    const message = `${given}: the body of a POST must be application/json in UTF-8.`;
    expect(body.errors).toEqual([{ message, extensions: { code: 'BAD_REQUEST' } }]);
  });

  it.each([
    ['truncated JSON', '{"query":'],
    ['an empty body', ''],
    ['null', 'null'],
    ['a number', '7'],
    ['a batch', JSON.stringify([{ query: VIEWER }, { query: VIEWER }])],
    ['an empty batch', '[]'],
    ['a missing query', '{}'],
    ['null as the query', '{"query":null}'],
    ['a number as the query', '{"query":7}'],
    ['a list as variables', JSON.stringify({ query: VIEWER, variables: [1] })],
    ['a string as variables', JSON.stringify({ query: VIEWER, variables: '{}' })],
    ['a list as extensions', JSON.stringify({ query: VIEWER, extensions: [1] })],
    ['a number as the operation name', JSON.stringify({ query: VIEWER, operationName: 7 })],
    ['an object as the operation name', JSON.stringify({ query: VIEWER, operationName: {} })],
  ])('returns 400 for %s', async (_, sent) => {
    const { status, headers, body } = await post(sent);
    expect([status, headers.get('content-type')]).toEqual([400, GRAPHQL_TYPE + UTF8]);
    expect((await post(sent, JSON_TYPE, JSON_TYPE)).status).toBe(400);
    expect(Object.keys(body)).toEqual(['errors']);
    expect(body.errors).toMatchObject([
      { message: expect.any(String), extensions: { code: expect.any(String) } },
    ]);
    expect(body.errors[0]).not.toHaveProperty('extensions.originalError');
  });

  it.each([
    [undefined, 'The document has several operations: name one in operationName.'],
    ['c', 'The document has no operation named "c".'],
  ])('returns an error if the operation name %s selects no operation', async (operationName, message) => {
    const query = 'query a { __typename } query b { viewer { id } }';
    const { status, body } = await post(JSON.stringify({ query, operationName }));
    expect([status, body]).toEqual([
      400,
      { errors: [{ message, extensions: { code: 'OPERATION_RESOLUTION_FAILURE' } }] },
    ]);
  });

  it('accepts null members and extensions', async () => {
    const sent = { query: VIEWER, variables: null, operationName: null, extensions: { a: 1 } };
    expect((await post(JSON.stringify(sent))).body).toEqual({ data: { viewer: { id: 'a-1' } } });
  });
});

describe('a persisted query', () => {
  it('makes Apollo Client send the query text, and stop sending hashes', async () => {
    const sent: string[] = [];
    const client = new ApolloClient({
      cache: new InMemoryCache(),
      link: new PersistedQueryLink({
        sha256: text => createHash('sha256').update(text).digest('hex'),
      }).concat(
        new HttpLink({
          uri: `${service.url}/graphql`,
          headers: { authorization: `Bearer ${key}` },
          fetch: (url, init) => {
            sent.push(String(init?.body));
            return fetch(url, init);
          },
        }),
      ),
    });
    for (const query of [VIEWER, '{ viewer { id type } }']) {
      const { data } = await client.query({ query: gql(query) });
      expect(data).toMatchObject({ viewer: { id: 'a-1' } });
    }
    expect(sent.map(body => 'query' in JSON.parse(body))).toEqual([false, true, true]);
  });

  it.each([undefined, null])('returns PersistedQueryNotSupported when its text is %j', async query => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'x' } };
    const answers = [
      await ask(service, key, query as never, { extensions }),
      await service.get(`/graphql?extensions=${encodeURIComponent(JSON.stringify(extensions))}`, key),
    ];
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([
        400,
        {
          errors: [
            {
              message: 'PersistedQueryNotSupported',
              extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' },
            },
          ],
        },
      ]);
    }
  });

  it('runs when its text is sent along', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'x' } };
    expect((await ask(service, key, VIEWER, { extensions })).body).toEqual({
      data: { viewer: { id: 'a-1' } },
    });
  });
});

describe('GET /graphql', () => {
  it('ignores the Content-Encoding and Content-Type of a request without a body', async () => {
    const headers = { 'content-encoding': 'gzip', 'content-type': JSON_TYPE };
    const { status } = await service.get(`/graphql?query=${encodeURIComponent(VIEWER)}`, key, headers);
    expect(status).toBe(200);
  });

  it.each([
    '',
    '?',
    '?query=',
    '?query={__typename}&variables=x',
    '?query={__typename}&variables=7',
    '?query=/health',
  ])('returns 400 for "%s"', async query => {
    const { status, body } = await service.get(`/graphql${query}`, key, { accept: GRAPHQL_TYPE });
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ message: expect.any(String) }] });
  });
});

describe('/graphql/', () => {
  it('gives the same response as /graphql', async () => {
    const init = { method: 'POST', headers: { authorization: `Bearer ${key}`, 'content-type': JSON_TYPE } };
    const posted = await service.request('/graphql/', { ...init, body: JSON.stringify({ query: VIEWER }) });
    const got = await service.get(`/graphql/?query=${encodeURIComponent(VIEWER)}`, key);
    for (const { status, body } of [posted, got]) {
      expect([status, body]).toEqual([200, { data: { viewer: { id: 'a-1' } } }]);
    }
    expect((await service.get('/graphql/', undefined, { accept: 'text/html' })).text).toContain('GraphiQL');
    expect((await service.get('/graphql//', key)).status).toBe(404);
  });
});

describe('the request pipeline', () => {
  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'])('returns 405 for %s', async method => {
    const { status, headers } = await service.request('/graphql', { method });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, POST']);
  });

  it('returns the same 401 as /v1 when there is no API key', async () => {
    const answers = [await service.get('/graphql'), await service.get('/v1/me')];
    const [here, there] = answers.map(({ status, headers, text }) => [
      status,
      text,
      headers.get('www-authenticate'),
      headers.get('content-type'),
    ]);
    expect(here).toEqual(there);
    expect(here?.[0]).toBe(401);
  });

  it("applies one rate limit to a key's requests to /graphql and /v1, and none to internal tokens", async () => {
    await using limited = await startService({ now: NOW, rateLimit: { max: 3, window: 3_600_000 } });
    const key = await open(limited, personal('a-1'), plan('a-1'));
    const internal = await limited.key('internal');
    await limited.get('/v1/me', key);
    await ask(limited, key, VIEWER);
    expect((await ask(limited, key, '{')).headers.get('ratelimit')).toMatch(/r=0/);
    const refused = await ask(limited, key, VIEWER);
    expect([refused.status, refused.text]).toEqual([429, '{"error":"Too many requests"}']);
    for (let i = 0; i < 5; i++) expect((await ask(limited, internal, VIEWER)).status).toBe(200);
  });

  it('sends the RateLimit header with every response, including errors', async () => {
    await using limited = await startService({
      now: NOW,
      rateLimit: { max: 100, window: 3_600_000 },
      mayFail: true,
    });
    const [key, trial] = [
      await open(limited, personal('a-1'), plan('a-1')),
      await open(limited, personal('a-2')),
    ];
    const options: [status: number, answer: Promise<Answer>][] = [
      [413, ask(limited, key, `{ __typename } #${'x'.repeat(1024 * 1024)}`)],
      [403, ask(limited, trial, VIEWER)],
      [403, limited.get('/v1/me', trial)],
      [403, limited.get('/export/findings', trial)],
      [404, limited.get('/v1/none', key)],
      [404, limited.get('/export/none', key)],
    ];
    const readAnswer = async ([status, answer]: (typeof options)[number]) => {
      const { headers, ...answered } = await answer;
      expect(answered.status).toBe(status);
      expect(headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+$/);
    };
    await Promise.all(options.map(readAnswer));
    const operator = connectOperator(limited.databaseUrl);
    await operator`drop table report, setup cascade`;
    await operator.end();
    const failing: typeof options = [
      [200, ask(limited, key, '{ viewer { setup { dmarc } } }')],
      [500, limited.get('/v1/setup', key)],
      [500, limited.get('/export/reports/csp', key)],
    ];
    await Promise.all(failing.map(readAnswer));
  });

  it('returns 403 when the plan does not include the API', async () => {
    const unentitled = await open(service, personal('a-2'));
    const { status, body } = await ask(service, unentitled, VIEWER);
    expect([status, body]).toEqual([403, { error: 'API access requires a Business plan or higher' }]);
  });
});

describe('GraphiQL', () => {
  const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  let page: Answer;
  beforeAll(async () => {
    page = await service.get('/graphql', undefined, browser);
  });

  it('loads without a key, and loads no external resources', () => {
    const { status, headers, text } = page;
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('Sightline GraphiQL');
    expect(text).not.toMatch(/<(script|link|img|iframe)[^>]+(src|href)="(https?:)?\/\//);
  });

  it('is allowed to connect only to this service', () => {
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toMatch(/script-src 'sha256-[\w+/=]{44}';/);
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('can run its script, and use the styles, images and workers of its own', () => {
    const [script] = page.text.slice(page.text.indexOf('<script>') + '<script>'.length).split('</script>\n');
    expect(page.headers.get('content-security-policy')!.split('; ')).toEqual([
      "default-src 'none'",
      `script-src 'sha256-${createHash('sha256').update(script!).digest('base64')}'`,
      ...["style-src 'unsafe-inline'", 'img-src data:', 'font-src data:', 'worker-src blob:'],
      ...["connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
    ]);
  });

  it('begins with a valid query and a hint, and does not store the key', async () => {
    const { text } = page;
    const options = JSON.parse(/\{"title".*\}(?=,\n)/.exec(text.slice(text.lastIndexOf('"title"') - 1))![0]);
    expect(options).toMatchObject({
      ...{ endpoint: '/graphql', shouldPersistHeaders: false },
      headers: '{\n  "Authorization": "Bearer YOUR_KEY"\n}',
    });
    const { body } = await ask(service, key, options.defaultQuery);
    expect(Object.keys(body.data.viewer)).toEqual(['id', 'plan', 'quota']);
    const parts = ['<meta name="viewport"', '</head>', '<header id="hint">', '<div id="root"></div>'];
    const places = parts.map(part => text.indexOf(part));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places).not.toContain(-1);
  });

  it('forgets its tabs, and answers by itself while there is no key', async () => {
    const [begin, end] = ["localStorage.removeItem('", 'YogaGraphiQL.renderYogaGraphiQL('];
    const start = page.text.slice(page.text.lastIndexOf(begin), page.text.lastIndexOf(end));
    const removed: string[] = [];
    const asked: unknown[] = [];
    const window = {
      fetch: async (...request: unknown[]) => {
        asked.push(request);
        return Response.json({ data: {} });
      },
    };
    const removeItem = (name: string) => removed.push(name);
    new Function('localStorage', 'window', start)({ removeItem }, window);
    expect(removed).toEqual(['graphiql:tabState']);
    const send = async (key: string) => {
      const init = { headers: { Authorization: `Bearer ${key}` } };
      return [await (await window.fetch('/graphql', init)).json(), asked.splice(0)];
    };
    const errors = [{ message: 'Put your key into Headers, below the query' }];
    expect(await send('YOUR_KEY')).toEqual([{ errors }, []]);
    const init = { headers: { Authorization: 'Bearer svc_t_x' } };
    expect(await send('svc_t_x')).toEqual([{ data: {} }, [['/graphql', init]]]);
    expect(await (await window.fetch('/graphql')).json()).toEqual({ data: {} });
  });

  it.each(['Bearer', 'bearer'])(
    'is not sent to a client that accepts HTML and has a key (%s)',
    async scheme => {
      const authorization = `${scheme} ${key}`;
      const answer = await service.get('/graphql?query={__typename}', undefined, {
        ...browser,
        authorization,
      });
      expect([answer.status, answer.body]).toEqual([200, { data: { __typename: 'Query' } }]);
    },
  );

  it('is not served when it is disabled', async () => {
    await using other = await startService({ now: NOW });
    const { status, headers } = await other.get('/graphql', undefined, browser);
    expect([status, headers.get('content-type')]).toEqual([401, 'application/json; charset=utf-8']);
  });
});
