import { getDomain, getHostname } from 'tldts';
import { directiveToChange, openedBy, sourceFor } from './change.ts';
import { createJudge } from './judge.ts';
import { addressReader } from './match.ts';
import type { Policy } from './policy.ts';
import { ReachSum, type ReportedViolation, type ViolationReach } from './reach.ts';
import { eachInTurns } from './turns.ts';

/** A reason not to trust a source: few visitors reported it, it is new, or it is a known threat. */
export type Doubt = 'one browser' | 'one page' | 'one day' | 'new' | 'threat';

/** A source that would prevent reports. */
export interface Suggestion extends ViolationReach {
  directive: string;
  source: string;
  /** The sources that the wildcard replaces, or the source itself if it is not a wildcard. */
  covers: string[];
  /** Kinds of browsers that reported it, from a sample; null if unknown. */
  browsers: number | null;
  opens: string | null;
  /** Empty for a source that is suggested. */
  doubts: Doubt[];
  isAdded: boolean;
}

/** A source that would prevent reports, before its reporters are known. */
export interface SourceCandidate {
  directive: string;
  source: string;
  /** Blocked hosts; empty if the source is not an address. */
  hosts: ReadonlySet<string>;
  reach: ViolationReach;
  sum: ReachSum;
}

/** Information about a blocked host that its violations do not contain. */
export interface HostEvidence {
  browsers: number;
  isThreat: boolean;
}

/** Maximum number of candidates that are examined further. The others have less reach. */
const MOST_CANDIDATES = 250;

/** Finds the sources that would allow the violations that the baseline blocks, sorted by days and pages. */
export async function findCandidates(
  baseline: Policy,
  violations: readonly ReportedViolation[],
): Promise<{ candidates: SourceCandidate[]; others: number }> {
  const judge = createJudge(baseline);
  const read = addressReader();
  const found = new Map<string, { directive: string; source: string; hosts: Set<string>; sum: ReachSum }>();
  await eachInTurns(violations, violation => {
    if (judge(violation).outcome !== 'blocked') return;
    const directive = directiveToChange(baseline, violation.directive);
    const source = sourceFor(violation.blockedUri, violation.page, read);
    if (directive === undefined || source === undefined) return;
    const key = `${directive} ${source}`;
    const existing = found.get(key) ?? { directive, source, hosts: new Set<string>(), sum: new ReachSum() };
    found.set(key, existing);
    existing.sum.add(violation);
    const host = read(violation.blockedUri)?.host;
    if (host) existing.hosts.add(host);
  });
  const strongest: RankedCandidate[] = [];
  await eachInTurns(found.values(), one => {
    const reach = one.sum.total();
    addCandidate(strongest, { ...one, reach, strength: measureStrength(reach, 1) });
  });
  return { candidates: strongest, others: found.size - strongest.length };
}

/** A candidate with its strength, computed once because comparisons are frequent. */
type RankedCandidate = SourceCandidate & { strength: number };

const byStrength = (one: RankedCandidate, other: RankedCandidate) =>
  other.strength - one.strength || byText(one, other);

/**
 * Inserts a candidate into the sorted list of the strongest, because sorting all of them takes too long for one turn.
 */
function addCandidate(strongest: RankedCandidate[], candidate: RankedCandidate): void {
  let [low, high] = [0, strongest.length];
  if (high === MOST_CANDIDATES && byStrength(candidate, strongest.at(-1)!) > 0) return;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (byStrength(candidate, strongest[middle]!) < 0) high = middle;
    else low = middle + 1;
  }
  strongest.splice(low, 0, candidate);
  if (strongest.length > MOST_CANDIDATES) strongest.pop();
}

const byText = (one: { source: string }, other: { source: string }) =>
  one.source < other.source ? -1 : one.source > other.source ? 1 : 0;

export interface Trust {
  /** By blocked host. */
  evidence: ReadonlyMap<string, HostEvidence>;
  /** A source that was first seen at or after this time is new. */
  newSince: string;
  /** Sources that allow more than was reported, but are added on request. */
  allowed: ReadonlySet<string>;
}

