import { useContext } from 'preact/hooks';
import { WatchesDocument, type WatchesQuery } from '../documents/documents.generated.ts';
import { count, dayBefore, plural } from '../format.ts';
import { AsRequest } from '../parts/as-request.tsx';
import { Downloads } from '../parts/downloads.tsx';
import { Moment } from '../parts/moment.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { SessionContext, useAnswer } from '../use-answer.ts';

type Watch = NonNullable<WatchesQuery['account']>['watches'][number];

const NEW_DAYS = 7;

/** The watched sites with what was found, the newest first. */
export function Watches() {
  const { account } = useContext(SessionContext);
  const variables = { account };
  const asked = useAnswer(WatchesDocument, variables);
  return (
    <>
      <header class="view">
        <h1>Watches</h1>
        <p>
          Sites that are watched for scripts, data connections, frames and policies that were not there
          before.
        </p>
      </header>
      <Answered asked={asked}>
        {({ account }) => (
          <>
            {!account?.watches.length && <Empty>No site is watched.</Empty>}
            {newestFirst(account?.watches ?? []).map(watch => (
              <OneWatch key={`${watch.product} ${watch.site}`} watch={watch} />
            ))}
            <Downloads path="findings" about="All findings as a file:" />
            <AsRequest document={WatchesDocument} variables={variables} />
          </>
        )}
      </Answered>
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

function OneWatch({ watch }: { watch: Watch }) {
  const { site, product, findings, alertThreshold, emailAlertsEnabled, webhookEnabled, webhookTarget } =
    watch;
  const sorted = [...findings].sort((one, other) => (one.firstSeen < other.firstSeen ? 1 : -1));
  const fresh = sorted.filter(({ firstSeen }) => isNew(firstSeen)).length;
  const ways = [
    emailAlertsEnabled && 'by e-mail',
    webhookEnabled && `to ${webhookTarget ?? 'a webhook'}`,
  ].filter(Boolean);
  return (
    <section class="panel wide" aria-label={`${product} watch of ${site}`}>
      <h2>
        <bdi>{site}</bdi> <span class="quiet">{product} watch</span>{' '}
        {fresh > 0 && <span class="badge">{count(fresh)} new</span>}
      </h2>
      <p class="quiet">
        {ways.length > 0
          ? `Alerts go ${ways.join(' and ')} after ${plural(alertThreshold, 'finding')}.`
          : 'No alerts are sent.'}
      </p>
      {sorted.length === 0 ? (
        <p>Nothing was found.</p>
      ) : (
        <section class="scroll tall" tabIndex={0} aria-label={`Findings of the ${product} watch on ${site}`}>
          <table class="stack">
            <thead>
              <tr>
                <th scope="col">{product === 'policy' ? 'Policy' : 'Address'}</th>
                <th scope="col" class="number">
                  Count
                </th>
                <th scope="col" aria-sort="descending">
                  First seen
                </th>
                <th scope="col">Last seen</th>
              </tr>
            </thead>
            <tbody>
              {sorted.map(finding => (
                <Finding
                  key={'uri' in finding ? `${finding.source} ${finding.uri}` : finding.policy}
                  finding={finding}
                />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}

function Finding({ finding }: { finding: Watch['findings'][number] }) {
  const text = 'uri' in finding ? finding.uri : finding.policy;
  return (
    <tr>
      <th scope="row" class="wide-cell">
        {isNew(finding.firstSeen) && <span class="badge">new</span>} <bdi class="wrap">{text}</bdi>
      </th>
      <td class="number" data-label="Count">
        {count(finding.count)}
      </td>
      <td data-label="First">
        <Moment at={finding.firstSeen} />
      </td>
      <td data-label="Last">
        <Moment at={finding.lastSeen} />
      </td>
    </tr>
  );
}

function isNew(firstSeen: string): boolean {
  return firstSeen >= dayBefore(NEW_DAYS - 1);
}
