import type { Address } from '../../address.ts';
import { Link } from '../../parts/link.tsx';
import type { Account } from './data.ts';
import { signsOf } from './signs.tsx';

/** What a newcomer should read first: what is new, and what to do about it. */
export function WorthALook({ account, address }: { account: Account; address: Address }) {
  const signs = signsOf(account, address);
  return (
    <section class="panel wide" aria-label="Worth a look">
      <h2>Worth a look</h2>
      {signs.every(({ kind }) => kind === 'Noise') && (
        <p class="quiet">
          Nothing stands out in seven days: no new host, no new issuer of certificates, no mail that begins to
          fail.
        </p>
      )}
      <ul class="signs">
        {signs.map(({ key, kind, title, about, to }) => (
          <li key={key}>
            <span class={`kind ${URGENT.has(kind) ? 'urgent' : ''}`}>{kind}</span>
            <div>
              <Link to={to}>{title}</Link>
              <p class="quiet">{about}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

const URGENT: ReadonlySet<string> = new Set(['Threat', 'Certificate', 'Quota', 'Mail']);
