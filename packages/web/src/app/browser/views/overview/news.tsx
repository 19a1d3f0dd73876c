import { type Address, atPath, withParams } from '../../address.ts';
import { count, issuerName, plural, revealControlCharacters } from '../../format.ts';
import { FindingName } from '../../parts/finding-list.tsx';
import { HostList } from '../../parts/host-list.tsx';
import { Link } from '../../parts/link.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PAST_DAYS, PERIOD_PARAMS } from '../../period.ts';
import { type GroupRows, hasEarlier, listNewHosts, type OverviewAccount } from './data.ts';

const MOST = 5;

export function NewFindings({ account, address }: { account: OverviewAccount; address: Address }) {
  const { findings, watches } = account;
  const sites = new Set(watches.map(({ site }) => site)).size;
  return (
    <section class="panel" aria-label="New findings of watches">
      <h2>
        New findings {findings.totalCount > 0 && <span class="badge new">{count(findings.totalCount)}</span>}
      </h2>
      {sites === 0 && <p class="quiet">No site is watched.</p>}
      {sites > 0 && findings.totalCount === 0 && (
        <p class="quiet">
          {plural(watches.length, 'watch', 'watches')} of {plural(sites, 'site')} found nothing new in the
          period.
        </p>
      )}
      <ul class="list">
        {findings.groups.map(group => (
          <li key={`${group.product} ${group.site} ${group.name}`}>
            <span>
              <FindingName group={group} address={address} />
            </span>
            <span class="quiet">
              {group.product} watch of <bdi>{revealControlCharacters(group.site)}</bdi>, since{' '}
              <Moment at={group.firstSeen} />
            </span>
          </li>
        ))}
      </ul>
      {sites > 0 && <Link to={atPath(address, ['watches'])}>All watches</Link>}
    </section>
  );
}

interface NewsProps {
  address: Address;
  /** The start of the period. Values that were first seen since then are new. */
  begin: string;
}

export function NewHosts({ account, begin, address }: NewsProps & { account: OverviewAccount }) {
  const found = listNewHosts(account);
  const all = found.length + (account.newHosts?.otherGroups ?? 0);
  const isKnown = hasEarlier(account, begin);
  return (
    <section class="panel" aria-label="New blocked hosts">
      <h2>New blocked hosts {isKnown && all > 0 && <span class="badge new">{count(all)}</span>}</h2>
      {!isKnown ? (
        <p class="quiet">
          There are no CSP reports from the {PAST_DAYS} days before the period to compare with.
        </p>
      ) : all === 0 ? (
        <p class="quiet">
          Of the hosts in {plural(account.sources?.totalCount ?? 0, 'CSP report')}, none was blocked for the
          first time in {PAST_DAYS} days.
        </p>
      ) : (
        <>
          {all > MOST && <p class="quiet">The hosts with the most reports.</p>}
          <HostList
            rows={found.slice(0, MOST)}
            address={address}
            since={begin}
            param="blockedHostnames"
            type="csp"
          />
        </>
      )}
      <Link to={withParams(atPath(address, ['csp'], PERIOD_PARAMS), { order: 'FIRST_SEEN' })}>
        All by first seen
      </Link>
    </section>
  );
}

export function Threats({ rows, begin, address }: NewsProps & { rows: GroupRows | null | undefined }) {
  const groups = rows?.groups ?? [];
  return (
    <section class="panel" aria-label="Threat intelligence">
      <h2>
        Threat intelligence{' '}
        {rows && rows.totalCount > 0 && <span class="quiet">{plural(rows.totalCount, 'report')}</span>}
      </h2>
      {!rows ? (
        <p class="quiet">The plan of this account does not include Threat Intelligence.</p>
      ) : groups.length === 0 ? (
        <p class="quiet">
          No blocked host of the period, or of the {PAST_DAYS} days before it, has a threat signal.
        </p>
      ) : (
        <>
          <HostList rows={groups} address={address} since={begin} param="blockedHostnames" type="csp" />
          {rows.otherGroups > 0 && <p class="quiet">{plural(rows.otherGroups, 'more host')}.</p>}
          <Link to={withParams(atPath(address, ['csp']), { anyThreatIntel: 'true' })}>All with a signal</Link>
        </>
      )}
    </section>
  );
}

export function Certificates({ rows, begin, address }: NewsProps & { rows: GroupRows | null | undefined }) {
  const issuers = rows?.groups ?? [];
  return (
    <section class="panel" aria-label="Certificates">
      <h2>
        Certificates{' '}
        {rows && rows.totalCount > 0 && <span class="quiet">{plural(rows.totalCount, 'report')}</span>}
      </h2>
      {issuers.length === 0 ? (
        <p class="quiet">No certificate was reported in the period or the {PAST_DAYS} days before it.</p>
      ) : (
        <>
          <p class="quiet">Issuers, newest first.</p>
          <HostList
            rows={issuers.slice(0, MOST)}
            address={address}
            since={begin}
            param="issuer"
            type="certificate_transparency"
            getName={issuerName}
          />
        </>
      )}
    </section>
  );
}
