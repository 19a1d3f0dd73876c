import {
  directiveToChange,
  judgeOf,
  openedBy,
  type Policy,
  policyText,
  sourceFor,
  withSources,
} from '@sightline/csp';
import { CspEvaluator } from 'csp_evaluator/dist/evaluator.js';
import { Severity, Type } from 'csp_evaluator/dist/finding.js';
import { CspParser } from 'csp_evaluator/dist/parser.js';
import { getDomain, getHostname } from 'tldts';
import type { Account } from '../sql/account.ts';
import { builder, OWN_STATEMENT } from './builder.ts';
import type { Context } from './context.ts';
import { policyWith } from './policy-replay.ts';
import { ReachType } from './policy-replay-types.ts';
import {
  byReach,
  isNoise,
  type Reach,
  ReachSum,
  type ReportedViolation,
  reportedViolations,
  type SitePeriod,
} from './reported-violations.ts';

/** A source that would end reports. */
interface Suggestion extends Reach {
  directive: string;
  source: string;
  /** The sources that a wildcard stands for; the source itself otherwise. */
  covers: string[];
  opens: string | null;
  isAdded: boolean;
}

interface Weakness {
  directive: string;
  value: string | null;
  severity: string;
  description: string;
}

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
  const baseline = policyWith(args.baseline, undefined);
  const { violations } = await reportedViolations(account, args, context);
  const allowed = new Set(args.allow ?? []);
  const all = suggestionsFor(baseline, violations, allowed);
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

/**
 * Suggests sources that would allow the violations that the baseline blocks. Only sources that name a place are
 * added unasked.
 */
function suggestionsFor(
  baseline: Policy,
  violations: readonly ReportedViolation[],
  allowed: ReadonlySet<string>,
): Suggestion[] {
  const judge = judgeOf(baseline);
  const found = new Map<string, { directive: string; source: string; violations: ReportedViolation[] }>();
  for (const violation of violations) {
    if (isNoise(violation) || judge(violation).outcome !== 'blocked') continue;
    const directive = directiveToChange(baseline, violation.directive);
    const source = sourceFor(violation.blockedUri, violation.page);
    if (directive === undefined || source === undefined) continue;
    const key = `${directive} ${source}`;
    const known = found.get(key) ?? { directive, source, violations: [] };
    known.violations.push(violation);
    found.set(key, known);
  }
  return withWildcards([...found.values()])
    .map(({ directive, source, covers, violations }) => {
      const opens = openedBy(source) ?? null;
      const isAdded = opens === null || allowed.has(source);
      return { directive, source, covers, opens, isAdded, ...reachOf(violations) };
    })
    .sort(byReach);
}

interface Found {
  directive: string;
  source: string;
  violations: ReportedViolation[];
}

/** Hosts of one site in one directive from which on their wildcard is suggested. */
const HOSTS_OF_WILDCARD = 3;

/** Replaces the hosts of one site by its wildcard, where there are three or more. */
function withWildcards(found: readonly Found[]): (Found & { covers: string[] })[] {
  const bySite = new Map<string, Found[]>();
  for (const one of found) {
    const wildcard = wildcardOf(one.source);
    const key = wildcard ? `${one.directive} ${wildcard}` : `${one.directive} ${one.source}`;
    bySite.set(key, [...(bySite.get(key) ?? []), one]);
  }
  return [...bySite.values()].flatMap(alike => {
    if (alike.length < HOSTS_OF_WILDCARD) return alike.map(one => ({ ...one, covers: [one.source] }));
    const { directive, source } = alike[0]!;
    return {
      directive,
      source: wildcardOf(source)!,
      covers: alike.map(one => one.source).sort(),
      violations: alike.flatMap(one => one.violations),
    };
  });
}

/** Undefined for a site's own name, and for what is no host: hosts of a shared domain are sites of their own. */
function wildcardOf(source: string): string | undefined {
  const [, scheme, port = ''] = /^(https?|wss?):\/\/[^/:]+(:\d+)?$/.exec(source) ?? [];
  if (!scheme) return undefined;
  const site = getDomain(source, { allowPrivateDomains: true });
  return site === null || getHostname(source) === site ? undefined : `${scheme}://*.${site}${port}`;
}

function reachOf(violations: readonly ReportedViolation[]): Reach {
  const sum = new ReachSum();
  for (const violation of violations) sum.add(violation);
  return sum.total();
}

/** The destination of a policy's reports is not its strength: another check tells it. */
const NOT_WEAK: ReadonlySet<Type> = new Set([Type.REPORTING_DESTINATION_MISSING, Type.REPORT_TO_ONLY]);

function weaknessesOf(policy: string): Weakness[] {
  const findings = new CspEvaluator(new CspParser(policy).csp).evaluate();
  return findings
    .filter(({ type }) => !NOT_WEAK.has(type))
    .sort((one, other) => one.severity - other.severity)
    .map(({ directive, value, severity, description }) => ({
      directive,
      value: value ?? null,
      severity: severityOf(severity),
      description,
    }));
}

function severityOf(severity: Severity): string {
  if (severity === Severity.HIGH || severity === Severity.HIGH_MAYBE) return 'high';
  if (severity === Severity.SYNTAX) return 'syntax';
  return severity === Severity.MEDIUM || severity === Severity.MEDIUM_MAYBE ? 'medium' : 'info';
}

builder.objectField('Account', 'policySuggestion', t =>
  t.field({
    type: SuggestionsType,
    nullable: true,
    description:
      'What a policy would have to allow so that the CSP reports of a site end, from `from` on and before `to`. ' +
      'Reports of extensions, and those that cannot be, are left out.',
    complexity: OWN_STATEMENT,
    args: {
      site: t.arg({
        type: 'HostName',
        required: true,
        description: 'Host name of the pages; `*` stands for any characters.',
      }),
      baseline: t.arg({ type: 'PolicyText', required: true, description: 'The policy to begin with.' }),
      allow: t.arg({ type: [Unsafe], description: 'Sources that open more, and are added all the same.' }),
      from: t.arg({ type: 'Instant', required: true, description: 'Where the period begins.' }),
      to: t.arg({
        type: 'Instant',
        description: 'The first instant behind the period; now, where it is left out.',
      }),
    },
    resolve: (account, args, context) => suggest(account, args, context),
  }),
);
