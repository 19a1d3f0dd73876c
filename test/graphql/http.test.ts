import { createHash } from 'node:crypto';
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOW, open, personal, plan } from '../support/fixtures.ts';
import { type Asked, ask, askByGet } from '../support/graphql.ts';
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

/** Requests of which both ways must make the same. */
const asked: [what: string, query: string, asked?: Asked][] = [
  ['a query', VIEWER],
  ['variables', 'query($t: String!) { __type(name: $t) { name } }', { variables: { t: 'Account' } }],
  ['one of several operations', 'query a { __typename } query b { viewer { id } }', { operationName: 'b' }],
  ['none of several operations', 'query a { __typename } query b { viewer { id } }'],
  ['an operation that is not there', 'query a { __typename }', { operationName: 'c' }],
  ['an error of the syntax', '{ viewer {'],
  ['an empty document', ''],
  ['nothing but a comment', '# nothing'],
  ['a field that is not there', '{ viewer { planX } }'],
  ['a missing variable', 'query($t: String!) { __type(name: $t) { name } }'],
  ['a wrong variable', 'query($f: Int) { accounts(first: $f) { hasNextPage } }', { variables: { f: 'x' } }],
  ['a variable too many', VIEWER, { variables: { unknown: 1 } }],
  ['a limit', `{ ${Array.from({ length: 16 }, (_, i) => `a${i}: __typename`).join(' ')} }`],
  ['a refusal', '{ accounts { hasNextPage } }'],
  ['a refusal below', '{ viewer { id graph(type: csp, unit: months, amount: 1) { type } } }'],
  ['a mutation', 'mutation { a }'],
  ['text of all kinds', '{ __type(name: "\\u00e9\\n\\"ä日\\ud83d\\ude00") { name } }'],
];

const accepts = [
  undefined,
  '*/*',
  JSON_TYPE,
  GRAPHQL_TYPE,
  `${GRAPHQL_TYPE}, ${JSON_TYPE};q=0.9`,
  'application/*',
];

describe('a POST and a GET answer the same', () => {
  it.each(asked.filter(([, query]) => query !== ''))('%s', async (_, query, asked = {}) => {
    for (const accept of accepts) {
      const request = { ...asked, headers: accept ? { accept } : {} };
      const answers = [await ask(service, key, query, request), await askByGet(service, key, query, request)];
      const [post, get] = answers.map(({ status, headers, text }) => [
        status,
        headers.get('content-type'),
        text,
      ]);
      expect(get).toEqual(post);
    }
  });
});

it.each([VIEWER, '{'])('no answer is kept by caches: %s', async query => {
  for (const { headers } of [await ask(service, key, query), await askByGet(service, key, query)]) {
    expect(headers.get('cache-control')).toBe('no-store');
  }
});

describe('the form of the answer', () => {
  it.each([
    [undefined, JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['application/*', JSON_TYPE],
    [JSON_TYPE, JSON_TYPE],
    [GRAPHQL_TYPE, GRAPHQL_TYPE],
    [`${GRAPHQL_TYPE}, ${JSON_TYPE}`, GRAPHQL_TYPE],
    [`${JSON_TYPE};q=0.5, ${GRAPHQL_TYPE}`, GRAPHQL_TYPE],
    [`text/event-stream, multipart/mixed, ${JSON_TYPE}`, JSON_TYPE],
  ])('for Accept: %s is %s', async (accept, type) => {
    const { status, headers } = await ask(service, key, VIEWER, { headers: accept ? { accept } : {} });
    expect([status, headers.get('content-type')]).toEqual([200, type + UTF8]);
  });

  it.each(['text/event-stream', 'multipart/mixed', 'text/plain', 'application/json;q=0', ''])(
    'is refused with 406 for Accept: %s',
    async accept => {
      const { status, headers, body } = await ask(service, key, VIEWER, { headers: { accept } });
      expect([status, headers.get('content-type')]).toEqual([406, JSON_TYPE + UTF8]);
      expect(body).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
    },
  );
});

describe('a POST', () => {
  const post = (body: string, contentType = JSON_TYPE, accept = GRAPHQL_TYPE) =>
    service.request('/graphql', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': contentType, accept },
      body,
    });

  it.each([JSON_TYPE, `${JSON_TYPE}; charset=utf-8`, `${JSON_TYPE};charset="UTF-8"`, 'Application/JSON'])(
    'is read as %s',
    async type => {
      const { status, body } = await post(JSON.stringify({ query: VIEWER }), type);
      expect([status, body]).toEqual([200, { data: { viewer: { id: 'a-1' } } }]);
    },
  );

  it.each([
    'text/plain',
    'application/graphql',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    `${JSON_TYPE}; charset=latin1`,
    `${JSON_TYPE}x`,
  ])('is refused with 415 as %s', async type => {
    const { status, body } = await post(JSON.stringify({ query: VIEWER }), type);
    expect(status).toBe(415);
    expect(body).toMatchObject({ errors: [{ message: expect.any(String) }] });
  });

  it.each([
    ['no JSON', '{"query":'],
    ['nothing', ''],
    ['null', 'null'],
    ['a number', '7'],
    ['a batch', JSON.stringify([{ query: VIEWER }, { query: VIEWER }])],
    ['an empty batch', '[]'],
    ['no query', '{}'],
    ['a null for a query', '{"query":null}'],
    ['a number for a query', '{"query":7}'],
    ['a list of variables', JSON.stringify({ query: VIEWER, variables: [1] })],
    ['text for variables', JSON.stringify({ query: VIEWER, variables: '{}' })],
    ['a list of extensions', JSON.stringify({ query: VIEWER, extensions: [1] })],
    ['a number for a name', JSON.stringify({ query: VIEWER, operationName: 7 })],
    ['an object for a name', JSON.stringify({ query: VIEWER, operationName: {} })],
    ['an unknown parameter', JSON.stringify({ query: VIEWER, id: 'x' })],
    ['a prototype', '{"query":"{__typename}","__proto__":{"a":1}}'],
  ])('is refused with 400 for %s', async (_, sent) => {
    const { status, headers, body } = await post(sent);
    expect([status, headers.get('content-type')]).toEqual([400, GRAPHQL_TYPE + UTF8]);
    expect((await post(sent, JSON_TYPE, JSON_TYPE)).status).toBe(400);
    expect(Object.keys(body)).toEqual(['errors']);
    expect(body.errors).toMatchObject([
      { message: expect.any(String), extensions: { code: expect.any(String) } },
    ]);
    expect(body.errors[0]).not.toHaveProperty('extensions.originalError');
  });

  it('may carry nulls and extensions', async () => {
    const sent = { query: VIEWER, variables: null, operationName: null, extensions: { a: 1 } };
    expect((await post(JSON.stringify(sent))).body).toEqual({ data: { viewer: { id: 'a-1' } } });
  });
});

