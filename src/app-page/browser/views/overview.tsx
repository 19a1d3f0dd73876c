import { useContext } from 'preact/hooks';
import { type Address, changed, elsewhere } from '../address.ts';
import { OverviewDocument, type OverviewQuery } from '../documents/documents.generated.ts';
import { count, dayBefore, dayName, plural, share } from '../format.ts';
import { AsRequest } from '../parts/as-request.tsx';
import { BarChart, type Series } from '../parts/bar-chart.tsx';
import { HostList } from '../parts/host-list.tsx';
import { Link } from '../parts/link.tsx';
import { Moment } from '../parts/moment.tsx';
import { QuotaBar } from '../parts/quota-bar.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { UsageTable } from '../parts/usage-table.tsx';
import { Volume } from '../parts/volume.tsx';
import { NOISE, REPORT_TYPES } from '../report-types.ts';
import { SessionContext, useAnswer } from '../use-answer.ts';

type Account = NonNullable<OverviewQuery['account']>;
type Rows = NonNullable<Account['newHosts']>;

const DAYS = 30;
const NEW = 7;
const MOST_SERIES = 7;

/** What happened, is it noise, what is new, will the quota last: one request. */
export function Overview({ address }: { address: Address }) {
  const { account } = useContext(SessionContext);
  const from = dayBefore(DAYS - 1);
  const variables = { account, from, noise: { sourceClass: [...NOISE] }, threats: { anyThreatIntel: true } };
  const asked = useAnswer(OverviewDocument, variables);
  return (
    <>
      <header class="view">
        <h1>Overview</h1>
        <p>The last seven days at a glance, and what is new in them.</p>
      </header>
      <Answered asked={asked}>
        {({ account }) =>
          account ? (
            <>
              <Week account={account} address={address} />
              <div class="panels narrow">
                <Quota account={account} />
                <NewFindings account={account} address={address} />
                <NewHosts rows={account.newHosts} address={address} />
                <Threats rows={account.threats} address={address} />
                <Mail account={account} from={from} address={address} />
                <Certificates rows={account.certificates} address={address} />
              </div>
              <UsageTable metrics={account.usageMetrics} />
              <AsRequest document={OverviewDocument} variables={variables} />
            </>
          ) : (
            <Empty>There is no such account.</Empty>
          )
        }
      </Answered>
    </>
  );
}

