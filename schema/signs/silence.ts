import { REPORT_TYPES, type ReportType, reportType } from '@sightline/reports';
import type { Hour, Series } from '../../sql/signs/hourly.ts';
import { type Reporter, regularReporters } from '../../sql/signs/mail.ts';
import { type Draft, moment, plural, told } from './draft.ts';
import { LEARNING_DAYS, type Looked, stretchOf } from './looked.ts';
import { median, sameHours } from './series.ts';

const HOUR = 3600;
const DAY_HOURS = 24;
const FORTNIGHT = 14;

/** Reports that were usual in the time in which none came. */
const MISSED = 20;
/** The share of hours of a fortnight in which a type came, for which an hour without it says something. */
const STEADY = 0.8;
/** Hours for which what came daily is missing. */
const DAILY_HOURS = 48;
/** The same for reports by mail: each has the date at which its day began, and comes in the course of the next one. */
const MAIL_HOURS = 72;
const BY_MAIL: readonly ReportType[] = ['dmarc', 'tls_rpt'];
/** The same for all reports together, unless mail alone came daily: a load of each night is late by some hours. */
const ALL_HOURS = 30;

/**
 * Signs of types that no longer come. Silence is told by what comes meanwhile: where nothing does, a load may only be
 * late.
 */
export function typeSilences(series: ReadonlyMap<ReportType, Series>, { until }: Looked): Draft[] {
  const newest = Math.max(...[...series.values()].map(({ hours }) => hours.at(-1)?.last ?? 0));
  const end = Math.min(newest, Math.floor(until.getTime() / 1000));
  const found = REPORT_TYPES.flatMap(type => {
    const own = series.get(type);
    const gap = own && silenceOf(own, end, BY_MAIL.includes(type) ? MAIL_HOURS : DAILY_HOURS);
    return gap ? [silenceDraft(type, gap)] : [];
  });
  const all = allSilence(series, newest, Math.floor(until.getTime() / 1000));
  return all ? [all, ...found] : found;
}

interface Gap {
  /** Seconds since 1970 of the last report, and the time until which none came. */
  first: number;
  last: number;
  missed: number;
}

function silenceOf({ hours }: Series, end: number, missing: number): Gap | undefined {
  const last = hours.at(-1);
  if (!last || last.hour < hours[0]!.hour + LEARNING_DAYS * DAY_HOURS) return undefined;
  const missed = missedSince(hours, last.last, end);
  const isSteady = hoursOf(hours, last.hour) >= STEADY * FORTNIGHT * DAY_HOURS;
  const isDaily = daysOf(hours, last.hour) >= FORTNIGHT && end - last.last >= missing * HOUR;
  return (isSteady && missed >= MISSED) || isDaily ? { first: last.last, last: end, missed } : undefined;
}

/** The sum of what was usual between two instants, of hours in part as of whole ones. */
function missedSince(hours: readonly Hour[], begin: number, end: number): number {
  const byHour = new Map(hours.map(one => [one.hour, one]));
  let missed = 0;
  for (let hour = Math.floor(begin / HOUR); hour * HOUR < end; hour++) {
    const part = Math.min(end, (hour + 1) * HOUR) - Math.max(begin, hour * HOUR);
    const usual = sameHours(byHour, hour, hours[0]!.hour, 'reports') ?? [0];
    missed += (median(usual) * part) / HOUR;
  }
  return missed;
}

const within = (hours: readonly Hour[], last: number) =>
  hours.filter(({ hour }) => hour > last - FORTNIGHT * DAY_HOURS);
const hoursOf = (hours: readonly Hour[], last: number) => within(hours, last).length;
const daysOf = (hours: readonly Hour[], last: number) =>
  new Set(hours.filter(({ hour }) => dayOf(hour) > dayOf(last) - FORTNIGHT).map(({ hour }) => dayOf(hour)))
    .size;
const dayOf = (hour: number) => Math.floor(hour / DAY_HOURS);

function silenceDraft(type: ReportType, { first, last, missed }: Gap): Draft {
  const { label } = reportType(type);
  return {
    kind: 'silence',
    severity: 'change',
    title: `${label} reports stopped`,
    detail: `The last came ${moment(first)}, and ${plural(missed, 'report')} were usual since.`,
    subject: type,
    first,
    last,
    lasts: true,
    count: 0,
    usual: missed,
    place: type,
    hosts: [],
    rank: missed,
  };
}

/** All types together, where they came on every day. */
function allSilence(series: ReadonlyMap<ReportType, Series>, newest: number, now: number): Draft | undefined {
  const isDaily = (types: readonly ReportType[]) =>
    daysOf(
      types.flatMap(type => series.get(type)?.hours ?? []),
      Math.floor(newest / HOUR),
    ) >= FORTNIGHT;
  const isMailAlone = !isDaily(REPORT_TYPES.filter(type => !BY_MAIL.includes(type)));
  if (now - newest < (isMailAlone ? MAIL_HOURS : ALL_HOURS) * HOUR || !isDaily(REPORT_TYPES))
    return undefined;
  return {
    ...silenceDraft('csp', { first: newest, last: now, missed: 0 }),
    severity: 'incident',
    title: 'No reports come any more',
    detail: `The last of any type came ${moment(newest)}; before, some came on every day.`,
    subject: '',
    place: '',
    rank: Number.MAX_SAFE_INTEGER,
  };
}

/** Days of a fortnight on which a reporter may have been missing, and is still one who comes daily. */
const MISSED_DAYS = 1;

/** Signs of those who sent reports about mail daily, and no longer do. */
export async function reporterSilences(looked: Looked): Promise<Draft[]> {
  const reporters = await regularReporters(looked.database, stretchOf(looked, 2 * FORTNIGHT), MISSED_DAYS);
  const newest = new Map<string, number>();
  for (const { type, last } of reporters) newest.set(type, Math.max(last, newest.get(type) ?? 0));
  return reporters
    .filter(({ type, last }) => newest.get(type)! - last >= DAILY_HOURS * HOUR)
    .map(reporter => reporterDraft(reporter, newest.get(reporter.type)!));
}

function reporterDraft({ type, reporter, days, reports, last: first }: Reporter, last: number): Draft {
  return {
    kind: 'silence',
    severity: 'notice',
    title: `${told(reporter)} sends no ${reportType(type).label} reports any more`,
    detail: `The last came ${moment(first)}; before, they came on ${days} of ${FORTNIGHT} days.`,
    subject: reporter,
    key: `${type} ${reporter}`,
    first,
    last,
    lasts: true,
    count: 0,
    usual: (reports / days) * Math.floor((last - first) / (DAY_HOURS * HOUR)),
    reports: { type, filters: { reporter } },
    hosts: [],
    rank: reports,
  };
}
