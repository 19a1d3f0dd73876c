import type { Address } from './address.ts';
import { dayBefore, dayName, longDay, minute, moment, monthName } from './format.ts';

type Unit = 'hours' | 'days' | 'months';

/** As the service is asked for it: an hour, day or month, or what lies between two instants. */
export interface Period {
  unit?: Unit;
  date?: string;
  from?: string;
  /** The first instant behind it; left out for now. */
  to?: string;
}

/** The length of a bar of the volume. */
export type Bars = 'MINUTE' | 'HOUR' | 'DAY';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const BAR_LENGTHS: Readonly<Record<Bars, number>> = { MINUTE, HOUR, DAY };
/** Longer periods are not counted by the minute, or by the hour. In milliseconds. */
const MOST_IN_MINUTES = 2 * HOUR;
const MOST_IN_HOURS = 4 * DAY;

/** Periods that end now, by what stands for them in the address, and when they begin. */
export const RECENT: readonly [name: string, label: string, begin: () => string][] = [
  ['1d', 'Today', () => dayBefore(0)],
  ['24h', '24 hours', () => new Date((Math.floor(Date.now() / HOUR) - 23) * HOUR).toISOString()],
  ['7d', '7 days', () => dayBefore(6)],
  ['30d', '30 days', () => dayBefore(29)],
  ['90d', '90 days', () => dayBefore(89)],
];
const USUAL = RECENT[3]!;

/** The parameters of the address that a period stands in. */
const PARAMS = ['period', 'unit', 'date', 'from', 'to'] as const;

/** Forms of a date by its unit, and what makes an instant of it. */
const FORMS: Readonly<Record<Unit, readonly [form: RegExp, rest: string]>> = {
  hours: [/^\d{4}-\d\d-\d\dT\d\d$/, ':00'],
  days: [/^\d{4}-\d\d-\d\d$/, 'T00:00'],
  months: [/^\d{4}-\d\d$/, '-01T00:00'],
};

const INSTANT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d)?$/;

/** Milliseconds since 1970 of `2026-11-22` or `2026-11-22T10:00`; undefined where there is no such one. */
function instantOf(text: string): number | undefined {
  if (!INSTANT.test(text)) return undefined;
  const whole = text.length === 10 ? `${text}T00:00` : text;
  const at = Date.parse(`${whole}:00Z`);
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 16) !== whole ? undefined : at;
}

/** As `instantOf` reads it. */
const instantText = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T00:00', '');

function beginOf(unit: string | null, date: string | null): number | undefined {
  const form = Object.hasOwn(FORMS, unit ?? '') ? FORMS[unit as Unit] : undefined;
  return form?.[0].test(date ?? '') ? instantOf(date + form[1]) : undefined;
}

/** A parameter of the address that says nothing, and what it should be. */
export interface Wrong {
  name: string;
  value: string;
  expected: string;
}

/** The parameters that make no period. */
export function wrongInPeriod({ params }: Address): Wrong[] {
  const [period, unit, date, from, to] = PARAMS.map(name => params.get(name));
  const wrong = (name: string, expected: string) => ({ name, value: params.get(name) ?? '', expected });
  const instant = 'a time in UTC as 2026-01-31T10:00, or a day as 2026-01-31';
  const [begin, end] = [from, to].map(text => (text == null ? undefined : instantOf(text)));
  if (period != null && !RECENT.some(([name]) => name === period))
    return [wrong('period', RECENT.map(([name]) => name).join(', '))];
  if (unit != null && !Object.hasOwn(FORMS, unit)) return [wrong('unit', 'hours, days or months')];
  if ((unit != null || date != null) && beginOf(unit ?? null, date ?? null) === undefined)
    return [wrong('date', `one of the ${unit ?? 'unit'}, as 2026-01-31T10, 2026-01-31 or 2026-01`)];
  if ((from != null || to != null) && begin === undefined) return [wrong('from', instant)];
  if (to != null && end === undefined) return [wrong('to', instant)];
  return begin !== undefined && end !== undefined && end <= begin
    ? [wrong('to', 'later than where the period begins')]
    : [];
}

/** The recent period of an address; undefined where it is another one. */
export function recentIn({ params }: Address) {
  if (params.has('unit') || params.has('from')) return undefined;
  return RECENT.find(([name]) => name === params.get('period')) ?? USUAL;
}

export function periodIn(address: Address): Period {
  const { params } = address;
  const [unit, date, from, to] = ['unit', 'date', 'from', 'to'].map(name => params.get(name));
  if (unit && date) return { unit: unit as Unit, date };
  if (from)
    return { from: isoOf(instantOf(from) ?? 0), ...(to && { to: isoOf(instantOf(to) ?? Date.now()) }) };
  return { from: (recentIn(address) ?? USUAL)[2]() };
}

const isoOf = (at: number) => new Date(at).toISOString();

