import { SECONDS_PER_DAY, SECONDS_PER_HOUR } from '@sightline/reports';
import {
  type DomainReach,
  type FreshHost,
  findEarlierHosts,
  freshHosts,
  type HostFlood,
  type HostReach,
  measureDomains,
  measureReach,
} from '../../sql/insights/hosts.ts';
import { hourlySeries, type Series } from '../../sql/insights/hourly.ts';
import { addDays } from '../calendar.ts';
import { hasFeature, retentionStart } from '../entitlements.ts';
import { ATTACK_DIRECTIVES, RULES } from '../insight-rules.ts';
import type { Loaders } from '../loaders.ts';
import { estimated, type InsightCandidate, moment, plural, shortenText, toSeconds } from './candidate.ts';
import { groupBy } from './group-by.ts';
import { findGrowth, isEscalating } from './growth.ts';
import { findImitated, getRegistrableDomain } from './look-alike.ts';
import { type InsightScope, LEARNING_DAYS, QUIET_DAYS, toWindow, USUAL_DAYS } from './scope.ts';
import { SENSITIVE_PATTERN } from './sensitive.ts';
import { findSpikes, isExplained, type Spike, sum } from './series.ts';
import { spikeDraft } from './spike.ts';

interface KnownHost extends FreshHost, Omit<HostReach, 'host'> {
  isThreat: boolean;
  /** The account's domain that the host imitates. */
  imitated?: string | undefined;
}

/** The number of browsers and pages from which on further ones do not count, since they cost a forger nothing. */
const COUNTED = { browsers: 4, pages: 5 };

const measureStrength = ({ days, browsers, pages, count }: KnownHost) =>
  days * 1e9 +
  Math.min(browsers, COUNTED.browsers) * Math.min(pages, COUNTED.pages) * 1e7 +
  Math.min(count, 1e6);

/** Within an hour and page, hosts that could attack rank above others, and known hostile hosts above these. */
const ATTACK_RANK = { known: 8e11, unknown: 5e11 };

/**
 * Ranks the hosts. Reports can be forged in large numbers, so the first host of each hour ranks above the other hosts
 * of that hour, and days count more than browsers and pages.
 */
function ranked(hosts: readonly KnownHost[]): (KnownHost & { rank: number })[] {
  const before = new Map<number, number>();
  return hosts
    .toSorted((one, other) => measureStrength(other) - measureStrength(one))
    .map(host => {
      const hour = Math.floor(host.first / SECONDS_PER_HOUR);
      const place = before.get(hour) ?? 0;
      before.set(hour, place + 1);
      const isAttack = host.attackBrowsers >= RULES.newBlockedHost.browsers;
      const attack = isAttack ? ATTACK_RANK[host.isThreat ? 'known' : 'unknown'] : 0;
      return { ...host, rank: measureStrength(host) + attack - place * 1e12 };
    });
}

/**
 * Finds insights about violations of Content Security Policies. Also returns the hourly totals, by which silence is
 * detected.
 */
export async function blockedInsights(
  scope: InsightScope,
  load: Loaders,
): Promise<{ drafts: InsightCandidate[]; all: Series | undefined }> {
  const window = toWindow(scope, USUAL_DAYS);
  const wide = toWindow(scope, USUAL_DAYS, QUIET_DAYS);
  const [found, series] = await Promise.all([
    freshHosts(scope.database, window, USUAL_DAYS, RULES.manyNewHosts.floodHosts),
    hourlySeries(scope.database, 'csp', wide),
  ]);
  const { separate, folded } = foldHosts(await findKnownHosts(scope, found, load));
  const existing = [...separate, ...folded.flat()];
  const all = series.all[0];
  const began = all?.hours[0]?.hour ?? Number.POSITIVE_INFINITY;
  const since = toSeconds(window.since) / SECONDS_PER_HOUR;
  const spikes = (of: readonly Series[]) => of.flatMap(one => findSpikes(one, began, since));
  const hosts = spikes(series.host);
  const growing = findGrowing(scope, found.hosts, all);
  const names = new Set([...existing, ...growing].map(({ host }) => host));
  const rest = hosts.filter(({ values: [host] }) => !names.has(host));
  const until = getLastDay(scope);
  const floods = await findFloods(scope, found, folded.flat());
  return {
    drafts: [
      ...ranked(separate).map(host => hostDraft(host, isEscalating(host.perDay, toDay(host.first), until))),
      ...folded.map(group => foldedDraft(group, found.floods)),
      ...growing.map(growthDraft),
      ...manyDrafts(found, existing),
      ...floods,
      ...onePerHost(rest).map(spike =>
        isOwn(spike) ? ownSpikeDraft(spike) : spikeDraft('csp', 'host', spike),
      ),
      ...widerDrafts(
        spikes(series.page),
        spikes(series.directive),
        all ? findSpikes(all, began, since) : [],
        hosts,
      ).filter(spike => !floods.some(flood => explains(flood, spike))),
    ],
    all,
  };
}

