import { readdirSync, readFileSync } from 'node:fs';
import { createYoga } from 'graphql-yoga';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphSchema } from '../../schema/index.ts';
import { BODY_TYPES } from '../../src/graphql/media-types.ts';
import { NOW, open, personal, plan, report } from '../support/fixtures.ts';
import { ask } from '../support/graphql.ts';
import { startService, type TestService } from '../support/service.ts';

const stock = createYoga({ schema: graphSchema, logging: false, landingPage: false });

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, personal('a-1'), plan('a-1'));
});
afterAll(() => service.close());

interface ResponseParts {
  status: number;
  type: string | undefined;
  text: string;
}

/** Sends the same request to this service and to Yoga with its default settings. */
async function sendToBoth(init: RequestInit & { headers: Record<string, string> }): Promise<ResponseParts[]> {
  const here = { ...init, headers: { ...init.headers, authorization: `Bearer ${key}` } };
  const answers = [
    await fetch(`${service.url}/graphql`, { ...here, method: 'POST' }),
    await stock.fetch('http://localhost/graphql', { ...init, method: 'POST' }),
  ];
  return Promise.all(
    answers.map(async answer => ({
      status: answer.status,
      type: answer.headers.get('content-type')?.replace(/; charset=utf-8$/, ''),
      // Yoga starts an event stream with a comment.
      text: (await answer.text()).replace(/^:\n\n/, ''),
    })),
  );
}

/** Requires a stream with a single result, and the length of the result in bytes where the type has one. */
function expectFramed(text: string, accept: string, result: string): void {
  const [, length, data] =
    accept === 'multipart/mixed'
      ? /^\r\n---\r\n.+\r\nContent-Length: (\d+)\r\n\r\n([^\n]+)\r\n-----\r\n$/.exec(text)!
      : /^event: next\n(data): ([^\n]+)\n\nevent: complete\ndata:\n\n$/.exec(text)!;
  expect(data).toBe(result);
  expect([String(Buffer.byteLength(result)), 'data']).toContain(length);
}

const QUERY = '{ __typename }';
const ANSWER = '{"data":{"__typename":"Query"}}';
const JSON_BODY = JSON.stringify({ query: QUERY });

/** The media types that occur in the source code of Yoga's parsers. */
function listYogaTypes(): string[] {
  const folder = new URL(
    'request-parser/',
    import.meta.resolve('graphql-yoga').replace(/[^/]+$/, 'plugins/'),
  );
  const sources = readdirSync(folder)
    .filter(name => name.endsWith('.js'))
    .map(name => readFileSync(new URL(name, folder), 'utf8'));
  return sources.flatMap(source =>
    [...source.matchAll(/request, '([a-z-]+\/[^']+)'/g)].map(([, type]) => type!),
  );
}

