import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Insight } from '../../schema/insight.ts';
import { personal, plan, report, THREAT_INTELLIGENCE } from '../support/fixtures.ts';
import { ask, data } from '../support/graphql.ts';
import { maintainDatabase } from '../support/maintenance.ts';
import { connectOperator } from '../support/operator.ts';
import { stamp } from '../support/planted.ts';
import { type Line, startService, type TestService } from '../support/service.ts';
import { listBlocked, listGrowth, listGrowthOfAll, listManyHosts } from './dense/blocked.ts';
import { listCertificates, listFeatures, listFindings, listScripts } from './dense/browser.ts';
import { times } from './dense/lines.ts';
import { listAuthentication, listSenders, listTls } from './dense/mail.ts';
import { listErrors } from './dense/network.ts';
import { listSites } from './dense/sites.ts';

/**
 * Records the insights of accounts whose reports are just above and just below each threshold, among reports that must
 * not count. All accounts are in one database.
 */

/** The accounts by the recorded file: their lines, and the types that have rollups of days. */
const ACCOUNTS: Readonly<Record<string, { types: readonly string[]; list(account: string): Line[] }>> = {
  'blocked-hosts': {
    types: ['csp'],
    list: account => [
      { kind: 'filters', accountId: account, global: { sites: ['bank-of-example.net'] } },
      ...listBlocked(account),
    ],
  },
  'many-hosts': { types: ['csp'], list: listManyHosts },
  'growth-of-all': { types: ['csp'], list: listGrowthOfAll },
  sites: { types: ['csp'], list: listSites },
  network: { types: ['nel'], list: account => [...listErrors(account), ...listGrowth(account)] },
  senders: { types: ['dmarc'], list: listSenders },
  authentication: {
    types: ['dmarc', 'tls_rpt'],
    list: account => [...listAuthentication(account), ...listTls(account)],
  },
  scripts: {
    types: ['csp_integrity'],
    list: account => [...listScripts(account), ...listFindings(account)],
  },
  features: {
    types: ['deprecation', 'crash', 'connection_allowlist', 'certificate_transparency'],
    list: account => [...listFeatures(account), ...listCertificates(account)],
  },
};
const NAMES = Object.keys(ACCOUNTS);

const PERIODS: readonly { since?: string; until?: string }[] = [
  {},
  { since: '2026-04-20T00:00:00Z', until: '2026-05-15T00:00:00Z' },
];

const toPlan = (account: string, fields = {}) =>
  plan(
    account,
    { dataRetentionDays: 365, ...fields },
    account === 'blocked-hosts' ? THREAT_INTELLIGENCE : {},
  );

/** Days with enough reports for a rollup: one of the days before, and one with many of the recorded insights. */
const ROLLUP_DAYS = ['04-05', '05-14'];

/** Reports without any of the examined values. */
const listFurther = (account: string): Line[] =>
  ACCOUNTS[account]!.types.flatMap(type =>
    ROLLUP_DAYS.flatMap(day =>
      times(`${day}T00:10`, 55, 1_500_000).map((date, index) =>
        report(account, type, `further-${day}-${index}`, {
          date: stamp(date),
          ...(type === 'dmarc' && { organisation: 'Usual', aligned: true, dkim: 'pass', spf: 'pass' }),
        }),
      ),
    ),
  );

let service: TestService;
const keys = new Map<string, string>();
beforeAll(async () => {
  service = await startService({ now: '2026-05-20T01:00:00Z' });
  await service.load(
    ...NAMES.flatMap(name => [
      personal(name),
      toPlan(name),
      ...ACCOUNTS[name]!.list(name),
      ...listFurther(name),
    ]),
  );
  for (const name of NAMES) keys.set(name, await service.key('personal', name));
});
afterAll(() => service?.close());

const QUERY = `query ($since: Instant, $until: Instant) { viewer {
  insights(since: $since, until: $until) {
    kind severity state title detail subject firstSeen lastSeen count baseline link query }
  insightCoverage(since: $since, until: $until) { since until types { type reports learningUntil } } } }`;

const describeInsight = ({ kind, severity, state, title, detail, ...rest }: Insight) =>
  [
    `${severity} ${kind} (${state}): ${title}`,
    detail,
    `${rest.firstSeen.slice(0, 19)} to ${rest.lastSeen.slice(0, 19)}, ${rest.count} of ${rest.baseline}: ${rest.subject}`,
    rest.link,
    rest.query,
  ].join('\n    ');

interface Found {
  insights: Insight[];
  insightCoverage: { since: string; until: string; types: { type: string }[] };
}

async function describePeriod(name: string, period: (typeof PERIODS)[number]): Promise<string> {
  const { insights, insightCoverage }: Found = (
    await data(service, keys.get(name)!, QUERY, { variables: period })
  ).viewer;
  const { since, until, types } = insightCoverage;
  const covered = types.map(one => JSON.stringify(one)).sort();
  return [`${since} to ${until}`, ...covered, ...insights.map(describeInsight)].join('\n  ');
}

