import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type Response as OpenApiResponse, resolver } from '@sightline/openapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getDescription } from '../../scripts/description.ts';
import { NOW, open, personal, plan, team } from '../support/fixtures.ts';
import { belongings, everyRoute } from '../support/routes.ts';
import { startService, type TestService } from '../support/service.ts';

const routes = await everyRoute();
const scoped = routes.filter(({ unknown }) => unknown);

let service: TestService;
let owner: string;
let otherKey: string;
let unentitled: string;
let trial: string;
let internal: string;

beforeAll(async () => {
  service = await startService({ now: NOW });
  await service.load(team('alpha'), ...belongings('alpha'));
  owner = await service.key('team', 'alpha');
  otherKey = await open(service, team('beta'), plan('beta'));
  unentitled = await open(service, team('unentitled'));
  trial = await open(service, personal('trial', { createdAt: NOW }));
  internal = await service.key('internal');
});
afterAll(() => service.close());

it('the routes include the 25 documented ones and four kinds of export', () => {
  const documented = routes.map(({ path }) => path.replace(/\/reports\/.*/, '/reports/{type}'));
  const ofV1 = documented.filter(path => path.startsWith('/v1/'));
  expect(new Set(ofV1).size).toBe(25);
  expect(new Set(documented).size).toBe(25 + 4);
});

describe.each(routes)('GET $path', ({ target: path, unknown, teamOnly, isExport }) => {
  const vary = isExport ? 'Authorization, Accept, Accept-Encoding' : 'Authorization, Accept-Encoding';

  it('returns 200 with all headers', async () => {
    const { status, headers } = await service.get(path, owner);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': isExport ? 'application/x-ndjson; charset=utf-8' : 'application/json; charset=utf-8',
      'cache-control': 'private, no-cache',
      vary,
      ...(!isExport && { etag: expect.stringMatching(/^W\/"[\w-]+"$/) }),
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[\w-]{36}$/),
      'ratelimit-policy': '"default";q=1000000;w=60',
      ratelimit: expect.stringMatching(/^"default";r=\d+;t=\d+$/),
    });
  });

  if (!isExport)
    it('ignores parameters that only exports accept', async () => {
      const separator = path.includes('?') ? '&' : '?';
      const further = 'after=now&format=csv&cursors=true&from=x&not.hostnames=*&sourceClass=inline&aligned=x';
      const { text } = await service.get(`${path}${separator}${further}`, owner);
      expect(text).toBe((await service.get(path, owner)).text);
    });

  it(`returns ${isExport ? 'one record per line' : 'a JSON object'}, the same twice`, async () => {
    const [first, second] = [await service.get(path, owner), await service.get(path, owner)];
    if (isExport) expect(first.text).toMatch(/^(\{"id":.*\}\n)+$/);
    else {
      expect(first.body).toBeTypeOf('object');
      expect(first.body).not.toBeInstanceOf(Array);
    }
    expect(second.text).toBe(first.text);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
  });

  if (!isExport)
    it('returns 304 without a body for its own entity tag', async () => {
      const tag = (await service.get(path, owner)).headers.get('etag')!;
      const { status, headers, text } = await service.get(path, owner, { 'if-none-match': tag });
      expect([status, text]).toEqual([304, '']);
      expect(headers.get('etag')).toBe(tag);
      expect(headers.get('cache-control')).toBe('private, no-cache');
      expect(headers.get('vary')).toBe(vary);
      expect(headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+$/);
      expect(headers.get('content-type')).toBeNull();
    });

  it('compresses long responses without changing the entity tag', async () => {
    const plain = await service.get(path, owner, { 'accept-encoding': 'identity' });
    // The length of a stream is not known when it starts.
    const pays = isExport || Buffer.byteLength(plain.text) > 1024;
    for (const coding of ['br', 'gzip']) {
      const packed = await service.get(path, owner, { 'accept-encoding': coding });
      expect(packed.headers.get('content-encoding')).toBe(pays ? coding : null);
      expect(packed.headers.get('etag')).toBe(plain.headers.get('etag'));
      expect(packed.text).toBe(plain.text);
    }
  });

  it('returns 405 for every other method', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
      const headers = { authorization: `Bearer ${owner}` };
      const answer = await service.request(path, { method, headers });
      expect(answer.status, method).toBe(405);
      expect(answer.headers.get('allow')).toBe('GET');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(answer.text).toBe(method === 'HEAD' ? '' : '{"error":"Method not allowed"}');
    }
  });

  it('returns 401 without a key and for an internal token', async () => {
    for (const key of [undefined, internal]) {
      const { status, headers, text } = await service.get(path, key);
      expect([status, text]).toEqual([401, '{"error":"Unauthorized"}']);
      expect(headers.get('www-authenticate')).toBe(
        key ? 'Bearer realm="v1", error="invalid_token"' : 'Bearer realm="v1"',
      );
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('etag')).toBeNull();
      expect(headers.get('ratelimit')).toBeNull();
    }
  });

  it('returns 403 for an account without API access', async () => {
    const { status, headers, text } = await service.get(path, unentitled);
    expect([status, text]).toEqual([403, '{"error":"API access requires a Business plan or higher"}']);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('etag')).toBeNull();
    expect(headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+$/);
  });

  if (teamOnly)
    it('returns 403 for a personal key', async () => {
      const key = await open(service, personal('person'), plan('person'));
      const { status, text } = await service.get(path, key);
      expect([status, text]).toEqual([403, '{"error":"A team API key is required"}']);
    });

  if (unknown)
    it('returns the same response for an id of another account as for an unknown id', async () => {
      const foreign = await service.get(path, otherKey);
      const none = await service.get(unknown!.target, otherKey);
      expect([foreign.status, foreign.text]).toEqual([404, JSON.stringify({ error: unknown!.error })]);
      expect([none.status, none.text]).toEqual([foreign.status, foreign.text]);
      const listNames = ({ headers }: typeof none) => [...headers.keys()].sort();
      expect(listNames(none)).toEqual(listNames(foreign));
    });

  if (!unknown)
    it('returns no data of another account', async () => {
      const { text } = await service.get(path, otherKey);
      expect(text).not.toContain('alpha');
      expect(text).not.toContain('own.example.com');
      expect(text).not.toContain('pol_own');
      expect(text).not.toContain('event-1');
      expect(text).not.toMatch(/_?[a-z]+-1"/);
    });
});

