import { listFallbacks } from '@sightline/csp/directives';
import { type Address, atPath, withParams } from '../address.ts';
import {
  type GroupCountsFragment,
  PoliciesDocument,
  type PoliciesQuery,
} from '../documents/documents.generated.ts';
import { count, dayBefore, plural, revealControlCharacters } from '../format.ts';
import { Link } from '../parts/link.tsx';
import { listDirectives } from '../parts/policy-directives.ts';
import { Empty } from '../parts/states.tsx';
import { numbers, Table } from '../parts/table.tsx';
import { ViewHead } from '../parts/view-head.tsx';
import { createQueryView } from '../query-view.tsx';
import type { QueryAnswer } from '../use-answer.ts';
import { Blocked } from './blocked.tsx';

/** The number of reports by violated directive. */
type Counts = ReadonlyMap<string, number>;

interface Props {
  address: Address;
  /** The policy whose violations are counted; undefined for all reports. */
  policyId?: string;
  counts: Counts;
}

type Variables = { account: string; from: string };

/** The saved policies and the wizard's policy by directive, with the violations of the last 30 days. */
export const Policies = createQueryView<PoliciesQuery, Variables>({
  document: PoliciesDocument,
  ask: (_, account) => ({ account, from: dayBefore(29) }),
  Head: () => (
    <ViewHead title="Policies">
      Saved Content Security Policies, directive by directive, with the violations of the last 30 days.
    </ViewHead>
  ),
  Show,
});

function Show({ data: { account }, address }: QueryAnswer<PoliciesQuery, Variables>) {
  const groups = account?.directives?.groups ?? [];
  const saved = new Set(account?.policies.map(({ policyId }) => policyId));
  const countAll = (policyId: string) => countsIn(groups.filter(({ keys }) => keys[0]!.value === policyId));
  const others = countsIn(groups.filter(({ keys }) => !saved.has(keys[0]!.value)));
  return (
    <>
      {account?.policies.length === 0 && (
        <Empty>
          No policies are saved. <Link to={atPath(address, ['try-policy'])}>Try one</Link> on the reports of a
          site to see what it would block and which sources to add.
        </Empty>
      )}
      {account?.policies.map(({ policyId, name, policy }) => (
        <section class="panel wide" key={policyId} aria-label={`${name}, ${policyId}`}>
          <h2>
            <bdi>{revealControlCharacters(name)}</bdi>{' '}
            <bdi class="quiet">{revealControlCharacters(policyId)}</bdi>
          </h2>
          <Directives
            name={`${name}, ${policyId}`}
            counts={countAll(policyId)}
            {...{ policy, policyId, address }}
          />
          <p>
            <Link to={withParams(atPath(address, ['try-policy']), { policy })}>
              Try a change on the reports
            </Link>
          </p>
        </section>
      ))}
      {others.size > 0 && (
        <p class="notice">
          {plural(sum(others), 'violation')} of 30 days {sum(others) === 1 ? 'is' : 'are'} from policies that
          are not saved. <Link to={atPath(address, ['csp'])}>All CSP reports</Link>
        </p>
      )}
      <section class="panel wide" aria-label="CSP Wizard">
        <h2>
          CSP Wizard <span class="quiet">{account?.wizard.active ? 'active' : 'not active'}</span>
        </h2>
        <p class="quiet">
          The wizard builds a policy from the reports of a site. Each directive is shown with the violations
          of all policies.
        </p>
        {account?.wizard.policy && (
          <Directives
            name="the CSP Wizard"
            policy={account.wizard.policy}
            counts={countsIn(groups)}
            address={address}
          />
        )}
      </section>
    </>
  );
}

type Groups = readonly GroupCountsFragment['groups'][number][];

/** Returns the number of reports by directive, which is the second key of the groups. */
function countsIn(groups: Groups): Counts {
  const counts = new Map<string, number>();
  for (const { keys, count } of groups) counts.set(keys[1]!.value, (counts.get(keys[1]!.value) ?? 0) + count);
  return counts;
}

const sum = (counts: Counts) => [...counts.values()].reduce((sum, count) => sum + count, 0);

function Directives({
  name: policyName,
  policy,
  policyId,
  counts,
  address,
}: Props & { name: string; policy: string }) {
  const directives = listDirectives(policy);
  const violations = byGovernor(new Set(directives.map(([name]) => name)), counts);
  return (
    <Table label={`Directives of ${policyName}`} columns={['Directive', 'Sources', numbers('Violations')]}>
      {directives.map(([name, ...sources], at) => (
        <tr key={at}>
          <th scope="row">
            <code>{name}</code>
          </th>
          <td class="wide-cell">
            <code class="wrap">{sources.join(' ')}</code>
            {violations.has(name) && (
              <Blocked directives={violations.get(name)!} {...{ name, sources, policyId, address }} />
            )}
          </td>
          <td class="number violations">
            {violations.has(name) ? (
              <Violations
                directives={violations.get(name)!}
                {...{ counts, address, ...(policyId && { policyId }) }}
              />
            ) : (
              '–'
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** Maps each directive of a policy to the violated directives for which it applies, as itself or as their fallback. */
function byGovernor(policy: ReadonlySet<string>, counts: Counts): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const directive of counts.keys()) {
    const governor = listFallbacks(directive).find(name => policy.has(name));
    if (governor !== undefined) found.set(governor, [...(found.get(governor) ?? []), directive]);
  }
  return found;
}

function Violations({ directives, policyId, counts, address }: Props & { directives: readonly string[] }) {
  const largestFirst = directives.toSorted((one, other) => counts.get(other)! - counts.get(one)!);
  return (
    <ul class="plain-list">
      {directives.length > 1 && (
        <li>
          <strong>{count(directives.reduce((sum, directive) => sum + counts.get(directive)!, 0))}</strong>
        </li>
      )}
      {largestFirst.map(directive => (
        <li key={directive}>
          <Link to={withParams(atPath(address, ['csp']), { effectiveDirective: directive, policyId })}>
            {revealControlCharacters(directive) || 'unknown'} {count(counts.get(directive)!)}
          </Link>
        </li>
      ))}
    </ul>
  );
}
