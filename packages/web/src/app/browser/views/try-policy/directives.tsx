import type { ComponentChildren } from 'preact';
import type { TryPolicyQuery } from '../../documents/documents.generated.ts';
import { count, revealControlCharacters } from '../../format.ts';
import { listDirectives } from '../../parts/policy-directives.ts';
import { NumberCell, numbers, Table } from '../../parts/table.tsx';

type ReplayOutcome = NonNullable<NonNullable<TryPolicyQuery['account']>['policyReplay']>;

const OUTCOMES = ['blocked', 'unknown', 'allowed'] as const;
type OutcomeName = (typeof OUTCOMES)[number];
type Counts = Record<OutcomeName, number>;

const TITLES: Record<OutcomeName, string> = {
  blocked: 'Blocked',
  unknown: 'Unknown',
  allowed: 'Allowed',
};

/** A table of the policy's directives, with the number of reports to which each applies. */
export function Directives({ replay }: { replay: ReplayOutcome }) {
  const counts = countAll(replay);
  const isCut = OUTCOMES.some(outcome => replay[outcome].otherEffects > 0);
  return (
    <section class="panel wide" aria-label="Directive by directive">
      <h2>Directive by directive</h2>
      <Table
        label="Directives of the policy"
        columns={['Directive', ...OUTCOMES.map(outcome => numbers(TITLES[outcome]))]}
      >
        {listDirectives(replay.policy).map(([name, ...sources]) => (
          <Row key={name} counts={counts.get(name)}>
            <code class="wrap">{revealControlCharacters(name)}</code>{' '}
            <code class="wrap quiet">{revealControlCharacters(sources.join(' '))}</code>
          </Row>
        ))}
        {counts.has('') && (
          <Row counts={counts.get('')}>
            <span class="quiet">No directive of this policy applies, so it allows these.</span>
          </Row>
        )}
      </Table>
      {isCut && <p class="quiet">Reports of effects with less reach are not counted here.</p>}
    </section>
  );
}

function Row({ counts, children }: { counts: Counts | undefined; children: ComponentChildren }) {
  return (
    <tr>
      <th scope="row" class="wide-cell">
        {children}
      </th>
      {OUTCOMES.map(outcome => (
        <NumberCell key={outcome} of={TITLES[outcome]}>
          {count(counts?.[outcome] ?? 0)}
        </NumberCell>
      ))}
    </tr>
  );
}

/** Returns the counts by the directive that applies to the reports; '' if none does. */
function countAll(replay: ReplayOutcome): ReadonlyMap<string, Counts> {
  const counts = new Map<string, Counts>();
  for (const outcome of OUTCOMES) {
    for (const { directive, count: reports } of replay[outcome].effects) {
      const row = counts.get(directive ?? '') ?? { blocked: 0, unknown: 0, allowed: 0 };
      counts.set(directive ?? '', { ...row, [outcome]: row[outcome] + reports });
    }
  }
  return counts;
}
