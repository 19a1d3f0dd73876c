import { useState } from 'preact/hooks';
import { type Address, atPath, withParams } from '../../address.ts';
import type { PolicyOutcomeFragment } from '../../documents/documents.generated.ts';
import { count, plural, revealControlCharacters } from '../../format.ts';
import { Link } from '../../parts/link.tsx';

/** Number of effects that are shown before the list is expanded. */
const SHOWN = 15;

/** The reports on which the policy has the given effect. */
export function Outcome({
  title,
  outcome,
  address,
}: {
  title: string;
  outcome: PolicyOutcomeFragment;
  address: Address;
}) {
  const [isWhole, setWhole] = useState(false);
  const { effects, otherEffects } = outcome;
  if (effects.length === 0) return null;
  return (
    <section class="panel wide" aria-label={title}>
      <h2>
        {title}{' '}
        <span class="quiet">{`${plural(outcome.count, 'report')}, ${plural(outcome.pages, 'page')}`}</span>
      </h2>
      <ul class="list">
        {(isWhole ? effects : effects.slice(0, SHOWN)).map(effect => (
          <Effect
            key={JSON.stringify([effect.violated, effect.blocked, effect.source])}
            effect={effect}
            address={address}
          />
        ))}
      </ul>
      {!isWhole && effects.length > SHOWN && (
        <button type="button" class="more" onClick={() => setWhole(true)}>
          Show all {count(effects.length)}
        </button>
      )}
      {otherEffects > 0 && <p class="quiet">{count(otherEffects)} more with less reach.</p>}
    </section>
  );
}

function Effect({ effect, address }: { effect: PolicyOutcomeFragment['effects'][number]; address: Address }) {
  const { violated, blocked, source, reason, pages, count: reports, examples } = effect;
  const to = withParams(atPath(address, ['csp']), {
    effectiveDirective: violated || undefined,
    hostnames: address.params.get('site') ?? undefined,
    blockedHostnames: getHost(blocked),
  });
  return (
    <li>
      <span class="line">
        <bdi class="wrap">
          {revealControlCharacters(violated) || 'unknown'} {revealControlCharacters(blocked) || 'unknown'}
        </bdi>{' '}
        <span class="quiet">
          {plural(reports, 'report')} on {plural(pages, 'page')}
        </span>{' '}
        <Link to={to} label={`Reports of ${revealControlCharacters(blocked)}`}>
          reports
        </Link>
      </span>
      <span class="quiet">
        {reason && `${reason}. `}
        {source && `${revealControlCharacters(source)}. `}
        For example <bdi class="wrap">{revealControlCharacters(examples[0]!.page)}</bdi>
      </span>
    </li>
  );
}

function getHost(blocked: string): string | undefined {
  return URL.canParse(blocked) ? new URL(blocked).hostname || undefined : undefined;
}
