import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BlockList, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { REPORT_TYPES } from '@sightline/reports';
import { EXPORT_PATH, METRICS_PATH } from '@sightline/tools';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as documents from '../../packages/web/src/app/browser/documents/documents.generated.ts';
import {
  AccountNameDocument,
  SessionDocument,
} from '../../packages/web/src/app/browser/documents/documents.generated.ts';
import { getDescription } from '../../scripts/description.ts';
import { PAGE_DOCUMENTS } from '../../src/graphql/trusted-documents.generated.ts';
import { createProxyLogin } from '../../src/pages/login/proxy-login.ts';
import { PAGE_QUERY_PATH, SESSION_PATH } from '../../src/pipeline/page-login.ts';
import { BASE_PATH } from '../../src/rest/fields.ts';
import { IN_EARNEST } from '../faults/scale.ts';
import { open, personal, plan, report, team } from '../support/fixtures.ts';
import { everyRoute } from '../support/routes.ts';
import { startService, type TestService } from '../support/service.ts';

const SECRET = 'a-secret-of-thirty-two-characters-or-more';
const ACCOUNTS: Record<string, string[]> = { ann: ['ada'], ops: ['ada', 'acme'], nobody: ['missing'] };

function createLogin(...peers: string[]) {
  const list = new BlockList();
  for (const peer of peers) list.addAddress(peer, peer.includes(':') ? 'ipv6' : 'ipv4');
  const config = {
    peers: list,
    secret: SECRET,
    userHeader: 'x-forwarded-user',
    groupsHeader: 'x-forwarded-groups',
    accountsFile: '',
    signOut: '/oauth2/sign_out',
  };
  return createProxyLogin(config, {
    listAccounts: (user, groups) => [...new Set([user, ...groups].flatMap(name => ACCOUNTS[name] ?? []))],
  });
}

const lines: string[] = [];
let trusting: TestService;
/** A service that trusts a proxy at a different address than the test's. */
let distant: TestService;
let key: string;

beforeAll(async () => {
  trusting = await startService({ login: createLogin('127.0.0.1'), onLog: line => lines.push(line) });
  const { databaseUrl } = trusting;
  distant = await startService({ login: createLogin('127.0.0.9', '::1'), databaseUrl });
  key = await open(trusting, personal('ada'), plan('ada'));
  await trusting.load(
    team('acme'),
    plan('acme'),
    personal('eve'),
    plan('eve'),
    report('eve', 'csp', 'of-eve'),
  );
});
afterAll(() => Promise.all([trusting.close(), distant.close()]));

/** Sends the headers unchanged; HTTP clients would normalize them. */
async function send(
  service: TestService,
  method: string,
  target: string,
  headers: readonly string[],
  body = '',
) {
  const { port } = new URL(service.url);
  const socket = connect(Number(port), '127.0.0.1');
  const own = [
    'Host: localhost',
    'Connection: close',
    ...(body ? [`Content-Length: ${Buffer.byteLength(body)}`] : []),
  ];
  socket.write(`${[`${method} ${target} HTTP/1.1`, ...own, ...headers].join('\r\n')}\r\n\r\n${body}`);
  const answer = await text(socket);
  const [head = '', content = ''] = answer.split(/\r\n\r\n(.*)/s);
  return { status: Number(head.split(' ')[1]), head, content };
}

const NAMED = [`X-Sightline-Proxy-Secret: ${SECRET}`, 'X-Forwarded-User: ann'];
const QUERY = JSON.stringify({ query: String(SessionDocument) });
const query = (service: TestService, headers: readonly string[], account = 'ada', body = QUERY) =>
  send(
    service,
    'POST',
    `/app/graphql?account=${account}`,
    ['Content-Type: application/json', ...headers],
    body,
  );
const session = (service: TestService, headers: readonly string[]) =>
  send(service, 'GET', '/app/session', headers);