const toDay = (seconds: number) => Math.floor(seconds / SECONDS_PER_DAY);
/** The number of the last complete day of the period. */
const getLastDay = ({ until }: InsightScope) => toDay(until.getTime() / 1000) - 1;

type Fresh = Awaited<ReturnType<typeof freshHosts>>;

/** The earliest time at which a host can count as new. */
const learnedAt = (began = Number.POSITIVE_INFINITY) => began + LEARNING_DAYS * SECONDS_PER_DAY;

const ATTACK = {
  path: SENSITIVE_PATTERN,
  directive: `^(${Object.keys(ATTACK_DIRECTIVES).join('|')})`,
};

/** Selects the hosts that are listed individually. In an account whose data just began, no host counts as new. */
async function findKnownHosts(
  scope: InsightScope,
  { hosts, began }: Fresh,
  load: Loaders,
): Promise<KnownHost[]> {
  const window = toWindow(scope, USUAL_DAYS);
  const learned = learnedAt(began);
  const least = RULES.newBlockedHost;
  const oldest = retentionStart(scope.account, scope.now).toISOString();
  const wanted = hosts.filter(
    ({ isFresh, first, reports }) => isFresh && first >= learned && reports >= least.threatReports,
  );
  const [reach, earlier, filters] = await Promise.all([
    measureReach(
      scope.database,
      window,
      wanted.map(({ host }) => host),
      ATTACK,
    ),
    findEarlierHosts(
      scope.database,
      { ...window, oldest },
      wanted.filter(({ isAgain }) => !isAgain).map(({ host }) => host),
    ),
    load.filterConfiguration(scope.account.id),
  ]);
  const sites = (filters?.global.sites ?? []) as string[];
  const isKnown = hasFeature(scope.account, 'threatIntelligence');
  return wanted.flatMap(host => {
    const found = reach.get(host.host);
    if (!found) return [];
    const isThreat = isKnown && !host.isOwn && found.threat > 0.5;
    const imitated = host.isOwn ? undefined : findImitated(host.host, [...found.pageHosts, ...sites]);
    const isFar = host.isOwn || found.browsers >= least.browsers;
    const isNew = !(host.isAgain || earlier.has(host.host)) || countWithin(host, 1) >= least.againOnADay;
    const isEnough = imitated
      ? host.reports >= least.threatReports
      : isNew && countWithin(host, least.days) >= (isThreat ? least.threatReports : least.reports);
    return isFar && isEnough ? [{ ...host, ...found, isThreat, imitated }] : [];
  });
}

/** The largest number of reports of a host within the given number of days after it was first blocked. */
function countWithin({ perDay, first }: FreshHost, days: number): number {
  const own = [...perDay].filter(([day]) => day >= toDay(first));
  const sums = own.map(([end]) =>
    own.reduce((sum, [day, reports]) => (day > end - days && day <= end ? sum + reports : sum), 0),
  );
  return Math.max(0, ...sums);
}

/**
 * Combines many new hosts of one domain into one insight. Extensions make up such hosts, and some services have one per
 * visitor.
 */
function foldHosts(hosts: readonly KnownHost[]): { separate: KnownHost[]; folded: KnownHost[][] } {
  const groups = groupBy(hosts, ({ host, isOwn, imitated }) =>
    isOwn || imitated ? host : (getRegistrableDomain(host) ?? host),
  );
  const isMany = ({ length }: KnownHost[]) => length >= RULES.manyNewHosts.foldedHosts;
  const all = [...groups.values()];
  return { separate: all.filter(group => !isMany(group)).flat(), folded: all.filter(isMany) };
}

/** The phrase that describes how a host could attack. */
const getAttack = (directive: string) =>
  Object.entries(ATTACK_DIRECTIVES).find(([name]) => directive.startsWith(name))?.[1] ?? 'load something';

