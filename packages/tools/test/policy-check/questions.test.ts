import { expect, it } from 'vitest';
import { checkPolicies } from '../../src/policy-check/check.ts';
import { checkDmarc } from '../../src/policy-check/dmarc/check.ts';
import type { ServiceConnection } from '../../src/service/service.ts';

/** Which questions a check asks of the service. */

type Variables = { from: string; site?: string; hosts?: string[]; policy?: string };

const BEGIN = Date.parse('2026-05-01T00:00:00Z');
const NONE = { count: 0, effects: [], otherEffects: 0 };

const effect = (blocked: string) => ({
  ...{ violated: 'img-src', directive: 'img-src', blocked, count: 1, reports: 1, pages: 1, days: 1 },
  ...{ firstSeen: null, lastSeen: null, examples: [] },
});

/** Returns a service whose clock differs from the local one by some milliseconds, and the questions to it. */
function startService(
  ahead: number,
  blocked: readonly string[] = [],
  browsers: readonly string[] = [],
  dataRetentionDays?: number,
) {
  const asked: Variables[] = [];
  const found = { count: blocked.length, effects: blocked.map(effect), otherEffects: 0 };
  const replay = {
    ...{ allowed: NONE, unknown: NONE, noise: NONE, blocked: found, newlyBlocked: null, otherCount: 0 },
    ...{ unused: [], ignored: [], trial: { isWatched: true, since: null } },
  };
  const mail = {
    ...{ messages: 0, delivered: 0, quarantined: 0, rejected: 0, published: null, record: 'v=DMARC1' },
    ...{ readiness: { state: 'ready' }, otherCount: 0, senders: [], notes: [], days: 1, uncertain: 0 },
    ...{ otherSenders: 0, otherRecords: 0, limits: [] },
  };
  const ask = async (_: unknown, variables: Variables) => {
    asked.push(variables);
    const keys = (host: string, browser: string) => ['img-src', host, browser].map(value => ({ value }));
    const groups = (variables.hosts ?? []).flatMap(host =>
      browsers.map(browser => ({ keys: keys(host, browser) })),
    );
    return { plan, policyReplay: replay, dmarcReplay: mail, reportGroups: { groups } };
  };
  const plan = dataRetentionDays === undefined ? null : { dataRetentionDays };
  const now = () => new Date(BEGIN + (asked.length > 0 ? ahead : 0));
  return { asked, service: { ask, now } as unknown as ServiceConnection };
}

const from = (now: Date) => now.toISOString();
const options = { from, allow: 0, allowEmpty: true };
const forSite = {
  ...{ ...options, site: 'a.example', baseline: undefined, paths: undefined },
  ...{ asEnforced: false, requireTrial: false },
  files: [{ file: 'f', refusals: [], policies: [{ line: 1, isEnforced: true, text: "img-src 'none'" }] }],
};

it.each([
  [0, 0],
  [59_999, 0],
  [-59_999, 0],
  [60_000, 60_000],
  [-60_000, -60_000],
])('a service whose clock differs by %i ms moves the period by %i ms', async (ahead, moved) => {
  const [local, right] = [BEGIN, BEGIN + moved].map(at => new Date(at).toISOString());
  const site = startService(ahead);
  expect(await checkPolicies(site.service, forSite)).toMatchObject({ from: right });
  const again = moved === 0 ? [] : [right];
  expect(site.asked.map(one => one.from)).toEqual([local, ...again, right]);
  const mail = startService(ahead);
  const files = ['a', 'b'].map(domain => ({ file: domain, domain, text: 'v=DMARC1; p=none', line: 1 }));
  expect(await checkDmarc(mail.service, { ...options, files })).toMatchObject({ from: right });
  expect(mail.asked.map(one => one.from)).toEqual([local, ...again, right]);
});

it('the browsers of blocked hosts are asked for 50 hosts at a time, and 8 are named', async () => {
  const hosts = Array.from({ length: 51 }, (_, index) => `h${index}.example`);
  const browsers = Array.from({ length: 9 }, (_, index) => `Browser ${index}`);
  const blocked = [...hosts, hosts[0]!].map(host => `https://${host}`);
  const { service, asked } = startService(0, blocked, browsers);
  const { policies } = await checkPolicies(service, forSite);
  expect(asked.flatMap(one => (one.hosts ? [one.hosts] : []))).toEqual([hosts.slice(0, 50), hosts.slice(50)]);
  for (const one of policies[0]!.effects) expect(one.browsers).toEqual(browsers.slice(0, 8));
});

it('policies of other hosts are skipped, also if they cannot be checked', async () => {
  const policies = ['a.example', 'b.example'].map((host, index) => {
    return { line: index + 1, isEnforced: true, text: "img-src 'none'", hosts: [host] };
  });
  const refusals = ['*.example', 'c.example'].map((host, index) => {
    return { line: index + 3, reason: 'It has a variable.', hosts: [host] };
  });
  const check = (refused: typeof refusals) =>
    checkPolicies(startService(0).service, {
      ...forSite,
      files: [{ file: 'f', policies, refusals: refused }],
    });
  const skipped = [
    { line: 2, reason: 'It is for b.example.' },
    { line: 4, reason: 'It is for c.example.' },
  ];
  expect(await check(refusals)).toMatchObject({
    ...{ result: 'incomplete', policies: [{ line: 1 }], skipped },
    refused: [{ line: 3, reason: 'It has a variable.' }],
  });
  expect(await check(refusals.slice(1))).toMatchObject({ result: 'passed', refused: [], skipped });
  // A pattern of sites can stand for each of the hosts.
  const pattern = { ...forSite, site: '*.example', files: [{ file: 'f', policies, refusals: [] }] };
  expect(await checkPolicies(startService(0).service, pattern)).toMatchObject({
    policies: [{ line: 1 }, { line: 2 }],
    skipped: [],
  });
});

const EMPTY =
  'There are no CSP reports of a.example since 2026-04-01T00:00:00.000Z, so the policy cannot be checked. ' +
  'Check --site, or pass --allow-empty.';
const SHORT = 'The plan keeps reports for 7 days only. Use --since 7d.';

it.each([
  [true, undefined, 'passed', []],
  [false, undefined, 'incomplete', [EMPTY]],
  [true, 7, 'incomplete', [SHORT]],
  [false, 7, 'incomplete', [SHORT, EMPTY]],
])(
  'without reports, with --allow-empty %j and a plan of %s days, a check is %s',
  async (allowEmpty, days, result, incomplete) => {
    const since = () => '2026-04-01T00:00:00.000Z';
    const { service } = startService(0, [], [], days);
    const report = await checkPolicies(service, { ...forSite, from: since, allowEmpty });
    expect(report).toMatchObject({ result, incomplete });
  },
);