describe('a user identified by the proxy', () => {
  it('sees the accounts of the user and the groups, and appears in the log', async () => {
    const { status, content } = await session(trusting, NAMED);
    expect([status, JSON.parse(dechunk(content))]).toEqual([
      200,
      { user: 'ann', accounts: [{ id: 'ada', name: expect.any(String) }], signOut: '/oauth2/sign_out' },
    ]);
    const many = await session(trusting, [...NAMED, 'X-Forwarded-Groups: staff, ops']);
    expect(many.content).toContain('"acme"');
    const answer = await query(trusting, NAMED);
    expect(answer.content).toContain('"ada"');
    expect(lines.map(line => JSON.parse(line)).filter(({ user }) => user === 'ann').length).toBeGreaterThan(
      1,
    );
    expect(lines.join('\n')).not.toContain(SECRET);
  });

  it('can read only with documents of the page and only from mapped accounts', async () => {
    const other = JSON.stringify({ query: '{ viewer { setup { endpoints { name } } } }' });
    expect((await query(trusting, NAMED, 'ada', other)).status).toBe(403);
    expect(
      (
        await query(
          trusting,
          NAMED,
          'ada',
          `{"query":${JSON.stringify(String(SessionDocument))},"query":"{ __typename }"}`,
        )
      ).status,
    ).toBe(403);
    expect((await query(trusting, NAMED, 'ada', '[]')).status).toBe(403);
    expect((await query(trusting, NAMED, 'eve')).status).toBe(403);
    expect((await query(trusting, NAMED, '')).status).toBe(403);
    const variables = { account: 'eve' };
    const foreign = await query(
      trusting,
      NAMED,
      'ada',
      JSON.stringify({ query: String(AccountNameDocument), variables }),
    );
    expect(foreign.content).toContain('"account":null');
    expect((await session(trusting, [NAMED[0]!, 'X-Forwarded-User: nobody'])).status).toBe(403);
  });

  it.each(['application/x-www-form-urlencoded', 'application/graphql', 'text/plain'])(
    'gets 403 for a body that a form of another site can send: %s',
    async type => {
      // As form data, this is a different document.
      const body = `${QUERY.slice(0, -1)},"x":"&query=%7B__typename%7D&"}`;
      const headers = [`Content-Type: ${type}`, ...NAMED];
      expect((await send(trusting, 'POST', '/app/graphql?account=ada', headers, body)).status).toBe(403);
      expect((await query(trusting, NAMED, 'ada', body)).content).toContain('"ada"');
    },
  );

  it('gets only the mapped accounts, even with a key of another account', async () => {
    const withKey = (user: string) =>
      query(trusting, [NAMED[0]!, `X-Forwarded-User: ${user}`, `Authorization: Bearer ${key}`]);
    expect((await withKey('ann')).content).toContain('"ada"');
    const { status, content } = await withKey('nobody');
    expect(status).toBe(403);
    expect(content).not.toContain('"ada"');
  });

  it('has a separate rate limit', async () => {
    const limited = await startService({
      login: createLogin('127.0.0.1'),
      databaseUrl: trusting.databaseUrl,
      rateLimit: { max: 1, window: 60_000 },
    });
    const statuses = [(await query(limited, NAMED)).status, (await query(limited, NAMED)).status];
    expect(statuses).toEqual([200, 429]);
    const ops = [NAMED[0]!, 'X-Forwarded-User: ops'];
    expect([(await query(limited, ops)).status, (await query(limited, ops, 'acme')).status]).toEqual([
      200, 429,
    ]);
    expect((await limited.get('/v1/me', key)).status).toBe(200);
    await limited.close();
  });

  it('sees at most a hundred accounts, each by the name of its team, its email address or its id', async () => {
    const own = Array.from({ length: 101 }, (_, index) => `own-${index}`);
    await trusting.load(...own.map(id => personal(id)), team('named', { teamName: 'The team' }));
    ACCOUNTS.all = ['missing', 'named', ...own];
    const { content } = await session(trusting, [NAMED[0]!, 'X-Forwarded-User: all']);
    const { accounts } = JSON.parse(dechunk(content));
    expect(accounts).toEqual([
      { id: 'named', name: 'The team' },
      ...own.slice(0, 98).map(id => ({ id, name: `${id}@example.com` })),
    ]);
  });

  it('can send every document of the page', () => {
    const operations = Object.entries(documents).filter(([name]) => /Document$/.test(name));
    const texts = operations.map(([, document]) => document);
    expect(texts.length).toBeGreaterThan(20);
    const digests = texts.map(one => createHash('sha256').update(String(one)).digest('hex'));
    expect(digests.filter(digest => !Object.hasOwn(PAGE_DOCUMENTS, digest))).toEqual([]);
  });
});

