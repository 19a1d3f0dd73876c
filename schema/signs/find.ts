import type { ReportType } from '@sightline/reports';
import { OTHER_TYPES } from '../../sql/report/sign-sets.ts';
import { hourlyTotals, type Series } from '../../sql/signs/hourly.ts';
import { retentionStart } from '../entitlements.ts';
import type { Loaders } from '../loaders.ts';
import { type Kind, SEVERITIES, type Sign } from '../sign.ts';
import { blockedSigns } from './blocked.ts';
import { certificateSigns } from './certificates.ts';
import { type Draft, secondsOf, signOf } from './draft.ts';
import { findingSigns } from './findings.ts';
import { jumpDraft } from './jump-draft.ts';
import { type Looked, QUIET_DAYS, stretchOf, USUAL_DAYS } from './looked.ts';
import { senderSigns, tlsSigns } from './mail.ts';
import { networkSigns } from './network.ts';
import { quotaSigns } from './quota.ts';
import { jumpsOf } from './series.ts';
import { reporterSilences, typeSilences } from './silence.ts';
import { joined } from './together.ts';

/** Types that come with single mails or certificates: a jump of theirs is looked for in what they say. */
const TOLD_OTHERWISE: readonly ReportType[] = ['certificate_transparency', 'tls_rpt'];

const HOUR = 3600;

/** The signs of an account that began in the period, or last at its end; the most severe first. */
export async function findSigns(looked: Looked, load: Loaders): Promise<Sign[]> {
  if (looked.until <= retentionStart(looked.account, looked.now) || looked.since >= looked.until) return [];
  const stretch = stretchOf(looked, USUAL_DAYS, QUIET_DAYS);
  const [blocked, network, senders, totals, ...others] = await Promise.all([
    blockedSigns(looked),
    networkSigns(looked),
    senderSigns(looked),
    hourlyTotals(looked.database, OTHER_TYPES, stretch),
    tlsSigns(looked),
    certificateSigns(looked, load),
    findingSigns(looked),
    reporterSilences(looked),
    quotaSigns(looked, load),
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
    ...typeJumps(totals, looked),
    ...typeSilences(series, looked),
  ];
  const [since, until] = [looked.since, looked.until].map(at => secondsOf(at.toISOString())) as [
    number,
    number,
  ];
  const began = drafts.filter(({ first, lasts }) => (lasts || first >= since) && first < until);
  return ordered(joined(began)).map(draft => signOf(draft, looked));
}

function typeJumps(totals: ReadonlyMap<ReportType, Series>, looked: Looked): Draft[] {
  const since = secondsOf(stretchOf(looked, USUAL_DAYS).since) / HOUR;
  return [...totals]
    .filter(([type]) => !TOLD_OTHERWISE.includes(type))
    .flatMap(([type, series]) =>
      jumpsOf(series, series.hours[0]!.hour, since).map(jump => jumpDraft(type, 'all', jump)),
    );
}

/** Signs of a kind that are told one by one, so that none hides the others. */
const MOST = 20;

function ordered(drafts: readonly Draft[]): Draft[] {
  const kinds = [...new Set(drafts.map(({ kind }) => kind))];
  const severity = (draft: Draft) => SEVERITIES.indexOf(draft.severity);
  const byRank = (one: Draft, other: Draft) => severity(one) - severity(other) || other.rank - one.rank;
  return kinds
    .flatMap(kind => {
      const own = drafts.filter(draft => draft.kind === kind).sort(byRank);
      const rest = own.slice(MOST);
      return [...own.slice(0, MOST), ...(rest.length > 0 ? [moreDraft(kind, rest)] : [])];
    })
    .sort(
      (one, other) =>
        severity(one) - severity(other) || KIND_ORDER(one) - KIND_ORDER(other) || byRank(one, other),
    );
}

const ORDER: readonly Kind[] = ['newBlockedHost', 'together', 'ownHostBlocked', 'networkError'];
/** Those that are not named come behind, in the order of their beginning. */
const KIND_ORDER = ({ kind }: Draft) => (ORDER.includes(kind) ? ORDER.indexOf(kind) : ORDER.length);

/** An answer that is cut says so. */
function moreDraft(kind: Kind, rest: readonly Draft[]): Draft {
  const firsts = rest.map(({ first }) => first);
  return {
    kind: 'more',
    severity: rest[0]!.severity,
    title: `${rest.length} more signs of the kind ${kind}`,
    detail:
      'They are of fewer reports, or of fewer kinds of browsers. Each is among the reports that this sign leads to.',
    subject: kind,
    first: Math.min(...firsts),
    last: Math.max(...rest.map(({ last }) => last)),
    count: rest.reduce((sum, { count }) => sum + count, 0),
    usual: rest.reduce((sum, { usual }) => sum + usual, 0),
    reports: rest[0]!.reports && { type: rest[0]!.reports.type, filters: {} },
    hosts: [],
    rank: -1,
  };
}
