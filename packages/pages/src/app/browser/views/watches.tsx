import { useState } from 'preact/hooks';
import { type Address, changed, elsewhere } from '../address.ts';
import { answering } from '../answering.tsx';
import { WatchesDocument, type WatchesQuery } from '../documents/documents.generated.ts';
import { addressIn, count, plural, revealed } from '../format.ts';
import { isNew } from '../news.ts';
import { Downloads } from '../parts/downloads.tsx';
import { Link } from '../parts/link.tsx';
import { Moment } from '../parts/moment.tsx';
import { Empty } from '../parts/states.tsx';
import { NumberCell, numbers, Table, unseen } from '../parts/table.tsx';
import { ViewHead } from '../parts/view-head.tsx';
import type { Answer } from '../use-answer.ts';

type Watch = NonNullable<WatchesQuery['account']>['watches'][number];

/** Findings of a watch that the query asks for: those that were seen last. */
const MOST = 1000;

/** Findings of a watch that are shown at first: on a phone a list within the page is hard to scroll. */
const FIRST = 5;

type Variables = { account: string };

/** The watched sites with what was found, the newest first. */
export const Watches = answering<WatchesQuery, Variables>({
  document: WatchesDocument,
  ask: (_, account) => ({ account }),
  Head: () => (
    <ViewHead title="Watches">
      Sites that are watched for scripts, data connections, frames and policies that were not there before.
    </ViewHead>
  ),
  Show,
});

function Show({ data: { account }, address }: Answer<WatchesQuery, Variables>) {
  const watches = account?.watches ?? [];
  return (
    <>
      {watches.length === 0 && (
        <Empty>
          No site is watched. The operator of the service enrols hosts by <code>account change --host</code>,
          or by <code>watch</code> lines of the feed.
        </Empty>
      )}
      {newestFirst(watches)
        .filter(({ findings }) => findings.length > 0)
        .map(watch => (
          <OneWatch key={`${watch.product} ${watch.site}`} watch={watch} address={address} />
        ))}
      <Quiet watches={watches.filter(({ findings }) => findings.length === 0)} />
      <Downloads path="findings" about="All findings as a file:" />
    </>
  );
}

/** Watches by what they found last: those without a finding come last, in the order of their sites. */
function newestFirst(watches: readonly Watch[]): Watch[] {
  const latest = ({ findings }: Watch) =>
    findings
      .map(({ firstSeen }) => firstSeen)
      .sort()
      .at(-1) ?? '';
  return [...watches].sort((one, other) => latest(other).localeCompare(latest(one)));
}

function OneWatch({ watch, address }: { watch: Watch; address: Address }) {
  const { site, product, findings, alertThreshold, emailAlertsEnabled, webhookEnabled, webhookTarget } =
    watch;
  const sorted = [...findings].sort((one, other) => (one.firstSeen < other.firstSeen ? 1 : -1));
  const fresh = sorted.filter(({ firstSeen }) => isNew(firstSeen)).length;
  const [isWhole, setWhole] = useState(false);
  const ways = [
    emailAlertsEnabled && 'by e-mail',
    webhookEnabled && `to ${webhookTarget ?? 'a webhook'}`,
  ].filter(Boolean);
  return (
    <section class="panel wide" aria-label={`${product} watch of ${site}`}>
      <h2>
        <bdi>{site}</bdi>{' '}
        <span class="quiet">
          {product} watch, {findings.length === MOST ? 'the last ' : ''}
          {plural(findings.length, 'finding')}
        </span>{' '}
        {fresh > 0 && <span class="badge new">{count(fresh)} new</span>}
      </h2>
      <p class="quiet">
        {ways.length > 0
          ? `Alerts go ${ways.join(' and ')} after ${plural(alertThreshold, 'finding')}.`
          : 'No alerts are sent.'}
      </p>
      <Table
        label={`Findings of the ${product} watch on ${site}`}
        columns={[
          product === 'policy' ? 'Policy' : 'Address',
          numbers('Count'),
          { children: 'First seen', 'aria-sort': 'descending' },
          'Last seen',
          unseen('Reports'),
        ]}
      >
        {sorted.map((finding, at) => (
          <Finding
            key={'uri' in finding ? `${finding.source} ${finding.uri}` : finding.policy}
            finding={finding}
            isLater={!isWhole && at >= FIRST}
            address={address}
          />
        ))}
      </Table>
      {!isWhole && sorted.length > FIRST && (
        <button type="button" class="more" onClick={() => setWhole(true)}>
          Show all {count(sorted.length)} findings
        </button>
      )}
    </section>
  );
}

/** Those that have found nothing, in one place. */
function Quiet({ watches }: { watches: readonly Watch[] }) {
  if (watches.length === 0) return null;
  return (
    <section class="panel wide" aria-label="Watches without findings">
      <h2>Nothing found</h2>
      <p class="quiet">
        Findings come with the first report of such a site that names a script, a connection, a frame or a
        policy, or from the feed.
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

/** The filter that finds the reports of a host, by what tells of it. */
const HOST_FILTER: Readonly<Record<string, string>> = {
  csp: 'blockedHostnames',
  csp_integrity: 'subresourceHostnames',
  integrity_policy: 'blockedHostnames',
};

interface FindingProps {
  finding: Watch['findings'][number];
  address: Address;
}

function Finding({ finding, isLater, address }: FindingProps & { isLater: boolean }) {
  const text = 'uri' in finding ? finding.uri : finding.policy;
  return (
    <tr class={isLater ? 'later' : undefined}>
      <th scope="row" class="wide-cell">
        {isNew(finding.firstSeen) && <span class="badge new">new</span>}{' '}
        <bdi class="wrap">{revealed(text)}</bdi>
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
  const filter = HOST_FILTER[source];
  if (!host || !filter) return null;
  return (
    <Link to={changed(elsewhere(address, [source]), { [filter]: host })} label={`Reports of ${host}`}>
      reports
    </Link>
  );
}
