import { useState } from 'preact/hooks';
import type { Address } from '../address.ts';
import { WatchesDocument, type WatchesQuery } from '../documents/documents.generated.ts';
import { addressIn, count, plural, revealControlCharacters } from '../format.ts';
import { isNew } from '../news.ts';
import { Downloads } from '../parts/downloads.tsx';
import { type FindingGroup, FindingName, toReportsAddress } from '../parts/finding-list.tsx';
import { Link } from '../parts/link.tsx';
import { Moment } from '../parts/moment.tsx';
import { NewBadge } from '../parts/new-badge.tsx';
import { Empty } from '../parts/states.tsx';
import { NumberCell, numbers, Table, unseen } from '../parts/table.tsx';
import { ViewHead } from '../parts/view-head.tsx';
import { createQueryView } from '../query-view.tsx';
import type { QueryAnswer } from '../use-answer.ts';

type Watch = NonNullable<WatchesQuery['account']>['watches'][number];

/** Number of a watch's domains that are shown before the list is expanded. */
const FIRST = 5;

type Variables = { account: string };

/** The watched sites and their findings, newest first. */
export const Watches = createQueryView<WatchesQuery, Variables>({
  document: WatchesDocument,
  ask: (_, account) => ({ account }),
  Head: () => (
    <ViewHead title="Watches">
      Sites that are watched for new scripts, data connections, frames and policies.
    </ViewHead>
  ),
  Show,
});

function Show({ data: { account }, address }: QueryAnswer<WatchesQuery, Variables>) {
  const watches = account?.watches ?? [];
  const { groups = [], otherGroups = 0 } = account?.findings ?? {};
  return (
    <>
      {watches.length === 0 && (
        <Empty>
          No site is watched. The operator of the service enrols hosts with <code>account change --host</code>{' '}
          or with <code>watch</code> lines in the feed.
        </Empty>
      )}
      {newestFirst(watches)
        .filter(({ findings }) => findings.length > 0)
        .map(watch => (
          <OneWatch
            key={`${watch.product} ${watch.site}`}
            watch={watch}
            groups={groups.filter(({ product, site }) => product === watch.product && site === watch.site)}
            address={address}
          />
        ))}
      {otherGroups > 0 && <p class="quiet">{plural(otherGroups, 'more domain')} with less reach.</p>}
      <Quiet watches={watches.filter(({ findings }) => findings.length === 0)} />
      <Downloads path="findings" about="Download all findings:" />
    </>
  );
}

/** Sorts watches by their latest finding. Watches without findings come last, sorted by site. */
function newestFirst(watches: readonly Watch[]): Watch[] {
  const latest = ({ findings }: Watch) =>
    findings
      .map(({ firstSeen }) => firstSeen)
      .sort()
      .at(-1) ?? '';
  return [...watches].sort((one, other) => latest(other).localeCompare(latest(one)));
}

interface WatchProps {
  watch: Watch;
  /** The findings by domain, the most important first. */
  groups: readonly FindingGroup[];
  address: Address;
}

function OneWatch({ watch, groups, address }: WatchProps) {
  const { site, product, findings, alertThreshold, emailAlertsEnabled, webhookEnabled, webhookTarget } =
    watch;
  const total = groups.reduce((sum, group) => sum + group.findings, 0);
  const fresh = groups.filter(({ firstSeen }) => isNew(firstSeen)).length;
  const ways = [
    emailAlertsEnabled && 'by e-mail',
    webhookEnabled && `to ${webhookTarget ?? 'a webhook'}`,
  ].filter(Boolean);
  return (
    <section class="panel wide" aria-label={`${product} watch of ${site}`}>
      <h2>
        <bdi>{site}</bdi>{' '}
        <span class="quiet">
          {product} watch, {plural(total, 'finding')}
        </span>{' '}
        {fresh > 0 && <span class="badge new">{count(fresh)} new</span>}
      </h2>
      <p class="quiet">
        {ways.length > 0
          ? `Alerts go ${ways.join(' and ')} after ${plural(alertThreshold, 'finding')}.`
          : 'No alerts are sent.'}
      </p>
      <Groups watch={watch} groups={groups} address={address} />
      {product !== 'policy' && (
        <details>
          <summary>
            {total > findings.length
              ? `The ${count(findings.length)} most recently seen addresses`
              : 'All addresses, newest first'}
          </summary>
          <Addresses watch={watch} address={address} />
        </details>
      )}
    </section>
  );
}

