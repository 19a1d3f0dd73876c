import {
  beginTurn,
  createTightness,
  type DirectiveSource,
  eachInTurns,
  getPath,
  ignoredSources,
  isTurnOver,
  listPlaces,
  matchPath,
  measureReach,
  type Policy,
  parsePolicy,
  parseSource,
  policyText,
  replay,
  replayChange,
  unusedSources,
  withSources,
} from '@sightline/csp';
import type { Product } from '@sightline/feed';
import type { Account } from '../sql/account.ts';
import { type FindingRow, toSiteKey } from '../sql/watches.ts';
import { builder, OWN_STATEMENT } from './builder.ts';
import type { Context } from './context.ts';
import { invalidParameter } from './errors.ts';
import { AddedSource, type Replay, ReplayType, type Trial } from './policy-replay-types.ts';
import { loadViolations, SITE_PERIOD, type SitePeriod, splitNoise } from './reported-violations.ts';

/** The maximum number of sources that a request can add. */
const MOST_ADDED = 200;

/** The cost of a replay: each source of the policy is parsed and compared with the reports. */
export function measureArguments(
  texts: readonly string[],
  added?: readonly DirectiveSource[] | null,
): number {
  const all = [...texts, ...(added ?? []).flatMap(({ directive, source }) => [directive, source])];
  return all.reduce((sum, { length }) => sum + length, 10 * OWN_STATEMENT);
}

/**
 * Parses the proposed policy.
 * @throws {PublicError} if an added text is not a source, since it could become a directive
 */
export function policyWith(text: string, added: readonly DirectiveSource[] | null | undefined): Policy {
  if (text.includes(','))
    throw invalidParameter('policy. A comma begins another policy: check each in a separate request.');
  const isSound = ({ directive, source }: DirectiveSource) =>
    /^[a-z][a-z-]{0,40}$/.test(directive) && parseSource(source) !== undefined;
  if (added && !(added.length <= MOST_ADDED && added.every(isSound))) throw invalidParameter('add');
  return withSources(parsePolicy(text), added ?? []);
}

interface ReplayArguments extends SitePeriod {
  policy: string;
  add?: readonly DirectiveSource[] | null | undefined;
  baseline?: string | null | undefined;
  paths?: readonly string[] | null | undefined;
}

/** The maximum number of path patterns in a request. */
const MOST_PATHS = 50;

async function runReplay(account: Account, args: ReplayArguments, context: Context): Promise<Replay> {
  // Aliases of one request arrive together, and parsing a policy of 64 KiB takes milliseconds.
  if (isTurnOver()) await beginTurn();
  const policy = policyWith(args.policy, args.add);
  const baseline = args.baseline == null ? undefined : readBaseline(args.baseline);
  const isWanted = pathFilter(args.paths);
  const [{ violations, otherCount }, findings] = await Promise.all([
    loadViolations(account, args, context),
    findingsOn(account, args.site, context),
  ]);
  const [noise, telling] = await splitNoise(violations, isWanted);
  if (isTurnOver()) await beginTurn();
  return {
    policy: policyText(policy),
    ...(await replay(policy, telling)),
    newlyBlocked: baseline ? await replayChange(policy, baseline, telling) : null,
    noise: await measureReach(noise),
    otherCount,
    unused: await unusedSources(policy, listPlaces(telling, findings.seen, args.site)),
    ignored: ignoredSources(policy),
    trial: await findTrial(policy, findings.policies),
  };
}

/** @throws {PublicError} if the text contains more than one policy */
function readBaseline(text: string): Policy {
  if (text.includes(','))
    throw invalidParameter('baseline. A comma begins another policy: check each in a separate request.');
  return parsePolicy(text);
}

/** @throws {PublicError} if there are too many patterns */
function pathFilter(patterns: readonly string[] | null | undefined): ((page: string) => boolean) | undefined {
  if (!patterns) return undefined;
  if (patterns.length > MOST_PATHS) throw invalidParameter(`paths. Give at most ${MOST_PATHS} patterns.`);
  return page => {
    const path = getPath(page);
    return patterns.some(pattern => matchPath(pattern, path));
  };
}

interface Findings {
  /** Addresses that the site loads. */
  seen: string[];
  /** Policies that the site sent; undefined if no watch covers it. */
  policies: readonly FindingRow[] | undefined;
}

async function findingsOn(account: Account, site: string, { load }: Context): Promise<Findings> {
  const of = (product: Product) =>
    load.findings({})({ account_id: account.id, product, siteKey: toSiteKey(site) });
  const [policies, ...others] = await Promise.all([of('policy'), of('script'), of('data'), of('frame')]);
  return { seen: others.flatMap(found => found?.map(({ subject }) => subject) ?? []), policies };
}

async function findTrial(policy: Policy, policies: readonly FindingRow[] | undefined): Promise<Trial> {
  const tight: FindingRow[] = [];
  const isTight = createTightness(policy);
  const noteTight = (one: FindingRow) => {
    if (isTight(parsePolicy(one.subject))) tight.push(one);
  };
  // One policy per turn, since a policy can have 64 KiB.
  await eachInTurns(policies ?? [], noteTight, 1);
  const [first = null] = tight.map(({ firstSeen }) => firstSeen).sort();
  return { isWatched: policies !== undefined, since: first };
}

builder.objectField('Account', 'policyReplay', t =>
  t.field({
    type: ReplayType,
    nullable: true,
    description:
      'Replays a Content Security Policy over the CSP reports of a site from `from` up to, but not ' +
      'including, `to`.',
    complexity: ({ policy, add, baseline, paths }) =>
      measureArguments([policy, baseline ?? '', ...(paths ?? [])], add),
    args: {
      site: t.arg(SITE_PERIOD.site),
      policy: t.arg({ type: 'PolicyText', required: true, description: 'The text of one policy.' }),
      add: t.arg({ type: [AddedSource], description: 'Sources to add to the policy, at most 200.' }),
      baseline: t.arg({
        type: 'PolicyText',
        description: 'The policy to compare with, for `newlyBlocked`.',
      }),
      paths: t.arg({
        type: ['PathPattern'],
        description: 'Only pages with one of these paths, at most 50 patterns.',
      }),
      from: t.arg(SITE_PERIOD.from),
      to: t.arg(SITE_PERIOD.to),
    },
    resolve: (account, args, context) => runReplay(account, args, context),
  }),
);