/** Turns candidates into suggestions. Only a source that names a host, without any doubts, is added by default. */
export function rankSuggestions(candidates: readonly SourceCandidate[], trust: Trust): Suggestion[] {
  const judged = candidates.map(candidate => judgeCandidate(candidate, trust));
  const sound = judged.filter(({ doubts, opens }) => doubts.length === 0 && opens === null);
  const others = judged.filter(one => !sound.includes(one));
  return [...withWildcards(sound, listFlaggedSites(trust)), ...others]
    .map(({ sum: _, ...suggestion }) => suggestion)
    .sort(
      (one, other) =>
        Math.min(one.doubts.length, 1) - Math.min(other.doubts.length, 1) ||
        measureStrength(other, other.browsers ?? 1) - measureStrength(one, one.browsers ?? 1) ||
        other.count - one.count ||
        byText(one, other),
    );
}

type SuggestionDraft = Suggestion & { sum: ReachSum };

function judgeCandidate(
  { directive, source, hosts, reach, sum }: SourceCandidate,
  trust: Trust,
): SuggestionDraft {
  const existing = [...hosts].flatMap(host => trust.evidence.get(host) ?? []);
  const browsers = existing.length > 0 ? Math.max(...existing.map(one => one.browsers)) : null;
  const opens = openedBy(source) ?? null;
  const isThreat = existing.some(one => one.isThreat);
  const doubts = listDoubts(reach, browsers, isThreat, trust.newSince);
  const isAdded = opens === null ? doubts.length === 0 : trust.allowed.has(source);
  return { directive, source, covers: [source], browsers, opens, doubts, isAdded, ...reach, sum };
}

function listDoubts(
  { pages, days, firstSeen }: ViolationReach,
  browsers: number | null,
  isThreat: boolean,
  newSince: string,
): Doubt[] {
  const reasons: [Doubt, boolean][] = [
    ['threat', isThreat],
    ['new', firstSeen !== null && Date.parse(firstSeen) >= Date.parse(newSince)],
    ['one browser', browsers !== null && browsers < 2],
    ['one page', pages < 2],
    ['one day', days < 2],
  ];
  return reasons.flatMap(([doubt, isSo]) => (isSo ? doubt : []));
}

/** Maximum number of browser kinds and pages that count, because more are easy to forge, unlike days. */
const COUNTED = { browsers: 4, pages: 20 };

const measureStrength = ({ days, pages }: ViolationReach, browsers: number) =>
  days * Math.min(browsers, COUNTED.browsers) * Math.min(pages, COUNTED.pages);

/** Number of hosts of one site in a directive from which their wildcard is suggested. */
const HOSTS_OF_WILDCARD = 3;

/** Returns sites with a host that is a known threat, which their wildcards would allow. */
function listFlaggedSites({ evidence }: Trust): ReadonlySet<string> {
  const flagged = [...evidence].flatMap(([host, { isThreat }]) => (isThreat ? getSite(host) : []));
  return new Set(flagged.filter(site => site !== null));
}

const getSite = (address: string) => getDomain(address, { allowPrivateDomains: true });

/** Replaces three or more hosts of one site by its wildcard, if none of the site is a threat. */
function withWildcards(
  found: readonly SuggestionDraft[],
  flaggedSites: ReadonlySet<string>,
): SuggestionDraft[] {
  const bySite = new Map<string, SuggestionDraft[]>();
  for (const one of found) {
    const key = `${one.directive} ${toWildcard(one.source) ?? one.source}`;
    const alike = bySite.get(key);
    if (alike) alike.push(one);
    else bySite.set(key, [one]);
  }
  return [...bySite.values()].flatMap(alike => {
    const isFlagged = flaggedSites.has(getSite(alike[0]!.source) ?? '');
    if (alike.length < HOSTS_OF_WILDCARD || isFlagged) return alike;
    const sum = alike.reduce((whole, one) => whole.merge(one.sum), new ReachSum());
    return {
      ...alike[0]!,
      source: toWildcard(alike[0]!.source)!,
      covers: alike.map(one => one.source).sort(),
      browsers: Math.max(...alike.map(one => one.browsers ?? 1)),
      ...sum.total(),
      sum,
    };
  });
}

/** Undefined for a site's own name and for anything but a host: hosts of a shared domain are separate sites. */
function toWildcard(source: string): string | undefined {
  const [, scheme, port = ''] = /^(https?|wss?):\/\/[^/:]+(:\d+)?$/.exec(source) ?? [];
  if (!scheme) return undefined;
  const site = getSite(source);
  return site === null || getHostname(source) === site ? undefined : `${scheme}://*.${site}${port}`;
}
