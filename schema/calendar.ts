import { MS_PER_DAY, MS_PER_HOUR } from '@sightline/reports';

/** Caches the last requested day, which is nearly always today. */
let existing = { number: Number.NaN, day: '' };

/** Formats the UTC day of an instant, `YYYY-MM-DD`. */
export function toDay(instant: Date): string {
  const number = Math.floor(instant.getTime() / MS_PER_DAY);
  if (existing.number !== number) existing = { number, day: instant.toISOString().slice(0, 10) };
  return existing.day;
}

export function addDays(day: string, days: number): string {
  return toDay(new Date(Date.parse(day) + days * MS_PER_DAY));
}

/** Cached, because most spans end today and formatting a year of days takes time. */
const spans = new Map<string, readonly string[]>();
const MOST_SPANS = 50;

/** Lists the days of a span, both ends included. */
export function listDays({ from, to }: { from: string; to: string }): readonly string[] {
  const existing = spans.get(from + to);
  if (existing) return existing;
  const count = (Date.parse(to) - Date.parse(from)) / MS_PER_DAY + 1;
  const days = Array.from({ length: count }, (_, index) => addDays(from, index));
  if (spans.size >= MOST_SPANS) spans.clear();
  spans.set(from + to, days);
  return days;
}

/** Returns the first and last day of the month that contains an instant. */
export function toMonth(instant: Date): { from: string; to: string } {
  const [year, month] = [instant.getUTCFullYear(), instant.getUTCMonth()];
  return {
    from: toDay(new Date(Date.UTC(year, month, 1))),
    to: toDay(new Date(Date.UTC(year, month + 1, 0))),
  };
}

/** Returns the same day of an earlier month, or the last day of that month if it is shorter. */
export function sameDayMonthsBefore(day: string, months: number): string {
  const date = new Date(day);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() - months];
  const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return toDay(new Date(Date.UTC(year, month, Math.min(date.getUTCDate(), length))));
}

export type PeriodUnit = 'hours' | 'days' | 'months';

export interface CalendarPeriod {
  from: Date;
  /** The end, exclusive. */
  until: Date;
}

const FORMS: Record<PeriodUnit, RegExp> = {
  hours: /^\d{4}-\d\d-\d\dT\d\d$/,
  days: /^\d{4}-\d\d-\d\d$/,
  months: /^\d{4}-\d\d$/,
};

/**
 * Parses the hour, day or month of a `date` parameter. Returns undefined if it does not exist or does not match the
 * unit.
 */
export function toPeriod(unit: PeriodUnit, date: string): CalendarPeriod | undefined {
  if (!FORMS[unit].test(date)) return undefined;
  const from = new Date(unit === 'hours' ? `${date}:00Z` : date);
  // JavaScript turns 30 February into 2 March.
  if (Number.isNaN(from.getTime()) || !from.toISOString().startsWith(date)) return undefined;
  const until = new Date(from);
  if (unit === 'months') until.setUTCMonth(until.getUTCMonth() + 1);
  else until.setTime(until.getTime() + (unit === 'hours' ? MS_PER_HOUR : MS_PER_DAY));
  return { from, until };
}
