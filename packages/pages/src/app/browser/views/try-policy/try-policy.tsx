import { Copy } from '../../../../browser/copy.tsx';
import type { Address } from '../../address.ts';
import { answering } from '../../answering.tsx';
import { TryPolicyDocument, type TryPolicyQuery } from '../../documents/documents.generated.ts';
import { count, dayBefore, moment, plural, revealed } from '../../format.ts';
import { Empty } from '../../parts/states.tsx';
import { ViewHead } from '../../parts/view-head.tsx';
import type { Answer } from '../../use-answer.ts';
import { type Added, addedIn, DAYS, nameOf } from './added.ts';
import { Directives } from './directives.tsx';
import { Outcome } from './outcome.tsx';
import { Question } from './question.tsx';
import { Suggestions } from './suggestions.tsx';

interface Variables {
  account: string;
  site: string;
  policy: string;
  add: Added[];
  from: string;
}

/** A policy against the reports of a site: which of them it would allow, with ticks for sources to add. */
export function TryPolicy({ address }: { address: Address }) {
  const isAsked = Boolean(address.params.get('site') && address.params.get('policy'));
  return (
    <>
      <ViewHead title="Try a policy">
        What a Content Security Policy would have done to the reports of {DAYS} days. Nothing is sent
        anywhere.
      </ViewHead>
      <Question address={address} />
      {isAsked ? (
        <Replay address={address} />
      ) : (
        <div aria-busy={false}>
          <Empty>Choose a site and a policy to begin with.</Empty>
        </div>
      )}
    </>
  );
}

const Replay = answering<TryPolicyQuery, Variables>({
  document: TryPolicyDocument,
  ask: (address, account) => ({
    account,
    site: address.params.get('site')!,
    policy: address.params.get('policy')!,
    add: addedIn(address),
    from: dayBefore(DAYS - 1),
  }),
  Head: () => null,
  Show,
  nameOf: ({ params }) => params.get('site') ?? 'before',
});

type Account = NonNullable<TryPolicyQuery['account']>;
type Replayed = NonNullable<Account['policyReplay']>;

function Show({ data: { account }, address }: Answer<TryPolicyQuery, Variables>) {
  const { policyReplay: replay, policySuggestion: suggestion } = account ?? {};
  if (!replay || !suggestion) return <Empty>There is no such account.</Empty>;
  return (
    <>
      <Result replay={replay} />
      <Directives replay={replay} />
      <Suggestions
        suggestions={suggestion.suggestions}
        others={suggestion.otherSuggestions}
        address={address}
      />
      <Outcome title="Would still be blocked" outcome={replay.blocked} address={address} />
      <Outcome title="Cannot be told" outcome={replay.unknown} address={address} />
      <Outcome title="Would now be allowed" outcome={replay.allowed} address={address} />
    </>
  );
}

function Result({ replay }: { replay: Replayed }) {
  const { policy, blocked, allowed, unknown, noise, otherCount, unused, ignored, trial } = replay;
  const header = `Content-Security-Policy-Report-Only: ${policy}`;
  return (
    <section class="panel wide" aria-label="The policy">
      <h2>The policy</h2>
      <p>
        <code class="wrap">{revealed(header)}</code> <Copy text={header} label="Copy" />
      </p>
      <p>
        Of {plural(blocked.count + allowed.count + unknown.count, 'report')} it would still block{' '}
        <strong>{count(blocked.count)}</strong> and allow <strong>{count(allowed.count)}</strong>; of{' '}
        <strong>{count(unknown.count)}</strong> the reports do not tell. {plural(noise.count, 'report')} of
        extensions and the like {noise.count === 1 ? 'is' : 'are'} left out.
        {otherCount > 0 && ` ${plural(otherCount, 'report')} of rare addresses were not looked at.`}
      </p>
      <p class="quiet">{trialWords(trial)}</p>
      {unused.length > 0 && <Sources title="No report needs" sources={unused} />}
      {ignored.length > 0 && <Sources title="Browsers ignore, since it is no source:" sources={ignored} />}
    </section>
  );
}

function trialWords({ isWatched, since }: Replayed['trial']): string {
  if (since)
    return `A policy that is as tight was sent since ${moment(since)} UTC. Before, browsers reported less.`;
  const why = 'browsers had no reason to report what only this policy would block.';
  if (isWatched) return `No policy that is as tight was sent yet: ${why} Send it to report only first.`;
  return 'No policy watch of this site notes what it sends, so it is not known whether a policy as tight was tried.';
}

function Sources({ title, sources }: { title: string; sources: readonly Added[] }) {
  return (
    <p>
      {title}{' '}
      {sources.map(one => (
        <span key={nameOf(one)}>
          <code class="wrap">{revealed(nameOf(one))}</code>{' '}
        </span>
      ))}
    </p>
  );
}