const dechunk = (content: string) => content.slice(content.indexOf('{'), content.lastIndexOf('}') + 1);

/** Headers that identify a user but must not be trusted. */
const FORGED: Record<string, readonly string[]> = {
  'without a secret': ['X-Forwarded-User: ann'],
  'with another secret': ['X-Sightline-Proxy-Secret: wrong', 'X-Forwarded-User: ann'],
  'with a longer secret': [`X-Sightline-Proxy-Secret: ${SECRET}x`, 'X-Forwarded-User: ann'],
  'with a prefix of the secret': [
    `X-Sightline-Proxy-Secret: ${SECRET.slice(0, -1)}`,
    'X-Forwarded-User: ann',
  ],
  'with an empty secret': ['X-Sightline-Proxy-Secret:', 'X-Forwarded-User: ann'],
  'with a doubled secret': [NAMED[0]!, NAMED[0]!, 'X-Forwarded-User: ann'],
  'with a second secret': ['x-sightline-proxy-secret: wrong', ...NAMED],
  'with a doubled user': [...NAMED, 'X-Forwarded-User: ann'],
  'with a second user': ['x-FORWARDED-user: ops', ...NAMED],
  'with doubled groups': [...NAMED, 'X-Forwarded-Groups: ops', 'x-forwarded-groups: ops'],
  'with underscores': [
    'X_Sightline_Proxy_Secret: x',
    `X-Sightline-Proxy-Secret: ${SECRET}`,
    'X_Forwarded_User: ann',
  ],
  'with a secret with underscores': [`X_Sightline_Proxy_Secret: ${SECRET}`, 'X-Forwarded-User: ann'],
  'with a list of users': [NAMED[0]!, 'X-Forwarded-User: ann, ops'],
  'with an empty user': [NAMED[0]!, 'X-Forwarded-User:'],
  'with control characters in the user': [NAMED[0]!, 'X-Forwarded-User: ann\t\x80'],
  'with groups only': [NAMED[0]!, 'X-Forwarded-Groups: ops'],
  'with other headers': [NAMED[0]!, 'Remote-User: ann', 'X-Auth-Request-User: ann', 'X-Forwarded-Email: ann'],
  'from another site': [...NAMED, 'Sec-Fetch-Site: cross-site'],
};

/** Valid headers from the wrong address. */
const ELSEWHERE: Record<string, readonly string[]> = {
  plain: NAMED,
  'mixed case': [`x-SIGHTLINE-proxy-SECRET: ${SECRET}`, 'X-FORWARDED-USER: ann'],
  'an address of the proxy': [
    ...NAMED,
    'X-Forwarded-For: 127.0.0.9',
    'Forwarded: for=127.0.0.9',
    'X-Real-IP: ::1',
  ],
  'a WebSocket': [
    ...NAMED,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Key: eA==',
    'Sec-WebSocket-Version: 13',
  ],
  'an upgrade to h2c': [
    ...NAMED,
    'Connection: Upgrade, HTTP2-Settings',
    'Upgrade: h2c',
    'HTTP2-Settings: AAA',
  ],
};

