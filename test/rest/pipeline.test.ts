import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { computeDigest, createKey } from '../../src/keys/format.ts';
import type { HttpRequest } from '../support/exchange.ts';
import { NOW, open, personal, plan, team } from '../support/fixtures.ts';
import { connectOperator } from '../support/operator.ts';
import { exchangeRaw, getExactly } from '../support/raw-http.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let key: string;
let unentitled: string;

beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, personal('ada'), plan('ada'));
  unentitled = await open(service, personal('bob'));
});
afterAll(() => service.close());

const toError = async (path: string, init: HttpRequest) => {
  const { status, body } = await service.request(path, init);
  return [status, body.error];
};
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

describe('the first stage, the method', () => {
  it('is checked before the key, the route and the parameters', async () => {
    for (const path of ['/v1', '/v1/', '/v1/me', '/v1/nothing/here', '/v1/reports/csp?unit=never']) {
      expect(await toError(path, { method: 'POST' })).toEqual([405, 'Method not allowed']);
    }
  });

  it('rejects unknown methods', async () => {
    const request = 'PROPFIND /v1/me HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    const answer = await exchangeRaw(service.url, request);
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    expect(answer).toContain('\r\nAllow: GET\r\n');
  });

  it('does not count towards the rate limit', async () => {
    const left = async () =>
      (await service.get('/v1/me', key)).headers.get('ratelimit')!.match(/r=(\d+)/)![1];
    const before = Number(await left());
    await service.request('/v1/me', { method: 'DELETE', ...bearer(key) });
    expect(Number(await left())).toBe(before - 1);
  });
});

