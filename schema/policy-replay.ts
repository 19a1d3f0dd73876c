import {
  type DirectiveSource,
  ignoredSources,
  isAsTight,
  type Policy,
  parsePolicy,
  parseSource,
  policyText,
  unusedSources,
  withSources,
} from '@sightline/csp';
import { reachOf } from '@sightline/csp/reach';
import { placesOf, replay } from '@sightline/csp/replay';
import type { Product } from '@sightline/feed/plans';
import type { Account } from '../sql/account.ts';
import { type FindingRow, siteKeyOf } from '../sql/watches.ts';
import { builder, OWN_STATEMENT } from './builder.ts';
import type { Context } from './context.ts';
import { invalidParameter } from './errors.ts';
import { AddedSource, type Replay, ReplayType, type Trial } from './policy-replay-types.ts';
import { isNoise, reportedViolations, SITE_PERIOD, type SitePeriod } from './reported-violations.ts';

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

async function replayOf(account: Account, args: ReplayArguments, context: Context): Promise<Replay> {
  const policy = policyWith(args.policy, args.add);
  const [{ violations, otherCount }, findings] = await Promise.all([
    reportedViolations(account, args, context),
    findingsOn(account, args.site, context),
  ]);
  const telling = violations.filter(violation => !isNoise(violation));
  return {
    policy: policyText(policy),
    ...replay(policy, telling),
    noise: reachOf(violations.filter(isNoise)),
    otherCount,
    unused: unusedSources(policy, placesOf(telling, findings.seen, args.site)),
    ignored: ignoredSources(policy),
    trial: trialOf(policy, findings.policies),
  };
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
      site: t.arg(SITE_PERIOD.site),
      policy: t.arg({ type: 'PolicyText', required: true, description: 'The text of one policy.' }),
      add: t.arg({ type: [AddedSource], description: 'Sources that are added to it, at most 200.' }),
      from: t.arg(SITE_PERIOD.from),
      to: t.arg(SITE_PERIOD.to),
    },
    resolve: (account, args, context) => replayOf(account, args, context),
  }),
);
