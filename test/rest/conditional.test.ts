import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  auditEvent,
  certificate,
  finding,
  NOW,
  observation,
  open,
  personal,
  plan,
  report,
  savedPolicy,
  setup,
  watch,
} from '../support/fixtures.ts';
import { connectOperator } from '../support/operator.ts';
import { type Line, startService, type TestService } from '../support/service.ts';

let service: TestService;
let key: string;
let other: string;

beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, personal('ada'), plan('ada'));
  other = await open(service, personal('bob'), plan('bob'));
});
afterAll(() => service.close());
beforeEach(() => service.setNow(NOW));

const toEntityTag = async (path: string, as = key) =>
  (await service.get(`/v1${path}`, as)).headers.get('etag')!;
const statusFor = async (path: string, tag: string, as = key) =>
  (await service.get(`/v1${path}`, as, { 'if-none-match': tag })).status;

describe('If-None-Match', () => {
  it('is compared weakly, accepts lists, and matches any response with *', async () => {
    const tag = await toEntityTag('/me');
    const strong = tag.replace('W/', '');
    for (const header of [tag, strong, `"x", ${tag}`, `${tag}, "x"`, `"a" , ${strong} ,"b"`, '*']) {
      expect(await statusFor('/me', header), header).toBe(304);
    }
    for (const header of ['"x"', tag.slice(0, -2), strong.replaceAll('"', ''), '', 'W/', '"*"']) {
      expect(await statusFor('/me', header), header).toBe(200);
    }
  });

  it('returns a 304 without Content-Length', async () => {
    const tag = await toEntityTag('/me');
    const { status, headers, text } = await service.get('/v1/me', key, { 'if-none-match': tag });
    expect([status, text, headers.get('content-length')]).toEqual([304, '', null]);
  });

  it('never turns an error into a 304', async () => {
    const tag = await toEntityTag('/me');
    for (const path of ['/nothing', '/setup', '/policies/csp/none', '/team', '/reports/csp']) {
      for (const header of [tag, '*']) {
        const { status, headers } = await service.get(`/v1${path}`, key, { 'if-none-match': header });
        expect(status, path).toBeGreaterThanOrEqual(400);
        expect(headers.get('etag')).toBeNull();
        expect(headers.get('cache-control')).toBe('no-store');
      }
    }
  });

  it('is evaluated after authentication and the method check', async () => {
    const tag = await toEntityTag('/me');
    expect((await service.get('/v1/me', undefined, { 'if-none-match': tag })).status).toBe(401);
    const { status } = await service.request('/v1/me', {
      method: 'HEAD',
      headers: { authorization: `Bearer ${key}`, 'if-none-match': tag },
    });
    expect(status).toBe(405);
  });
});

