import {
  type DirectiveSource,
  directiveToChange,
  hasSources,
  isAsTight,
  openedBy,
  parsePolicy,
  policyText,
  sourceFor,
  withSources,
} from '@sightline/csp';
import { parseAddress } from '@sightline/reports';
import {
  CheckHostBrowsersDocument,
  CheckKeywordBrowsersDocument,
  CheckOverviewDocument,
  CheckReplayDocument,
} from '../documents.generated.ts';
import type { ServiceConnection } from '../service/service.ts';
import { plural } from '../terminal/plural.ts';
import type { FilePolicies, Place, ProposedPolicy } from './policies.ts';
import type { BrowsersAnswer, Overview, ReplayAnswer, ReplayedEffect } from './question.ts';
import { findRetentionGaps } from './retention.ts';

/** The policies in a file. */
export interface PolicyFile extends FilePolicies {
  file: string;
}

export interface CheckOptions {
  site: string;
  /** Returns the start of the period, based on the service's clock. */
  from: (now: Date) => string;
  files: readonly PolicyFile[];
  /** The policies that the site sends today. */
  baseline: readonly ProposedPolicy[] | undefined;
  /** Path patterns that replace the paths in the file. */
  paths: readonly string[] | undefined;
  /** Number of reports that a policy may newly block. */
  allow: number;
  asEnforced: boolean;
  requireTrial: boolean;
  allowEmpty: boolean;
}

/** A source that would allow what an effect blocks. */
export interface Repair extends DirectiveSource {
  opens: string | null;
}

export interface BlockedEffect extends ReplayedEffect {
  /** The browsers that reported it, the most frequent first. */
  browsers: string[];
  repair: Repair | null;
}

/** The result of a check. `incomplete` counts as not passed, because missing reports could change the result. */
export type Result = 'passed' | 'failed' | 'warned' | 'incomplete';

export interface CheckedPolicy extends ProposedPolicy {
  file: string;
  result: Result;
  counts: Record<'blocked' | 'newlyBlocked' | 'allowed' | 'unknown' | 'noise' | 'unexamined', number>;
  effects: BlockedEffect[];
  otherEffects: number;
  /** The policy with all repairs that name a host; null if there are no such repairs. */
  repaired: string | null;
  hasBaseline: boolean;
  unused: DirectiveSource[];
  /** Notes on parts of the policy that browsers ignore, and on what reports cannot show. */
  notes: string[];
}

type NamedPolicy = Place & { file: string; reason: string };

export interface CheckReport {
  site: string;
  from: string;
  allow: number;
  result: 'passed' | 'failed' | 'incomplete';
  reports: number;
  policies: CheckedPolicy[];
  refused: NamedPolicy[];
  /** Policies for other hosts. */
  skipped: NamedPolicy[];
  /** Reasons why the whole check is incomplete. */
  incomplete: string[];
}

/** Replays all policies of the files that apply to the site. */
export async function checkPolicies(service: ServiceConnection, options: CheckOptions): Promise<CheckReport> {
  const { site, files } = options;
  const { overview, from } = await loadOverview(service, options);
  const { allowed, unknown, blocked, noise, otherCount } = overview.policyReplay!;
  const reports = allowed.count + unknown.count + blocked.count + noise.count + otherCount;
  const all = files.flatMap(({ file, policies }) => policies.map(policy => ({ ...policy, file })));
  const unreadable = files.flatMap(({ file, refusals }) => refusals.map(one => ({ ...one, file })));
  const policies: CheckedPolicy[] = [];
  const mine = all.filter(policy => isFor(site, policy));
  const refused = unreadable.filter(policy => isFor(site, policy));
  for (const policy of mine) policies.push(await checkOne(service, policy, from, options));
  const effects = policies.flatMap(policy => policy.effects);
  await addBrowsers(service, { site, from }, effects);
  const incomplete = findGaps(overview, from, service.now(), reports, options);
  if (mine.length === 0 && refused.length === 0) incomplete.push(`No policy of these files is for ${site}.`);
  const skipped = [...all, ...unreadable]
    .filter(policy => !isFor(site, policy))
    .map(one => ({ ...one, reason: `It is for ${one.hosts!.join(', ')}.` }));
  const result = getResult(policies, incomplete.length + refused.length > 0);
  return { site, from, allow: options.allow, result, reports, policies, refused, skipped, incomplete };
}

function getResult(policies: readonly CheckedPolicy[], isIncomplete: boolean): CheckReport['result'] {
  if (isIncomplete || policies.some(({ result }) => result === 'incomplete')) return 'incomplete';
  return policies.some(({ result }) => result === 'failed') ? 'failed' : 'passed';
}