describe('the insights of dense data', () => {
  it.each(NAMES)('about %s are these', async name => {
    const answers: string[] = [];
    for (const period of PERIODS) answers.push(await describePeriod(name, period));
    await expect(`${answers.join('\n\n')}\n`).toMatchFileSnapshot(`./recorded/${name}.txt`);
  });

  it('are the same with rollups of whole days', { tags: 'slow' }, async () => {
    // A period of each account.
    const periods = NAMES.map((name, index) => [name, PERIODS[index % PERIODS.length]!] as const);
    const before: string[] = [];
    for (const [name, period] of periods) before.push(await describePeriod(name, period));
    await maintainDatabase(service.databaseUrl);
    const sql = connectOperator(service.databaseUrl);
    const days = await sql`select distinct account_id, type, day from daily_group`;
    await sql.end();
    const expected = NAMES.reduce((sum, name) => sum + ACCOUNTS[name]!.types.length * ROLLUP_DAYS.length, 0);
    expect(days.length).toBeGreaterThanOrEqual(expected);
    // A changed plan prevents cached results.
    await service.load(...NAMES.map(name => toPlan(name, { name: 'Another name' })));
    for (const [index, [name, period]] of periods.entries())
      expect(await describePeriod(name, period), name).toBe(before[index]);
  });
});

describe('the period of insights', () => {
  const COVERAGE = `query ($since: Instant, $until: Instant) { viewer {
    insightCoverage(since: $since, until: $until) { since until types { reports } } insights(since: $since) { id } } }`;
  const read = async (variables: object, name = 'sites') => {
    const { body } = await ask(service, keys.get(name)!, COVERAGE, { variables: { ...variables } });
    if (body.errors) return body.errors[0].message;
    const { since, until, types } = body.data.viewer.insightCoverage;
    return [
      since.slice(0, 19),
      until.slice(0, 19),
      ...types.map(({ reports }: { reports: number }) => reports),
    ];
  };

  it('is the week before its end, which is not later than now', async () => {
    expect(await read({})).toEqual(['2026-05-13T01:00:00', '2026-05-20T01:00:00', 456]);
    expect(await read({ until: '2026-05-20T01:00:01Z' })).toEqual(await read({}));
    expect(await read({ until: '2027-01-01' })).toEqual(await read({}));
    expect(await read({ until: '2026-05-14' })).toEqual(['2026-05-07T00:00:00', '2026-05-14T00:00:00', 504]);
    expect(await read({ since: '2026-05-14T00:00:00+02:00' })).toEqual([
      ...['2026-05-13T22:00:00', '2026-05-20T01:00:00', 384],
    ]);
  });

  it('has at most 92 days', async () => {
    const refused = 'Invalid value for parameter: since. Insights cover at most 92 days.';
    expect(await read({ since: '2026-02-17T01:00:00Z' })).toHaveLength(3);
    expect(await read({ since: '2026-02-17T00:59:59Z' })).toBe(refused);
    expect(await read({ since: '2026-01-01', until: '2026-04-03T00:00:01Z' })).toBe(refused);
  });

  it('has no insights if it is empty or before the retention', async () => {
    const none = (since: string, until: string) => [since.slice(0, 19), until.slice(0, 19)];
    const [at, later] = ['2026-05-14T00:00:00Z', '2026-05-14T00:00:01Z'];
    expect(await read({ since: at, until: at })).toEqual(none(at, at));
    expect(await read({ since: later, until: at })).toEqual(none(later, at));
    expect(await read({ since: at, until: later })).toHaveLength(3);
    await service.load(toPlan('sites', { dataRetentionDays: 6 }));
    expect(await read({ until: at })).toEqual(none('2026-05-07T00:00:00Z', at));
    expect(await read({ until: '2026-05-14T01:00:00Z' })).toEqual([
      ...['2026-05-07T01:00:00', '2026-05-14T01:00:00', 2],
    ]);
    await service.load(toPlan('sites'));
  });

  it('ends with the minute in which the same question was asked before', async () => {
    const endAt = async (now: string, variables = {}) => {
      service.setNow(`2026-05-20T${now}Z`);
      return (await read(variables, 'many-hosts'))[1].slice(11);
    };
    expect(await endAt('01:02:10')).toBe('01:02:10');
    expect(await endAt('01:02:59')).toBe('01:02:10');
    expect(await endAt('01:03:00')).toBe('01:03:00');
    expect(await endAt('01:03:20', { since: '2026-05-01' })).toBe('01:03:20');
    await service.load(toPlan('many-hosts', { name: 'Changed' }));
    expect(await endAt('01:03:30')).toBe('01:03:30');
  });
});
