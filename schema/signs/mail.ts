import { mailSeries, type Series } from '../../sql/signs/hourly.ts';
import { type TlsDay, tlsDays } from '../../sql/signs/mail.ts';
import { addDays, dayOf } from '../calendar.ts';
import { type Draft, moment, plural, secondsOf, share, told } from './draft.ts';
import { jumpDraft } from './jump-draft.ts';
import { LEARNING_DAYS, type Looked, QUIET_DAYS, stretchOf, USUAL_DAYS } from './looked.ts';
import { jumpsOf } from './series.ts';

const HOUR = 3600;
const DAY_HOURS = 24;

/** Mails by hour of one sender. */
interface Sender {
  name: string;
  hours: { hour: number; failed: number; passed: number; first: number; last: number }[];
}

/** Mails more that failed than passed, from which on a sender begins to fail. */
const FAILING = 20;
/** Mails before, and the share of them that was aligned, of a sender whose mail was good. */
const GOOD = { mails: 20, aligned: 0.9 };
/** Mails of a new sender that are worth a sign. */
const NEW = 100;

/** Signs of senders, by DMARC. */
export async function senderSigns(looked: Looked): Promise<{ drafts: Draft[]; all: Series | undefined }> {
  const stretch = stretchOf(looked, USUAL_DAYS, QUIET_DAYS);
  const series = await mailSeries(looked.database, stretch);
  const all = series.all[0];
  const began = all?.hours[0]?.hour ?? Number.POSITIVE_INFINITY;
  const since = secondsOf(stretchOf(looked, USUAL_DAYS).since) / HOUR;
  const drafts = sendersOf(series.sender).flatMap(sender => {
    const found = newDraft(sender, since, began) ?? failingDraft(sender, since);
    return found ? [found] : [];
  });
  const jumps = all ? jumpsOf(all, began, since) : [];
  const rest = jumps.filter(
    ({ first, last }) => !drafts.some(draft => draft.first <= last && draft.last >= first),
  );
  return { drafts: [...drafts, ...rest.map(jump => jumpDraft('dmarc', 'all', jump))], all };
}

function sendersOf(series: readonly Series[]): Sender[] {
  const senders = new Map<string, Map<number, Sender['hours'][number]>>();
  for (const {
    values: [name, aligned],
    hours,
  } of series) {
    const known = senders.get(name) ?? new Map<number, Sender['hours'][number]>();
    senders.set(name, known);
    for (const { hour, count, first, last } of hours) {
      const own = known.get(hour) ?? { hour, failed: 0, passed: 0, first, last };
      own[aligned === 'true' ? 'passed' : 'failed'] += count;
      known.set(hour, { ...own, first: Math.min(first, own.first), last: Math.max(last, own.last) });
    }
  }
  return [...senders].map(([name, hours]) => ({
    name,
    hours: [...hours.values()].sort((one, other) => one.hour - other.hour),
  }));
}

const failedOf = (hours: Sender['hours']) => hours.reduce((sum, { failed }) => sum + failed, 0);
const mailsOf = (hours: Sender['hours']) =>
  hours.reduce((sum, { failed, passed }) => sum + failed + passed, 0);

/** Since when more failed than passed, and how many more: a sum that never falls below none. */
function failingSince({ hours }: Sender, from: number): { begin: number; last: number } | undefined {
  let more = 0;
  let begin = 0;
  let alarm: { begin: number; last: number } | undefined;
  for (const { hour, failed, passed, last } of hours) {
    if (hour < from) continue;
    if (more === 0) begin = hour;
    more = Math.max(0, more + failed - passed);
    if (more >= FAILING && (!alarm || alarm.begin === begin)) alarm = { begin, last };
  }
  return alarm;
}

