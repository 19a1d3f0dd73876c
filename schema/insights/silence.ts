import {
  HOURS_PER_DAY,
  isMailReportType,
  REPORT_TYPES,
  type ReportType,
  reportType,
  SECONDS_PER_DAY,
  SECONDS_PER_HOUR,
} from '@sightline/reports';
import type { Hour, Series } from '../../sql/insights/hourly.ts';
import { type Reporter, regularReporters, regularSites } from '../../sql/insights/mail.ts';
import { RULES } from '../insight-rules.ts';
import { type InsightCandidate, moment, plural, shortenText } from './candidate.ts';
import { type InsightScope, LEARNING_DAYS, toWindow } from './scope.ts';
import { median, sameHours } from './series.ts';

const FORTNIGHT = 14;

/** The share of hours with reports in a fortnight from which on a missing hour is significant. */
const STEADY = 0.8;

/**
 * Finds types whose reports stopped. A type counts as silent only while other reports arrive; otherwise the load may
 * just be late.
 */
export function typeSilences(
  series: ReadonlyMap<ReportType, Series>,
  { until }: InsightScope,
): InsightCandidate[] {
  const newest = Math.max(...[...series.values()].map(({ hours }) => hours.at(-1)?.last ?? 0));
  const end = Math.min(newest, Math.floor(until.getTime() / 1000));
  const found = REPORT_TYPES.flatMap(type => {
    const own = series.get(type);
    const gap =
      own && findSilence(own, end, isMailReportType(type) ? RULES.silence.mailHours : RULES.silence.hours);
    return gap ? [silenceDraft(type, gap)] : [];
  });
  const all = allSilence(series, newest, Math.floor(until.getTime() / 1000));
  return all ? [all, ...found] : found;
}

interface Gap {
  /** Times of the last report and of the end of the silence so far, in seconds since 1970. */
  first: number;
  last: number;
  missed: number;
}

function findSilence({ hours }: Series, end: number, missing: number): Gap | undefined {
  const last = hours.at(-1);
  if (!last || last.hour < hours[0]!.hour + LEARNING_DAYS * HOURS_PER_DAY) return undefined;
  const missed = countMissed(hours, last.last, end);
  const isSteady = countHours(hours, last.hour) >= STEADY * FORTNIGHT * HOURS_PER_DAY;
  const isDaily = listDays(hours, last.hour) >= FORTNIGHT && end - last.last >= missing * SECONDS_PER_HOUR;
  return (isSteady && missed >= RULES.silence.missed) || isDaily
    ? { first: last.last, last: end, missed }
    : undefined;
}

/** Sums the baseline between two instants. Parts of hours count proportionally. */
function countMissed(hours: readonly Hour[], begin: number, end: number): number {
  const byHour = new Map(hours.map(one => [one.hour, one]));
  let missed = 0;
  for (let hour = Math.floor(begin / SECONDS_PER_HOUR); hour * SECONDS_PER_HOUR < end; hour++) {
    const part = Math.min(end, (hour + 1) * SECONDS_PER_HOUR) - Math.max(begin, hour * SECONDS_PER_HOUR);
    const baseline = sameHours(byHour, hour, hours[0]!.hour, 'reports') ?? [0];
    missed += (median(baseline) * part) / SECONDS_PER_HOUR;
  }
  return missed;
}

const within = (hours: readonly Hour[], last: number) =>
  hours.filter(({ hour }) => hour > last - FORTNIGHT * HOURS_PER_DAY);
const countHours = (hours: readonly Hour[], last: number) => within(hours, last).length;
const listDays = (hours: readonly Hour[], last: number) =>
  new Set(hours.filter(({ hour }) => toDay(hour) > toDay(last) - FORTNIGHT).map(({ hour }) => toDay(hour)))
    .size;
const toDay = (hour: number) => Math.floor(hour / HOURS_PER_DAY);

