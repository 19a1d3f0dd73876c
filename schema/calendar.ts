import { DAY } from './entitlements.ts';

/** The last day that was asked for: today, as a rule, and for every request. */
let known = { number: Number.NaN, day: '' };

/** Days are `YYYY-MM-DD`, in UTC. */
export function dayOf(instant: Date): string {
  const number = Math.floor(instant.getTime() / DAY);
  if (known.number !== number) known = { number, day: instant.toISOString().slice(0, 10) };
  return known.day;
}

export function addDays(day: string, days: number): string {
  return dayOf(new Date(Date.parse(day) + days * DAY));
}

/** Spans are few, since they all end today, and a year has many days to write. */
const spans = new Map<string, readonly string[]>();
const MOST_SPANS = 50;

/** Every day of a span, both ends included. */
export function daysOf({ from, to }: { from: string; to: string }): readonly string[] {
  const known = spans.get(from + to);
  if (known) return known;
  const count = (Date.parse(to) - Date.parse(from)) / DAY + 1;
  const days = Array.from({ length: count }, (_, index) => addDays(from, index));
  if (spans.size >= MOST_SPANS) spans.clear();
  spans.set(from + to, days);
  return days;
}

/** The first and the last day of the month of an instant. */
export function monthOf(instant: Date): { from: string; to: string } {
  const [year, month] = [instant.getUTCFullYear(), instant.getUTCMonth()];
  return {
    from: dayOf(new Date(Date.UTC(year, month, 1))),
    to: dayOf(new Date(Date.UTC(year, month + 1, 0))),
  };
}

/** The same day of the month so many months before, or that month's last day where it has no such day. */
export function sameDayMonthsBefore(day: string, months: number): string {
  const date = new Date(day);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() - months];
  const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return dayOf(new Date(Date.UTC(year, month, Math.min(date.getUTCDate(), length))));
}

export type PeriodUnit = 'hours' | 'days' | 'months';

export interface Period {
  from: Date;
  /** The first instant behind it. */
  until: Date;
}

const FORMS: Record<PeriodUnit, RegExp> = {
  hours: /^\d{4}-\d\d-\d\dT\d\d$/,
  days: /^\d{4}-\d\d-\d\d$/,
  months: /^\d{4}-\d\d$/,
};

/** The hour, day or month of a `date` parameter; undefined where there is no such one, or it is of another unit. */
export function periodOf(unit: PeriodUnit, date: string): Period | undefined {
  if (!FORMS[unit].test(date)) return undefined;
  const from = new Date(unit === 'hours' ? `${date}:00Z` : date);
  // The 30th of February becomes the 2nd of March.
  if (Number.isNaN(from.getTime()) || !from.toISOString().startsWith(date)) return undefined;
  const until = new Date(from);
  if (unit === 'months') until.setUTCMonth(until.getUTCMonth() + 1);
  else until.setTime(until.getTime() + (unit === 'hours' ? DAY / 24 : DAY));
  return { from, until };
}