/** Loads the overview. The period depends on the service's clock, which the first response contains. */
async function loadOverview(service: ServiceConnection, { site, from }: CheckOptions) {
  const load = (instant: string) => service.ask(CheckOverviewDocument, { site, from: instant });
  const guess = from(service.now());
  const overview = await load(guess);
  const right = from(service.now());
  const isRight = Math.abs(Date.parse(right) - Date.parse(guess)) < 60_000;
  return isRight ? { overview, from: guess } : { overview: await load(right), from: right };
}

function findGaps(
  { plan }: Overview,
  from: string,
  now: Date,
  reports: number,
  { site, allowEmpty }: CheckOptions,
): string[] {
  const gaps = findRetentionGaps(from, plan?.dataRetentionDays, now);
  if (reports === 0 && !allowEmpty)
    gaps.push(
      `There are no CSP reports of ${site} since ${from}, so the policy cannot be checked. Check --site, or pass --allow-empty.`,
    );
  return gaps;
}

async function checkOne(
  service: ServiceConnection,
  policy: ProposedPolicy & { file: string },
  from: string,
  options: CheckOptions,
): Promise<CheckedPolicy> {
  const baseline = findBaseline(policy, options);
  const paths = options.paths ?? policy.paths;
  const variables = {
    site: options.site,
    policy: policy.text,
    baseline: baseline?.text ?? null,
    paths: paths ? [...paths] : null,
    from,
  };
  const replay = (await service.ask(CheckReplayDocument, variables)).policyReplay!;
  const outcomes = replay.newlyBlocked ?? replay.blocked;
  const effects = outcomes.effects.map(effect => toBlocked(effect, policy.text));
  const checked = {
    ...policy,
    counts: {
      blocked: replay.blocked.count,
      newlyBlocked: outcomes.count,
      allowed: replay.allowed.count,
      unknown: replay.unknown.count,
      noise: replay.noise.count,
      unexamined: replay.otherCount,
    },
    effects,
    otherEffects: outcomes.otherEffects,
    repaired: getRepaired(policy.text, effects),
    hasBaseline: baseline !== undefined,
    unused: replay.unused,
    notes: listNotes(policy, baseline, from, replay),
  };
  const isTried = isTriedSince(replay.trial.since, from);
  const result = judgeCounts(checked, options, isTried);
  if (result === 'incomplete') checked.notes.unshift(describeGap(checked, isTried, options));
  return { ...checked, result };
}

function judgeCounts(
  { counts, isEnforced }: Pick<CheckedPolicy, 'counts' | 'isEnforced'>,
  { allow, asEnforced, requireTrial }: CheckOptions,
  isTried: boolean,
): Result {
  const isBinding = isEnforced || asEnforced;
  if (counts.newlyBlocked > allow) return isBinding ? 'failed' : 'warned';
  // The policy may block reports that were not examined.
  if (isBinding && counts.newlyBlocked + counts.unexamined > allow) return 'incomplete';
  return isBinding && requireTrial && !isTried ? 'incomplete' : 'passed';
}

function describeGap(
  { counts }: Pick<CheckedPolicy, 'counts'>,
  isTried: boolean,
  { allow }: CheckOptions,
): string {
  if (counts.newlyBlocked + counts.unexamined > allow)
    return `Not examined: ${plural(counts.unexamined, 'report')} of rare combinations. Use a shorter --since, or --allow ${counts.newlyBlocked + counts.unexamined}.`;
  return isTried
    ? ''
    : 'No equally strict policy has been tried for the whole period, which --require-trial demands.';
}

const isTriedSince = (since: string | null, from: string) =>
  since !== null && Date.parse(since) <= Date.parse(from);

/** Finds the site's baseline policy that this one replaces: one for the same location, or else one for all pages. */
function findBaseline(
  policy: ProposedPolicy,
  { site, baseline = [] }: CheckOptions,
): ProposedPolicy | undefined {
  const mine = baseline.filter(one => isFor(site, one));
  // A report-only policy blocks nothing, so an enforced policy cannot replace one.
  const alike = mine.filter(({ isEnforced }) => isEnforced || !policy.isEnforced);
  const there = alike.filter(({ location }) => location === policy.location);
  return (
    there.find(({ isEnforced }) => isEnforced === policy.isEnforced) ??
    there[0] ??
    alike.find(({ paths }) => paths === undefined)
  );
}

function isFor(site: string, { hosts }: Place): boolean {
  const name = site.toLowerCase().replace(/\.$/, '');
  return (
    hosts === undefined ||
    name.includes('*') ||
    hosts.some(host => {
      const lower = host.toLowerCase();
      return lower === name || (lower.startsWith('*.') && name.endsWith(lower.slice(1)));
    })
  );
}

function toBlocked(effect: ReplayedEffect, policy: string): BlockedEffect {
  return { ...effect, browsers: [], repair: findRepair(effect, policy) };
}