function silenceDraft(type: ReportType, { first, last, missed }: Gap): InsightCandidate {
  const { label } = reportType(type);
  return {
    kind: 'silence',
    severity: 'change',
    title: `${label} reports stopped`,
    detail: `The last came ${moment(first)}, and ${plural(missed, 'report')} were usual since.`,
    subject: type,
    first,
    last,
    isOngoing: true,
    count: 0,
    baseline: missed,
    place: type,
    hosts: [],
    rank: missed,
  };
}

/** Detects that all types are silent, if there were reports every day before. */
function allSilence(
  series: ReadonlyMap<ReportType, Series>,
  newest: number,
  now: number,
): InsightCandidate | undefined {
  const isDaily = (types: readonly ReportType[]) =>
    listDays(
      types.flatMap(type => series.get(type)?.hours ?? []),
      Math.floor(newest / SECONDS_PER_HOUR),
    ) >= FORTNIGHT;
  const isMailAlone = !isDaily(REPORT_TYPES.filter(type => !isMailReportType(type)));
  if (
    now - newest < (isMailAlone ? RULES.silence.mailHours : RULES.silence.allHours) * SECONDS_PER_HOUR ||
    !isDaily(REPORT_TYPES)
  )
    return undefined;
  return {
    ...silenceDraft('csp', { first: newest, last: now, missed: 0 }),
    severity: 'incident',
    title: 'No reports arrive any more',
    detail: `The last of any type came ${moment(newest)}; before, some came on every day.`,
    subject: '',
    place: '',
    rank: Number.MAX_SAFE_INTEGER,
  };
}

/** The number of days of a fortnight that a daily reporter can miss. */
const MISSED_DAYS = 1;

/** Finds daily reporters of mail that have stopped. */
export async function reporterSilences(
  scope: InsightScope,
  types: ReadonlySet<ReportType>,
): Promise<InsightCandidate[]> {
  const window = toWindow(scope, 2 * FORTNIGHT);
  const reporters = await regularReporters(scope.database, types, window, MISSED_DAYS);
  const newest = new Map<string, number>();
  for (const { type, last } of reporters) newest.set(type, Math.max(last, newest.get(type) ?? 0));
  return reporters
    .filter(({ type, last }) => newest.get(type)! - last >= RULES.silence.hours * SECONDS_PER_HOUR)
    .map(reporter => reporterDraft(reporter, newest.get(reporter.type)!));
}

/** Finds sites whose daily reports stopped while those of others continue. */
export async function siteSilences(scope: InsightScope): Promise<InsightCandidate[]> {
  const sites = await regularSites(scope.database, toWindow(scope, 0));
  const newest = Math.max(...sites.map(({ last }) => last));
  return sites.flatMap(site => {
    const hours = (newest - site.last) / SECONDS_PER_HOUR;
    const missed = (site.reports / site.days / HOURS_PER_DAY) * hours;
    if (hours < RULES.silence.siteHours || missed < RULES.silence.missed) return [];
    return [
      {
        ...reporterDraft(site, newest),
        severity: 'change' as const,
        title: `${shortenText(site.reporter)} sends no ${reportType('csp').label} reports any more`,
        detail: `The last came ${moment(site.last)}, and ${plural(missed, 'report')} were usual since. Other sites go on: a deploy may have left out the header.`,
        baseline: missed,
        reports: { type: 'csp' as const, filters: { hostnames: site.reporter } },
      },
    ];
  });
}

function reporterDraft(
  { type, reporter, days, reports, last: first }: Reporter,
  last: number,
): InsightCandidate {
  return {
    kind: 'silence',
    severity: 'notice',
    title: `${shortenText(reporter)} sends no ${reportType(type).label} reports any more`,
    detail: `The last came ${moment(first)}; before, they came on ${days} of ${FORTNIGHT} days.`,
    subject: reporter,
    key: `${type} ${reporter}`,
    first,
    last,
    isOngoing: true,
    count: 0,
    baseline: (reports / days) * Math.floor((last - first) / SECONDS_PER_DAY),
    reports: { type, filters: { reporter } },
    hosts: [],
    rank: reports,
  };
}
