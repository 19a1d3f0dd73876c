import { policyText, withSources } from '@sightline/csp';
import type { Suggestion } from '@sightline/csp/suggest';
import type { Weakness } from '@sightline/csp/weaknesses';
import type { Account } from '../sql/account.ts';
import { builder, OWN_STATEMENT } from './builder.ts';
import type { Context } from './context.ts';
import { policyWith } from './policy-replay.ts';
import { ReachType } from './policy-replay-types.ts';
import { isNoise, reportedViolations, SITE_PERIOD, type SitePeriod } from './reported-violations.ts';

interface Suggestions {
  suggestions: Suggestion[];
  otherSuggestions: number;
  policy: string;
  header: string;
  weaknesses: Weakness[];
}

const SuggestionType = builder.objectRef<Suggestion>('PolicySuggestion').implement({
  description: 'A source that would end reports.',
  subGraphs: ['graph'],
  interfaces: [ReachType],
  fields: t => ({
    directive: t.exposeString('directive', { description: 'The directive that it is added to.' }),
    source: t.exposeString('source', { description: 'The source.' }),
    covers: t.exposeStringList('covers', {
      complexity: { field: 1, multiplier: 10 },
      description: 'The sources that a wildcard stands for; the source itself otherwise.',
    }),
    opens: t.exposeString('opens', {
      nullable: true,
      description:
        'What it lets in beyond what was reported. Such a source is added only where it is asked for.',
    }),
    isAdded: t.exposeBoolean('isAdded', { description: 'Whether `policy` has it.' }),
  }),
});

const WeaknessType = builder.objectRef<Weakness>('PolicyWeakness').implement({
  description: "A weakness of a policy, as Google's CSP Evaluator finds it.",
  subGraphs: ['graph'],
  fields: t => ({
    directive: t.exposeString('directive', { description: 'The directive.' }),
    value: t.exposeString('value', { nullable: true, description: 'The source, where one is meant.' }),
    severity: t.exposeString('severity', { description: '`high`, `medium`, `syntax` or `info`.' }),
    description: t.exposeString('description', { description: 'The weakness in words.' }),
  }),
});

const SuggestionsType = builder.objectRef<Suggestions>('PolicySuggestions').implement({
  description: 'What a policy would have to allow so that the reports of a site end.',
  subGraphs: ['graph'],
  fields: t => ({
    suggestions: t.expose('suggestions', {
      type: [SuggestionType],
      complexity: { field: 0, multiplier: 100 },
      description:
        'Those on most pages first. Read each: reports can be forged, and what is reported can be an attack.',
    }),
    otherSuggestions: t.expose('otherSuggestions', {
      type: 'Counter',
      description: 'How many are left out.',
    }),
    policy: t.exposeString('policy', { description: 'The baseline with what is added.' }),
    header: t.exposeString('header', { description: 'The header to try it with: it only reports.' }),
    weaknesses: t.expose('weaknesses', {
      type: [WeaknessType],
      complexity: { field: 1, multiplier: 20 },
      description: 'Weaknesses of that policy.',
    }),
  }),
});

const Unsafe = builder.enumType('UnsafeSource', {
  description: 'A source that opens more than was reported.',
  subGraphs: ['graph'],
  values: {
    UNSAFE_INLINE: { value: "'unsafe-inline'", description: 'Any code or style within a page.' },
    UNSAFE_EVAL: { value: "'unsafe-eval'", description: 'Code that is made of any text.' },
    WASM_UNSAFE_EVAL: { value: "'wasm-unsafe-eval'", description: 'WebAssembly that is made of any bytes.' },
    DATA: { value: 'data:', description: 'Any content within an address.' },
    BLOB: { value: 'blob:', description: 'Any content that a script of the page makes.' },
  } as const,
});

interface SuggestionArguments extends SitePeriod {
  baseline: string;
  allow?: readonly string[] | null | undefined;
}

async function suggest(account: Account, args: SuggestionArguments, context: Context): Promise<Suggestions> {
  // Both bring lists that take megabytes, and few ask for them.
  const [{ suggestionsFor }, { weaknessesOf }] = await Promise.all([
    import('@sightline/csp/suggest'),
    import('@sightline/csp/weaknesses'),
  ]);
  const baseline = policyWith(args.baseline, undefined);
  const { violations } = await reportedViolations(account, args, context);
  const allowed = new Set(args.allow ?? []);
  const all = suggestionsFor(
    baseline,
    violations.filter(violation => !isNoise(violation)),
    allowed,
  );
  const policy = withSources(
    baseline,
    all.filter(({ isAdded }) => isAdded),
  );
  const text = policyText(policy);
  return {
    suggestions: all.slice(0, MOST_SUGGESTIONS),
    otherSuggestions: Math.max(0, all.length - MOST_SUGGESTIONS),
    policy: text,
    header: `Content-Security-Policy-Report-Only: ${text}`,
    weaknesses: weaknessesOf(text),
  };
}

const MOST_SUGGESTIONS = 200;

builder.objectField('Account', 'policySuggestion', t =>
  t.field({
    type: SuggestionsType,
    nullable: true,
    description:
      'What a policy would have to allow so that the CSP reports of a site end, from `from` on and before `to`. ' +
      'Reports of extensions, and those that cannot be, are left out.',
    complexity: OWN_STATEMENT,
    args: {
      site: t.arg(SITE_PERIOD.site),
      baseline: t.arg({ type: 'PolicyText', required: true, description: 'The policy to begin with.' }),
      allow: t.arg({ type: [Unsafe], description: 'Sources that open more, and are added all the same.' }),
      from: t.arg(SITE_PERIOD.from),
      to: t.arg(SITE_PERIOD.to),
    },
    resolve: (account, args, context) => suggest(account, args, context),
  }),
);
