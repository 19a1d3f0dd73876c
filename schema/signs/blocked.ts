import { type FreshHost, freshHosts, type Reach, reachOf } from '../../sql/signs/hosts.ts';
import { hourlySeries, type Series } from '../../sql/signs/hourly.ts';
import { addDays } from '../calendar.ts';
import { hasFeature } from '../entitlements.ts';
import { type Draft, moment, plural, secondsOf, told } from './draft.ts';
import { jumpDraft } from './jump-draft.ts';
import { LEARNING_DAYS, type Looked, QUIET_DAYS, stretchOf, USUAL_DAYS } from './looked.ts';
import { isExplained, type Jump, jumpsOf, sumOf } from './series.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

/** Reports, and kinds of browsers, from which on a new host is told: fewer can be one visitor's extension. */
const LEAST = { threat: 3, other: 5, browsers: 2 };

/** One-off hosts of a day from which on they are told together: a few come every day. */
const MANY = 100;

interface Known extends FreshHost, Omit<Reach, 'host'> {
  isThreat: boolean;
}

/** Signs of what Content Security Policies block. Beside them the hours of all reports, for what looks at their end. */
export async function blockedSigns(looked: Looked): Promise<{ drafts: Draft[]; all: Series | undefined }> {
  const stretch = stretchOf(looked, USUAL_DAYS);
  const wide = stretchOf(looked, USUAL_DAYS, QUIET_DAYS);
  const [fresh, series] = await Promise.all([
    freshHosts(looked.database, stretch, USUAL_DAYS),
    hourlySeries(looked.database, 'csp', wide),
  ]);
  const known = await knownOf(looked, fresh);
  const all = series.all[0];
  const began = all?.hours[0]?.hour ?? Number.POSITIVE_INFINITY;
  const since = secondsOf(stretch.since) / HOUR;
  const jumps = (of: readonly Series[]) => of.flatMap(one => jumpsOf(one, began, since));
  const hosts = jumps(series.host);
  const names = new Set(known.map(({ host }) => host));
  const rest = hosts.filter(({ values: [host] }) => !names.has(host));
  return {
    drafts: [
      ...known.map(hostDraft),
      ...manyDrafts(fresh, known),
      ...onePerHost(rest).map(jump => (isOwn(jump) ? ownJumpDraft(jump) : jumpDraft('csp', 'host', jump))),
      ...widerDrafts(
        jumps(series.page),
        jumps(series.directive),
        all ? jumpsOf(all, began, since) : [],
        hosts,
      ),
    ],
    all,
  };
}

type Fresh = Awaited<ReturnType<typeof freshHosts>>;

/** Since when a host can be new. */
const learnedAt = (began = Number.POSITIVE_INFINITY) => began + LEARNING_DAYS * DAY;

/** The hosts that are told one by one: where everything is new, nothing is. */
async function knownOf(looked: Looked, { hosts, began }: Fresh): Promise<Known[]> {
  const stretch = stretchOf(looked, USUAL_DAYS);
  const learned = learnedAt(began);
  const wanted = hosts.filter(({ first, reports }) => first >= learned && reports >= LEAST.threat);
  const reach = await reachOf(
    looked.database,
    stretch,
    wanted.map(({ host }) => host),
  );
  const isKnown = hasFeature(looked.account, 'threatIntelligence');
  return wanted.flatMap(host => {
    const found = reach.get(host.host);
    if (!found) return [];
    const isThreat = isKnown && !host.isOwn && found.threat > 0.5;
    const least = isThreat ? LEAST.threat : LEAST.other;
    const isFar = host.isOwn || found.browsers >= LEAST.browsers;
    return isFar && host.reports >= least ? [{ ...host, ...found, isThreat }] : [];
  });
}

function hostDraft({ host, isOwn, isThreat, count, first, last, ...reach }: Known): Draft {
  const name = told(host);
  const seen = `${plural(count, 'report')} of ${told(reach.directive) || 'no directive'} on ${plural(reach.pages, 'page')}, such as ${
    told(reach.path) || '/'
  }, by ${plural(reach.browsers, 'kind')} of browsers, ${moment(first)} to ${moment(last)}.`;
  const kind = isOwn ? ('ownHostBlocked' as const) : ('newBlockedHost' as const);
  const rest = {
    kind,
    subject: host,
    count,
    usual: 0,
    first,
    last,
    hosts: [host],
    rank: reach.browsers * 1e9 + count,
  };
  const reports = { type: 'csp' as const, filters: { blockedHostnames: host } };
  if (isOwn)
    return {
      ...rest,
      reports,
      severity: 'incident',
      title: `${name} is your own, and is blocked since ${moment(first)}`,
      detail: `${seen} A deploy may have left it out of the policies.`,
    };
  if (isThreat)
    return {
      ...rest,
      reports,
      severity: 'threat',
      title: `${name} is new on your pages, and threat intelligence knows it`,
      detail: `${seen} Find out what loads it.`,
    };
  return {
    ...rest,
    reports,
    severity: 'change',
    title: `${name} was not blocked in the 28 days before`,
    detail: seen,
  };
}

