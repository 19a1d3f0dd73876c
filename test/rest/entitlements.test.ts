import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOW, names, open, personal, plan, report, THREAT_INTELLIGENCE } from '../support/fixtures.ts';
import { type Line, startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ now: NOW });
});
afterAll(() => service.close());

const getStatus = async (path: string, key: string) => (await service.get(`/v1${path}`, key)).status;

let count = 0;
/** Creates a new account, or one whose trial has ended. */
const account = (isNew: boolean, planFields?: object, features?: object): Promise<string> => {
  const id = `account-${++count}`;
  const line: Line = personal(id, isNew ? { createdAt: NOW } : {});
  return open(service, line, planFields && plan(id, { ...planFields }, { ...features }));
};

const TIERS = ['free', 'starter', 'business', 'enterprise'];
const STATUSES = ['active', 'past_due', 'canceled', 'inactive'];
const counts = (status: string) => status === 'active' || status === 'past_due';

describe.each(TIERS)('a plan of the tier %s', tier => {
  it.each(STATUSES)(
    'with the status %s includes the API, long graphs and threat intelligence as documented',
    async status => {
      const old = await account(false, { tier, status }, THREAT_INTELLIGENCE);
      const isBusiness = counts(status) && (tier === 'business' || tier === 'enterprise');
      expect(await getStatus('/me', old), 'the API after the trial').toBe(isBusiness ? 200 : 403);

      const fresh = await account(true, { tier, status }, THREAT_INTELLIGENCE);
      expect(await getStatus('/me', fresh), 'the API during the trial').toBe(200);

      const isPaid = counts(status) && tier !== 'free';
      expect(await getStatus('/graphs/csp/weeks/1', fresh), 'a week').toBe(200);
      for (const period of ['weeks/2', 'weeks/3', 'weeks/4', 'months/3', 'months/6', 'months/12']) {
        expect(await getStatus(`/graphs/csp/${period}`, fresh), period).toBe(isPaid ? 200 : 403);
      }

      const threat = '/reports/csp?unit=days&date=2026-05-20&ioc=true';
      expect(await getStatus(threat, fresh), 'threat intelligence').toBe(counts(status) ? 200 : 403);
    },
  );
});

describe('an account without a plan', () => {
  it('has the entitlements of the trial until it ends, and none afterwards', async () => {
    const key = await account(true);
    expect(await getStatus('/me', key)).toBe(200);
    expect(await getStatus('/graphs/csp/weeks/1', key)).toBe(200);
    expect(await getStatus('/graphs/csp/weeks/2', key)).toBe(403);
    expect(await getStatus('/reports/csp?unit=days&date=2026-05-20&ioc=true', key)).toBe(403);
    expect(await getStatus('/me', await account(false))).toBe(403);
  });
});

describe('the trial', () => {
  it('ends exactly 30 days of 24 hours after the account was created', async () => {
    const key = await open(service, personal('trial', { createdAt: '2024-02-15T10:20:30Z' }));
    for (const [now, status] of [
      ['2024-02-15T10:20:30Z', 200],
      ['2024-03-16T10:20:29.999Z', 200],
      ['2024-03-16T10:20:30Z', 403],
      ['2024-03-16T10:20:31Z', 403],
    ] as const) {
      service.setNow(now);
      expect(await getStatus('/me', key), now).toBe(status);
    }
    service.setNow(NOW);
  });

  it('ends at the same time regardless of the UTC offset, and counts fractions of a second', async () => {
    const key = await open(service, personal('offset', { createdAt: '2024-02-15T12:20:30.25+02:00' }));
    service.setNow('2024-03-16T10:20:30.249Z');
    expect(await getStatus('/me', key)).toBe(200);
    service.setNow('2024-03-16T10:20:30.250Z');
    expect(await getStatus('/me', key)).toBe(403);
    service.setNow(NOW);
  });

  it('is not extended by a cached response', async () => {
    const key = await open(service, personal('kept', { createdAt: '2024-02-15T10:20:30Z' }));
    service.setNow('2024-03-16T10:20:29Z');
    const tag = (await service.get('/v1/me', key)).headers.get('etag')!;
    service.setNow('2024-03-16T10:20:30Z');
    expect((await service.get('/v1/me', key, { 'if-none-match': tag })).status).toBe(403);
    service.setNow(NOW);
  });

  it('is replaced by a purchased plan, and resumes when that plan is canceled', async () => {
    const key = await open(service, personal('buyer', { createdAt: '2026-04-20T14:30:01Z' }));
    await service.load(plan('buyer', { tier: 'enterprise' }));
    service.setNow('2026-05-20T14:30:02Z');
    expect(await getStatus('/me', key)).toBe(200);
    await service.load(plan('buyer', { tier: 'enterprise', status: 'canceled' }));
    expect(await getStatus('/me', key)).toBe(403);
    service.setNow(NOW);
    expect(await getStatus('/me', key)).toBe(200);
  });
});