describe('a persisted query', () => {
  it("makes Apollo's link send the text, and no hash again", async () => {
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

  it.each([undefined, null])('is refused as such where its text is %j', async query => {
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

  it('runs where its text comes with it', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'x' } };
    expect((await ask(service, key, VIEWER, { extensions })).body).toEqual({
      data: { viewer: { id: 'a-1' } },
    });
  });
});

describe('a GET', () => {
  it.each([
    '',
    '?',
    '?query=',
    '?query={__typename}&variables=x',
    '?query={__typename}&variables=7',
    '?query=/health',
  ])('is refused with 400 for %s', async query => {
    const { status, body } = await service.get(`/graphql${query}`, key, { accept: GRAPHQL_TYPE });
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ message: expect.any(String) }] });
  });
});

describe('the doors', () => {
  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'])('refuse %s with 405', async method => {
    const { status, headers } = await service.request('/graphql', { method });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, POST']);
  });

  it('refuse who has no key with 401, as /v1 does', async () => {
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

  it('count the requests of a key on both sides together, and not those of internal tokens', async () => {
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

  it('say what is left of the rate whatever comes of a request, as on every side', async () => {
    await using limited = await startService({
      now: NOW,
      rateLimit: { max: 100, window: 3_600_000 },
      mayFail: true,
    });
    const [key, trial] = [
      await open(limited, personal('a-1'), plan('a-1')),
      await open(limited, personal('a-2')),
    ];
    const asked: [status: number, answer: Promise<Answer>][] = [
      [413, ask(limited, key, `{ __typename } #${'x'.repeat(1024 * 1024)}`)],
      [403, ask(limited, trial, VIEWER)],
      [403, limited.get('/v1/me', trial)],
      [403, limited.get('/export/findings', trial)],
      [404, limited.get('/v1/none', key)],
      [404, limited.get('/export/none', key)],
    ];
    const told = async ([status, answer]: (typeof asked)[number]) => {
      const { headers, ...told } = await answer;
      expect(told.status).toBe(status);
      expect(headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+$/);
    };
    await Promise.all(asked.map(told));
    const operator = connectOperator(limited.databaseUrl);
    await operator`drop table report, setup cascade`;
    await operator.end();
    const failing: typeof asked = [
      [200, ask(limited, key, '{ viewer { setup { dmarc } } }')],
      [500, limited.get('/v1/setup', key)],
      [500, limited.get('/export/reports/csp', key)],
    ];
    await Promise.all(failing.map(told));
  });

  it('refuse an account whose plan does not include the API with 403', async () => {
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

  it('is there without a key, and brings everything along', () => {
    const { status, headers, text } = page;
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('Sightline GraphiQL');
    expect(text).not.toMatch(/<(script|link|img|iframe)[^>]+(src|href)="(https?:)?\/\//);
  });

  it('may talk to this service alone', () => {
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toMatch(/script-src 'sha256-[\w+/=]{44}';/);
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
  });

  it('is not there where it is switched off', async () => {
    await using other = await startService({ now: NOW });
    const { status, headers } = await other.get('/graphql', undefined, browser);
    expect([status, headers.get('content-type')]).toEqual([401, 'application/json; charset=utf-8']);
  });
});
