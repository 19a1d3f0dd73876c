import { addDays, daysOf, monthOf } from '../calendar.ts';
import { planOf } from '../entitlements.ts';
import type { Loaders } from '../loaders.ts';
import { type Draft, secondsOf } from './draft.ts';
import type { Looked } from './looked.ts';

/** Days of a month before which its pace says little. */
const LEAST_DAYS = 3;

/** The sign that the quota of the month will not last, since the day on which its pace said so first. */
export async function quotaSigns({ account, until }: Looked, load: Loaders): Promise<Draft[]> {
  const limit = planOf(account).reportQuota;
  if (limit <= 0) return [];
  const month = monthOf(new Date(until.getTime() - 1));
  const rows = await load.dayTotals(month)(account.id);
  const days = daysOf(month);
  let used = 0;
  let begin: string | undefined;
  for (const [index, day] of days.entries()) {
    if (Date.parse(day) >= until.getTime()) break;
    used += rows.filter(row => row.day === day).reduce((sum, { total }) => sum + total, 0);
    const isToday = Date.parse(addDays(day, 1)) > until.getTime();
    const passed = isToday ? (until.getTime() - Date.parse(days[0]!)) / 86_400_000 : index + 1;
    const isShort = passed >= LEAST_DAYS && (used / passed) * days.length > limit;
    begin = isShort ? (begin ?? day) : undefined;
    if (isShort && isToday) return [quotaDraft(begin!, used, (used / passed) * days.length, limit, until)];
  }
  return [];
}

function quotaDraft(day: string, used: number, forecast: number, limit: number, until: Date): Draft {
  const number = (value: number) => Math.round(value).toLocaleString('en');
  return {
    kind: 'quota',
    severity: used > limit ? 'incident' : 'change',
    title: used > limit ? 'The quota is used up' : 'The quota will not last until the end of the month',
    detail: `${number(used)} of ${number(limit)} reports are used; at this pace it comes to ${number(forecast)}. Filters and sampling save some.`,
    subject: day.slice(0, 7),
    first: secondsOf(`${day}T00:00:00Z`),
    last: Math.floor(until.getTime() / 1000),
    count: used,
    usual: limit,
    lasts: true,
    place: '',
    hosts: [],
    rank: forecast,
  };
}