describe('a request body', () => {
  const samples: Record<(typeof BODY_TYPES)[number], string> = {
    'application/json': JSON_BODY,
    'application/graphql+json': JSON_BODY,
    'application/graphql': QUERY,
    'application/x-www-form-urlencoded': new URLSearchParams({ query: QUERY }).toString(),
  };

  it('can have every type that Yoga parses, except for multipart/form-data', () => {
    const documented = readFileSync(new URL('../../docs/graphql.md', import.meta.url), 'utf8');
    expect(listYogaTypes().sort()).toEqual([...BODY_TYPES, 'multipart/form-data'].sort());
    for (const type of [...BODY_TYPES, 'multipart/form-data']) expect(documented).toContain(`\`${type}\``);
  });

  const spellings = ['', ';charset=utf-8', '; charset=utf-8', ';charset=UTF-8', '; x=y', ', text/plain'];
  const rows = Object.entries(samples).flatMap(([type, body]) =>
    spellings.map((spelling): [contentType: string, body: string] => [type + spelling, body]),
  );

  it.each(rows)('gets the same response as from Yoga with Content-Type: %s', async (contentType, body) => {
    const [here, there] = await sendToBoth({ headers: { 'content-type': contentType }, body });
    expect(here).toEqual({ status: 200, type: 'application/json', text: ANSWER });
    expect(there).toEqual(here);
  });

  it.each(['text/plain', 'text/json', 'application/vnd.api+json', 'application/graphql-response+json'])(
    'gets 415, as from Yoga, with Content-Type: %s',
    async contentType => {
      const [here, there] = await sendToBoth({ headers: { 'content-type': contentType }, body: JSON_BODY });
      expect([here!.status, there!.status]).toEqual([415, 415]);
    },
  );

  const send = async (type: keyof typeof samples, body: string | Buffer) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': type };
    return service.request('/graphql', { method: 'POST', headers, body });
  };

  it('can be a form with the parameters of a GET request', async () => {
    const form = new URLSearchParams({
      query: 'query a { __typename } query b($t: String!) { __type(name: $t) { name } }',
      operationName: 'b',
      variables: '{"t":"Account"}',
      extensions: '{"a":1}',
      id: 'x',
    });
    const { body } = await send('application/x-www-form-urlencoded', form.toString());
    expect(body).toEqual({ data: { __type: { name: 'Account' } } });
  });

  it('counts only the first of a repeated parameter, in a form as in a GET request', async () => {
    const [first, second] = ['query={a:__typename}', 'query={b:__typename}'];
    const answer = { data: { a: 'Query' } };
    const form = `${first}&variables=&operationName=&${second}`;
    expect((await send('application/x-www-form-urlencoded', form)).body).toEqual(answer);
    expect((await service.get(`/graphql?x=1&${form}`, key)).body).toEqual(answer);
  });

  it('is refused with at most a hundred characters of its type', async () => {
    const type = `text/${'x'.repeat(96)}`;
    const { body } = await send(type as never, '');
    expect(body.errors[0].message).toBe(
      `Content-Type ${type.slice(0, 100)} is not supported: the body of a POST must be application/json in UTF-8.`,
    );
  });

  it.each<[what: string, type: keyof typeof samples, body: string, text: string]>([
    ['a form without a query', 'application/x-www-form-urlencoded', 'a=b', 'query'],
    ['an empty form', 'application/x-www-form-urlencoded', '', 'query'],
    [
      'a form with broken encoding',
      'application/x-www-form-urlencoded',
      'query=%e4',
      'The field query is not percent-encoded UTF-8.',
    ],
    [
      'a form whose variables are not JSON',
      'application/x-www-form-urlencoded',
      'query={__typename}&variables=x',
      'variables and extensions must be JSON',
    ],
    ['a form of many fields', 'application/x-www-form-urlencoded', 'a&'.repeat(10_001), '10000 values'],
    [
      'a form with many variables',
      'application/x-www-form-urlencoded',
      `query={__typename}&variables=[${'1,'.repeat(10_001)}1]`,
      '10000 values',
    ],
    ['an empty document', 'application/graphql', '', 'Must provide query'],
    ['a document with an error', 'application/graphql', '{', 'Syntax Error'],
  ])('gets a clear error for %s', async (_, type, body, text) => {
    const answer = await send(type, body);
    expect([answer.status, answer.body]).toMatchObject([
      expect.toSatisfy((status: number) => status === 200 || status === 400),
      { errors: [{ message: expect.stringContaining(text) }] },
    ]);
  });

  it.each(Object.entries(samples))('of the type %s is refused if it is not UTF-8', async (type, body) => {
    const { status, body: answer } = await send(
      type as keyof typeof samples,
      Buffer.concat([Buffer.from(body), Buffer.of(0xff)]),
    );
    expect([status, answer]).toEqual([
      400,
      { errors: [{ message: 'The body is not UTF-8.', extensions: { code: 'BAD_REQUEST' } }] },
    ]);
  });
});

/** Each type that Yoga's 406 response lists in `Accept`, and then combinations of them. */
const accepted = [
  ['application/json', 'application/json'],
  ['application/graphql-response+json', 'application/graphql-response+json'],
  ['text/event-stream', 'text/event-stream'],
  ['multipart/mixed', 'multipart/mixed; boundary="-"'],
  ['text/event-stream; charset=utf-8', 'text/event-stream'],
  ['text/*', 'text/event-stream'],
  ['multipart/*', 'multipart/mixed; boundary="-"'],
  ['application/*', 'application/json'],
  ['*/*', 'application/json'],
  ['application/xml, */*;q=0.1', 'application/json'],
  ['text/event-stream, application/json', 'application/json'],
  ['multipart/mixed, text/event-stream, application/json;q=0.1', 'application/json'],
  ['multipart/mixed;deferSpec=20220824, application/json', 'application/json'],
  ['application/graphql-response+json, text/event-stream', 'application/graphql-response+json'],
  ['application/graphql-response+json, application/json;q=0.9', 'application/graphql-response+json'],
  ['TEXT/EVENT-STREAM', 'text/event-stream'],
] as const;

