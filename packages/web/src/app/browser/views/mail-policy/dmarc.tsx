import { Copy } from '../../../../browser/copy.tsx';
import { TryMailPolicyDocument, type TryMailPolicyQuery } from '../../documents/documents.generated.ts';
import { count, plural, revealControlCharacters } from '../../format.ts';
import { Empty } from '../../parts/states.tsx';
import { periodLabel } from '../../period.ts';
import { createQueryView } from '../../query-view.tsx';
import type { QueryAnswer } from '../../use-answer.ts';
import { Limits, Readiness } from './readiness.tsx';
import { type DmarcReplayResult, FIRST_POLICY, toInstants } from './scope.ts';
import { Senders } from './senders.tsx';

interface Variables {
  account: string;
  domain: string;
  policy: string;
  from: string;
  to: string | null;
}

/** The effect that a DMARC record would have had on the messages in the reports. */
export const DmarcReplay = createQueryView<TryMailPolicyQuery, Variables>({
  document: TryMailPolicyDocument,
  ask: (address, account) => ({
    account,
    domain: address.params.get('domain')!,
    policy: address.params.get('policy') ?? FIRST_POLICY,
    ...toInstants(address),
  }),
  Show,
  getName: address => `${address.params.get('domain') ?? 'the previous domain'}, ${periodLabel(address)}`,
});

function Show({ data: { account }, variables, address }: QueryAnswer<TryMailPolicyQuery, Variables>) {
  const replay = account?.dmarcReplay;
  if (!replay) return <Empty>There is no such account, or the replay failed. Reload to try again.</Empty>;
  return (
    <>
      <Result replay={replay} domain={variables.domain} />
      {replay.messages > 0 && <Senders replay={replay} address={address} />}
    </>
  );
}

function Result({ replay, domain }: { replay: DmarcReplayResult; domain: string }) {
  const { readiness, published, notes, otherRecords, otherCount, limits } = replay;
  return (
    <section class="panel wide records" aria-label="DMARC">
      <h2>DMARC</h2>
      {replay.messages === 0 ? (
        <p>No DMARC report of the period has messages of this domain.</p>
      ) : (
        <Counts replay={replay} />
      )}
      <Readiness {...readiness} />
      <h3>Record to publish</h3>
      <p class="quiet">
        TXT at <code class="wrap">{revealControlCharacters(`_dmarc.${domain}`)}</code>
        {published && (
          <>
            . Last record that receivers found: <code class="wrap">{published}</code>
          </>
        )}
      </p>
      <pre>
        <code>{revealControlCharacters(replay.record)}</code>
      </pre>
      <p>
        <Copy text={replay.record} label="Copy the record" />
      </p>
      {notes.map(note => (
        <p key={note} class="warn">
          {revealControlCharacters(note)}
        </p>
      ))}
      {otherRecords > 0 && (
        <p class="quiet">
          {plural(otherRecords, 'message')} of sub-domains with a record of their own{' '}
          {otherRecords === 1 ? 'is' : 'are'} left out.
        </p>
      )}
      {otherCount > 0 && (
        <p class="quiet">
          {plural(otherCount, 'message')} of rare combinations {otherCount === 1 ? 'is' : 'are'} left out.
        </p>
      )}
      <Limits limits={limits} />
    </section>
  );
}

function Counts({ replay }: { replay: DmarcReplayResult }) {
  const { messages, delivered, quarantined, rejected, uncertain, actual } = replay;
  return (
    <>
      <p>
        Of {plural(messages, 'message')} the policy delivers <strong>{count(delivered)}</strong>, quarantines{' '}
        <strong>{count(quarantined)}</strong> and rejects <strong>{count(rejected)}</strong>.
        {uncertain > 0 && ` For ${count(uncertain)}, the reports do not say enough to be sure.`}
      </p>
      <p class="quiet">
        Receivers delivered {count(actual.delivered)}, quarantined {count(actual.quarantined)} and rejected{' '}
        {count(actual.rejected)} of them.
      </p>
    </>
  );
}
