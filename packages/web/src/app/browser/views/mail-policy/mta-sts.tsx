import { Copy } from '../../../../browser/copy.tsx';
import { TryMtaStsDocument, type TryMtaStsQuery } from '../../documents/documents.generated.ts';
import { count, plural, revealControlCharacters } from '../../format.ts';
import { Empty } from '../../parts/states.tsx';
import { NumberCell, numbers, Table } from '../../parts/table.tsx';
import { periodLabel } from '../../period.ts';
import { createQueryView } from '../../query-view.tsx';
import type { QueryAnswer } from '../../use-answer.ts';
import { inWords } from '../../words.ts';
import { Limits, Readiness } from './readiness.tsx';
import { toInstants } from './scope.ts';

interface Variables {
  account: string;
  domain: string;
  from: string;
  to: string | null;
}

/** The effect that MTA-STS in mode enforce would have had on mail sessions to the domain. */
export const MtaStsReplay = createQueryView<TryMtaStsQuery, Variables>({
  document: TryMtaStsDocument,
  ask: (address, account) => ({
    account,
    domain: address.params.get('domain')!,
    ...toInstants(address),
  }),
  Show,
  getName: address => `${address.params.get('domain') ?? 'the previous domain'}, ${periodLabel(address)}`,
});

type Replay = NonNullable<NonNullable<TryMtaStsQuery['account']>['mtaStsReplay']>;

function Show({ data: { account }, variables: { domain } }: QueryAnswer<TryMtaStsQuery, Variables>) {
  const replay = account?.mtaStsReplay;
  if (!replay) return <Empty>There is no such account, or the replay failed. Reload to try again.</Empty>;
  const { mode, sessions, withoutPolicy, readiness, limits } = replay;
  return (
    <section class="panel wide records" aria-label="MTA-STS">
      <h2>
        MTA-STS in mode enforce{' '}
        {mode && <span class="quiet">mode {revealControlCharacters(mode)} is published</span>}
      </h2>
      {sessions > 0 ? <Counts replay={replay} /> : <NoSessions {...{ withoutPolicy }} />}
      {sessions > 0 && <Readiness {...readiness} />}
      {replay.failures.length > 0 && <Failures failures={replay.failures} />}
      {replay.policy && replay.dnsRecord && (
        <Publish domain={domain} policy={replay.policy} dnsRecord={replay.dnsRecord} />
      )}
      <Limits limits={limits} />
    </section>
  );
}

function NoSessions({ withoutPolicy }: { withoutPolicy: number }) {
  return (
    <p>
      No report of the period contains sessions under an MTA-STS policy of this domain.
      {withoutPolicy > 0 && ` ${plural(withoutPolicy, 'session')} came from senders that found no policy.`}{' '}
      Publish a policy in testing mode first, and request reports with a record at <code>_smtp._tls</code>.
    </p>
  );
}

function Counts({ replay }: { replay: Replay }) {
  const { sessions, delivered, refused, unprotected, unexplained, withoutPolicy } = replay;
  return (
    <p>
      Of {plural(sessions, 'session')} the policy lets <strong>{count(delivered)}</strong> pass and refuses{' '}
      <strong>{count(refused)}</strong>.
      {unexplained > 0 && ` ${count(unexplained)} of those failed for a reason that reports do not name.`}
      {unprotected > 0 && ` In ${count(unprotected)} the sender could not read the policy.`}
      {withoutPolicy > 0 &&
        ` ${plural(withoutPolicy, 'session')} from senders that found no policy ${withoutPolicy === 1 ? 'is' : 'are'} not counted.`}
    </p>
  );
}

const EFFECTS: Record<Replay['failures'][number]['effect'], string> = {
  refused: 'refused',
  unprotected: 'delivered without protection',
  none: 'not changed',
};

function Failures({ failures }: { failures: Replay['failures'] }) {
  return (
    <Table
      label="Sessions that failed"
      columns={['Mail exchanger', 'Failure', 'Once enforced', numbers('Sessions'), numbers('Reporters')]}
    >
      {failures.map(({ resultType, exchanger, effect, sessions, reporters }) => (
        <tr key={JSON.stringify([resultType, exchanger])}>
          <th scope="row" class="sender">
            <bdi>{revealControlCharacters(exchanger) || 'not named'}</bdi>
          </th>
          <td data-label="Failure" class="sender">
            {inWords('resultType', resultType)}
          </td>
          <td data-label="Once enforced" class={effect === 'refused' ? 'warn' : undefined}>
            {EFFECTS[effect]}
          </td>
          <NumberCell of="Sessions">{count(sessions)}</NumberCell>
          <NumberCell of="Reporters">{count(reporters)}</NumberCell>
        </tr>
      ))}
    </Table>
  );
}

function Publish({ domain, policy, dnsRecord }: { domain: string; policy: string; dnsRecord: string }) {
  return (
    <>
      <h3>Policy to publish</h3>
      <p class="quiet">
        At{' '}
        <code class="wrap">
          {revealControlCharacters(`https://mta-sts.${domain}/.well-known/mta-sts.txt`)}
        </code>
      </p>
      <pre>
        <code>{revealControlCharacters(policy.replaceAll('\r', ''))}</code>
      </pre>
      <p>
        <Copy text={policy} label="Copy the policy" />
      </p>
      <p class="quiet">
        Then TXT at <code class="wrap">{revealControlCharacters(`_mta-sts.${domain}`)}</code>
      </p>
      <pre>
        <code>{dnsRecord}</code>
      </pre>
      <p>
        <Copy text={dnsRecord} label="Copy the DNS record" />
      </p>
    </>
  );
}