function hostDraft(found: KnownHost & { rank: number }, escalates: boolean): InsightCandidate {
  const { host, isOwn, count, first, last, rank, ...reach } = found;
  const seen = `${plural(count, 'report')} of ${shortenText(reach.directive) || 'no directive'} on ${estimated(reach.isPartial, plural(reach.pages, 'page'))}, such as ${
    shortenText(reach.attackPath || reach.path) || '/'
  }, by ${estimated(reach.isPartial, plural(reach.browsers, 'browser'))}, ${moment(first)} to ${moment(last)}.`;
  return {
    kind: isOwn ? 'ownHostBlocked' : reach.imitated ? 'lookAlikeHost' : 'newBlockedHost',
    subject: host,
    count,
    baseline: 0,
    first,
    last,
    hosts: [host],
    rank,
    reports: { type: 'csp', filters: { blockedHostnames: host } },
    isEscalating: escalates,
    ...describeHost(found, seen),
  };
}

type Description = Pick<InsightCandidate, 'severity' | 'title' | 'pastTitle' | 'detail'>;

const GROWS = 'Each week has half as many reports again as the one before.';

/** Describes the most urgent aspect of a host. */
function describeHost(found: KnownHost, seen: string): Description {
  const name = shortenText(found.host);
  if (found.isOwn)
    return {
      severity: 'incident',
      title: `${name} is your own, and is blocked since ${moment(found.first)}`,
      pastTitle: `${name} is your own, and was blocked from ${moment(found.first)} on`,
      detail: `${seen} A deploy may have left it out of the policies.`,
    };
  if (found.imitated)
    return {
      severity: 'threat',
      title: `${name} looks like ${shortenText(found.imitated, 30)}, and is new on your pages`,
      pastTitle: `${name} looks like ${shortenText(found.imitated, 30)}, and was on your pages`,
      detail: `${seen} If it is not yours, find out what loads it.`,
    };
  const isAttack = found.attackBrowsers >= RULES.newBlockedHost.browsers;
  const [verb, path] = [getAttack(found.attackDirective), shortenText(found.attackPath, 30)];
  const attack = `${verb} on ${path}`;
  if (found.isThreat)
    return {
      severity: 'threat',
      title: isAttack
        ? `${name}, known to threat intelligence, tries to ${attack}`
        : `${name} is new on your pages, and threat intelligence knows it`,
      pastTitle: isAttack
        ? `${name}, known to threat intelligence, tried to ${attack}`
        : `${name} was new on your pages, and threat intelligence knows it`,
      detail: `${seen} Find out what loads it.`,
    };
  if (isAttack)
    return {
      severity: found.attackBrowsers >= RULES.newBlockedHost.attackBrowsers ? 'threat' : 'incident',
      title: `${name} is new, and tries to ${attack}`,
      pastTitle: `${name} was new, and tried to ${attack}`,
      detail: `${seen} Whatever runs there can read what visitors type. If nobody added it, find out what loads it.`,
    };
  return {
    severity: 'change',
    title: `${name} was not blocked in the ${USUAL_DAYS} days before`,
    detail: seen,
  };
}

/** Combines several hosts of a domain into one insight. */
function foldedDraft(hosts: readonly KnownHost[], floods: readonly HostFlood[]): InsightCandidate {
  const domain = getRegistrableDomain(hosts[0]!.host) ?? hosts[0]!.host;
  const flood = floods.find(one => one.domain === domain);
  const [first, last] = [Math.min(...hosts.map(one => one.first)), Math.max(...hosts.map(one => one.last))];
  const count = flood?.count ?? hosts.reduce((sum, one) => sum + one.count, 0);
  const attack = hosts.find(one => one.attackBrowsers >= RULES.newBlockedHost.browsers);
  const isThreat = hosts.some(one => one.isThreat);
  const browsers = estimated(
    hosts.length > 1 || hosts[0]!.isPartial,
    plural(Math.max(...hosts.map(one => one.browsers)), 'browser'),
  );
  return {
    kind: 'newBlockedHost',
    severity: isThreat ? 'threat' : attack ? 'incident' : 'change',
    title: `${plural(flood?.hosts ?? hosts.length, 'sub-domain')} of ${shortenText(domain)} were not blocked in the ${USUAL_DAYS} days before`,
    detail: `${plural(count, 'report')} by ${browsers}, ${moment(first)} to ${moment(last)}, such as of ${shortenText(hosts[0]!.host)}.`,
    subject: domain,
    count,
    baseline: 0,
    first,
    last,
    reports: { type: 'csp', filters: { blockedHostnames: `*.${domain}` } },
    hosts: hosts.map(one => one.host),
    rank: Math.max(...hosts.map(measureStrength)),
  };
}

