import type { Address } from './address.ts';
import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from './durations.ts';
import { dayBefore, dayName, longDay, minute, moment, monthName } from './format.ts';

type Unit = 'hours' | 'days' | 'months';

/** A period in the form that queries accept: an hour, day or month, or the time between two instants. */
export interface PagePeriod {
  unit?: Unit;
  date?: string;
  from?: string;
  /** The end, exclusive; omitted for a period that ends now. */
  to?: string;
}

/** The length of a bar in the volume chart. */
export type Bars = 'MINUTE' | 'HOUR' | 'DAY';

export const BAR_LENGTHS: Readonly<Record<Bars, number>> = {
  MINUTE: MS_PER_MINUTE,
  HOUR: MS_PER_HOUR,
  DAY: MS_PER_DAY,
};
/** Maximum length of a period with bars of a minute, and with bars of an hour, in milliseconds. */
const MOST_IN_MINUTES = 2 * MS_PER_HOUR;
const MOST_IN_HOURS = 4 * MS_PER_DAY;

/** The periods that end now: name in the address, label and start. */
export const RECENT: readonly [name: string, label: string, begin: () => string][] = [
  ['1d', 'Today', () => dayBefore(0)],
  [
    '24h',
    '24 hours',
    () => new Date((Math.floor(Date.now() / MS_PER_HOUR) - 23) * MS_PER_HOUR).toISOString(),
  ],
  ['7d', '7 days', () => dayBefore(6)],
  ['30d', '30 days', () => dayBefore(29)],
  ['90d', '90 days', () => dayBefore(89)],
];
const USUAL = RECENT[3]!;
const WEEK = RECENT[2]!;

/** The parameters of the address that define the period. */
export const PERIOD_PARAMS = ['period', 'unit', 'date', 'from', 'to'] as const;

/** The format of a date by unit, and the suffix that completes it to an instant. */
const FORMS: Readonly<Record<Unit, readonly [form: RegExp, rest: string]>> = {
  hours: [/^\d{4}-\d\d-\d\dT\d\d$/, ':00'],
  days: [/^\d{4}-\d\d-\d\d$/, 'T00:00'],
  months: [/^\d{4}-\d\d$/, '-01T00:00'],
};

const INSTANT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d)?$/;

/**
 * Parses `2026-11-22` or `2026-11-22T10:00` to milliseconds since 1970. Returns undefined if there is no such instant.
 */
function toInstant(text: string): number | undefined {
  if (!INSTANT.test(text)) return undefined;
  const whole = text.length === 10 ? `${text}T00:00` : text;
  const at = Date.parse(`${whole}:00Z`);
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 16) !== whole ? undefined : at;
}

/** Formats an instant in the form that `toInstant` parses. */
const instantText = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T00:00', '');

function getBegin(unit: string | null, date: string | null): number | undefined {
  const form = Object.hasOwn(FORMS, unit ?? '') ? FORMS[unit as Unit] : undefined;
  return form?.[0].test(date ?? '') ? toInstant(date + form[1]) : undefined;
}

/** An invalid parameter of the address, and the expected value. */
export interface Wrong {
  name: string;
  value: string;
  expected: string;
}

/** Returns the invalid parameters of the address's period. */
export function wrongInPeriod({ params }: Address): Wrong[] {
  const [period, unit, date, from, to] = PERIOD_PARAMS.map(name => params.get(name));
  const wrong = (name: string, expected: string) => ({ name, value: params.get(name) ?? '', expected });
  const instant = 'a time in UTC as 2026-01-31T10:00, or a day as 2026-01-31';
  const [begin, end] = [from, to].map(text => (text == null ? undefined : toInstant(text)));
  if (period != null && !RECENT.some(([name]) => name === period))
    return [wrong('period', RECENT.map(([name]) => name).join(', '))];
  if (unit != null && !Object.hasOwn(FORMS, unit)) return [wrong('unit', 'hours, days or months')];
  if ((unit != null || date != null) && getBegin(unit ?? null, date ?? null) === undefined)
    return [wrong('date', `one of the ${unit ?? 'unit'}, as 2026-01-31T10, 2026-01-31 or 2026-01`)];
  if ((from != null || to != null) && begin === undefined) return [wrong('from', instant)];
  if (to != null && end === undefined) return [wrong('to', instant)];
  return begin !== undefined && end !== undefined && end <= begin
    ? [wrong('to', 'a time after the start of the period')]
    : [];
}

/** Returns the default period of an address: a week on the overview, and a month in the views of a type. */
const getUsual = ({ path }: Address) => (path.length === 0 ? WEEK : USUAL);

/** Returns the entry of `RECENT` that an address names; undefined for other periods. */
export function recentIn(address: Address) {
  const { params } = address;
  if (params.has('unit') || params.has('from')) return undefined;
  return RECENT.find(([name]) => name === params.get('period')) ?? getUsual(address);
}

export function periodIn(address: Address): PagePeriod {
  const { params } = address;
  const [unit, date, from, to] = ['unit', 'date', 'from', 'to'].map(name => params.get(name));
  if (unit && date) return { unit: unit as Unit, date };
  if (from)
    return { from: toIso(toInstant(from) ?? 0), ...(to && { to: toIso(toInstant(to) ?? Date.now()) }) };
  return { from: (recentIn(address) ?? getUsual(address))[2]() };
}

const toIso = (at: number) => new Date(at).toISOString();

/** Returns the address parameters of a period. */
export function atPeriod(period: PagePeriod | string): Record<string, string | undefined> {
  const { unit, date, from, to } = typeof period === 'string' ? ({} as PagePeriod) : period;
  return {
    period: typeof period === 'string' ? period : undefined,
    unit,
    date,
    from: from && instantText(Date.parse(from)),
    to: to && instantText(Date.parse(to)),
  };
}

