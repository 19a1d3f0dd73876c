import { isRestReportType, MS_PER_DAY } from '@sightline/reports';
import { addDays, listDays, toMonth } from '../calendar.ts';
import { getPlan } from '../entitlements.ts';
import type { Loaders } from '../loaders.ts';
import { type InsightCandidate, toSeconds } from './candidate.ts';
import type { InsightScope } from './scope.ts';

/** The month's pace is meaningful only after this many days. */
const LEAST_DAYS = 3;

/** Predicts that the month's quota will be exceeded, since the first day on which the pace showed it. */
export async function quotaInsights(
  { account, until }: InsightScope,
  load: Loaders,
): Promise<InsightCandidate[]> {
  const limit = getPlan(account).reportQuota;
  if (limit <= 0) return [];
  const month = toMonth(new Date(until.getTime() - 1));
  const rows = await load.dayTotals(month)(account.id);
  const days = listDays(month);
  let used = 0;
  let begin: string | undefined;
  for (const [index, day] of days.entries()) {
    if (Date.parse(day) >= until.getTime()) break;
    used += rows
      .filter(row => row.day === day && isRestReportType(row.type))
      .reduce((sum, { total }) => sum + total, 0);
    const isLast = Date.parse(addDays(day, 1)) >= until.getTime();
    const passed = isLast ? (until.getTime() - Date.parse(days[0]!)) / MS_PER_DAY : index + 1;
    const isShort = passed >= LEAST_DAYS && (used / passed) * days.length > limit;
    begin = isShort ? (begin ?? day) : undefined;
    if (isShort && isLast) return [quotaDraft(begin!, used, (used / passed) * days.length, limit, until)];
  }
  return [];
}

function quotaDraft(
  day: string,
  used: number,
  forecast: number,
  limit: number,
  until: Date,
): InsightCandidate {
  const number = (value: number) => Math.round(value).toLocaleString('en');
  return {
    kind: 'quota',
    severity: used > limit ? 'incident' : 'change',
    title: used > limit ? 'The quota is used up' : 'The quota will not last until the end of the month',
    detail: `${number(used)} of ${number(limit)} reports are used; at this pace it comes to ${number(forecast)}. Filters and sampling save some.`,
    subject: day.slice(0, 7),
    first: toSeconds(`${day}T00:00:00Z`),
    last: Math.floor(until.getTime() / 1000),
    count: used,
    baseline: limit,
    isOngoing: true,
    place: '',
    hosts: [],
    rank: forecast,
  };
}
