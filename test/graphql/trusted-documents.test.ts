import { createHash } from 'node:crypto';
import { type DocumentNode, print } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as ofClient from '../../packages/client/src/documents.generated.ts';
import { createClient } from '../../packages/client/src/index.ts';
import * as ofTools from '../../packages/tools/src/documents.generated.ts';
import * as ofPage from '../../packages/web/src/app/browser/documents/documents.generated.ts';
import { CLIENT_DOCUMENTS, PAGE_DOCUMENTS } from '../../src/graphql/trusted-documents.generated.ts';
import { NOW, plan, team } from '../support/fixtures.ts';
import { ask } from '../support/graphql.ts';
import { startService, type TestService } from '../support/service.ts';

const toHash = (text: string) => createHash('sha256').update(text).digest('hex');

/** The operations in a module of documents, by the names of their constants. */
const listOperations = (module: object): [name: string, document: unknown][] =>
  Object.entries(module).filter(
    ([name]) => /(?<!Fragment)Document$/.test(name) && !name.endsWith('FragmentDoc'),
  );

const toText = (document: unknown) =>
  document instanceof String ? String(document) : print(document as DocumentNode);

const VIEWER = '{ viewer { id } }';

let open: TestService;
let limited: TestService;
let keys: Map<TestService, string>;
beforeAll(async () => {
  open = await startService({ now: NOW });
  limited = await startService({ now: NOW, documents: 'trusted' });
  keys = new Map();
  for (const service of [open, limited]) {
    await service.load(team('crew'), plan('crew'));
    keys.set(service, await service.key('team', 'crew'));
  }
});
afterAll(async () => {
  await open.close();
  await limited.close();
});

const post = (service: TestService, body: object) =>
  service.request('/graphql', {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.get(service)}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const asHash = (sha256Hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });

describe('the list of trusted documents', () => {
  it.each([
    ['the client', ofClient, CLIENT_DOCUMENTS, 7],
    ['the tools', ofTools, CLIENT_DOCUMENTS, 11],
    ['the page', ofPage, PAGE_DOCUMENTS, 20],
  ])('contains every operation of %s', (_, module, list, least) => {
    const operations = listOperations(module);
    const missing = operations.filter(([, document]) => list[toHash(toText(document))] !== toText(document));
    expect(missing).toEqual([]);
    expect(operations.length).toBeGreaterThanOrEqual(least);
  });

  it.each([
    ['the client', ofClient],
    ['the tools', ofTools],
  ])('identifies the operations of %s by the hash they carry', (_, module) => {
    for (const [, document] of listOperations(module))
      expect(document).toMatchObject({ __meta__: { hash: toHash(toText(document)) } });
  });
});

describe.each([
  ['a service without a document limit', () => open],
  ['a service limited to trusted documents', () => limited],
])('%s', (_, service) => {
  const { hash } = (ofClient.ViewerDocument as { __meta__?: { hash?: string } }).__meta__!;

  it('runs a listed document by its hash, with POST and GET', async () => {
    const { body } = await post(service(), asHash(hash!));
    expect(body).toMatchObject({ data: { viewer: { id: 'crew' } } });
    const extensions = encodeURIComponent(JSON.stringify(asHash(hash!).extensions));
    const read = await service().get(`/graphql?extensions=${extensions}`, keys.get(service()));
    expect(read.body).toEqual(body);
  });

  it('runs the text of a listed document', async () => {
    const { body } = await post(service(), { query: print(ofClient.ViewerDocument as DocumentNode) });
    expect(body).toMatchObject({ data: { viewer: { id: 'crew' } } });
  });

  it('runs the text of a listed document with its variables and the name of its operation', async () => {
    const query = Object.values(CLIENT_DOCUMENTS).find(text => text.includes('query AccountOverview('))!;
    const ask = async (operationName: string) =>
      (await post(service(), { query, variables: { id: 'crew' }, operationName })).body;
    expect(await ask('AccountOverview')).toMatchObject({ data: { account: { id: 'crew' } } });
    expect((await ask('Other')).errors[0].message).toBe('The document has no operation named "Other".');
  });

  it('answers the client library', async () => {
    const client = createClient({ baseUrl: service().url, key: keys.get(service())! });
    expect(await client.graphql(ofClient.ViewerDocument, {})).toMatchObject({ viewer: { id: 'crew' } });
  });
});

describe('a service limited to trusted documents', () => {
  const REFUSED = {
    errors: [
      {
        message: expect.stringMatching(
          /only documents on its list: .*@sightline\/client.*GRAPHQL_DOCUMENTS=any/,
        ),
        extensions: { code: 'DOCUMENT_NOT_TRUSTED' },
      },
    ],
  };

  it.each([
    ['an unlisted query', { query: VIEWER }],
    ['introspection', { query: '{ __schema { queryType { name } } }' }],
    [
      'a listed query with an additional space',
      { query: `${print(ofClient.ViewerDocument as DocumentNode)} ` },
    ],
    ['an unknown hash', asHash(toHash(VIEWER))],
    ['an unknown hash with its query', { query: VIEWER, ...asHash(toHash(VIEWER)) }],
    ['an inherited property name as the hash', asHash('constructor')],
    [
      'an unlisted query with the hash of a listed one',
      { query: VIEWER, ...asHash(Object.keys(CLIENT_DOCUMENTS)[0]!) },
    ],
  ])('rejects %s with advice', async (_, sent) => {
    const { status, body } = await post(limited, sent);
    expect([status, body]).toEqual([400, REFUSED]);
  });
});

it('the client sends the query text when the service does not know the hash', async () => {
  const sent: object[] = [];
  const client = createClient({
    baseUrl: open.url,
    key: keys.get(open)!,
    fetch: async request => {
      sent.push(await request.clone().json());
      return fetch(request);
    },
  });
  const document = Object.assign(new String(VIEWER), { __meta__: { hash: toHash(VIEWER) } });
  for (const _time of [1, 2]) {
    expect(await client.graphql(document, {})).toEqual({ viewer: { id: 'crew' } });
  }
  expect(sent.map(body => 'query' in body)).toEqual([false, true, true]);
});

it('a service without a document limit runs unlisted documents', async () => {
  expect((await ask(open, keys.get(open)!, VIEWER)).body).toEqual({ data: { viewer: { id: 'crew' } } });
});
