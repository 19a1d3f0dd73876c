import { describe, expect, it } from 'vitest';
import { accountLines, type NewAccount } from '../../src/cli/account-lines.ts';

const ACCOUNT: NewAccount = { id: 'acme', type: 'team', emails: [], retention: 400, hosts: [] };
const MOST = Number.MAX_SAFE_INTEGER;
const linesOf = (fields: Partial<NewAccount>) =>
  accountLines({ ...ACCOUNT, ...fields }, '2026-03-10T00:00:00Z');

describe('a new account', () => {
  it('is a team whose first person owns it, or belongs to one person', () => {
    const created = { kind: 'account', id: 'acme', createdAt: '2026-03-10T00:00:00Z' };
    expect(linesOf({ emails: ['a@x.example', 'b@x.example', 'c@x.example'] })[0]).toEqual({
      ...{ ...created, type: 'team', teamName: 'acme', quotaLimit: MOST, require2fa: false },
      members: [
        { email: 'a@x.example', role: 'owner' },
        { email: 'b@x.example', role: 'member' },
        { email: 'c@x.example', role: 'member' },
      ],
    });
    expect(linesOf({ type: 'personal', emails: ['a@x.example'] })[0]).toEqual({
      ...{ ...created, type: 'personal', email: 'a@x.example' },
    });
  });

  it('has a plan with every feature, without limits', () => {
    const [, plan] = linesOf({ retention: 90 });
    expect(plan).toMatchObject({
      ...{ kind: 'plan', accountId: 'acme', plan: 'own', status: 'active', dataRetentionDays: 90 },
      ...{ tier: 'enterprise', reportQuota: MOST, collectHosts: MOST },
      features: {
        blockedWatch: ['scriptWatch', 'dataWatch', 'frameWatch', 'policyWatch'],
        integrityFeatures: ['cspIntegrity', 'integrityPolicy'],
      },
    });
    const { blockedWatch: _, integrityFeatures: __, ...others } = plan!.features as Record<string, unknown>;
    expect(Object.values(others).filter(value => value !== true && !Array.isArray(value))).toEqual([]);
  });

  it.each<[string, Partial<NewAccount>, object]>([
    [
      'browsers',
      { collector: 'https://r.example/t' },
      {
        reportUri: {
          ...{ enforce: 'https://r.example/t/enforce', reportOnly: 'https://r.example/t/report' },
          wizard: 'https://r.example/t/wizard',
        },
        reportingApi: {
          ...{ group: 'default', max_age: 10_886_400, include_subdomains: true },
          endpoints: [{ url: 'https://r.example/t' }],
        },
        nel: { report_to: 'default', max_age: 2_592_000, include_subdomains: true },
        ...{ dmarc: '', tlsRpt: '' },
      },
    ],
    [
      'mail servers',
      { rua: 'dmarc@x.example' },
      {
        reportUri: { enforce: '', reportOnly: '', wizard: '' },
        reportingApi: { group: 'default', max_age: 10_886_400, include_subdomains: true, endpoints: [] },
        ...{ dmarc: 'dmarc@x.example', tlsRpt: 'dmarc@x.example' },
      },
    ],
  ])('has a setup if it names an address for %s', (_, fields, setup) => {
    expect(linesOf(fields)[2]).toMatchObject({ kind: 'setup', accountId: 'acme', ...setup });
    expect(linesOf(fields)).toHaveLength(3);
    expect(linesOf({})).toHaveLength(2);
  });

  it('has a watch of each kind for each host, without alerts', () => {
    const watches = linesOf({ hosts: ['a.example', 'b.example'] }).slice(2);
    expect(watches.map(({ site, product }) => `${site} ${product}`)).toEqual(
      ['a.example', 'b.example'].flatMap(host =>
        ['script', 'data', 'frame', 'policy'].map(product => `${host} ${product}`),
      ),
    );
    expect(watches[0]).toEqual({
      ...{ kind: 'watch', accountId: 'acme', product: 'script', site: 'a.example' },
      ...{ emailAlertsEnabled: false, webhookEnabled: false, alertThreshold: 1, findingsFromReports: true },
    });
  });
});
