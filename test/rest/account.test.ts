import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_FEATURES, NOW, open, personal, plan, setup, team } from '../support/fixtures.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ now: NOW });
});
afterAll(() => service.close());

/** Returns the body as text, because the order of its keys is tested. */
const answer = async (path: string, key: string) => {
  const { status, text } = await service.get(`/v1${path}`, key);
  return { status, text };
};
const ok = (body: unknown) => ({ status: 200, text: JSON.stringify(body) });
const refused = (status: number, error: string) => ({ status, text: JSON.stringify({ error }) });

describe('GET /v1/me', () => {
  it('identifies the owner of a personal key', async () => {
    const key = await open(service, personal('me', { email: 'ada@example.com' }), plan('me'));
    expect(await answer('/me', key)).toEqual(ok({ type: 'personal', email: 'ada@example.com' }));
  });

  it('identifies the team of a team key', async () => {
    const key = await open(service, team('me-team', { teamName: 'Röda "laget"' }), plan('me-team'));
    expect(await answer('/me', key)).toEqual(
      ok({ type: 'team', teamId: 'me-team', teamName: 'Röda "laget"' }),
    );
  });
});

describe('GET /v1/setup', () => {
  it('returns exactly the stored setup', async () => {
    const key = await open(service, personal('setup'), plan('setup'));
    const { kind: _kind, accountId: _accountId, ...body } = setup('setup');
    await service.load(setup('setup'));
    expect(await answer('/setup', key)).toEqual(ok(body));
    const reportingApi = { group: '', max_age: 0, endpoints: [], include_subdomains: false };
    await service.load(setup('setup', { reportingApi }));
    expect(await answer('/setup', key)).toEqual(ok({ ...body, reportingApi }));
  });

  it('returns 404 when there is no setup', async () => {
    const key = await open(service, personal('no-setup'), plan('no-setup'));
    expect(await answer('/setup', key)).toEqual(refused(404, 'Setup not found'));
  });
});

describe('GET /v1/plan', () => {
  it('returns exactly the stored plan, without its tier', async () => {
    const features = {
      support: true,
      teams: true,
      blockedWatch: ['scriptWatch', 'policyWatch'],
      webhooks: true,
      clientReputationFilter: true,
      threatIntelligence: true,
      integrityFeatures: ['integrityPolicy', 'cspIntegrity'],
      pciDss: true,
      wildcardDomains: true,
    };
    const key = await open(service, personal('plan'), plan('plan', {}, features));
    expect(await answer('/plan', key)).toEqual(
      ok({
        plan: 'business_2026',
        name: 'Business',
        status: 'active',
        reportQuota: 500_000,
        collectHosts: 25,
        dataRetentionDays: 90,
        features,
      }),
    );
  });

  it('returns the free plan when no plan is stored', async () => {
    const key = await open(service, personal('no-plan', { createdAt: NOW }));
    expect(await answer('/plan', key)).toEqual(
      ok({
        plan: 'free',
        name: 'Free',
        status: 'active',
        reportQuota: 10_000,
        collectHosts: 0,
        dataRetentionDays: 30,
        features: NO_FEATURES,
      }),
    );
  });

  it.each(['canceled', 'inactive', 'past_due'])(
    'returns the stored plan while its status is %s',
    async status => {
      const account = `plan_${status}`;
      const features = { threatIntelligence: true, blockedWatch: ['dataWatch'] };
      const key = await open(
        service,
        personal(account, { createdAt: NOW }),
        plan(account, { status, reportQuota: Number.MAX_SAFE_INTEGER }, features),
      );
      const { body } = await service.get('/v1/plan', key);
      expect(body).toMatchObject({ status, reportQuota: Number.MAX_SAFE_INTEGER, features });
    },
  );
});

describe('GET /v1/team', () => {
  it('lists the owners first, followed by the other members by email address', async () => {
    const emails = ['zoe@example.com', 'Zoe@example.com', 'ann@example.com', 'öl@example.com'];
    const members = [
      ...emails.map(email => ({ email, role: 'member' })),
      { email: 'mia@example.com', role: 'admin' },
      { email: 'yan@example.com', role: 'owner' },
      { email: 'bob@example.com', role: 'owner' },
    ];
    const fields = { members, teamName: 'Crew', quotaLimit: 2 ** 40, require2fa: false };
    const key = await open(service, team('team', fields), plan('team'));
    expect(await answer('/team', key)).toEqual(
      ok({
        teamName: 'Crew',
        quotaLimit: 2 ** 40,
        require2fa: false,
        members: [
          { email: 'bob@example.com', role: 'owner' },
          { email: 'yan@example.com', role: 'owner' },
          { email: 'Zoe@example.com', role: 'member' },
          { email: 'ann@example.com', role: 'member' },
          { email: 'mia@example.com', role: 'admin' },
          { email: 'zoe@example.com', role: 'member' },
          { email: 'öl@example.com', role: 'member' },
        ],
      }),
    );
  });

  it('returns 403 for a personal key', async () => {
    const key = await open(service, personal('person'), plan('person', {}, { teams: true }));
    expect(await answer('/team', key)).toEqual(refused(403, 'A team API key is required'));
  });
});
