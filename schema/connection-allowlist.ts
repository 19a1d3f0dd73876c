import type { ReportedViolation, ViolationReach } from '@sightline/csp';
import type { Suggestion, Trust } from '@sightline/csp/suggest';
import type { Account } from '../sql/account.ts';
import { findBlockedHosts } from '../sql/insights/hosts.ts';
import { dimension } from '../sql/report/dimensions.ts';
import { type Grouping, reportGroups } from '../sql/report-groups.ts';
import { builder } from './builder.ts';
import type { Context } from './context.ts';
import { hasFeature } from './entitlements.ts';
import { invalidParameter } from './errors.ts';
import { groupBy } from './insights/group-by.ts';
import { measureArguments } from './policy-replay.ts';
import { ReachType } from './policy-replay-types.ts';
import { DoubtType, MOST_SUGGESTIONS, toNewSince } from './policy-suggestion.ts';
import { clampToRetention, periodOfArguments } from './report-query.ts';
import { SITE_PERIOD, type SitePeriod } from './reported-violations.ts';

interface AllowlistSuggestions {
  patterns: Suggestion[];
  otherPatterns: number;
  unlisted: ViolationReach;
  allowlist: string[];
  header: string;
}

const PatternType = builder.objectRef<Suggestion>('AllowlistPattern').implement({
  description: 'A pattern that would allow connections that a Connection-Allowlist reported.',
  subGraphs: ['graph'],
  interfaces: [ReachType],
  fields: t => ({
    pattern: t.string({
      description: 'A URLPattern, or `response-origin` for the origin of the page.',
      resolve: ({ source }) => source,
    }),
    covers: t.exposeStringList('covers', {
      complexity: { field: 1, multiplier: 10 },
      description: 'The patterns that a wildcard covers; otherwise the pattern itself.',
    }),
    browsers: t.expose('browsers', {
      type: 'Counter',
      nullable: true,
      description: 'The number of different browsers that reported it; null if unknown.',
    }),
    doubts: t.expose('doubts', {
      type: [DoubtType],
      complexity: 1,
      description: 'Reasons to review the pattern. A pattern with doubts is not added.',
    }),
    isAdded: t.exposeBoolean('isAdded', { description: 'Whether `allowlist` contains the pattern.' }),
  }),
});

const UnlistedType = builder.objectRef<ViolationReach>('UnlistedConnections').implement({
  description: 'Connections that no pattern can allow.',
  subGraphs: ['graph'],
  interfaces: [ReachType],
});

const SuggestionsType = builder.objectRef<AllowlistSuggestions>('AllowlistSuggestions').implement({
  description: 'The patterns that a Connection-Allowlist must contain to prevent the reports of a site.',
  subGraphs: ['graph'],
  fields: t => ({
    patterns: t.expose('patterns', {
      type: [PatternType],
      complexity: { field: 0, multiplier: 100 },
      description:
        'The patterns: those without doubts first, then by days, browsers and pages. Review each of ' +
        'them, because reports can be forged.',
    }),
    otherPatterns: t.expose('otherPatterns', {
      type: 'Counter',
      description: 'The number of omitted patterns.',
    }),
    unlisted: t.expose('unlisted', {
      type: UnlistedType,
      description: 'Reports that no pattern can prevent, such as those of WebRTC.',
    }),
    allowlist: t.exposeStringList('allowlist', {
      complexity: { field: 1, multiplier: 10 },
      description: 'The baseline with the added patterns.',
    }),
    header: t.exposeString('header', {
      description: 'The report-only header for trying the list; it reports to the endpoint `default`.',
    }),
  }),
});

/** The maximum number of groups examined, those with the largest counts. */
const MOST = 20_000;
const MOST_BROWSERS = 5000;

const [PAGE, ORIGIN, BROWSER] = ['PAGE', 'BLOCKED_ORIGIN', 'BROWSER'].map(
  name => dimension('connection_allowlist', name)!,
) as [Grouping['by'][number], Grouping['by'][number], Grouping['by'][number]];
const CONNECTIONS: Grouping = { by: [PAGE, ORIGIN], orderBy: 'COUNT', first: MOST, withDayBits: true };
// Groupings of one query must have the same columns.
const BROWSERS: Grouping = { ...CONNECTIONS, by: [ORIGIN, BROWSER], first: MOST_BROWSERS };