/** New hosts that are told together, by the day with which they began. */
function manyDrafts({ days, began }: Fresh, known: readonly Known[]): Draft[] {
  const learned = days.filter(({ day }) => secondsOf(day) >= learnedAt(began));
  const left = learned.map(({ day, hosts, reports }) => {
    const own = known.filter(({ first }) => new Date(first * 1000).toISOString().startsWith(day));
    const told = own.reduce((sum, host) => sum + host.reports, 0);
    return { day, hosts: hosts - own.length, reports: reports - told };
  });
  const many = left.filter(({ hosts }) => hosts >= MANY);
  return many
    .filter(
      ({ day }, index) => many[index - 1] === undefined || many[index - 1]!.day < addDays(day, -QUIET_DAYS),
    )
    .map(({ day }) => {
      const later = many.filter(one => one.day >= day);
      const hosts = later.reduce((sum, one) => sum + one.hosts, 0);
      return {
        kind: 'manyNewHosts',
        severity: 'notice',
        title: `${plural(hosts, 'host')} were blocked that were not before, each a few times or by one kind of browser`,
        detail: 'Extensions and unwanted software of visitors cause such reports, and anyone can forge them.',
        subject: '',
        first: secondsOf(`${day}T00:00:00Z`),
        last: secondsOf(`${later.at(-1)!.day}T00:00:00Z`) + DAY - 1,
        count: later.reduce((sum, one) => sum + one.reports, 0),
        usual: 0,
        reports: { type: 'csp', filters: {} },
        hosts: [],
        rank: hosts,
      } satisfies Draft;
    });
}

const isOwn = ({ values: [, sourceClass] }: Jump) => /^same/.test(sourceClass);

/** A host can be of the same site for one page and of another for the next: the larger jump is told. */
function onePerHost(jumps: readonly Jump[]): Jump[] {
  const largest = new Map<string, Jump>();
  for (const jump of jumps.toSorted((one, other) => sumOf(one) - sumOf(other)))
    largest.set(jump.values[0], jump);
  return [...largest.values()];
}

function ownJumpDraft(jump: Jump): Draft {
  const [host] = jump.values;
  return {
    ...jumpDraft('csp', 'host', jump),
    kind: 'ownHostBlocked',
    severity: 'incident',
    title: `${told(host)} is your own, and is blocked since ${moment(jump.first)}`,
    detail: `${plural(jump.count, 'report')} until ${moment(jump.last)}, ${Math.round(jump.usual)} are usual. A deploy may have left it out of the policies.`,
  };
}

/** Drafts for the pages, the directives and all reports whose jump nothing narrower explains. */
function widerDrafts(
  pages: readonly Jump[],
  directives: readonly Jump[],
  all: readonly Jump[],
  hosts: readonly Jump[],
): Draft[] {
  /** A part that is less than half of what all reports have above the usual, in the same hours, is no cause of it. */
  const isCause = (jump: Jump) => {
    const same = all.flatMap(({ excess }) => [...jump.excess.keys()].map(hour => excess.get(hour) ?? 0));
    return 2 * sumOf(jump) >= same.reduce((sum, more) => sum + more, 0);
  };
  const ownPages = pages.filter(page => !isExplained(page, hosts) && isCause(page));
  const ownDirectives = directives.filter(
    directive => !isExplained(directive, hosts) && !isExplained(directive, ownPages) && isCause(directive),
  );
  const narrower = [...hosts, ...ownPages, ...ownDirectives];
  const ownAll = all.filter(one => !isExplained(one, narrower));
  return [
    ...ownPages.map(jump => jumpDraft('csp', 'page', jump)),
    ...ownDirectives.map(jump => jumpDraft('csp', 'directive', jump)),
    ...ownAll.map(jump => jumpDraft('csp', 'all', jump)),
  ];
}