export interface Span {
  from: number;
  /** The end, exclusive; undefined for now. */
  to: number | undefined;
}

/** Returns the start and end of a period, in milliseconds since 1970. */
export function toSpan({ unit, date, from, to }: PagePeriod): Span {
  if (unit === undefined)
    return { from: Date.parse(from!), to: to === undefined ? undefined : Date.parse(to) };
  const begin = getBegin(unit, date!)!;
  const end = new Date(begin);
  if (unit === 'hours') end.setUTCHours(end.getUTCHours() + 1);
  else if (unit === 'days') end.setUTCDate(end.getUTCDate() + 1);
  else end.setUTCMonth(end.getUTCMonth() + 1);
  return { from: begin, to: end.getTime() };
}

/** Replaces an open end with the end of the current bar. */
function toClosedSpan({ from, to }: Span): { from: number; to: number } {
  const length = from % MS_PER_DAY === 0 ? MS_PER_DAY : MS_PER_HOUR;
  return { from, to: to ?? (Math.floor(Date.now() / length) + 1) * length };
}

export function toBars(period: PagePeriod): Bars {
  const { from, to } = toClosedSpan(toSpan(period));
  if (to - from <= MOST_IN_MINUTES) return 'MINUTE';
  return to - from <= MOST_IN_HOURS ? 'HOUR' : 'DAY';
}

/** Maximum number of bars. The bars of a longer period begin with its first report. */
const MOST_BARS = 800;

/**
 * Returns the names of a period's bars, as the service formats them: `2026-01-31`, `2026-01-31T10` or
 * `2026-01-31T10:00`.
 * @param seen bars that have reports
 */
export function barNames(period: PagePeriod, seen: readonly string[]): string[] {
  const bars = toBars(period);
  const length = BAR_LENGTHS[bars];
  const span = toClosedSpan(toSpan(period));
  const times = seen.map(barBegin);
  const end = Math.max(span.to, ...times.map(time => time + length));
  const isLong = (end - span.from) / length > MOST_BARS;
  const first = isLong ? Math.min(end, ...times) : span.from;
  const names: string[] = [];
  for (let time = Math.floor(first / length) * length; time < end; time += length)
    names.push(barName(time, bars));
  return names.slice(-MOST_BARS);
}

function barName(time: number, bars: Bars): string {
  return toIso(time).slice(0, { MINUTE: 16, HOUR: 13, DAY: 10 }[bars]);
}

function barBegin(name: string): number {
  return toInstant(name.length === 13 ? `${name}:00` : name) ?? 0;
}

/** Returns the start of a bar in ISO 8601. */
export const barInstant = (name: string) => toIso(barBegin(name));

/** Returns the period that a bar covers. */
export function periodOfBar(name: string): PagePeriod {
  if (name.length === 10) return { unit: 'days', date: name };
  if (name.length === 13) return { unit: 'hours', date: name };
  return { from: barInstant(name), to: toIso(barBegin(name) + MS_PER_MINUTE) };
}

/** Returns the period from the start of one bar to the end of another. The bars can be in either order. */
export function periodOfBars(one: string, other: string): PagePeriod {
  const [first, last] = [one, other].sort() as [string, string];
  const { from } = toSpan(periodOfBar(first));
  return { from: toIso(from), to: toIso(toSpan(periodOfBar(last)).to!) };
}

/** Returns the displayed name of a period. */
export function periodName({ unit, date, from, to }: PagePeriod): string {
  if (unit === 'hours')
    return `${longDay(date!.slice(0, 10))}, ${date!.slice(11)}:00 to ${date!.slice(11)}:59 UTC`;
  if (unit === 'days') return `${dayName(date!)} ${date!.slice(0, 4)}, UTC`;
  if (unit === 'months') return `${monthName(date!)}, UTC`;
  if (to) return `${minute(from!)} to ${minute(to)}, UTC`;
  return `Since ${from!.endsWith('T00:00:00.000Z') || from!.length === 10 ? dayName(from!) : moment(from!)}, UTC`;
}

/** Returns the label of an address's period. */
export function periodLabel(address: Address): string {
  return recentIn(address)?.[1] ?? periodName(periodIn(address));
}

/** Returns the adjacent period of the same length; undefined if it is in the future. */
export function neighbour(period: PagePeriod, by: 1 | -1): PagePeriod | undefined {
  const { unit } = period;
  const span = toSpan(period);
  if (by === 1 && (span.to === undefined || span.to > Date.now())) return undefined;
  if (unit) {
    const next = by === 1 ? span.to! : span.from - 1;
    return { unit, date: toIso(next).slice(0, { hours: 13, days: 10, months: 7 }[unit]) };
  }
  const { from, to } = toClosedSpan(span);
  const length = to - from;
  return by === 1
    ? { from: toIso(to), to: toIso(to + length) }
    : { from: toIso(from - length), to: toIso(from) };
}

/** Checks whether the period begins before the oldest report that the plan retains. */
export function isBeyondRetention(period: PagePeriod, days: number): boolean {
  return toIso(toSpan(period).from) < dayBefore(days - 1);
}

/** Number of days before a period in which a new value must not occur. */
export const PAST_DAYS = 23;
/** Number of days at the end of a long period in which a new value must first occur. */
export const NEW_DAYS = 7;

/**
 * Returns the bounds for new values of a period: `since` is the earliest first occurrence, and `past` is the start of
 * the time before, in which the value must not occur.
 */
export function newIn(period: PagePeriod): { since: number; past: number } {
  const { from, to } = toClosedSpan(toSpan(period));
  const since = Math.max(from, to - NEW_DAYS * MS_PER_DAY);
  return { since, past: Math.min(from, since - PAST_DAYS * MS_PER_DAY) };
}
