import { Copy } from '../../../../browser/copy.tsx';
import type { Address } from '../../address.ts';
import { TryPolicyDocument, type TryPolicyQuery } from '../../documents/documents.generated.ts';
import { count, dayBefore, moment, plural, revealControlCharacters } from '../../format.ts';
import { Empty } from '../../parts/states.tsx';
import { ViewHead } from '../../parts/view-head.tsx';
import { createQueryView } from '../../query-view.tsx';
import type { QueryAnswer } from '../../use-answer.ts';
import { type AddedSource, DAYS, getName, readAddedSources } from './added.ts';
import { Directives } from './directives.tsx';
import { Outcome } from './outcome.tsx';
import { Question } from './question.tsx';
import { Suggestions } from './suggestions.tsx';

interface Variables {
  account: string;
  site: string;
  policy: string;
  add: AddedSource[];
  from: string;
}

/** Replays a policy against a site's reports: shows which sources it would allow, and suggests sources to add. */
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
          <Empty>Choose a site and a policy to start.</Empty>
        </div>
      )}
    </>
  );
}

const Replay = createQueryView<TryPolicyQuery, Variables>({
  document: TryPolicyDocument,
  ask: (address, account) => ({
    account,
    site: address.params.get('site')!,
    policy: address.params.get('policy')!,
    add: readAddedSources(address),
    from: dayBefore(DAYS - 1),
  }),
  Head: () => null,
  Show,
  getName: ({ params }) => params.get('site') ?? 'before',
});

type Account = NonNullable<TryPolicyQuery['account']>;
type ReplayOutcome = NonNullable<Account['policyReplay']>;

function Show({ data: { account }, address }: QueryAnswer<TryPolicyQuery, Variables>) {
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
      <Outcome title="Unknown" outcome={replay.unknown} address={address} />
      <Outcome title="Would now be allowed" outcome={replay.allowed} address={address} />
    </>
  );
}

function Result({ replay }: { replay: ReplayOutcome }) {
  const { policy, blocked, allowed, unknown, noise, otherCount, unused, ignored, trial } = replay;
  const header = `Content-Security-Policy-Report-Only: ${policy}`;
  return (
    <section class="panel wide" aria-label="The policy">
      <h2>The policy</h2>
      <p>
        <code class="wrap">{revealControlCharacters(header)}</code> <Copy text={header} label="Copy" />
      </p>
      <p>
        Of {plural(blocked.count + allowed.count + unknown.count, 'report')} it would still block{' '}
        <strong>{count(blocked.count)}</strong> and allow <strong>{count(allowed.count)}</strong>; for{' '}
        <strong>{count(unknown.count)}</strong> the reports do not say enough. {plural(noise.count, 'report')}{' '}
        of extensions and other browser noise {noise.count === 1 ? 'is' : 'are'} left out.
        {otherCount > 0 && ` ${plural(otherCount, 'report')} of rare addresses were not checked.`}
      </p>
      <p class="quiet">{trialWords(trial)}</p>
      {unused.length > 0 && <Sources title="Sources that no report needs:" sources={unused} />}
      {ignored.length > 0 && (
        <Sources title="Ignored by browsers, because it is not a source:" sources={ignored} />
      )}
    </section>
  );
}

function trialWords({ isWatched, since }: ReplayOutcome['trial']): string {
  if (since)
    return `A policy at least as strict has been in use since ${moment(since)} UTC. Before that, browsers reported less.`;
  const why = 'browsers had no reason to report what only this policy would block.';
  if (isWatched)
    return `No policy at least as strict has been sent yet: ${why} Send it as report-only first.`;
  return 'No policy watch records what this site sends, so it is unknown whether a policy as strict has been tried.';
}

function Sources({ title, sources }: { title: string; sources: readonly AddedSource[] }) {
  return (
    <p>
      {title}{' '}
      {sources.map(one => (
        <span key={getName(one)}>
          <code class="wrap">{revealControlCharacters(getName(one))}</code>{' '}
        </span>
      ))}
    </p>
  );
}
