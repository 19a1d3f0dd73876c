import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { type Address, atPath, withParams } from '../../address.ts';
import { MailReadinessDocument, type MailReadinessQuery } from '../../documents/documents.generated.ts';
import { dayBefore, plural, revealControlCharacters } from '../../format.ts';
import { Link } from '../../parts/link.tsx';
import { SessionContext, useAnswer } from '../../use-answer.ts';

type DomainReadiness = NonNullable<NonNullable<MailReadinessQuery['account']>['mailReadiness']>[number];

/** Number of days that are replayed. A week would contain too few reports. */
const DAYS = 30;

/**
 * States whether the domains with the most messages can publish `p=reject`, with links to the replay. It is loaded once
 * it scrolls into view, because replaying millions of messages takes longer than the rest of the overview.
 */
export function MailReadiness({ address }: { address: Address }) {
  const place = useRef<HTMLDivElement>(null);
  const [isInView, setInView] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(entries => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setInView(true);
    });
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, []);
  return <div ref={place}>{isInView && <Domains address={address} />}</div>;
}

function Domains({ address }: { address: Address }) {
  const { account } = useContext(SessionContext);
  const asked = useAnswer(MailReadinessDocument, { account, from: dayBefore(DAYS - 1) }, address);
  const domains = (asked.isCurrent && asked.answer?.data.account?.mailReadiness) || [];
  if (domains.length === 0) return null;
  return (
    <ul class="reasons" aria-label="Readiness for p=reject">
      {domains.map(one => (
        <li key={one.domain}>
          <Link to={toReplay(one, address)}>
            <bdi>{revealControlCharacters(describe(one))}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  );
}

const toReplay = ({ domain, policy }: DomainReadiness, address: Address) =>
  withParams(atPath(address, ['mail-policy']), { domain, policy });

function describe({ domain, isEnforced, readiness: { state, sendersToRepair } }: DomainReadiness): string {
  if (state === 'repair')
    return `${domain}: ${plural(sendersToRepair, 'sender')} to repair ${isEnforced ? 'under' : 'before'} p=reject`;
  if (isEnforced) return `${domain} publishes p=reject`;
  return state === 'ready'
    ? `${domain} is ready for p=reject`
    : `${domain}: too few reports to say whether it is ready for p=reject`;
}