describe('authentication, the second stage', () => {
  const refused = async (headers: Record<string, string>, path = '/v1/me') => {
    const answer = await service.request(path, { headers });
    expect([answer.status, answer.text]).toEqual([401, '{"error":"Unauthorized"}']);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('ratelimit-policy')).toBeNull();
    return answer.headers.get('www-authenticate');
  };
  const NO_TOKEN = 'Bearer realm="v1"';
  const BAD_TOKEN = 'Bearer realm="v1", error="invalid_token"';

  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('accepts the authentication scheme %s', async scheme => {
    const { status } = await service.request('/v1/me', { headers: { authorization: `${scheme} ${key}` } });
    expect(status).toBe(200);
  });

  it('requests a key when none is sent', async () => {
    expect(await refused({})).toBe(NO_TOKEN);
    expect(await refused({ authorization: '' })).toBe(NO_TOKEN);
    expect(await refused({ authorization: 'Bearer' })).toBe(NO_TOKEN);
  });

  it('rejects other authentication schemes and other locations of the key', async () => {
    expect(await refused({ authorization: key })).toBe(NO_TOKEN);
    expect(await refused({ authorization: `Basic ${btoa(`${key}:`)}` })).toBe(NO_TOKEN);
    expect(await refused({ authorization: `Token ${key}` })).toBe(NO_TOKEN);
    expect(await refused({ 'x-api-key': key })).toBe(NO_TOKEN);
    expect(await refused({ cookie: `key=${key}` })).toBe(NO_TOKEN);
    for (const name of ['key', 'api_key', 'access_token']) {
      expect(await refused({}, `/v1/me?${name}=${key}`)).toBe(NO_TOKEN);
    }
  });

  it.each(['/v1/me', '/graphql?query={viewer{id}}'])(
    'rejects two Authorization headers at %s, even identical ones',
    async path => {
      const other = await service.key('personal', 'ada');
      const line = (token: string) => `Authorization: Bearer ${token}`;
      for (const lines of [
        [line(key), line(other)],
        [line(key), line(key)],
        [line(key), 'Authorization: Basic abc'],
        ['AUTHORIZATION: Basic abc', line(key)],
      ]) {
        const answer = await getExactly(service.url, path, ...lines);
        expect(answer).toMatch(/^HTTP\/1\.1 401 .*\{"error":"Unauthorized"\}$/s);
        expect(answer).toContain(`WWW-Authenticate: ${BAD_TOKEN}\r\n`);
      }
      const basic = await getExactly(service.url, path, 'Authorization: Basic a', 'Authorization: Basic b');
      expect(basic).toContain(`WWW-Authenticate: ${NO_TOKEN}\r\n`);
    },
  );

  it('rejects malformed, mistyped and unknown keys', async () => {
    const mistyped = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');
    const tokens = [
      'x',
      'svc_d_',
      key.slice(0, -1),
      `${key}a`,
      mistyped,
      key.toUpperCase(),
      createKey('personal'),
    ];
    for (const token of tokens) {
      expect(await refused({ authorization: `Bearer ${token}` })).toBe(BAD_TOKEN);
    }
  });

  it('rejects a key from the moment it is revoked or expires', async () => {
    const sql = connectOperator(service.databaseUrl);
    try {
      for (const column of ['revoked_at', 'expires_at']) {
        const ending = await service.key('personal', 'ada');
        // Later than the database's clock, which revocations use as well.
        const end = new Date(Date.now() + 3_600_000);
        await sql.query(`update api_key set ${column} = $1 where digest = $2`, [
          end.toISOString(),
          `\\x${computeDigest(ending).toString('hex')}`,
        ]);
        expect((await service.get('/v1/me', ending)).status).toBe(200);
        service.setNow(new Date(end.getTime() - 1).toISOString());
        expect((await service.get('/v1/me', ending)).status).toBe(200);
        service.setNow(end.toISOString());
        expect(await refused({ authorization: `Bearer ${ending}` })).toBe(BAD_TOKEN);
        expect((await service.get('/v1/me', key)).status).toBe(200);
        service.setNow(NOW);
      }
    } finally {
      await sql.end();
    }
  });

  it('rejects a revoked key even if the clock lags behind the database', async () => {
    const sql = connectOperator(service.databaseUrl);
    const revoked = await service.key('personal', 'ada');
    service.setNow(new Date(Date.now() - 15_000).toISOString());
    await sql`update api_key set revoked_at = now() where digest = ${computeDigest(revoked)}`;
    await sql.end();
    expect(await refused({ authorization: `Bearer ${revoked}` })).toBe(BAD_TOKEN);
    service.setNow(NOW);
  });

  it('rejects a key whose prefix does not match the type of its account', async () => {
    await service.load(team('crew'), plan('crew'));
    for (const [kind, account] of [
      ['team', 'ada'],
      ['personal', 'crew'],
      ['internal', 'ada'],
    ] as const) {
      const misfit = await service.key(kind, account);
      expect(await refused({ authorization: `Bearer ${misfit}` })).toBe(BAD_TOKEN);
    }
    const orphan = await service.key('personal');
    expect(await refused({ authorization: `Bearer ${orphan}` })).toBe(BAD_TOKEN);
  });

  it('rejects an internal token, and a key of a deleted account', async () => {
    expect(await refused(bearer(await service.key('internal')).headers)).toBe(BAD_TOKEN);
    const gone = await open(service, personal('gone'), plan('gone'));
    expect((await service.get('/v1/me', gone)).status).toBe(200);
    await service.load({ kind: 'account', id: 'gone', deleted: true });
    expect(await refused(bearer(gone).headers)).toBe(BAD_TOKEN);
  });

  it('is checked before the entitlement, the route and the parameters', async () => {
    for (const path of ['/v1', '/v1/', '/v1/nothing', '/v1/reports/nope', '/v1/reports/csp', '/v1/team']) {
      await refused({ authorization: 'Bearer svc_d_wrong' }, path);
    }
  });
});