describe('retention', () => {
  const get = (query: string, key: string) => service.get(`/v1/reports/coop?${query}`, key);

  it('starts at the beginning of a UTC day', async () => {
    const key = await open(service, personal('keeper'), plan('keeper', { dataRetentionDays: 30 }));
    const at = (name: string, date: string) => report('keeper', 'coop', name, { date });
    await service.load(
      at('out', '2024-01-30T23:59:59.999999Z'),
      at('first', '2024-01-31T00:00:00Z'),
      at('later', '2024-01-31T12:00:00Z'),
      at('now', '2024-03-01T00:00:00Z'),
    );
    service.setNow('2024-03-01T00:00:00Z');
    expect(names(await get('unit=months&date=2024-01', key))).toEqual(['later', 'first']);
    expect(names(await get('unit=days&date=2024-01-31', key))).toEqual(['later', 'first']);
    expect(names(await get('unit=hours&date=2024-01-31T00', key))).toEqual(['first']);
    for (const expired of [
      'unit=days&date=2024-01-30',
      'unit=hours&date=2024-01-30T23',
      'unit=months&date=2023-12',
    ]) {
      expect((await get(expired, key)).text).toBe('{"reports":[],"truncated":false}');
    }
    service.setNow('2024-03-01T23:59:59.999Z');
    expect(names(await get('unit=months&date=2024-01', key))).toEqual(['later', 'first']);
    service.setNow('2024-03-02T00:00:00Z');
    expect((await get('unit=months&date=2024-01', key)).text).toBe('{"reports":[],"truncated":false}');
    expect(names(await get('unit=months&date=2024-03', key))).toEqual(['now']);
    service.setNow(NOW);
  });

  it('of one day includes yesterday, of ten years includes everything, and is 30 days without a plan', async () => {
    const days = ['2026-05-20', '2026-05-19', '2026-04-20', '2026-04-19', '2017-01-01'];
    for (const [retention, seen] of [
      [1, ['2026-05-20', '2026-05-19']],
      [undefined, ['2026-05-20', '2026-05-19', '2026-04-20']],
      [3660, days],
    ] as const) {
      const id = `retention-${retention}`;
      const fields = retention === undefined ? undefined : plan(id, { dataRetentionDays: retention });
      const key = await open(service, personal(id, { createdAt: NOW }), fields);
      await service.load(...days.map(date => report(id, 'coop', date, { date: `${date}T00:00:00Z` })));
      const found = [];
      for (const date of days) found.push(...names(await get(`unit=days&date=${date}`, key)));
      expect(found, id).toEqual(seen);
    }
  });

  it('applies even if the plan is canceled', async () => {
    const fields = { dataRetentionDays: 90, status: 'canceled' };
    const key = await open(service, personal('ended', { createdAt: NOW }), plan('ended', fields));
    await service.load(report('ended', 'coop', 'March', { date: '2026-03-01T00:00:00Z' }));
    expect(names(await get('unit=months&date=2026-03', key))).toEqual(['March']);
  });
});
