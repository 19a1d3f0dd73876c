import {
  type DirectiveSource,
  ignoredSources,
  isAsTight,
  judgeOf,
  type Outcome,
  type Policy,
  parsePolicy,
  parseSource,
  policyText,
  unusedSources,
  type Verdict,
  withSources,
} from '@sightline/csp';
import type { Product } from '@sightline/feed/plans';
import type { Account } from '../sql/account.ts';
import { type FindingRow, siteKeyOf } from '../sql/watches.ts';
import { builder, OWN_STATEMENT } from './builder.ts';
import type { Context } from './context.ts';
import { invalidParameter } from './errors.ts';
import {
  AddedSource,
  type Effect,
  type Outcomes,
  type Replay,
  ReplayType,
  type Trial,
} from './policy-replay-types.ts';
import {
  byReach,
  isNoise,
  type Reach,
  ReachSum,
  type ReportedViolation,
  reportedViolations,
  type SitePeriod,
} from './reported-violations.ts';

/** The most sources that one request adds. */
const MOST_ADDED = 200;

/** The policy that is meant. @throws {PublicError} for what is no source: it would be a directive of its own */
export function policyWith(text: string, added: readonly DirectiveSource[] | null | undefined): Policy {
  if (text.includes(','))
    throw invalidParameter('policy. A comma begins another policy: ask for each alone.');
  const isSound = ({ directive, source }: DirectiveSource) =>
    /^[a-z][a-z-]{0,40}$/.test(directive) && parseSource(source) !== undefined;
  if (added && !(added.length <= MOST_ADDED && added.every(isSound))) throw invalidParameter('add');
  return withSources(parsePolicy(text), added ?? []);
}

interface ReplayArguments extends SitePeriod {
  policy: string;
  add?: readonly DirectiveSource[] | null | undefined;
}

async function replay(account: Account, args: ReplayArguments, context: Context): Promise<Replay> {
  const policy = policyWith(args.policy, args.add);
  const [{ violations, otherCount }, findings] = await Promise.all([
    reportedViolations(account, args, context),
    findingsOn(account, args.site, context),
  ]);
  const judge = judgeOf(policy);
  const sums = { allowed: new OutcomeSum(), blocked: new OutcomeSum(), unknown: new OutcomeSum() };
  const noise = new ReachSum();
  for (const violation of violations) {
    if (isNoise(violation)) noise.add(violation);
    else {
      const verdict = judge(violation);
      sums[verdict.outcome].add(violation, verdict);
    }
  }
  return {
    policy: policyText(policy),
    ...(Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, sum.total()])) as Record<
      Outcome,
      Outcomes
    >),
    noise: noise.total(),
    otherCount,
    unused: unusedSources(policy, placesOf(violations, findings.seen, args.site)),
    ignored: ignoredSources(policy),
    trial: trialOf(policy, findings.policies),
  };
}

/** Effects that are shown of each outcome. */
const MOST_EFFECTS = 200;
const EXAMPLES = 3;

/** Sums up the reports of one outcome, by what decides and what was blocked. */
class OutcomeSum {
  readonly #all = new ReachSum();
  readonly #effects = new Map<string, { sum: ReachSum; effect: Omit<Effect, keyof Reach> }>();

  add(violation: ReportedViolation, verdict: Verdict): void {
    this.#all.add(violation);
    const { directive: violated, page, blockedUri } = violation;
    const [directive, source, reason] = [
      verdict.directive ?? null,
      verdict.source ?? null,
      verdict.reason ?? null,
    ];
    const blocked = originOf(blockedUri);
    const key = [violated, directive, blocked, source, reason].join('\n');
    const known = this.#effects.get(key) ?? {
      sum: new ReachSum(),
      effect: { violated, directive, blocked, source, reason, examples: [] },
    };
    this.#effects.set(key, known);
    known.sum.add(violation);
    if (known.effect.examples.length < EXAMPLES) known.effect.examples.push({ page, blockedUri });
  }

  total(): Outcomes {
    const effects = [...this.#effects.values()].map(({ sum, effect }) => ({ ...effect, ...sum.total() }));
    return {
      ...this.#all.total(),
      effects: effects.sort(byReach).slice(0, MOST_EFFECTS),
      otherEffects: Math.max(0, effects.length - MOST_EFFECTS),
    };
  }
}

function originOf(blockedUri: string): string {
  return /^[^:/?#]+:\/\/[^/?#]*/.exec(blockedUri)?.[0] ?? blockedUri.split(':', 1)[0]!;
}

interface Findings {
  /** Addresses that the site was seen to load. */
  seen: string[];
  /** Policies that it sent; undefined where no watch notes them. */
  policies: readonly FindingRow[] | undefined;
}

async function findingsOn(account: Account, site: string, { load }: Context): Promise<Findings> {
  const of = (product: Product) =>
    load.findings({})({ account_id: account.id, product, siteKey: siteKeyOf(site) });
  const [policies, ...others] = await Promise.all([of('policy'), of('script'), of('data'), of('frame')]);
  return { seen: others.flatMap(found => found?.map(({ subject }) => subject) ?? []), policies };
}

/** The addresses that the site requests, by their origin, each with a page. */
function placesOf(violations: readonly ReportedViolation[], seen: readonly string[], site: string) {
  const page = `https://${site}/`;
  const places = new Map<string, string>();
  for (const one of violations) if (!isNoise(one)) places.set(originOf(one.blockedUri), one.page || page);
  for (const uri of seen) places.set(originOf(uri), page);
  return places;
}

function trialOf(policy: Policy, policies: readonly FindingRow[] | undefined): Trial {
  const tight = (policies ?? []).filter(({ subject }) => isAsTight(parsePolicy(subject), policy));
  const [first = null] = tight.map(({ firstSeen }) => firstSeen).sort();
  return { isWatched: policies !== undefined, since: first };
}

builder.objectField('Account', 'policyReplay', t =>
  t.field({
    type: ReplayType,
    nullable: true,
    description:
      'What a Content Security Policy would have done to the CSP reports of a site, from `from` on and before `to`.',
    complexity: OWN_STATEMENT,
    args: {
      site: t.arg({
        type: 'HostName',
        required: true,
        description: 'Host name of the pages; `*` stands for any characters.',
      }),
      policy: t.arg({ type: 'PolicyText', required: true, description: 'The text of one policy.' }),
      add: t.arg({ type: [AddedSource], description: 'Sources that are added to it, at most 200.' }),
      from: t.arg({ type: 'Instant', required: true, description: 'Where the period begins.' }),
      to: t.arg({
        type: 'Instant',
        description: 'The first instant behind the period; now, where it is left out.',
      }),
    },
    resolve: (account, args, context) => replay(account, args, context),
  }),
);