/** The parameters of the address for another period. */
export function atPeriod(period: Period | string): Record<string, string | undefined> {
  const { unit, date, from, to } = typeof period === 'string' ? ({} as Period) : period;
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
  /** The first instant behind it; undefined for now. */
  to: number | undefined;
}

/** The instants that a period is between, in milliseconds since 1970. */
export function spanOf({ unit, date, from, to }: Period): Span {
  if (unit === undefined)
    return { from: Date.parse(from!), to: to === undefined ? undefined : Date.parse(to) };
  const begin = beginOf(unit, date!)!;
  const end = new Date(begin);
  if (unit === 'hours') end.setUTCHours(end.getUTCHours() + 1);
  else if (unit === 'days') end.setUTCDate(end.getUTCDate() + 1);
  else end.setUTCMonth(end.getUTCMonth() + 1);
  return { from: begin, to: end.getTime() };
}

/** The same with an end: what is until now ends with its last bar. */
function closed({ from, to }: Span): { from: number; to: number } {
  const length = from % DAY === 0 ? DAY : HOUR;
  return { from, to: to ?? (Math.floor(Date.now() / length) + 1) * length };
}

export function barsOf(period: Period): Bars {
  const { from, to } = closed(spanOf(period));
  if (to - from <= MOST_IN_MINUTES) return 'MINUTE';
  return to - from <= MOST_IN_HOURS ? 'HOUR' : 'DAY';
}

/** A picture has no more bars; a longer period begins with its first report. */
const MOST_BARS = 800;

/**
 * The bars of a period as the service names them: `2026-01-31`, `2026-01-31T10` or `2026-01-31T10:00`.
 * @param seen those that there is something in
 */
export function barNames(period: Period, seen: readonly string[]): string[] {
  const bars = barsOf(period);
  const length = BAR_LENGTHS[bars];
  const span = closed(spanOf(period));
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
  return isoOf(time).slice(0, { MINUTE: 16, HOUR: 13, DAY: 10 }[bars]);
}

function barBegin(name: string): number {
  return instantOf(name.length === 13 ? `${name}:00` : name) ?? 0;
}

/** The instant at which a bar begins, ISO 8601. */
export const barInstant = (name: string) => isoOf(barBegin(name));

/** The period of a bar. */
export function periodOfBar(name: string): Period {
  if (name.length === 10) return { unit: 'days', date: name };
  if (name.length === 13) return { unit: 'hours', date: name };
  return { from: barInstant(name), to: isoOf(barBegin(name) + MINUTE) };
}

/** From the beginning of one bar to the end of another. */
export function periodOfBars(one: string, other: string): Period {
  const [first, last] = [one, other].sort() as [string, string];
  const { from } = spanOf(periodOfBar(first));
  return { from: isoOf(from), to: isoOf(spanOf(periodOfBar(last)).to!) };
}

/** In words. */
export function periodName({ unit, date, from, to }: Period): string {
  if (unit === 'hours')
    return `${longDay(date!.slice(0, 10))}, ${date!.slice(11)}:00 to ${date!.slice(11)}:59 UTC`;
  if (unit === 'days') return `${dayName(date!)} ${date!.slice(0, 4)}, UTC`;
  if (unit === 'months') return `${monthName(date!)}, UTC`;
  if (to) return `${minute(from!)} to ${minute(to)}, UTC`;
  return `Since ${from!.endsWith('T00:00:00.000Z') || from!.length === 10 ? dayName(from!) : moment(from!)}, UTC`;
}

/** The name of an address's period on the page. */
export function periodLabel(address: Address): string {
  return recentIn(address)?.[1] ?? periodName(periodIn(address));
}

/** The same length before or behind a period; undefined where that has not begun. */
export function neighbour(period: Period, by: 1 | -1): Period | undefined {
  const { unit } = period;
  const span = spanOf(period);
  if (by === 1 && (span.to === undefined || span.to > Date.now())) return undefined;
  if (unit) {
    const next = by === 1 ? span.to! : span.from - 1;
    return { unit, date: isoOf(next).slice(0, { hours: 13, days: 10, months: 7 }[unit]) };
  }
  const { from, to } = closed(span);
  const length = to - from;
  return by === 1
    ? { from: isoOf(to), to: isoOf(to + length) }
    : { from: isoOf(from - length), to: isoOf(from) };
}

/** True if reports of the period, or of a part of it, are older than the plan keeps them. */
export function isBeyondRetention(period: Period, days: number): boolean {
  return isoOf(spanOf(period).from) < dayBefore(days - 1);
}

/** For so many days before a thing was not seen that is called new. */
export const PAST_DAYS = 23;
/** In a longer period it is what came in its last days. */
export const NEW_DAYS = 7;

/** Since when what first comes in a period is new, and from when on it was not there before. */
export function newIn(period: Period): { since: number; past: number } {
  const { from, to } = closed(spanOf(period));
  const since = Math.max(from, to - NEW_DAYS * DAY);
  return { since, past: Math.min(from, since - PAST_DAYS * DAY) };
}
