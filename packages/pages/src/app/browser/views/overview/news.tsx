import { type Address, changed, elsewhere } from '../../address.ts';
import { count, issuerName, revealed } from '../../format.ts';
import { isNew } from '../../news.ts';
import { HostList } from '../../parts/host-list.tsx';
import { Link } from '../../parts/link.tsx';
import { Moment } from '../../parts/moment.tsx';
import { NEW_DAYS } from '../../period.ts';
import { type Account, DAYS, findingsOf, type Group, newHostsOf, type Rows } from './data.ts';

const MOST = 5;

const byCount = (one: Group, other: Group) => other.count - one.count;

export function NewFindings({ account, address }: { account: Account; address: Address }) {
  const found = findingsOf(account).filter(({ firstSeen }) => isNew(firstSeen));
  return (
    <section class="panel" aria-label="New findings of watches">
      <h2>New findings {found.length > 0 && <span class="badge new">{count(found.length)}</span>}</h2>
      {found.length === 0 ? (
        <p class="quiet">The watches have found nothing new in seven days.</p>
      ) : (
        <ul class="list">
          {found.slice(0, MOST).map(finding => (
            <li key={`${finding.site} ${finding.product} ${'uri' in finding ? finding.uri : finding.policy}`}>
              <bdi class="clip">{revealed('uri' in finding ? finding.uri : finding.policy)}</bdi>
              <span class="quiet">
                {finding.product} watch of <bdi>{revealed(finding.site)}</bdi>, since{' '}
                <Moment at={finding.firstSeen} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {account.watches.length > 0 && <Link to={elsewhere(address, ['watches'])}>All watches</Link>}
    </section>
  );
}

export function NewHosts({ account, address }: { account: Account; address: Address }) {
  const found = newHostsOf(account);
  const all = found.length + (account.newHosts?.otherGroups ?? 0);
  return (
    <section class="panel" aria-label="New blocked hosts">
      <h2>New blocked hosts {found.length > 0 && <span class="badge new">{count(all)}</span>}</h2>
      {found.length === 0 ? (
        <p class="quiet">
          No host was blocked that had not been blocked in the {DAYS - NEW_DAYS} days before.
        </p>
      ) : (
        <>
          {all > MOST && <p class="quiet">Those with most reports.</p>}
          <HostList rows={found.slice(0, MOST)} address={address} param="blockedHostnames" type="csp" />
        </>
      )}
      <Link to={changed(elsewhere(address, ['csp']), { order: 'FIRST_SEEN' })}>All by first seen</Link>
    </section>
  );
}

export function Threats({ rows, address }: { rows: Rows | null | undefined; address: Address }) {
  const news = (rows?.groups ?? []).filter(({ firstSeen }) => isNew(firstSeen));
  const older = (rows?.groups ?? []).filter(({ firstSeen }) => !isNew(firstSeen));
  const groups = [...news.sort(byCount), ...older.sort(byCount)];
  return (
    <section class="panel" aria-label="Threat intelligence">
      <h2>
        Threat intelligence{' '}
        {rows && rows.totalCount > 0 && (
          <span class="quiet">
            {count(rows.totalCount)} reports in {DAYS} days
          </span>
        )}
      </h2>
      {!rows ? (
        <p class="quiet">The plan of this account does not include Threat Intelligence.</p>
      ) : groups.length === 0 ? (
        <p class="quiet">No blocked host has a threat signal.</p>
      ) : (
        <>
          <HostList rows={groups.slice(0, MOST)} address={address} param="blockedHostnames" type="csp" />
          <Link to={changed(elsewhere(address, ['csp']), { anyThreatIntel: 'true' })}>All with a signal</Link>
        </>
      )}
    </section>
  );
}

export function Certificates({ rows, address }: { rows: Rows | null | undefined; address: Address }) {
  const issuers = rows?.groups ?? [];
  return (
    <section class="panel" aria-label="Certificates">
      <h2>
        Certificates{' '}
        {rows && rows.totalCount > 0 && (
          <span class="quiet">
            {count(rows.totalCount)} reports in {DAYS} days
          </span>
        )}
      </h2>
      {issuers.length === 0 ? (
        <p class="quiet">No certificate was issued in {DAYS} days.</p>
      ) : (
        <>
          <p class="quiet">Issuers, the newest first.</p>
          <HostList
            rows={issuers.slice(0, MOST)}
            address={address}
            param="issuer"
            type="certificate_transparency"
            nameOf={issuerName}
          />
        </>
      )}
    </section>
  );
}