function Week({ account: { lastSevenDays }, address }: { account: Account; address: Address }) {
  const sums = REPORT_TYPES.map(({ type }) => lastSevenDays.reduce((sum, day) => sum + day[type], 0));
  const present = REPORT_TYPES.map((view, at) => ({ ...view, sum: sums[at]! }))
    .filter(({ sum }) => sum > 0)
    .sort((one, other) => other.sum - one.sum);
  const total = sums.reduce((all, sum) => all + sum, 0);
  if (total === 0)
    return (
      <Empty>
        No reports came in the last seven days. <Link to={elsewhere(address, ['setup'])}>Setup</Link> says
        what to add to your site to get some.
      </Empty>
    );
  const series: Series[] = present.slice(0, MOST_SERIES).map(({ label, type }, at) => ({
    name: label,
    color: at,
    values: lastSevenDays.map(day => day[type]),
  }));
  const rest = present.slice(MOST_SERIES);
  if (rest.length > 0) {
    const values = lastSevenDays.map(day => rest.reduce((sum, { type }) => sum + day[type], 0));
    series.push({ name: rest.map(({ label }) => label).join(', '), color: 9, values });
  }
  const bars = lastSevenDays.map(({ date }) => ({ label: dayName(date), name: dayName(date) }));
  return (
    <section class="panel wide" aria-label="Last seven days">
      <h2>
        {count(total)} reports <span class="quiet">in seven days, by day (UTC)</span>
      </h2>
      <BarChart title="Reports of the last seven days by type" bars={bars} series={series} />
      <ul class="tiles">
        {present.map(({ type, label, sum }) => (
          <li key={type}>
            <Link to={changed(elsewhere(address, [type]), { period: '7d' })}>
              <strong>{count(sum)}</strong> {label}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Quota({ account: { quota, plan } }: { account: Account }) {
  return (
    <section class="panel" aria-label="Quota">
      <h2>Quota</h2>
      <QuotaBar used={quota.used} limit={quota.limit} />
      <p class="quiet">
        {plan.name} plan. Reports are kept for {plural(plan.dataRetentionDays, 'day')}.
      </p>
    </section>
  );
}

const isNew = (firstSeen: string) => firstSeen >= dayBefore(NEW - 1);

function NewFindings({ account: { watches }, address }: { account: Account; address: Address }) {
  const found = watches
    .flatMap(({ site, product, findings }) => findings.map(finding => ({ site, product, ...finding })))
    .filter(({ firstSeen }) => isNew(firstSeen))
    .sort((one, other) => (one.firstSeen < other.firstSeen ? 1 : -1));
  return (
    <section class="panel" aria-label="New findings of watches">
      <h2>New findings {found.length > 0 && <span class="badge">{count(found.length)}</span>}</h2>
      {found.length === 0 ? (
        <p class="quiet">The watches have found nothing new in seven days.</p>
      ) : (
        <ul class="list">
          {found.slice(0, 5).map(finding => (
            <li key={`${finding.site} ${finding.product} ${'uri' in finding ? finding.uri : finding.policy}`}>
              <bdi class="clip">{'uri' in finding ? finding.uri : finding.policy}</bdi>
              <span class="quiet">
                {finding.product} watch of <bdi>{finding.site}</bdi>, since <Moment at={finding.firstSeen} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {watches.length > 0 && <Link to={elsewhere(address, ['watches'])}>All watches</Link>}
    </section>
  );
}

function NewHosts({ rows, address }: { rows: Rows | null | undefined; address: Address }) {
  const hosts = (rows?.groups ?? []).filter(
    ({ keys, firstSeen }) => keys[0]!.value !== '' && isNew(firstSeen),
  );
  return (
    <section class="panel" aria-label="New blocked hosts">
      <h2>New blocked hosts</h2>
      {hosts.length === 0 ? (
        <p class="quiet">No host was blocked that had not been seen in the {DAYS - NEW} days before.</p>
      ) : (
        <HostList rows={hosts} address={address} param="blockedHostnames" type="csp" />
      )}
    </section>
  );
}

function Threats({ rows, address }: { rows: Rows | null | undefined; address: Address }) {
  return (
    <section class="panel" aria-label="Threat intelligence">
      <h2>Threat intelligence</h2>
      {!rows ? (
        <p class="quiet">The plan of this account does not include Threat Intelligence.</p>
      ) : rows.groups.length === 0 ? (
        <p class="quiet">No blocked host has a threat signal.</p>
      ) : (
        <HostList rows={rows.groups} address={address} param="blockedHostnames" type="csp" />
      )}
    </section>
  );
}

function Mail({ account, from, address }: { account: Account; from: string; address: Address }) {
  const { mail, failingSources } = account;
  const all = mail?.totalCount ?? 0;
  const aligned = (mail?.groups ?? [])
    .filter(({ keys }) => keys[1]!.value === 'true')
    .reduce((sum, group) => sum + group.count, 0);
  return (
    <section class="panel" aria-label="Mail">
      <h2>
        Mail {all > 0 && <span class="quiet">{share(aligned, all)} aligned with DMARC in 30 days</span>}
      </h2>
      {!mail || all === 0 ? (
        <p class="quiet">No DMARC reports in {DAYS} days.</p>
      ) : (
        <>
          <Volume title="Mail by day, aligned or not" rows={mail} from={from} />
          <h3>Senders that fail most</h3>
          <ul class="list">
            {(failingSources?.groups ?? []).map(({ keys, count: mails, firstSeen }) => (
              <li key={keys[0]!.value}>
                <Link
                  class="clip"
                  to={changed(elsewhere(address, ['dmarc']), {
                    organisation: keys[0]!.value || undefined,
                    aligned: 'false',
                  })}
                >
                  <bdi>{keys[0]!.value || 'not told'}</bdi>
                </Link>
                <span class="quiet">
                  {plural(mails, 'mail')}, since <Moment at={firstSeen} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Certificates({ rows, address }: { rows: Rows | null | undefined; address: Address }) {
  const issuers = rows?.groups ?? [];
  return (
    <section class="panel" aria-label="Certificates">
      <h2>
        Certificates{' '}
        {rows && rows.totalCount > 0 && <span class="quiet">{count(rows.totalCount)} in 30 days</span>}
      </h2>
      {issuers.length === 0 ? (
        <p class="quiet">No certificate was issued in {DAYS} days.</p>
      ) : (
        <>
          <p class="quiet">Issuers, the newest first. One that you do not know is worth a look.</p>
          <HostList rows={issuers} address={address} param="issuer" type="certificate_transparency" />
        </>
      )}
    </section>
  );
}
