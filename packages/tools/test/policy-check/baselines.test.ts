import { expect, it } from 'vitest';
import { checkPolicies } from '../../src/policy-check/check.ts';
import type { ProposedPolicy } from '../../src/policy-check/policies.ts';
import type { ServiceConnection } from '../../src/service/service.ts';

const NONE = { count: 0, effects: [], otherEffects: 0 };
const REPLAY = {
  ...{ allowed: NONE, blocked: NONE, newlyBlocked: NONE, unknown: NONE, noise: NONE, otherCount: 0 },
  ...{ unused: [], ignored: [], trial: { isWatched: false, since: null } },
};

/** A policy whose text names it: `E` is enforced and `R` report-only, followed by its location and `@` with its host. */
function policy(name: string): ProposedPolicy {
  const [place = '', host] = name.slice(1).split('@');
  const location = place || undefined;
  const paths = location === undefined ? undefined : [`${location}*`];
  const hosts = host === undefined ? undefined : [host];
  return {
    line: 1,
    isEnforced: name.startsWith('E'),
    text: `img-src ${name}.example`,
    location,
    paths,
    hosts,
  };
}

/** Returns the name of the baseline with which a policy is replayed. */
async function findBaseline(name: string, baseline: readonly string[]): Promise<string | undefined> {
  const seen: (string | null)[] = [];
  const ask = async (_: unknown, variables: { baseline?: string | null }) => {
    if (variables.baseline !== undefined) seen.push(variables.baseline);
    return { plan: null, policyReplay: REPLAY };
  };
  const service = { ask, now: () => new Date('2026-05-20T12:00:00Z') } as unknown as ServiceConnection;
  const { policies } = await checkPolicies(service, {
    ...{ site: 'a.example', from: () => '2026-05-01T00:00:00Z', paths: undefined, allow: 0 },
    ...{ asEnforced: false, requireTrial: false, allowEmpty: true },
    files: [{ file: 'f', policies: [policy(name)], refusals: [] }],
    baseline: baseline.map(policy),
  });
  expect(policies.map(({ hasBaseline }) => hasBaseline)).toEqual([seen[0] !== null]);
  return seen[0]?.replace(/^img-src (.*)\.example$/, '$1');
}

it.each<[name: string, baseline: string[], used: string | undefined]>([
  ['E', [], undefined],
  ['E', ['E'], 'E'],
  ['E', ['R'], undefined],
  ['E', ['R', 'E'], 'E'],
  ['R', ['E', 'R'], 'R'],
  ['R', ['E'], 'E'],
  ['E/shop', ['E', 'E/shop'], 'E/shop'],
  ['E/shop', ['E/other', 'E'], 'E'],
  ['E/shop', ['E/other'], undefined],
  ['E/shop', ['R/shop', 'E'], 'E'],
  ['R/shop', ['E', 'E/shop'], 'E/shop'],
  ['R/shop', ['R', 'E', 'E/shop', 'R/shop'], 'R/shop'],
  ['R/shop', ['E', 'R'], 'E'],
  ['E', ['E/shop'], undefined],
  ['E@a.example', ['E@b.example', 'E@a.example'], 'E@a.example'],
  ['E', ['E@b.example', 'E@*.example'], 'E@*.example'],
  ['E/shop', ['E/shop@b.example', 'E@b.example'], undefined],
])('the policy %s with the baseline %j replaces %s', async (name, baseline, used) => {
  expect(await findBaseline(name, baseline)).toBe(used);
});