const contract = getDescription('1.0.0');
const follow = resolver(contract);

/** The error texts that a response of openapi.yaml lists. */
function listTexts(path: string, status: string): string[] {
  const response = contract.paths[path]!.get.responses[status];
  const { example, examples = {} } = follow<OpenApiResponse>(response!).content!['application/json']!;
  const values = example
    ? [example]
    : Object.values(examples).map(each => follow<{ value: unknown }>(each).value);
  return values.map(value => (value as { error: string }).error);
}

/** Requests that cause each error of a path: wrong segments, and queries that its kind of route refuses. */
function listMistakes(path: string, target: string): string[] {
  const [plain, query] = target.split('?') as [string, string | undefined];
  const extended = (text: string) => `${plain}?${query ? `${query}&` : ''}${text}`;
  const segments = plain.split('/');
  const wrongSegments = path.split('/').flatMap((segment, place) => {
    if (!segment.startsWith('{')) return [];
    return ['%FF', '9'].map(wrong => segments.with(place, wrong).join('/'));
  });
  const filters = ['action=a', 'effectiveDirective=a', 'subresourceHostnames=a', 'nelType=a'];
  const queries = [
    ...(path.includes('/reports/') ? [...filters, 'ioc=true', 'date=%FF'] : []),
    ...(path.startsWith('/export/') ? ['after=%FF', 'limit=1', 'account=another'] : []),
    'cursor=%FF',
  ];
  return [plain, ...wrongSegments, ...queries.map(extended)];
}

describe.each(Object.keys(contract.paths))('openapi.yaml of %s', path => {
  const filled = path.replace('reports/{type}', 'reports/csp');
  const route = routes.find(each => each.path.replaceAll(/:(\w+)/g, '{$1}') === filled)!;
  const isExport = path.startsWith('/export/');

  it('lists the errors that it returns, and no others', async () => {
    const { target, unknown } = route;
    const requests: [target: string, key: string][] = [
      [target, unentitled],
      [target, trial],
      [`${target}${target.includes('?') ? '&' : '?'}ioc=true`, trial],
      [`${target}?account=nobody`, internal],
      ...[...listMistakes(path, target), unknown?.target ?? []]
        .flat()
        .map((mistake): [string, string] => [mistake, owner]),
    ];
    const texts: Record<string, Set<string>> = { 400: new Set(), 403: new Set(), 404: new Set() };
    for (const { status, body } of await Promise.all(requests.map(([at, key]) => service.get(at, key))))
      texts[status]?.add((body as { error: string }).error);

    const { 400: invalid, 403: forbidden, 404: missing } = texts;
    const listed = Object.keys(contract.paths[path]!.get.responses);
    const own = [isExport ? [] : '304', invalid!.size ? '400' : [], missing!.size ? '404' : []].flat();
    expect(listed.sort()).toEqual(['200', '401', '403', '405', '429', '500', ...own].sort());
    expect(listTexts(path, '403').sort()).toEqual([...forbidden!].sort());
    if (missing!.size) expect(listTexts(path, '404').sort()).toEqual([...missing!].sort());
    // The messages of 400 name a parameter, so only examples are listed.
    if (invalid!.size) expect([...invalid!]).toEqual(expect.arrayContaining(listTexts(path, '400')));
  });
});

it('the routes include all resources that belong to accounts', () => {
  const least = [
    '/v1/certificate-transparency/cert/:sha256',
    '/v1/policies/csp/:id',
    '/v1/watches/script/:domain',
    '/v1/watches/data/:domain',
    '/v1/watches/frame/:domain',
    '/v1/watches/policy/:domain',
  ];
  expect(scoped.map(({ path }) => path)).toEqual(expect.arrayContaining(least));
});

describe('a compressed response', () => {
  const path = '/v1/graphs/csp/months/12';
  const packed = async (acceptEncoding: string) => {
    const { get } = await import('node:http');
    return new Promise<{ coding: string | undefined; length: number; body: Buffer }>((resolve, reject) => {
      const headers = { authorization: `Bearer ${owner}`, 'accept-encoding': acceptEncoding };
      get(service.url + path, { headers }, async response => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        resolve({
          coding: response.headers['content-encoding'],
          length: Number(response.headers['content-length']),
          body: Buffer.concat(chunks),
        });
      }).on('error', reject);
    });
  };

  it.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip;q=0.2, br;q=0.8', 'br'],
    ['gzip;q=0.8, br;q=0.2', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['identity', undefined],
    ['deflate, zstd', undefined],
    ['gzip;q=0', undefined],
    ['', undefined],
  ])('for Accept-Encoding "%s" uses %s', async (acceptEncoding, coding) => {
    const answer = await packed(acceptEncoding);
    const { text } = await service.get(path, owner, { 'accept-encoding': 'identity' });
    expect(answer.coding).toBe(coding);
    expect(answer.length).toBe(answer.body.length);
    const unpack = coding === 'br' ? brotliDecompressSync : coding === 'gzip' ? gunzipSync : Buffer.from;
    expect(unpack(answer.body).toString()).toBe(text);
    if (coding) expect(answer.length).toBeLessThan(text.length / 4);
  });
});