describe('the later stages', () => {
  it('check the entitlement before the route, the parameters and the plan', async () => {
    for (const path of [
      '/v1',
      '/v1/nothing',
      '/v1/reports/nope',
      '/v1/reports/csp',
      '/v1/reports/csp?ioc=true',
    ]) {
      expect(await toError(path, bearer(unentitled))).toEqual([
        403,
        'API access requires a Business plan or higher',
      ]);
    }
  });

  it('check the route before the parameters', async () => {
    expect(await toError('/v1/nothing?limit=0', bearer(key))).toEqual([404, 'Not found']);
    expect(await toError('/v1/reports/nope?unit=never&date=1&ioc=perhaps', bearer(key))).toEqual([
      404,
      'Unknown report type',
    ]);
    expect(await toError('/v1/graphs/nope/years/99', bearer(key))).toEqual([404, 'Unknown report type']);
  });

  it('check the parameters before the plan', async () => {
    expect(await toError('/v1/reports/csp?ioc=true', bearer(key))).toEqual([
      400,
      'Missing required parameter: unit',
    ]);
    expect(await toError('/v1/reports/csp?unit=days&date=2026-02-30&ioc=true', bearer(key))).toEqual([
      400,
      'Invalid value for parameter: date',
    ]);
    expect(
      await toError('/v1/reports/csp?unit=days&date=2026-05-20&ioc=true&nelType=a', bearer(key)),
    ).toEqual([400, 'Parameter nelType does not apply to report type csp']);
    const many = Array(51).fill('a').join();
    expect(
      await toError(`/v1/reports/csp?unit=days&date=2026-05-20&ioc=true&hostnames=${many}`, bearer(key)),
    ).toEqual([400, 'Invalid value for parameter: hostnames']);
    const trial = await open(service, personal('trial', { createdAt: NOW }));
    expect(await toError('/v1/graphs/csp/weeks/5', bearer(trial))).toEqual([400, 'Invalid graph period']);
    expect(await toError('/v1/graphs/csp/weeks/2', bearer(trial))).toEqual([
      403,
      'This period requires a paid plan',
    ]);
  });

  it('report missing parameters first, inapplicable ones second, and invalid values last', async () => {
    const cases: [string, string][] = [
      ['nelType=a&date=x', 'Missing required parameter: unit'],
      ['nelType=a&unit=days', 'Missing required parameter: date'],
      ['unit=&date=', 'Missing required parameter: unit'],
      ['unit=days&date=', 'Missing required parameter: date'],
      ['unit=years&date=x&nelType=a', 'Parameter nelType does not apply to report type csp'],
      ['unit=years&date=x&action=a', 'Invalid value for parameter: unit'],
      ['unit=days&date=x&action=a', 'Invalid value for parameter: date'],
      ['unit=days&date=2026-05-20&action=a', 'Invalid value for parameter: action'],
    ];
    for (const [query, error] of cases) {
      expect(await toError(`/v1/reports/csp?${query}`, bearer(key)), query).toEqual([400, error]);
    }
  });
});

describe('routing', () => {
  it.each([
    '/v1',
    '/v1/',
    '/v1/me/',
    '/v1//me',
    '/v1/ME',
    '/v1/me/more',
    '/v1/reports',
    '/v1/reports/',
    '/v1/reports/csp/',
    '/v1/reports/csp/1',
    '/v1/graphs/csp/weeks',
    '/v1/graphs/csp/weeks/1/2',
    '/v1/policies',
    '/v1/policies/nel',
    '/v1/policies/csp/',
    '/v1/wizard',
    '/v1/wizard/nel',
    '/v1/watches',
    '/v1/watches/image',
    '/v1/watches/image/own.example.com',
    '/v1/watches/script/',
    '/v1/certificate-transparency',
    '/v1/certificate-transparency/cert',
    '/v1/certificate-transparency/cert/',
    '/v1/webhook',
    '/v1/openapi.json',
    '/v1/constructor',
    '/v1/__proto__',
  ])('returns 404 for %s', async path => {
    const answer = await service.get(path, key);
    expect([answer.status, answer.text]).toEqual([404, '{"error":"Not found"}']);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('ratelimit')).not.toBeNull();
  });

  it.each([
    'nope',
    'CSP',
    'csp,nel',
    '*',
    'constructor',
    '__proto__',
    '%00',
    '%zz',
    'c%73p%20',
    'x'.repeat(3000),
  ])('returns 404 for the unknown report type %s', async type => {
    for (const path of [`/v1/reports/${type}`, `/v1/graphs/${type}/weeks/1`]) {
      const answer = await service.get(path, key);
      expect([answer.status, answer.text]).toEqual([404, '{"error":"Unknown report type"}']);
    }
  });

  it('accepts percent-encoded paths and absolute URLs', async () => {
    const authorization = `Authorization: Bearer ${key}`;
    for (const target of ['/v1/%6De', 'http://localhost/v1/me', 'HTTPS://localhost:1/v1/me?a']) {
      expect(await getExactly(service.url, target, authorization)).toMatch(/^HTTP\/1\.1 200 /);
    }
  });

  it('ignores unknown parameters', async () => {
    const queries = [
      'x=1',
      'constructor=1',
      '__proto__=1',
      'toString',
      '=',
      '&&',
      '%zz=1',
      'a%00=b',
      'x=%zz',
    ];
    for (const query of queries) {
      expect((await service.get(`/v1/me?${query}`, key)).status, query).toBe(200);
      const reports = await service.get(`/v1/reports/csp?unit=days&date=2026-05-20&${query}`, key);
      expect([reports.status, reports.text], query).toEqual([200, '{"reports":[],"truncated":false}']);
    }
  });

  it('does not match paths that only begin with /v1', async () => {
    expect((await service.get('/v10/me')).status).toBe(404);
  });
});
