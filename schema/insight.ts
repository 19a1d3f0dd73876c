import type { ReportType } from '@sightline/reports';
import { RULES } from './insight-rules.ts';

/** From most to least urgent. */
export const SEVERITIES = ['threat', 'incident', 'change', 'notice'] as const;
export type Severity = (typeof SEVERITIES)[number];

const percent = (share: number) => `${Math.round(100 * share)} %`;
const { spike, silence, scriptChanged: script, newBlockedHost: host, lookAlikeHost: lookAlike } = RULES;

/** All kinds, each with its rule in a sentence. */
export const KINDS = {
  newBlockedHost:
    `A third-party host that was not blocked in the previous ${RULES.usualDays} days, with ${host.reports} reports ` +
    `within ${host.days} days from ${host.browsers} browsers, or ${host.threatReports} reports if threat intelligence ` +
    `flags it. A host that was blocked earlier counts as new again with ${host.againOnADay} reports in a day. The ` +
    'insight is an incident if the host runs script or receives connections or forms on a page for payment, login or ' +
    `accounts, and a threat if ${host.attackBrowsers} browsers report that.`,
  lookAlikeHost:
    `A new blocked host whose domain differs from one of the account's domains by up to ${lookAlike.distance} ` +
    'characters, looks the same, has another public suffix, or begins with it.',
  growth:
    `A host that was blocked before, and whose share of the reports is ${RULES.growth.perWeek} times that of the ` +
    `previous week in two consecutive weeks, with ${RULES.growth.reports} reports in the second one.`,
  scriptChanged:
    `A script with a new hash, with ${script.reports} reports from ${script.browsers} browsers. A script that changed ` +
    `${script.changes} times in the previous ${RULES.usualDays} days is left out. If ${script.scriptsTogether} or more ` +
    'scripts of a domain change within an hour, this is one insight.',
  ownHostBlocked:
    "A host of the account's own site that is blocked now and hardly was before, for example after a deployment.",
  manyNewHosts:
    `New hosts that are reported together: ${RULES.manyNewHosts.hosts} or more in a day, or ` +
    `${RULES.manyNewHosts.floodHosts} or more of one domain. The cause is probably an extension.`,
  spike:
    `A type, directive, page or blocked host with at least ${spike.reportsAnHour} reports in an hour, or a type, ` +
    `feature, message or crashing page with at least ${spike.reportsADay} in a day. The number must exceed ` +
    `${spike.times} times the median of the same hours or of the days, and the median by ${spike.deviations} deviations.`,
  newFeature:
    'A crashing page, a host outside of a connection allowlist, or the feature, message or reason of a deprecation, ' +
    `intervention, permissions policy violation or crash, with ${RULES.newFeature.reports} reports and none in the ` +
    `previous ${RULES.usualDays} days.`,
  networkError:
    `A spike, as above, in one kind of network error on a host. Simultaneous spikes of ${RULES.networkError.hosts} or ` +
    `more hosts are one insight, which names the network if ${percent(RULES.networkError.network)} of them come from it.`,
  senderFails:
    `A sender with ${percent(RULES.senderFails.before)} of its messages aligned, until ${RULES.senderFails.messages} ` +
    'more messages failed than passed.',
  authenticationFails:
    `A sender for which DKIM or SPF used to pass for ${percent(RULES.authenticationFails.before)} of the messages, and ` +
    `now passes for less than ${percent(RULES.authenticationFails.now)} of the messages and of the reports' rows (at ` +
    `least ${RULES.authenticationFails.messages} messages and ${RULES.authenticationFails.reports} rows), while the ` +
    'other check keeps the messages aligned.',
  newSender: `A sender of at least ${RULES.newSender.messages} messages that sent none in the previous ${RULES.usualDays} days.`,
  tlsFailures:
    `A domain for which more than ${percent(RULES.tlsFailures.share)} of a day's mail sessions fail: at least ` +
    `${RULES.tlsFailures.sessions} sessions and ${RULES.tlsFailures.times} times the usual number, in ` +
    `${RULES.tlsFailures.reports} reports, or in one report if ${percent(RULES.tlsFailures.atOnce)} of the day's sessions fail.`,
  newIssuer: `An organisation that issued no certificate in the previous ${RULES.certificates.days} days.`,
  unknownHostCertificate:
    'A certificate for a host that is outside the sites of the filters or, without such sites, was in no certificate ' +
    `in the previous ${RULES.certificates.days} days.`,
  newFinding:
    'A host or policy that no watch of the account had found before, if the watch had found nothing new for ' +
    `${RULES.newFinding.quietDays} days.`,
  silence:
    `A type that arrived in nearly every hour, and is missing while ${silence.missed} reports would be usual; a type ` +
    `or reporter that arrived daily, and is missing for ${silence.hours} hours, or for ${silence.mailHours} if it ` +
    `arrives by mail; a site that arrived daily, and is missing for ${silence.siteHours} hours and ${silence.missed} ` +
    `usual reports; or no reports at all for ${silence.allHours} hours.`,
  quota: 'At the current pace, the quota will not last until the end of the month.',
  correlated: 'Insights of several types that name the same host and began within an hour.',
  more: 'Insights of a kind that are omitted because there are too many.',
} as const;
export type InsightKind = keyof typeof KINDS;

/** All states, with their meanings. */
export const STATES = {
  new: 'It began within the last day.',
  ongoing: 'It began earlier and continues.',
  escalating: 'It continues and grows.',
  resolved: 'It is over: there were no reports of it for a day, or for longer if its reports are rare.',
} as const;
export type InsightState = keyof typeof STATES;

/** Formats the rules as a Markdown table, which the documentation contains verbatim. */
export function formatRuleTable(): string {
  const rows = Object.entries(KINDS).map(([kind, rule]) => `| \`${kind}\` | ${rule} |`);
  return ['| kind | rule |', '|---|---|', ...rows].join('\n');
}

/** A change in the reports that deserves attention. */
export interface Insight {
  id: string;
  kind: InsightKind;
  severity: Severity;
  state: InsightState;
  title: string;
  detail: string;
  subject: string;
  firstSeen: string;
  lastSeen: string;
  count: number;
  baseline: number;
  link: string;
  query: string | null;
}

/** A report type that was searched for insights. */
export interface CoveredType {
  type: ReportType;
  reports: number;
  /** Null if there is enough earlier data to detect changes. */
  learningUntil: string | null;
}

/** The reports that were searched. Without reports, an empty list of insights means nothing. */
export interface InsightCoverage {
  since: string;
  until: string;
  types: CoveredType[];
}

/** Insights, and the reports that were searched for them. */
export interface FoundInsights {
  insights: Insight[];
  coverage: InsightCoverage;
}
