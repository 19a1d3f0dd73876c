import { beginTurn, isTurnOver, nextTurn, policyText, withSources } from '@sightline/csp';
import type { Doubt, Suggestion, Trust, Weakness } from '@sightline/csp/suggest';
import { MS_PER_DAY } from '@sightline/reports';
import type { Account } from '../sql/account.ts';
import { findBlockedHosts } from '../sql/insights/hosts.ts';
import { builder } from './builder.ts';
import type { Context } from './context.ts';
import { hasFeature } from './entitlements.ts';
import { measureArguments, policyWith } from './policy-replay.ts';
import { ReachType } from './policy-replay-types.ts';
import { loadViolations, SITE_PERIOD, type SitePeriod, splitNoise } from './reported-violations.ts';

interface Suggestions {
  suggestions: Suggestion[];
  otherSuggestions: number;
  policy: string;
  header: string;
  weaknesses: Weakness[];
}

export const DoubtType = builder.enumType('SuggestionDoubt', {
  description: 'A reason to review a source before allowing it.',
  subGraphs: ['graph'],
  values: {
    THREAT: { value: 'threat', description: 'Threat intelligence flags the host.' },
    NEW: { value: 'new', description: 'It was first seen in the last seven days of the period.' },
    ONE_BROWSER: { value: 'one browser', description: 'One kind of browser reported it.' },
    ONE_PAGE: { value: 'one page', description: 'It was reported from one page.' },
    ONE_DAY: { value: 'one day', description: 'It was reported on one day.' },
  } satisfies Record<string, { value: Doubt; description: string }>,
});

const SuggestionType = builder.objectRef<Suggestion>('PolicySuggestion').implement({
  description: 'A source that would prevent reports.',
  subGraphs: ['graph'],
  interfaces: [ReachType],
  fields: t => ({
    directive: t.exposeString('directive', { description: 'The directive that it is added to.' }),
    source: t.exposeString('source', { description: 'The source.' }),
    covers: t.exposeStringList('covers', {
      complexity: { field: 1, multiplier: 10 },
      description: 'The sources that a wildcard covers; otherwise the source itself.',
    }),
    opens: t.exposeString('opens', {
      nullable: true,
      description:
        'What the source allows beyond the reported resources. Such a source is added only on request.',
    }),
    browsers: t.expose('browsers', {
      type: 'Counter',
      nullable: true,
      description:
        'The number of combinations of browser and platform among the examined reports of the host; for ' +
        'a wildcard, the largest number of one of its hosts. Null if the source is not a host.',
    }),
    doubts: t.expose('doubts', {
      type: [DoubtType],
      complexity: 1,
      description:
        'Reasons to review the source. A source with doubts is not added and not covered by a wildcard.',
    }),
    isAdded: t.exposeBoolean('isAdded', { description: 'Whether `policy` contains the source.' }),
  }),
});

const WeaknessType = builder.objectRef<Weakness>('PolicyWeakness').implement({
  description: "A weakness of a policy, as Google's CSP Evaluator finds it.",
  subGraphs: ['graph'],
  fields: t => ({
    directive: t.exposeString('directive', { description: 'The directive.' }),
    value: t.exposeString('value', {
      nullable: true,
      description: 'The source, if the weakness concerns one.',
    }),
    severity: t.exposeString('severity', { description: '`high`, `medium`, `syntax` or `info`.' }),
    description: t.exposeString('description', { description: 'A description of the weakness.' }),
  }),
});

const SuggestionsType = builder.objectRef<Suggestions>('PolicySuggestions').implement({
  description: 'The sources that a policy must allow to prevent the reports of a site.',
  subGraphs: ['graph'],
  fields: t => ({
    suggestions: t.expose('suggestions', {
      type: [SuggestionType],
      complexity: { field: 0, multiplier: 100 },
      description:
        'The suggestions: those without doubts first, then by days, browsers and pages. Review each of ' +
        'them, because reports can be forged and a reported resource can be an attack.',
    }),
    otherSuggestions: t.expose('otherSuggestions', {
      type: 'Counter',
      description: 'The number of omitted suggestions.',
    }),
    policy: t.exposeString('policy', { description: 'The baseline with the added sources.' }),
    header: t.exposeString('header', { description: 'The report-only header for testing the policy.' }),
    weaknesses: t.expose('weaknesses', {
      type: [WeaknessType],
      complexity: { field: 1, multiplier: 20 },
      description: 'Weaknesses of that policy.',
    }),
  }),
});