function failingDraft(sender: Sender, since: number): Draft | undefined {
  const failing = failingSince(sender, since - QUIET_DAYS * DAY_HOURS);
  if (!failing || failing.begin < since) return undefined;
  const before = sender.hours.filter(({ hour }) => hour < failing.begin);
  const [mails, failed] = [mailsOf(before), failedOf(before)];
  if (mails < GOOD.mails || mails - failed < GOOD.aligned * mails) return undefined;
  const now = sender.hours.filter(({ hour, last }) => hour >= failing.begin && last <= failing.last);
  const hours = now.at(-1)!.hour - failing.begin + 1;
  return {
    ...senderDraft(sender, now),
    kind: 'senderFails',
    severity: 'incident',
    title: `Mail of ${nameOf(sender)} begins to fail DMARC`,
    detail: `${share(failedOf(now), mailsOf(now))} of ${plural(mailsOf(now), 'mail')} failed since ${moment(now[0]!.first)}, ${share(failed, mails)} in the four weeks before. Receivers may reject it.`,
    usual: (failed / (USUAL_DAYS * DAY_HOURS)) * hours,
  };
}

function newDraft(sender: Sender, since: number, began: number): Draft | undefined {
  const [first] = sender.hours;
  const isNew = first!.hour >= since && first!.hour >= began + LEARNING_DAYS * DAY_HOURS;
  const [mails, failed] = [mailsOf(sender.hours), failedOf(sender.hours)];
  if (!isNew || mails < NEW) return undefined;
  const fails = failed * 2 > mails;
  return {
    ...senderDraft(sender, sender.hours),
    kind: 'newSender',
    severity: fails ? 'incident' : 'change',
    title: `${nameOf(sender)} sends mail in your name for the first time${fails ? ', and fails DMARC' : ''}`,
    detail: `${plural(mails, 'mail')} since ${moment(first!.first)}, ${share(failed, mails)} of them not aligned.`,
    count: mails,
    usual: 0,
  };
}

const nameOf = ({ name }: Sender) => told(name) || 'an unknown network';

function senderDraft({ name }: Sender, hours: Sender['hours']) {
  const failed = failedOf(hours);
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

/** Failed sessions of a day from which on a share says something, the share, and how far above the usual it is. */
const TLS = { least: 20, share: 0.01, times: 3 };

/** Signs of domains whose mail fails to come over TLS. */
export async function tlsSigns(looked: Looked): Promise<Draft[]> {
  const days = await tlsDays(looked.database, stretchOf(looked, USUAL_DAYS, QUIET_DAYS));
  const domains = [...new Set(days.map(({ domain }) => domain))].map(name =>
    days.filter(({ domain }) => domain === name),
  );
  const since = dayOf(looked.since);
  return domains.flatMap(own =>
    failingRuns(own)
      .filter(([first]) => first!.day >= since)
      .map(run => tlsDraft(run, own)),
  );
}

/** Days that fail, without three between them that do not. */
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
  const before = usualOf(days, day);
  const rate = failed / sessions;
  return failed >= TLS.least && rate > TLS.share && rate > TLS.times * before;
}

/** The share of sessions that failed in the four weeks before a day. */
function usualOf(days: readonly TlsDay[], day: string): number {
  const before = days.filter(one => one.day < day && one.day >= addDays(day, -USUAL_DAYS));
  const sessions = before.reduce((sum, one) => sum + one.sessions, 0);
  return sessions === 0 ? 0 : before.reduce((sum, one) => sum + one.failed, 0) / sessions;
}

function tlsDraft(run: readonly TlsDay[], days: readonly TlsDay[]): Draft {
  const [{ domain, day, failure, exchanger, first }] = run as readonly [TlsDay];
  const [failed, sessions] = [
    run.reduce((sum, one) => sum + one.failed, 0),
    run.reduce((sum, one) => sum + one.sessions, 0),
  ];
  const usual = usualOf(days, day);
  return {
    kind: 'tlsFailures',
    severity: 'incident',
    title: `Mail to ${told(domain)} fails over TLS${failure === '' ? '' : `: ${told(failure)}`}`,
    detail: `${share(failed, sessions)} of ${plural(sessions, 'session')} failed since ${moment(first)}, ${share(usual, 1)} is usual.`,
    subject: domain,
    first,
    last: run.at(-1)!.last,
    count: failed,
    usual: usual * sessions,
    reports: { type: 'tls_rpt', filters: { hostnames: domain } },
    hosts: exchanger === '' ? [domain] : [domain, exchanger],
    rank: failed,
  };
}