/** A host that was blocked before, and the day since which its reports have grown. */
interface GrowingHost extends FreshHost {
  since: number;
}

/** Finds hosts that were blocked before and whose reports grow. */
function findGrowing(
  scope: InsightScope,
  hosts: readonly FreshHost[],
  all: Series | undefined,
): GrowingHost[] {
  const perDay = new Map<number, number>();
  for (const { hour, reports } of all?.hours ?? [])
    perDay.set(Math.floor(hour / 24), (perDay.get(Math.floor(hour / 24)) ?? 0) + reports);
  return hosts
    .filter(({ isFresh }) => !isFresh)
    .flatMap(host => {
      const since = findGrowth(host.perDay, perDay, getLastDay(scope));
      return since === undefined ? [] : [{ ...host, since }];
    });
}

function growthDraft({ host, isOwn: own, perDay, since, last }: GrowingHost): InsightCandidate {
  const [from, to] = [Math.min(...perDay.keys()), Math.max(...perDay.keys())];
  const sum = (begin: number, end: number) =>
    [...perDay].reduce((all, [day, reports]) => (day > begin && day <= end ? all + reports : all), 0);
  const [now, before] = [sum(to - 7, to), sum(since - 14, since - 7)];
  return {
    kind: 'growth',
    severity: own ? 'change' : 'incident',
    title: `${shortenText(host)} is blocked increasingly often: ${plural(now, 'report')} in seven days`,
    pastTitle: `${shortenText(host)} was blocked increasingly often`,
    detail: `${plural(now, 'report')} in the last seven days, ${plural(before, 'report')} in the week before it started to grow. ${GROWS} It was blocked first ${moment(from * SECONDS_PER_DAY)} or earlier.`,
    subject: host,
    count: now,
    baseline: before,
    first: since * SECONDS_PER_DAY,
    last,
    isEscalating: true,
    reports: { type: 'csp', filters: { blockedHostnames: host } },
    hosts: [host],
    rank: now / Math.max(1, before),
  };
}

/** Groups days that are at most three days apart. */
function groupDays<Day extends { day: string }>(days: readonly Day[]): Day[][] {
  const groups: Day[][] = [];
  for (const day of days) {
    const last = groups.at(-1);
    if (last && last.at(-1)!.day >= addDays(day.day, -QUIET_DAYS)) last.push(day);
    else groups.push([day]);
  }
  return groups;
}

/** Combines new hosts that began on the same day. */
function manyDrafts({ days, began }: Fresh, existing: readonly KnownHost[]): InsightCandidate[] {
  const learned = days.filter(({ day }) => toSeconds(day) >= learnedAt(began));
  const left = learned.map(({ day, hosts, reports }) => {
    const own = existing.filter(({ first }) => new Date(first * 1000).toISOString().startsWith(day));
    const listed = own.reduce((sum, host) => sum + host.reports, 0);
    return { day, hosts: hosts - own.length, reports: reports - listed };
  });
  return groupDays(left.filter(({ hosts }) => hosts >= RULES.manyNewHosts.hosts)).map(group => {
    const hosts = group.reduce((sum, one) => sum + one.hosts, 0);
    return {
      kind: 'manyNewHosts',
      severity: 'notice',
      title: `${plural(hosts, 'host')} were blocked that were not before, each a few times or by one browser`,
      detail: 'Extensions and unwanted software of visitors cause such reports, and anyone can forge them.',
      subject: '',
      first: toSeconds(`${group[0]!.day}T00:00:00Z`),
      last: toSeconds(`${group.at(-1)!.day}T00:00:00Z`) + SECONDS_PER_DAY - 1,
      count: group.reduce((sum, one) => sum + one.reports, 0),
      baseline: 0,
      reports: { type: 'csp', filters: {} },
      hosts: [],
      rank: hosts,
    } satisfies InsightCandidate;
  });
}

