import { useContext } from 'preact/hooks';
import { type Address, atPath, withParams } from '../../address.ts';
import { SiteTotalsDocument, type SiteTotalsQuery } from '../../documents/documents.generated.ts';
import { changeInWords, count, plural, revealControlCharacters } from '../../format.ts';
import { Link } from '../../parts/link.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Problem } from '../../parts/states.tsx';
import { NumberCell, numbers, Table } from '../../parts/table.tsx';
import { neighbour, PERIOD_PARAMS, periodIn, toSpan } from '../../period.ts';
import { SessionContext, useAnswer } from '../../use-answer.ts';

type Totals = NonNullable<SiteTotalsQuery['account']>;

interface Site {
  name: string;
  csp: number;
  nel: number;
  before: number;
  lastSeen: string;
}

/** Maximum number of sites that are shown. */
const MOST = 10;

/** The hosts of pages with CSP reports or network errors, with the change from the previous period. */
export function Sites({ address }: { address: Address }) {
  const { account } = useContext(SessionContext);
  const period = periodIn(address);
  const { from, to } = toSpan(period);
  const iso = (at: number) => new Date(at).toISOString();
  const variables = {
    account,
    from: iso(from),
    to: to === undefined ? null : iso(to),
    before: iso(toSpan(neighbour(period, -1)!).from),
  };
  const asked = useAnswer(SiteTotalsDocument, variables, address);
  if (asked.error) return <Problem problem={asked.error} retry={asked.retry} />;
  const totals = asked.isCurrent ? asked.answer?.data.account : undefined;
  if (!totals) return null;
  const sites = listSites(totals);
  if (sites.length === 0) return null;
  const others = sites.length - MOST;
  const isCut = [totals.csp, totals.nel].some(groups => (groups?.otherGroups ?? 0) > 0);
  return (
    <section class="panel wide" aria-label="Sites">
      <h2>
        Sites <span class="quiet">with CSP reports or network errors</span>
      </h2>
      <Table
        label="Sites, data table"
        columns={['Site', numbers('CSP'), numbers('Network errors'), numbers('Change'), 'Last seen']}
      >
        {sites.slice(0, MOST).map(site => (
          <SiteRow key={site.name} site={site} address={address} />
        ))}
      </Table>
      {others > 0 && (
        <p class="quiet">
          {isCut && 'More than '}
          {plural(others, 'more site')} with fewer reports.
        </p>
      )}
    </section>
  );
}

function SiteRow({ site: { name, csp, nel, before, lastSeen }, address }: { site: Site; address: Address }) {
  const to = (type: string) => withParams(atPath(address, [type], PERIOD_PARAMS), { hostnames: name });
  const label = revealControlCharacters(name);
  return (
    <tr>
      <th scope="row" class="sender">
        <Link to={to(csp > 0 ? 'csp' : 'nel')}>
          <bdi>{label}</bdi>
        </Link>
      </th>
      <NumberCell of="CSP">{count(csp)}</NumberCell>
      <NumberCell of="Network errors">
        {nel > 0 ? (
          <Link to={to('nel')} label={`${plural(nel, 'network error')} of ${label}`}>
            {count(nel)}
          </Link>
        ) : (
          '0'
        )}
      </NumberCell>
      <NumberCell of="Change" title={`${count(before)} in the previous period`}>
        {changeInWords(csp + nel, before)}
      </NumberCell>
      <td data-label="Last">
        <Moment at={lastSeen} />
      </td>
    </tr>
  );
}

function listSites({ csp, cspBefore, nel, nelBefore }: Totals): Site[] {
  const sites = new Map<string, Site>();
  for (const [type, groups] of [
    ['csp', csp?.groups],
    ['nel', nel?.groups],
  ] as const)
    for (const { keys, count, lastSeen } of groups ?? []) {
      const name = keys[0]!.value;
      if (name === '') continue;
      const site = sites.get(name) ?? { name, csp: 0, nel: 0, before: 0, lastSeen };
      site[type] += count;
      if (lastSeen > site.lastSeen) site.lastSeen = lastSeen;
      sites.set(name, site);
    }
  for (const { keys, count } of [...(cspBefore?.groups ?? []), ...(nelBefore?.groups ?? [])]) {
    const site = sites.get(keys[0]!.value);
    if (site) site.before += count;
  }
  return [...sites.values()].sort((one, other) => other.csp + other.nel - (one.csp + one.nel));
}