function findRepair({ violated, examples }: ReplayedEffect, policy: string): Repair | null {
  const directive = directiveToChange(parsePolicy(policy), violated);
  const [example] = examples;
  const source = example && sourceFor(example.blockedUri, example.page);
  return directive && source ? { directive, source, opens: openedBy(source) ?? null } : null;
}

function getRepaired(policy: string, effects: readonly BlockedEffect[]): string | null {
  const repairs = effects.flatMap(({ repair }) => (repair && repair.opens === null ? [repair] : []));
  return repairs.length > 0 ? policyText(withSources(parsePolicy(policy), repairs)) : null;
}

const OTHER_DIRECTIVES = new Set([
  'block-all-mixed-content',
  'plugin-types',
  'referrer',
  'report-to',
  'report-uri',
  'require-sri-for',
  'require-trusted-types-for',
  'sandbox',
  'trusted-types',
  'upgrade-insecure-requests',
]);

function listNotes(
  policy: ProposedPolicy,
  baseline: ProposedPolicy | undefined,
  from: string,
  { trial, ignored, unknown, allowed, blocked }: ReplayAnswer,
): string[] {
  const parsed = parsePolicy(policy.text);
  const strange = [...parsed.keys()].filter(name => !hasSources(name) && !OTHER_DIRECTIVES.has(name));
  const notes = strange.map(name => `Browsers ignore ${name}: it is not a directive.`);
  for (const { directive, source } of ignored) notes.push(`Browsers ignore ${source} in ${directive}.`);
  if (policy.paths && allowed.count + blocked.count + unknown.count === 0)
    notes.push('There are no reports of its pages.');
  if (unknown.count > 0)
    notes.push(
      `Of ${unknown.count} reports, the outcome is unknown, because of nonces, hashes without the code, or redirects.`,
    );
  const note = isTriedSince(trial.since, from) ? undefined : describeTrial(trial, baseline, parsed);
  if (note) notes.push(note);
  return notes;
}

/**
 * Describes the effects that are unknown because the policy was never tried. Browsers report only blocked resources, so
 * there are no reports on sources that were always allowed.
 */
function describeTrial(
  { isWatched, since }: ReplayAnswer['trial'],
  baseline: ProposedPolicy | undefined,
  policy: ReturnType<typeof parsePolicy>,
): string | undefined {
  // A policy that allows at least as much as the baseline blocks nothing new.
  if (baseline && isAsTight(parsePolicy(baseline.text), policy)) return undefined;
  const what = baseline ? 'It drops sources of the baseline.' : '';
  if (since)
    return `${what} An equally strict policy was first sent on ${since.slice(0, 10)}. What it blocks was not reported before.`.trim();
  const state = isWatched
    ? 'No equally strict policy has been sent.'
    : 'The site has no policy watch, so it is unknown whether an equally strict policy has been sent.';
  return `${what} ${state} Sources that every policy allowed until now have no reports: send it as Report-Only first.`.trim();
}

/** Maximum number of browser names per effect. */
const MOST_BROWSERS = 8;

/** Maximum number of hosts in a filter of the service. */
const MOST_HOSTS = 50;

/** Adds the names of the browsers that reported each effect, the most frequent first. */
async function addBrowsers(
  service: ServiceConnection,
  period: { site: string; from: string },
  effects: readonly BlockedEffect[],
): Promise<void> {
  const hosts = [...new Set(effects.flatMap(effect => getHost(effect) ?? []))];
  const browsers = new Map<string, string[]>();
  for (let start = 0; start < hosts.length; start += MOST_HOSTS) {
    const variables = { ...period, hosts: hosts.slice(start, start + MOST_HOSTS) };
    collectBrowsers(await service.ask(CheckHostBrowsersDocument, variables), browsers);
  }
  if (effects.some(effect => getHost(effect) === undefined))
    collectBrowsers(await service.ask(CheckKeywordBrowsersDocument, period), browsers);
  for (const effect of effects)
    effect.browsers = browsers.get(`${effect.violated} ${getHost(effect) ?? effect.blocked}`) ?? [];
}

/** Returns the host of a blocked origin, or undefined for a keyword or scheme. */
const getHost = ({ blocked }: BlockedEffect): string | undefined => parseAddress(blocked)?.host;

function collectBrowsers({ reportGroups }: BrowsersAnswer, browsers: Map<string, string[]>): void {
  for (const { keys } of reportGroups?.groups ?? []) {
    const [directive, blocked, browser] = keys.map(({ value }) => value);
    const names = browsers.get(`${directive} ${blocked}`) ?? [];
    if (browser && names.length < MOST_BROWSERS) names.push(browser);
    browsers.set(`${directive} ${blocked}`, names);
  }
}