describe('a forged login header', () => {
  it.each(Object.entries(FORGED))('is refused for requests of the page: %s', async (_, headers) => {
    expect([(await session(trusting, headers)).status, (await query(trusting, headers)).status]).toEqual([
      401, 401,
    ]);
  });

  it.each(Object.entries(ELSEWHERE))('is refused from another address: %s', async (_, headers) => {
    expect([(await session(distant, headers)).status, (await query(distant, headers)).status]).toEqual([
      401, 401,
    ]);
  });

  it('changes the response of no route, from any address', { tags: 'slow' }, async () => {
    const routes = await listTargets();
    expect(routes.length).toBeGreaterThan(40);
    const all = [...Object.values(ELSEWHERE), [...NAMED, 'X-Forwarded-Groups: ops']];
    const tried = [
      ...[...all, ...Object.values(FORGED)].map(headers => ({ service: trusting, headers })),
      ...all.map(headers => ({ service: distant, headers })),
    ];
    let accepted = 0;
    for (const [index, [method, target]] of routes.entries()) {
      const without = await send(trusting, method, target, []);
      // In npm test, each route gets every fourth of these, beginning with another one.
      for (const { service, headers } of tried.filter((_, n) => IN_EARNEST || n % 4 === index % 4)) {
        const { status } = await send(service, method, target, headers);
        if (status !== without.status) accepted++;
      }
    }
    expect(accepted).toBe(0);
  });

  it('is refused unless the address matches exactly, including IPv4-mapped IPv6 addresses', () => {
    const login = createLogin('127.0.0.1', '::1', 'fe80::1');
    const identify = (peer: string) => {
      const rawHeaders = NAMED.flatMap(line => line.split(/: /));
      return login.identify({ peer, rawHeaders } as unknown as Parameters<typeof login.identify>[0])?.user;
    };
    const same = [
      '127.0.0.1',
      '::ffff:127.0.0.1',
      '::FFFF:127.0.0.1',
      '::1',
      '0:0::1',
      'fe80::1',
      'fe80::1%br_lan',
    ];
    expect(same.filter(peer => identify(peer) !== 'ann')).toEqual([]);
    const others = [
      '',
      '::ffff:127.0.0.2',
      '::ffff:7f00:2',
      '::127.0.0.1',
      '127.0.0.1.example',
      '0:0:0:0:0:0:0:2',
      '::2',
      'fe80::2%br_lan',
      'unix',
      '127.1',
    ];
    expect(others.map(identify).filter(Boolean)).toEqual([]);
  });
});

/** Returns the routes mounted in `src/app.ts`, such as `/v1/*`, in order. */
function listMounts(): string[] {
  const table = /const mounts: Mount\[\] = \[([\s\S]*?)\n {2}\];/.exec(
    readFileSync('src/app.ts', 'utf8'),
  )![1]!;
  const names: Record<string, string> = {
    '`${BASE_PATH}/*`': `${BASE_PATH}/*`,
    '`${EXPORT_PATH}/*`': `${EXPORT_PATH}/*`,
    SESSION_PATH,
    PAGE_QUERY_PATH,
  };
  return [...table.matchAll(/\[(?:path => .+|\(\) => true), ('[^']+'|`[^`]+`|[A-Z_]+), /g)].map(
    ([, route]) => names[route!] ?? route!.slice(1, -1),
  );
}

/** Returns the first mount that matches the path of a request. */
function findMount(target: string, mounts: readonly string[]): string | undefined {
  const [path = ''] = target.split('?', 1);
  return mounts.find(route =>
    route.endsWith('/*') ? `${path}/`.startsWith(route.slice(0, -1)) : path === route,
  );
}

it('the tested routes cover all mounted routes', async () => {
  const mounts = listMounts();
  expect(mounts.length).toBe(readFileSync('src/app.ts', 'utf8').match(/\[(?:path|\(\)) => /g)!.length);
  const tried = new Set((await listTargets()).map(([, target]) => findMount(target, mounts)));
  expect(mounts.filter(route => !tried.has(route))).toEqual([]);
  expect(mounts).toEqual(
    expect.arrayContaining([SESSION_PATH, PAGE_QUERY_PATH, '/graphql', '/docs/*', '/*']),
  );
});

/** Returns every route and its methods, except for those that a signed-in user can request. */
async function listTargets(): Promise<[method: string, target: string][]> {
  const v1 = (await everyRoute()).map(({ target }): [string, string] => ['GET', target]);
  const types = REPORT_TYPES.map((type): [string, string] => ['GET', `${EXPORT_PATH}/reports/${type}`]);
  const described = Object.keys(getDescription('1.0.0').paths).filter(path => !path.includes('{'));
  const gets = [
    ...described,
    METRICS_PATH,
    '/graphql?query={viewer{id}}',
    '/readyz',
    '/healthz',
    '/',
    '/app',
    '/app/',
    '/app/sign-in',
    '/app/graphql',
    '/app/Session',
    '/app/session/',
    '/app//session',
    '/app/%73ession',
    '/docs',
    '/openapi.json',
    '/llms.txt',
    '/mcp',
    '/nowhere',
  ];
  const posts = ['/graphql', '/v1/me', '/app/session', '/app/graphql/', '/APP/graphql', '/app/sign-in'];
  return [
    ...v1,
    ...types,
    ...gets.map((target): [string, string] => ['GET', target]),
    ...posts.map((target): [string, string] => ['POST', target]),
  ];
}