/** Finds domains with a different host for each visitor or visit, as extensions create them. */
async function findFloods(
  scope: InsightScope,
  { floods, began }: Fresh,
  folded: readonly KnownHost[],
): Promise<InsightCandidate[]> {
  const listed = new Set(folded.map(({ host }) => getRegistrableDomain(host)));
  const learned = learnedAt(began);
  // The last two labels can be a public suffix such as `co.uk`, whose hosts are unrelated.
  const own = floods.filter(
    ({ domain, host, first }) =>
      first >= learned && getRegistrableDomain(host) === domain && !listed.has(domain),
  );
  const names = own.map(({ domain }) => domain);
  const reach = await measureDomains(scope.database, toWindow(scope, USUAL_DAYS), names);
  return own.map(flood => floodDraft(flood, reach.get(flood.domain)));
}

/** True if a flood accounts for half of a spike's excess. */
const explains = (flood: InsightCandidate, spike: InsightCandidate) =>
  flood.first <= spike.last && flood.last >= spike.first && 2 * flood.count >= spike.count - spike.baseline;

function floodDraft(flood: HostFlood, reach: DomainReach | undefined): InsightCandidate {
  const { domain, hosts, reports, count, first, last } = flood;
  const browsers = plural(reach?.browsers ?? 1, 'browser');
  return {
    kind: 'manyNewHosts',
    severity: 'notice',
    title: `${plural(reports, 'report')} of ${plural(hosts, 'sub-domain')} of ${shortenText(domain, 36)}, by ${browsers}: probably an extension`,
    detail: `${moment(first)} to ${moment(last)}, most by ${shortenText(reach?.browser ?? '') || 'an unknown browser'}. Each sub-domain was reported a few times, such as ${shortenText(flood.host)}. Extensions and unwanted software of visitors cause such reports, and anyone can forge them. Exclude the domain to see the others.`,
    subject: domain,
    first,
    last,
    count,
    baseline: 0,
    reports: { type: 'csp', filters: { blockedHostnames: `*.${domain}` } },
    hosts: [],
    rank: hosts,
  };
}

const isOwn = ({ values: [, sourceClass] }: Spike) => /^same/.test(sourceClass);

/** A host can be same-site for one page and external for another. Only the larger spike is reported. */
function onePerHost(spikes: readonly Spike[]): Spike[] {
  const largest = new Map<string, Spike>();
  for (const spike of spikes.toSorted((one, other) => sum(one) - sum(other)))
    largest.set(spike.values[0], spike);
  return [...largest.values()];
}

function ownSpikeDraft(spike: Spike): InsightCandidate {
  const [host] = spike.values;
  return {
    ...spikeDraft('csp', 'host', spike),
    kind: 'ownHostBlocked',
    severity: 'incident',
    title: `${shortenText(host)} is your own, and is blocked since ${moment(spike.first)}`,
    pastTitle: `${shortenText(host)} is your own, and was blocked from ${moment(spike.first)} on`,
    detail: `${plural(spike.count, 'report')} until ${moment(spike.last)}, ${Math.round(spike.baseline)} are usual. A deploy may have left it out of the policies.`,
  };
}

/** Creates candidates for spikes of pages, of directives and of all reports that nothing more specific explains. */
function widerDrafts(
  pages: readonly Spike[],
  directives: readonly Spike[],
  all: readonly Spike[],
  hosts: readonly Spike[],
): InsightCandidate[] {
  /** A part with less than half of the total excess in the same hours is not the cause. */
  const isCause = (spike: Spike) => {
    const same = all.flatMap(({ excess }) => [...spike.excess.keys()].map(hour => excess.get(hour) ?? 0));
    return 2 * sum(spike) >= same.reduce((sum, more) => sum + more, 0);
  };
  const ownPages = pages.filter(page => !isExplained(page, hosts) && isCause(page));
  const ownDirectives = directives.filter(
    directive => !isExplained(directive, hosts) && !isExplained(directive, ownPages) && isCause(directive),
  );
  const narrower = [...hosts, ...ownPages, ...ownDirectives];
  const ownAll = all.filter(one => !isExplained(one, narrower));
  return [
    ...ownPages.map(spike => spikeDraft('csp', 'page', spike)),
    ...ownDirectives.map(spike => spikeDraft('csp', 'directive', spike)),
    ...ownAll.map(spike => spikeDraft('csp', 'all', spike)),
  ];
}