describe('a response', () => {
  it('can have every type that Yoga offers', async () => {
    const headers = { accept: 'text/none', 'content-type': 'application/json' };
    const refused = await stock.fetch('http://localhost/graphql', {
      method: 'POST',
      headers,
      body: JSON_BODY,
    });
    const types = refused.headers.get('accept')!.replaceAll('; charset=utf-8', '').split(', ');
    expect(refused.status).toBe(406);
    expect(types.sort()).toEqual(
      accepted
        .slice(0, 4)
        .map(([type]): string => type)
        .sort(),
    );
  });

  it.each(accepted)('has the same type and text as that of Yoga for Accept: %s', async (accept, type) => {
    const headers = { accept, 'content-type': 'application/json' };
    const [here, there] = await sendToBoth({ headers, body: JSON_BODY });
    expect(here).toMatchObject({ status: 200, type });
    expect(here!.text).toContain(ANSWER);
    expect(there).toEqual(here);
  });

  it.each([['text/plain'], ['application/graphql+json'], ['text/html']])(
    'is 406, as from Yoga, for Accept: %s',
    async accept => {
      const headers = { accept, 'content-type': 'application/json' };
      const [here, there] = await sendToBoth({ headers, body: JSON_BODY });
      expect([here!.status, there!.status]).toEqual([406, 406]);
    },
  );

  it.each(['{', '{ none }', '{ __type(name: 7) { name } }'])(
    'contains the errors of an invalid query as an event: %s',
    async query => {
      const headers = { accept: 'text/event-stream', 'content-type': 'application/json' };
      const answers = await sendToBoth({ headers, body: JSON.stringify({ query }) });
      const [here, there] = answers.map(({ status, type, text }) => {
        const [, data] = /^event: next\ndata: (.+)\n\nevent: complete\ndata:\n\n$/.exec(text)!;
        return { status, type, message: JSON.parse(data!).errors[0].message };
      });
      expect(here).toMatchObject({ status: 200, type: 'text/event-stream' });
      expect(there).toEqual(here);
    },
  );

  it.each<[what: string, sent: { body: string; headers?: Record<string, string> }, status: number]>([
    ['no JSON', { body: '{' }, 400],
    ['a body of another type', { body: 'x', headers: { 'content-type': 'text/plain' } }, 415],
    ['no key', { body: JSON_BODY, headers: { authorization: '' } }, 401],
  ])('is plain JSON for an event stream client that sends %s', async (_, { body, headers }, status) => {
    const answer = await service.request('/graphql', {
      method: 'POST',
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...headers,
      },
      body,
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      status,
      'application/json; charset=utf-8',
    ]);
    expect(JSON.stringify(answer.body)).toContain('error');
  });

  it.each(['text/event-stream', 'multipart/mixed'])(
    'frames long texts and escaped line ends as %s',
    async accept => {
      const raw = JSON.stringify({ a: '\n\r\u2028 ---\n\nevent: x\ndata: y' });
      const lines = Array.from({ length: 300 }, (_, index) =>
        report('a-1', 'csp', `r-${index}`, { raw, uri: `https://a.example/${'é'.repeat(300)}` }),
      );
      await service.load(...lines);
      const query = `{ viewer { reports(type: csp, unit: days, date: "${NOW.slice(0, 10)}") {
        reports { ... on CspReport { recordId uri raw } } } } }`;
      const plain = await ask(service, key, query);
      expect(plain.text.length).toBeGreaterThan(100_000);
      const framed = await ask(service, key, query, { headers: { accept } });
      expectFramed(framed.text, accept, plain.text);
    },
  );

  it.each(['text/event-stream', 'multipart/mixed'])(
    'frames letters outside ASCII of a response without rows as %s',
    async accept => {
      const own = await open(service, personal('zoe', { email: 'zoë@例え.example' }), plan('zoe'));
      const query = '{ viewer { id email } }';
      const plain = await ask(service, own, query);
      expect(plain.body.data.viewer).toEqual({ id: 'zoe', email: 'zoë@例え.example' });
      const framed = await ask(service, own, query, { headers: { accept } });
      expectFramed(framed.text, accept, plain.text);
    },
  );
});