function Groups({ watch: { site, product }, groups, address }: WatchProps) {
  const [isWhole, setWhole] = useState(false);
  return (
    <>
      <Table
        label={`Findings of the ${product} watch on ${site}`}
        columns={[
          product === 'policy' ? 'Policy' : 'Domain',
          ...['Count', 'Browsers', 'Pages', 'Days'].map(name => numbers(name)),
          'First seen',
          'Last seen',
        ]}
      >
        {groups.map((group, at) => (
          <tr key={group.name} class={!isWhole && at >= FIRST ? 'later' : undefined}>
            <th scope="row" class="wide-cell">
              {isNew(group.firstSeen) && <NewBadge />} <FindingName group={group} address={address} />
            </th>
            <NumberCell of="Count">{count(group.count)}</NumberCell>
            <NumberCell of="Browsers">{orDash(group.browsers)}</NumberCell>
            <NumberCell of="Pages">{orDash(group.pages)}</NumberCell>
            <NumberCell of="Days">{orDash(group.days)}</NumberCell>
            <td data-label="First">
              <Moment at={group.firstSeen} />
            </td>
            <td data-label="Last">
              <Moment at={group.lastSeen} />
            </td>
          </tr>
        ))}
      </Table>
      {!isWhole && groups.length > FIRST && (
        <button type="button" class="more" onClick={() => setWhole(true)}>
          Show all {count(groups.length)}
        </button>
      )}
    </>
  );
}

/** Formats a number, or a dash if the reports do not contain it. */
const orDash = (value: number | null) => (value === null ? '–' : count(value));

function Addresses({ watch: { site, product, findings }, address }: Omit<WatchProps, 'groups'>) {
  const sorted = [...findings].sort((one, other) => (one.firstSeen < other.firstSeen ? 1 : -1));
  return (
    <Table
      label={`Addresses of the ${product} watch on ${site}`}
      columns={[
        'Address',
        numbers('Count'),
        { children: 'First seen', 'aria-sort': 'descending' },
        'Last seen',
        unseen('Reports'),
      ]}
    >
      {sorted.map(finding => (
        <Finding
          key={'uri' in finding ? `${finding.source} ${finding.uri}` : finding.policy}
          finding={finding}
          address={address}
        />
      ))}
    </Table>
  );
}

/** All watches without findings, in one panel. */
function Quiet({ watches }: { watches: readonly Watch[] }) {
  if (watches.length === 0) return null;
  return (
    <section class="panel wide" aria-label="Watches without findings">
      <h2>Nothing found</h2>
      <p class="quiet">
        A finding appears when a report from such a site first names a script, a connection, a frame or a
        policy, or when the feed contains one.
      </p>
      <ul class="list">
        {[...new Set(watches.map(({ site }) => site))].map(site => (
          <li key={site}>
            <bdi>{site}</bdi>
            <span class="quiet">
              {watches
                .filter(watch => watch.site === site)
                .map(({ product }) => product)
                .join(', ')}{' '}
              watch
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface FindingProps {
  finding: Watch['findings'][number];
  address: Address;
}

function Finding({ finding, address }: FindingProps) {
  const text = 'uri' in finding ? finding.uri : finding.policy;
  return (
    <tr>
      <th scope="row" class="wide-cell">
        {isNew(finding.firstSeen) && <NewBadge />} <bdi class="wrap">{revealControlCharacters(text)}</bdi>
      </th>
      <NumberCell of="Count">{count(finding.count)}</NumberCell>
      <td data-label="First">
        <Moment at={finding.firstSeen} />
      </td>
      <td data-label="Last">
        <Moment at={finding.lastSeen} />
      </td>
      <td class="actions">{'uri' in finding && <ItsReports finding={finding} address={address} />}</td>
    </tr>
  );
}

function ItsReports({ finding, address }: FindingProps & { finding: { uri: string; source: string } }) {
  const { uri, source } = finding;
  const host = addressIn(uri)?.hostname;
  const to = host && toReportsAddress({ name: host, isDomain: false, source }, address);
  if (!to) return null;
  return (
    <Link to={to} label={`Reports of ${host}`}>
      reports
    </Link>
  );
}
