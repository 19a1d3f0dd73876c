import type { TryMtaStsQuery } from '../../documents/documents.generated.ts';
import { revealControlCharacters } from '../../format.ts';

type MtaSts = NonNullable<NonNullable<TryMtaStsQuery['account']>['mtaStsReplay']>;
type State = MtaSts['readiness']['state'];

const STATES: Record<State, string> = {
  ready: 'Ready',
  repair: 'Repair first',
  wait: 'Too few reports',
};

/** A message that states whether the policy can be enforced, with the reasons. */
export function Readiness({ state, reasons }: { state: State; reasons: readonly string[] }) {
  return (
    <>
      <p>
        <strong class={`kind ${state === 'repair' ? 'urgent' : ''}`}>{STATES[state]}</strong>
      </p>
      <ul>
        {reasons.map(reason => (
          <li key={reason}>
            <bdi class="wrap">{revealControlCharacters(reason)}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
}

/** A collapsed section with the limits of the data, below the results. */
export function Limits({ limits }: { limits: readonly string[] }) {
  return (
    <details>
      <summary>What reports cannot tell</summary>
      <ul>
        {limits.map(limit => (
          <li key={limit}>{limit}</li>
        ))}
      </ul>
    </details>
  );
}
