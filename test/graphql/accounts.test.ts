import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { finding, NOW, open, personal, plan, report, watch } from '../support/fixtures.ts';
import { ask, data } from '../support/graphql.ts';
import { startService, type TestService } from '../support/service.ts';

const IDS = ['a-1', 'a-2', 'a-3', 'ä', '日本'];

let service: TestService;
let internal: string;
let key: string;

beforeAll(async () => {
  service = await startService({ now: NOW });
  await service.load(...IDS.slice(1).map(id => personal(id, { email: 'ada@example.com' })));
  key = await open(service, personal('a-1'), plan('a-1'));
  internal = await service.key('internal');
});
afterAll(() => service.close());

const PAGE = `query Page($first: Int, $after: String) {
  accounts(first: $first, after: $after) { nodes { id } pageInfo { endCursor hasNextPage } }
}`;

// biome-ignore lint/suspicious/noExplicitAny: a page's data
async function page(first: number | undefined, after?: string | null): Promise<any> {
  const { accounts } = await data(service, internal, PAGE, { variables: { first, after } });
  return { ...accounts.pageInfo, nodes: accounts.nodes.map(({ id }: { id: string }) => id) };
}

describe('an internal token', () => {
  it('has no viewer account', async () => {
    expect(await data(service, internal, '{ viewer { id } }')).toEqual({ viewer: null });
  });

  it('finds an account by its id', async () => {
    const query = 'query($id: ID!) { account(id: $id) { id type } }';
    const found = await data(service, internal, query, { variables: { id: 'ä' } });
    expect(found).toEqual({ account: { id: 'ä', type: 'personal' } });
  });

  it.each(['', 'nobody', 'a-', 'A-1', 'a-1\0', "a-1' or true", 7])(
    'finds no account with the id %j',
    async id => {
      const query = 'query($id: ID!) { account(id: $id) { id } }';
      expect(await data(service, internal, query, { variables: { id } })).toEqual({ account: null });
    },
  );

  it('pages through all accounts in the order of their ids', async () => {
    const seen: string[] = [];
    let after: string | null = null;
    for (let pages = 1; pages <= 3; pages++) {
      const { nodes, endCursor, hasNextPage } = await page(2, after);
      expect(hasNextPage).toBe(pages < 3);
      seen.push(...nodes);
      after = endCursor;
    }
    expect(seen).toEqual(IDS);
    expect(await page(2, after)).toEqual({ nodes: [], endCursor: null, hasNextPage: false });
  });

  it('returns edges, each with a cursor after which a page can start', async () => {
    const query = `query($after: String) { accounts(first: 2, after: $after) {
      edges { cursor node { id } } nodes { id } endCursor hasNextPage
      pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } }`;
    const { accounts } = await data(service, internal, query);
    const [first, last] = accounts.edges;
    expect(accounts).toEqual({
      edges: ['a-1', 'a-2'].map(id => ({ cursor: expect.any(String), node: { id } })),
      nodes: [{ id: 'a-1' }, { id: 'a-2' }],
      pageInfo: {
        startCursor: first.cursor,
        endCursor: last.cursor,
        hasNextPage: true,
        hasPreviousPage: false,
      },
      // The `pageInfo` field is newer.
      endCursor: last.cursor,
      hasNextPage: true,
    });
    const second = await data(service, internal, query, { variables: { after: first.cursor } });
    expect(second.accounts.nodes).toEqual([{ id: 'a-2' }, { id: 'a-3' }]);
    expect(second.accounts.pageInfo.hasPreviousPage).toBe(true);
  });

  it('reads the same data of several accounts as of each alone', async () => {
    const seen = (id: string, product: string, uri: string) => [
      watch(id, product, 'shop.example'),
      finding(id, product, 'shop.example', uri),
    ];
    await service.load(
      report('a-1', 'csp', 'r-1', { date: '2026-05-20T10:00:00Z', directive: 'img-src', count: 2 }),
      report('a-1', 'csp', 'r-2', { date: '2026-05-19T10:00:00Z', directive: 'font-src', count: 3 }),
      report('a-2', 'csp', 'r-1', { date: '2026-05-20T10:00:00Z', directive: 'img-src', count: 5 }),
      report('a-2', 'nel', 'r-1', { date: '2026-05-14T10:00:00Z', count: 7 }),
      ...seen('a-1', 'script', 'https://one.example/a.js'),
      ...seen('a-1', 'data', 'https://two.example/'),
      ...seen('a-2', 'script', 'https://three.example/a.js'),
    );
    const graph = (type: string, name: string, more = '') =>
      `${type}: graph(type: ${type}, unit: weeks, amount: 1) { periods { ... on ${name} { date total ${more} } } }`;
    const fields = `id breakdown { csp nel } lastSevenDays { date csp nel } usageMetrics { type accepted }
      watches { product findings { ... on WatchFinding { uri } } }
      ${graph('csp', 'CspGraphPeriod', 'directives')} ${graph('nel', 'TotalGraphPeriod')}`;
    const { accounts } = await data(service, internal, `{ accounts(first: 2) { nodes { ${fields} } } }`);
    for (const node of accounts.nodes) {
      const { account } = await data(service, internal, `{ account(id: "${node.id}") { ${fields} } }`);
      expect(node).toEqual(account);
    }
    const [one, other] = accounts.nodes;
    expect(one.csp.periods.slice(-2).map(({ total }: { total: number }) => total)).toEqual([3, 2]);
    expect([other.csp.periods.at(-1).directives, other.nel.periods[0].total]).toEqual([
      { 'img-src': 5, unknown: 0 },
      7,
    ]);
    expect(one.watches.map(({ findings: [found] }: { findings: [{ uri: string }] }) => found.uri)).toEqual([
      'https://two.example/',
      'https://one.example/a.js',
    ]);
  });

  it('returns 100 accounts per page by default', async () => {
    await using other = await startService({ now: NOW });
    const ids = Array.from({ length: 101 }, (_, i) => `a${String(i).padStart(3, '0')}`);
    await other.load(...ids.map(id => personal(id)));
    const token = await other.key('internal');
    for (const first of ['', '(first: 100)', '(first: null)']) {
      const query = `{ accounts${first} { nodes { id } pageInfo { hasNextPage } } }`;
      const { accounts } = await data(other, token, query);
      expect(accounts).toEqual({
        nodes: ids.slice(0, 100).map(id => ({ id })),
        pageInfo: { hasNextPage: true },
      });
    }
  });

  it.each([0, -1, 101, 1000, 2_000_000_000])(
    'returns an error that names the allowed page sizes when first is %i',
    async first => {
      const { body } = await ask(service, internal, PAGE, { variables: { first } });
      expect(body).toMatchObject({
        data: null,
        errors: [{ message: 'first is a number from 1 to 100', extensions: { code: 'INVALID' } }],
      });
    },
  );

  it.each([
    '!',
    'a',
    'AA==',
    Buffer.from('a\0').toString('base64url'),
    Buffer.from([0xff]).toString('base64url'),
  ])('rejects the cursor %s, which the API never issued', async after => {
    const { status, body } = await ask(service, internal, PAGE, { variables: { after } });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      data: null,
      errors: [{ message: 'Invalid cursor', path: ['accounts'], extensions: { code: 'INVALID' } }],
    });
  });
});

