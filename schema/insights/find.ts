import { type ReportType, SECONDS_PER_HOUR } from '@sightline/reports';
import { hourlyTotals, type Series } from '../../sql/insights/hourly.ts';
import { listTypes } from '../../sql/insights/types.ts';
import { OTHER_TYPES } from '../../sql/report/insight-sets.ts';
import { retentionStart } from '../entitlements.ts';
import { type FoundInsights, type InsightKind, SEVERITIES, type Severity } from '../insight.ts';
import type { Loaders } from '../loaders.ts';
import { authenticationInsights } from './authentication.ts';
import { blockedInsights } from './blocked.ts';
import { getState, type InsightCandidate, toInsight, toSeconds } from './candidate.ts';
import { CERTIFICATE_DAYS, certificateInsights } from './certificates.ts';
import { correlate } from './correlate.ts';
import { getCoverage } from './coverage.ts';
import { featureInsights } from './features.ts';
import { findingInsights } from './findings.ts';
import { senderInsights, tlsInsights } from './mail.ts';
import { networkInsights } from './network.ts';
import { quotaInsights } from './quota.ts';
import { type InsightScope, QUIET_DAYS, toWindow, USUAL_DAYS, withOngoing } from './scope.ts';
import { scriptInsights } from './scripts.ts';
import { findDaySpike, findSpikes } from './series.ts';
import { reporterSilences, siteSilences, typeSilences } from './silence.ts';
import { spikeDraft } from './spike.ts';

/**
 * Types whose reports arrive for single mails or certificates. Other rules analyse their content instead of their
 * number.
 */
const ANALYSED_ELSEWHERE: readonly ReportType[] = ['certificate_transparency', 'tls_rpt'];

/** The number of days before the searched period that the rules read at most. */
const LONGEST_DAYS = Math.max(CERTIFICATE_DAYS, USUAL_DAYS + QUIET_DAYS);

/** The insights about a type without reports. */
const NOTHING = { drafts: [], all: undefined };

/** Finds the insights of an account that began in the period or are ongoing at its end, the most severe first. */
export async function findInsights(request: InsightScope, load: Loaders): Promise<FoundInsights> {
  if (request.until <= retentionStart(request.account, request.now) || request.since >= request.until)
    return { insights: [], coverage: getCoverage(new Map(), request) };
  const scope = withOngoing(request);
  const window = toWindow(scope, USUAL_DAYS, QUIET_DAYS);
  const types = await listTypes(scope.database, toWindow(scope, LONGEST_DAYS));
  const [blocked, network, senders, totals, ...others] = await Promise.all([
    types.has('csp') ? blockedInsights(scope, load) : NOTHING,
    types.has('nel') ? networkInsights(scope) : NOTHING,
    types.has('dmarc') ? senderInsights(scope) : NOTHING,
    hourlyTotals(
      scope.database,
      OTHER_TYPES.filter(type => types.has(type)),
      window,
    ),
    types.has('tls_rpt') ? tlsInsights(scope) : [],
    types.has('certificate_transparency') ? certificateInsights(scope, load) : [],
    findingInsights(scope),
    reporterSilences(scope, types),
    quotaInsights(scope, load),
    types.has('csp_integrity') ? scriptInsights(scope) : [],
    types.has('dmarc') ? authenticationInsights(scope) : [],
    featureInsights(scope, types),
    types.has('csp') ? siteSilences(scope) : [],
  ]);
  const series = new Map<ReportType, Series>(totals);
  for (const [type, all] of [
    ['csp', blocked.all],
    ['nel', network.all],
    ['dmarc', senders.all],
  ] as const)
    if (all) series.set(type, all);
  const drafts = [
    ...blocked.drafts,
    ...network.drafts,
    ...senders.drafts,
    ...others.flat(),
    ...typeSpikes(totals, scope).filter(spike => !isExplainedBy(spike, others.flat())),
    ...typeSilences(series, scope),
  ];
  const shown = correlate(drafts.filter(draft => isShown(draft, request)));
  return {
    insights: sortDrafts(shown, request.until).map(draft => toInsight(draft, request)),
    coverage: getCoverage(series, request),
  };
}

const URGENT: readonly Severity[] = ['threat', 'incident'];

