import { HOURS_PER_DAY, SECONDS_PER_HOUR } from '@sightline/reports';
import { mailSeries, type Series } from '../../sql/insights/hourly.ts';
import { type TlsDay, tlsDays } from '../../sql/insights/mail.ts';
import { addDays, toDay } from '../calendar.ts';
import { RULES } from '../insight-rules.ts';
import { type InsightCandidate, moment, plural, share, shortenText, toSeconds } from './candidate.ts';
import { type InsightScope, LEARNING_DAYS, QUIET_DAYS, toWindow, USUAL_DAYS } from './scope.ts';
import { findSpikes } from './series.ts';
import { spikeDraft } from './spike.ts';

/** The hourly messages of a sender. */
interface Sender {
  name: string;
  hours: { hour: number; failed: number; passed: number; first: number; last: number }[];
}

/** Finds insights about senders, by DMARC. */
export async function senderInsights(
  scope: InsightScope,
): Promise<{ drafts: InsightCandidate[]; all: Series | undefined }> {
  const window = toWindow(scope, USUAL_DAYS, QUIET_DAYS);
  const series = await mailSeries(scope.database, window);
  const all = series.all[0];
  const began = all?.hours[0]?.hour ?? Number.POSITIVE_INFINITY;
  const since = toSeconds(toWindow(scope, USUAL_DAYS).since) / SECONDS_PER_HOUR;
  const drafts = listSenders(series.sender).flatMap(sender => {
    const found = newDraft(sender, since, began) ?? failingDraft(sender, since);
    return found ? [found] : [];
  });
  const spikes = all ? findSpikes(all, began, since) : [];
  const rest = spikes.filter(
    ({ first, last }) => !drafts.some(draft => draft.first <= last && draft.last >= first),
  );
  return { drafts: [...drafts, ...rest.map(spike => spikeDraft('dmarc', 'all', spike))], all };
}

function listSenders(series: readonly Series[]): Sender[] {
  const senders = new Map<string, Map<number, Sender['hours'][number]>>();
  for (const {
    values: [name, aligned],
    hours,
  } of series) {
    const seen = senders.get(name) ?? new Map<number, Sender['hours'][number]>();
    senders.set(name, seen);
    for (const { hour, count, first, last } of hours) {
      const own = seen.get(hour) ?? { hour, failed: 0, passed: 0, first, last };
      own[aligned === 'true' ? 'passed' : 'failed'] += count;
      seen.set(hour, { ...own, first: Math.min(first, own.first), last: Math.max(last, own.last) });
    }
  }
  return [...senders].map(([name, hours]) => ({
    name,
    hours: [...hours.values()].sort((one, other) => one.hour - other.hour),
  }));
}

const countFailed = (hours: Sender['hours']) => hours.reduce((sum, { failed }) => sum + failed, 0);
const countMessages = (hours: Sender['hours']) =>
  hours.reduce((sum, { failed, passed }) => sum + failed + passed, 0);

/** Finds since when more messages have failed than passed. The running difference never falls below zero. */
function failingSince({ hours }: Sender, from: number): { begin: number; last: number } | undefined {
  let more = 0;
  let begin = 0;
  let alarm: { begin: number; last: number } | undefined;
  for (const { hour, failed, passed, last } of hours) {
    if (hour < from) continue;
    if (more === 0) begin = hour;
    more = Math.max(0, more + failed - passed);
    if (more >= RULES.senderFails.messages && (!alarm || alarm.begin === begin)) alarm = { begin, last };
  }
  return alarm;
}

function failingDraft(sender: Sender, since: number): InsightCandidate | undefined {
  const failing = failingSince(sender, since - QUIET_DAYS * HOURS_PER_DAY);
  if (!failing || failing.begin < since) return undefined;
  const before = sender.hours.filter(({ hour }) => hour < failing.begin);
  const { messages, before: good } = RULES.senderFails;
  const [sent, failed] = [countMessages(before), countFailed(before)];
  if (sent < messages || sent - failed < good * sent) return undefined;
  const now = sender.hours.filter(({ hour, last }) => hour >= failing.begin && last <= failing.last);
  const hours = now.at(-1)!.hour - failing.begin + 1;
  return {
    ...senderDraft(sender, now),
    kind: 'senderFails',
    severity: 'incident',
    title: `Mail of ${getName(sender)} begins to fail DMARC`,
    detail: `${share(countFailed(now), countMessages(now))} of ${plural(countMessages(now), 'message')} failed since ${moment(now[0]!.first)}, ${share(failed, sent)} in the four weeks before. Receivers may reject it.`,
    baseline: (failed / (USUAL_DAYS * HOURS_PER_DAY)) * hours,
  };
}