interface AllowlistArguments extends SitePeriod {
  baseline?: readonly string[] | null | undefined;
}

async function suggest(
  account: Account,
  args: AllowlistArguments,
  context: Context,
): Promise<AllowlistSuggestions> {
  // Loaded on demand, because it contains large lists and is rarely used.
  const { allowlistText, findConnections, isPattern, rankSuggestions } = await import(
    '@sightline/csp/suggest'
  );
  const baseline = [...(args.baseline ?? [])];
  if (baseline.length > MOST_PATTERNS || !baseline.every(isPattern))
    throw invalidParameter(`baseline. It accepts up to ${MOST_PATTERNS} patterns of printable ASCII.`);
  const { connections, browsers } = await loadConnections(account, args, context);
  const { candidates, others, unlisted } = await findConnections(connections);
  const hosts = [...new Set(candidates.flatMap(candidate => [...candidate.hosts]))];
  const all = rankSuggestions(candidates, await findTrust(account, args, hosts, browsers, context));
  const patterns = all.slice(0, MOST_SUGGESTIONS);
  const added = patterns.flatMap(({ isAdded, source }) => (isAdded ? source : []));
  const allowlist = [...new Set([...baseline, ...added])];
  return {
    patterns,
    otherPatterns: others + all.length - patterns.length,
    unlisted,
    allowlist,
    header: `Connection-Allowlist-Report-Only: ${allowlistText(allowlist, 'default')}`,
  };
}

/** Maximum number of patterns in the baseline. */
const MOST_PATTERNS = 200;

async function loadConnections(
  account: Account,
  { site, from, to }: SitePeriod,
  { database, now }: Context,
): Promise<{ connections: ReportedViolation[]; browsers: Map<string, number> }> {
  const type = 'connection_allowlist';
  const period = clampToRetention(periodOfArguments({ type, from, to: to ?? null }, now), account, now);
  if (!period) return { connections: [], browsers: new Map() };
  const query = { account: account.id, type, filters: { hostnames: [site] }, not: {}, ...period } as const;
  const [found, named] = await reportGroups(database, query, [CONNECTIONS, BROWSERS]);
  const connections = found!.groups.map(({ values, dayBits, ...sums }) => {
    const [page = '', blockedUri = ''] = values;
    return { ...sums, page, blockedUri, directive: '', dayBits: dayBits! };
  });
  // A host can have several origins.
  const byHost = groupBy(
    named!.groups,
    ({ values }) => /^(?:\w+:\/\/)?([^/:]+)/.exec(values[0] ?? '')?.[1] ?? '',
  );
  const browsers = new Map(
    [...byHost].map(([host, own]) => [host, new Set(own.map(({ values }) => values[1])).size]),
  );
  return { connections, browsers };
}

/** Hosts that are flagged in CSP reports are flagged here as well. */
async function findTrust(
  account: Account,
  { site, from, to }: SitePeriod,
  hosts: readonly string[],
  browsers: ReadonlyMap<string, number>,
  { database, now }: Context,
): Promise<Trust> {
  const end = Math.min(now.getTime(), to ? Date.parse(to) : Number.POSITIVE_INFINITY);
  const query = { account: account.id, site, since: from, until: new Date(end).toISOString() };
  const isKnown = hasFeature(account, 'threatIntelligence');
  const found = isKnown ? await findBlockedHosts(database, query, hosts) : [];
  const threats = new Set(found.flatMap(({ host, threat }) => (threat ? host : [])));
  const evidence = hosts.map(
    host => [host, { browsers: browsers.get(host) ?? 1, isThreat: threats.has(host) }] as const,
  );
  return { evidence: new Map(evidence), newSince: toNewSince(end), allowed: new Set() };
}

builder.objectField('Account', 'connectionAllowlistSuggestion', t =>
  t.field({
    type: SuggestionsType,
    nullable: true,
    description:
      'The patterns that a Connection-Allowlist needs so that its reports of a site end, from `from` on and before `to`.',
    complexity: ({ baseline }) => measureArguments(baseline ?? []),
    args: {
      site: t.arg(SITE_PERIOD.site),
      baseline: t.arg.stringList({
        description: 'The patterns to start from, at most 200; `response-origin` is the origin of the page.',
      }),
      from: t.arg(SITE_PERIOD.from),
      to: t.arg(SITE_PERIOD.to),
    },
    resolve: (account, args, context) => suggest(account, args, context),
  }),
);