describe('an account key', () => {
  it('can read its own account', async () => {
    const own = { id: 'a-1', email: 'a-1@example.com' };
    expect(await data(service, key, '{ viewer { id email } }')).toEqual({ viewer: own });
    expect(await data(service, key, '{ account(id: "a-1") { id email } }')).toEqual({ account: own });
  });

  it('finds its own account with node, even if the account id looks like the global id of an object', async () => {
    const id = Buffer.from('CspPolicy\0a-2\0p').toString('base64url');
    const called = await open(service, personal(id), plan(id));
    expect(await data(service, called, `{ node(id: "${id}") { id } }`)).toEqual({ node: { id } });
    expect(await data(service, key, `{ node(id: "${id}") { id } }`)).toEqual({ node: null });
    expect(await data(service, internal, `{ node(id: "${id}") { id } }`)).toEqual({ node: { id } });
  });

  it.each([
    '{ accounts { nodes { id } } }',
    '{ account(id: "a-2") { id } }',
    '{ account(id: "nobody") { id } }',
    '{ account(id: "") { id } }',
  ])('is not allowed to run %s', async query => {
    const { status, body } = await ask(service, key, query);
    expect(status).toBe(200);
    expect(body.errors).toMatchObject([
      { message: 'An internal token is required', extensions: { code: 'FORBIDDEN' } },
    ]);
    expect(Object.values(body.data ?? {})).not.toContainEqual(expect.anything());
  });
});