/** True if an insight began in the period, or is urgent or growing and ongoing at its end. */
function isShown(draft: InsightCandidate, { since, until }: InsightScope): boolean {
  const [begin, end] = [since, until].map(at => toSeconds(at.toISOString())) as [number, number];
  if (draft.first >= end) return false;
  if (draft.isOngoing || draft.first >= begin) return true;
  const isWanted = URGENT.includes(draft.severity) || !!draft.isEscalating;
  return isWanted && getState(draft, until) !== 'resolved';
}

function typeSpikes(totals: ReadonlyMap<ReportType, Series>, scope: InsightScope): InsightCandidate[] {
  const since = toSeconds(toWindow(scope, USUAL_DAYS).since) / SECONDS_PER_HOUR;
  return [...totals]
    .filter(([type]) => !ANALYSED_ELSEWHERE.includes(type))
    .flatMap(([type, series]) => {
      // Browsers report every script that they load, so a day with many visitors is a day with many reports.
      const began = series.hours[0]!.hour;
      const spikes = findSpikes(series, began, since);
      const ofDays =
        spikes.length === 0 && type !== 'csp_integrity' ? findDaySpike(series, began, since) : undefined;
      return [...spikes, ...(ofDays ? [ofDays] : [])].map(spike => spikeDraft(type, 'all', spike));
    });
}

/** True if a more specific insight about the same period explains the spike of a report type. */
const isExplainedBy = ({ reports, first, last }: InsightCandidate, others: readonly InsightCandidate[]) =>
  others.some(one => one.reports?.type === reports?.type && one.first <= last && one.last >= first);

/** The maximum number of insights of a kind that are listed individually, so that none crowds out the others. */
const MOST = 20;

function sortDrafts(drafts: readonly InsightCandidate[], until: Date): InsightCandidate[] {
  const kinds = [...new Set(drafts.map(({ kind }) => kind))];
  const severity = (draft: InsightCandidate) => SEVERITIES.indexOf(draft.severity);
  const over = (draft: InsightCandidate) => (getState(draft, until) === 'resolved' ? 1 : 0);
  const byUrgency = (one: InsightCandidate, other: InsightCandidate) =>
    severity(one) - severity(other) || over(one) - over(other);
  // Equal ranks are common, and the database returns rows in any order.
  const byRank = (one: InsightCandidate, other: InsightCandidate) =>
    byUrgency(one, other) || other.rank - one.rank || compareText(one.subject, other.subject);
  return kinds
    .flatMap(kind => {
      const own = drafts.filter(draft => draft.kind === kind).sort(byRank);
      const rest = own.slice(MOST);
      return [...own.slice(0, MOST), ...(rest.length > 0 ? [moreDraft(kind, rest)] : [])];
    })
    .sort(
      (one, other) => byUrgency(one, other) || getKindOrder(one) - getKindOrder(other) || byRank(one, other),
    );
}

const compareText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** Attacks come before the account's own failures. */
const ORDER: readonly InsightKind[] = [
  ...(['lookAlikeHost', 'newBlockedHost', 'scriptChanged', 'growth', 'correlated'] as const),
  ...(['newIssuer', 'unknownHostCertificate', 'newSender', 'ownHostBlocked', 'networkError'] as const),
];
/** Insights beyond the limit come last, ordered by rank. */
const getKindOrder = ({ kind }: InsightCandidate) =>
  ORDER.includes(kind) ? ORDER.indexOf(kind) : ORDER.length;

/** Says how many insights were left out. */
function moreDraft(kind: InsightKind, rest: readonly InsightCandidate[]): InsightCandidate {
  const firsts = rest.map(({ first }) => first);
  return {
    kind: 'more',
    severity: rest[0]!.severity,
    title: `${rest.length} more insights of the kind ${kind}`,
    detail:
      'They are of fewer reports or days, or began together with many others. Each is among the reports that this insight leads to.',
    subject: kind,
    first: Math.min(...firsts),
    last: Math.max(...rest.map(({ last }) => last)),
    count: rest.reduce((sum, { count }) => sum + count, 0),
    baseline: rest.reduce((sum, { baseline }) => sum + baseline, 0),
    reports: rest[0]!.reports && { type: rest[0]!.reports.type, filters: {} },
    hosts: [],
    rank: -1,
  };
}