function newDraft(sender: Sender, since: number, began: number): InsightCandidate | undefined {
  const [first] = sender.hours;
  const isNew = first!.hour >= since && first!.hour >= began + LEARNING_DAYS * HOURS_PER_DAY;
  const [sent, failed] = [countMessages(sender.hours), countFailed(sender.hours)];
  if (!isNew || sent < RULES.newSender.messages) return undefined;
  const fails = failed * 2 > sent;
  return {
    ...senderDraft(sender, sender.hours),
    kind: 'newSender',
    severity: fails ? 'incident' : 'change',
    title: `${getName(sender)} sends mail in your name for the first time${fails ? ', and fails DMARC' : ''}`,
    detail: `${plural(sent, 'message')} since ${moment(first!.first)}, ${share(failed, sent)} of them not aligned.`,
    count: sent,
    baseline: 0,
  };
}

const getName = ({ name }: Sender) => shortenText(name) || 'an unknown network';

function senderDraft({ name }: Sender, hours: Sender['hours']) {
  const failed = countFailed(hours);
  const filters = name === '' ? {} : { sender: name };
  return {
    subject: name,
    first: hours[0]!.first,
    last: Math.max(...hours.map(({ last }) => last)),
    count: failed,
    reports: { type: 'dmarc' as const, filters },
    hosts: [],
    rank: failed,
  };
}

/** Finds domains to which mail fails to be delivered over TLS. */
export async function tlsInsights(scope: InsightScope): Promise<InsightCandidate[]> {
  const days = await tlsDays(scope.database, toWindow(scope, USUAL_DAYS, QUIET_DAYS));
  const domains = [...new Set(days.map(({ domain }) => domain))].map(name =>
    days.filter(({ domain }) => domain === name),
  );
  const since = toDay(scope.since);
  return domains.flatMap(own =>
    failingRuns(own)
      .filter(run => run[0]!.day >= since && isConfirmed(run))
      .map(run => tlsDraft(run, own)),
  );
}

/** Groups days with failures into runs that are separated by at least three days without any. */
function failingRuns(days: readonly TlsDay[]): TlsDay[][] {
  const runs: TlsDay[][] = [];
  for (const day of days.filter(day => fails(day, days))) {
    const last = runs.at(-1)?.at(-1);
    if (last && last.day >= addDays(day.day, -QUIET_DAYS)) runs.at(-1)!.push(day);
    else runs.push([day]);
  }
  return runs;
}

function fails({ day, failed, sessions }: TlsDay, days: readonly TlsDay[]): boolean {
  const before = computeBaseline(days, day);
  const rate = failed / sessions;
  const rule = RULES.tlsFailures;
  return failed >= rule.sessions && rate > rule.share && rate > rule.times * before;
}

/** The share of sessions that failed in the four weeks before a day. */
function computeBaseline(days: readonly TlsDay[], day: string): number {
  const before = days.filter(one => one.day < day && one.day >= addDays(day, -USUAL_DAYS));
  const sessions = before.reduce((sum, one) => sum + one.sessions, 0);
  return sessions === 0 ? 0 : before.reduce((sum, one) => sum + one.failed, 0) / sessions;
}

/**
 * A few failures in a single report can be a hiccup of an exchanger. A second report confirms them, unless there are
 * many.
 */
function isConfirmed(run: readonly TlsDay[]): boolean {
  const { reports, atOnce } = RULES.tlsFailures;
  const confirmed = run.reduce((sum, { failedReports }) => sum + failedReports, 0);
  return confirmed >= reports || run.some(({ failed, sessions }) => failed >= atOnce * sessions);
}

function tlsDraft(run: readonly TlsDay[], days: readonly TlsDay[]): InsightCandidate {
  const [{ domain, day, failure, exchanger, reporter, first }] = run as readonly [TlsDay];
  const [failed, sessions] = [
    run.reduce((sum, one) => sum + one.failed, 0),
    run.reduce((sum, one) => sum + one.sessions, 0),
  ];
  const baseline = computeBaseline(days, day);
  return {
    kind: 'tlsFailures',
    severity: 'incident',
    title: `Mail to ${shortenText(domain, 36)} fails over TLS${exchanger === '' ? '' : ` at ${shortenText(exchanger, 36)}`}${failure === '' ? '' : `: ${shortenText(failure, 32)}`}`,
    detail: `${share(failed, sessions)} of ${plural(sessions, 'session')} failed since ${moment(first)}, ${share(baseline, 1)} is usual.${reporter === '' ? '' : ` Most were reported by ${shortenText(reporter)}.`}`,
    subject: domain,
    first,
    last: run.at(-1)!.last,
    count: failed,
    baseline: baseline * sessions,
    reports: { type: 'tls_rpt', filters: { hostnames: domain } },
    hosts: exchanger === '' ? [domain] : [domain, exchanger],
    rank: failed,
  };
}