describe('an entity tag', () => {
  it('is specific to one URL and one account', async () => {
    const paths = ['/me', '/plan', '/me?x', '/me?x=1', '/policies/csp', '/wizard/csp'];
    const tags = await Promise.all(paths.flatMap(path => [toEntityTag(path), toEntityTag(path, other)]));
    expect(new Set(tags).size).toBe(tags.length);
    expect(await statusFor('/me', await toEntityTag('/me', other))).toBe(200);
    // The tags must differ by account, not only by version.
    const sql = connectOperator(service.databaseUrl);
    await sql.query(`update account set version = 1000 where id in ('ada', 'bob')`);
    await sql.end();
    expect(await toEntityTag('/plan')).not.toBe(await toEntityTag('/plan', other));
  });

  const day = 'unit=days&date=2026-05-20';
  const changes: [string, string, Line[]][] = [
    ['the account', '/me', [personal('ada', { email: 'new@example.com' })]],
    ['the plan', '/plan', [plan('ada', { name: 'Renamed' })]],
    ['the setup', '/setup', [setup('ada'), setup('ada', { dmarc: 'new@example.com' })]],
    [
      'the filter configuration',
      '/filters',
      [{ kind: 'filters', accountId: 'ada', samplingRates: { nel: 3 } }],
    ],
    ['a policy', '/policies/csp', [savedPolicy('ada', 'p', 'P')]],
    ['the wizard', '/wizard/csp', [{ kind: 'wizard', accountId: 'ada', active: true, policy: 'x' }]],
    ['a watch', '/watches/script', [watch('ada', 'script', 'a.example')]],
    [
      'a finding of a watch',
      '/watches/script/a.example',
      [finding('ada', 'script', 'a.example', 'https://b.example/')],
    ],
    ['a report', `/reports/csp?${day}`, [report('ada', 'csp', 'a'), report('ada', 'csp', 'b')]],
    ['a counted report', '/breakdown', [report('ada', 'nel', 'a')]],
    [
      'the usage',
      '/usage-metrics',
      [
        {
          ...{ kind: 'usage', accountId: 'ada', type: 'csp' },
          ...{ date: '2026-05-20', filtered: 1, sampled: 1, rejected: 1 },
        },
      ],
    ],
    ['an audit event', '/audit-log', [auditEvent('ada', 'a')]],
    ['the observation of a certificate', '/last-seven-days', [certificate(), observation('ada')]],
  ];

  it.each(changes)('changes for only this account when %s is loaded', async (_, path, lines) => {
    const setUp = lines.slice(0, -1);
    if (setUp.length > 0) await service.load(...setUp);
    const [tag, othersTag] = [await toEntityTag(path), await toEntityTag('/me', other)];
    const before = await service.get(`/v1${path}`, key);
    await service.load(lines.at(-1)!);
    const after = await service.get(`/v1${path}`, key, { 'if-none-match': tag });
    expect(after.status).toBe(200);
    expect(after.headers.get('etag')).not.toBe(tag);
    expect(after.text).not.toBe(before.text);
    expect(await statusFor('/me', othersTag, other)).toBe(304);
  });

  it('changes when a load deletes a record', async () => {
    const tag = await toEntityTag('/policies/csp');
    await service.load({ kind: 'policy', accountId: 'ada', id: 'p', deleted: true });
    expect(await statusFor('/policies/csp', tag)).toBe(200);
    expect((await service.get('/v1/policies/csp', key)).text).toBe('{"policies":[]}');
  });

  it('changes when a certificate is loaded or deleted, only for the accounts that saw it', async () => {
    const { sha256 } = certificate() as { sha256?: string };
    const path = `/certificate-transparency/cert/${sha256}`;
    const tag = await toEntityTag(path);
    const othersTag = await toEntityTag('/me', other);
    await service.load({ kind: 'certificate', sha256, deleted: true });
    expect(await statusFor(path, tag)).toBe(404);
    await service.load(certificate());
    expect(await statusFor(path, tag)).toBe(200);
    expect(await statusFor('/me', othersTag, other)).toBe(304);
  });

  it('differs for an account that was deleted and created again', async () => {
    const lines = [personal('phoenix'), plan('phoenix')];
    await service.load(...lines);
    const before = await toEntityTag('/me', await service.key('personal', 'phoenix'));
    await service.load({ kind: 'account', id: 'phoenix', deleted: true });
    await service.load(...lines);
    expect(await toEntityTag('/me', await service.key('personal', 'phoenix'))).not.toBe(before);
  });

  it('changes at midnight UTC', async () => {
    for (const path of [
      '/last-seven-days',
      '/breakdown',
      '/graphs/csp/weeks/1',
      '/reports/csp?unit=days&date=2026-05-21',
    ]) {
      service.setNow('2026-05-20T23:59:59.999Z');
      const tag = await toEntityTag(path);
      service.setNow('2026-05-20T00:00:00Z');
      expect(await statusFor(path, tag), path).toBe(304);
      service.setNow('2026-05-21T00:00:00Z');
      expect(await statusFor(path, tag), path).toBe(200);
    }
  });

  it('changes every hour for reports requested by the hour', async () => {
    await service.load(report('ada', 'crash', 'soon', { date: '2026-05-20T15:10:00Z' }));
    const path = '/reports/crash?unit=hours&date=2026-05-20T15';
    service.setNow('2026-05-20T14:59:59.999Z');
    const tag = await toEntityTag(path);
    service.setNow('2026-05-20T15:00:00Z');
    const answer = await service.get(`/v1${path}`, key, { 'if-none-match': tag });
    expect([answer.status, answer.body.reports.length]).toEqual([200, 1]);
  });

  it('never identifies an older response, even after repeated loads', async () => {
    const seen = new Map<string, string>();
    for (let round = 0; round < 10; round++) {
      await service.load(plan('ada', { collectHosts: round }));
      const { text, headers } = await service.get('/v1/plan', key);
      expect(JSON.parse(text).collectHosts).toBe(round);
      expect(seen.has(headers.get('etag')!)).toBe(false);
      seen.set(headers.get('etag')!, text);
    }
  });

  it('differs between services that are configured differently', async () => {
    const path = `/reports/csp?${day}`;
    const tag = await toEntityTag(path);
    await using smaller = await startService({
      now: NOW,
      reportsResultCap: 1,
      databaseUrl: service.databaseUrl,
    });
    const answer = await smaller.get(`/v1${path}`, key, { 'if-none-match': tag });
    expect([answer.status, answer.body.reports.length, answer.body.truncated]).toEqual([200, 1, true]);
  });
});

describe('a cached response', () => {
  it('needs only the authentication statement, as does a 304', async () => {
    const tag = await toEntityTag('/plan?kept');
    const before = service.statements;
    await service.get('/v1/filters?kept', key);
    await service.get('/v1/filters?kept', key);
    await service.get('/v1/plan?kept', key, { 'if-none-match': tag });
    expect(service.statements - before).toBe(4);
  });

  it('is the same as an uncached response', async () => {
    await using plainService = await startService({
      now: NOW,
      answerCacheSize: 0,
      databaseUrl: service.databaseUrl,
    });
    for (const path of ['/filters', '/last-seven-days', '/graphs/csp/months/12', '/audit-log']) {
      await service.get(`/v1${path}`, key);
      const unchanged = await service.get(`/v1${path}`, key);
      const made = await plainService.get(`/v1${path}`, key);
      expect(unchanged.text).toBe(made.text);
      expect(unchanged.headers.get('etag')).toBe(made.headers.get('etag'));
    }
  });
});