const Unsafe = builder.enumType('UnsafeSource', {
  description: 'A source that allows more than was reported.',
  subGraphs: ['graph'],
  values: {
    UNSAFE_INLINE: { value: "'unsafe-inline'", description: 'Any inline code or style.' },
    UNSAFE_EVAL: { value: "'unsafe-eval'", description: 'Code that is evaluated from any string.' },
    WASM_UNSAFE_EVAL: {
      value: "'wasm-unsafe-eval'",
      description: 'WebAssembly that is compiled from any bytes.',
    },
    DATA: { value: 'data:', description: 'Any content in a `data:` address.' },
    BLOB: { value: 'blob:', description: 'Any content that a script of the page creates.' },
  } as const,
});

interface SuggestionArguments extends SitePeriod {
  baseline: string;
  allow?: readonly string[] | null | undefined;
}

async function suggest(account: Account, args: SuggestionArguments, context: Context): Promise<Suggestions> {
  // Contains lists of several megabytes, and is rarely used.
  const { findCandidates, findWeaknesses, rankSuggestions } = await import('@sightline/csp/suggest');
  // Aliases of one request arrive together, and parsing a policy of 64 KiB takes milliseconds.
  if (isTurnOver()) await beginTurn();
  const baseline = policyWith(args.baseline, undefined);
  const { violations } = await loadViolations(account, args, context);
  const [, telling] = await splitNoise(violations);
  const { candidates, others } = await findCandidates(baseline, telling);
  const hosts = new Set(candidates.flatMap(candidate => [...candidate.hosts]));
  const trust = await findTrust(account, args, [...hosts], context);
  await nextTurn();
  const all = rankSuggestions(candidates, trust);
  // Only listed suggestions are added: nobody has reviewed the others, and the length of a header is limited.
  const shown = all.slice(0, MOST_SUGGESTIONS);
  const policy = withSources(
    baseline,
    shown.filter(({ isAdded }) => isAdded),
  );
  const text = policyText(policy);
  await nextTurn();
  return {
    suggestions: shown,
    otherSuggestions: others + all.length - shown.length,
    policy: text,
    header: `Content-Security-Policy-Report-Only: ${text}`,
    weaknesses: await findWeaknesses(policy),
  };
}

export const MOST_SUGGESTIONS = 200;

/**
 * The number of days for which a source counts as new. An extension or an attack is usually noticed within this time.
 */
const NEW_DAYS = 7;

/** @param end of the period, in milliseconds since 1970 */
export const toNewSince = (end: number) => new Date(end - NEW_DAYS * MS_PER_DAY).toISOString();

async function findTrust(
  account: Account,
  { site, from, to, allow }: SuggestionArguments,
  hosts: readonly string[],
  { database, now }: Context,
): Promise<Trust> {
  const end = Math.min(now.getTime(), to ? Date.parse(to) : Number.POSITIVE_INFINITY);
  const until = new Date(end).toISOString();
  const query = { account: account.id, site, since: from, until };
  const isKnown = hasFeature(account, 'threatIntelligence');
  const found = await findBlockedHosts(database, query, hosts);
  return {
    evidence: new Map(
      found.map(({ host, browsers, threat }) => [host, { browsers, isThreat: isKnown && threat }]),
    ),
    newSince: toNewSince(end),
    allowed: new Set(allow ?? []),
  };
}

builder.objectField('Account', 'policySuggestion', t =>
  t.field({
    type: SuggestionsType,
    nullable: true,
    description:
      'Suggests the sources that a policy must allow to prevent the CSP reports of a site from `from` up to, but not ' +
      'including, `to`. Reports of extensions and `impossible` reports are omitted.',
    complexity: ({ baseline }) => measureArguments([baseline]),
    args: {
      site: t.arg(SITE_PERIOD.site),
      baseline: t.arg({ type: 'PolicyText', required: true, description: 'The policy to start from.' }),
      allow: t.arg({
        type: [Unsafe],
        description: 'Sources to add although they allow more than was reported.',
      }),
      from: t.arg(SITE_PERIOD.from),
      to: t.arg(SITE_PERIOD.to),
    },
    resolve: (account, args, context) => suggest(account, args, context),
  }),
);
