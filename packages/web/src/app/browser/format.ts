import { MS_PER_DAY } from './durations.ts';

const NUMBER = new Intl.NumberFormat('en-GB');
const SHORT = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 });
const SHARE = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 1 });
const DAY_NAME = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
});
const DAY = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});
const DAY_AND_MONTH = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' });
const TIME = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', timeStyle: 'short' });
const MOMENT = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'medium', timeStyle: 'short' });
const LOCAL = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });
const MONTH = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'long', year: 'numeric' });

/** Formats a number, such as `1,234,567`. */
export const count = (value: number) => NUMBER.format(value);
/** Formats a number briefly for an axis label, such as `1.2M`. */
export const short = (value: number) => SHORT.format(value);
/** Formats a share, such as `12.5%`, or a dash if the total is zero. */
export const share = (part: number, whole: number) => (whole === 0 ? '–' : SHARE.format(part / whole));
/** Formats a day with its weekday, such as `Mon, 5 Jan`. */
export const dayName = (day: string) => DAY_NAME.format(new Date(`${day.slice(0, 10)}T00:00:00Z`));
/** Formats a day with its year, such as `5 Jan 2026`. */
export const longDay = (instant: string) => DAY.format(new Date(instant));
/** Formats an instant in UTC as `5 Jan, 14:03`, or as `5 Jan 2025, 14:03` in another year. */
export const moment = (instant: string) => `${shortDay(instant)}, ${TIME.format(new Date(instant))}`;
/** Formats a day as `5 Jan`, or as `5 Jan 2025` in another year. */
export function shortDay(instant: string): string {
  const at = new Date(instant);
  const isOfThisYear = at.getUTCFullYear() === new Date().getUTCFullYear();
  return isOfThisYear ? DAY_AND_MONTH.format(at) : DAY.format(at);
}
/** Formats an instant for a tooltip: in UTC and, if it differs, in the visitor's time zone. */
export function bothMoments(instant: string): string {
  const at = new Date(instant);
  const utc = `${MOMENT.format(at)} UTC`;
  return at.getTimezoneOffset() === 0 ? utc : `${utc}\n${LOCAL.format(at)} for you`;
}
/** Formats an instant in the visitor's time zone; returns undefined if that is UTC. */
export function beginsAt(instant: string): string | undefined {
  const at = new Date(instant);
  return at.getTimezoneOffset() === 0 ? undefined : `begins ${LOCAL.format(at)} for you`;
}
/** Formats an instant in UTC with its year, such as `5 Jan 2026, 14:03`. */
export const minute = (instant: string) => `${longDay(instant)}, ${clock(instant)}`;
/** Formats an instant in UTC with seconds, such as `5 Jan, 14:03:59`. */
export const momentAndSecond = (instant: string) =>
  `${shortDay(instant)}, ${new Date(instant).toISOString().slice(11, 19)}`;
/** Formats the time of an instant in UTC, such as `14:03`. */
export const clock = (instant: string) => TIME.format(new Date(instant));
/** Formats an instant exactly for evidence, such as `2026-01-05 14:03:59 UTC`. */
export const exactly = (instant: string) =>
  `${new Date(instant).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
/** Formats a month, such as `January 2026`. */
export const monthName = (month: string) => MONTH.format(new Date(`${month}-01T00:00:00Z`));

/** Formats the change from an earlier count, such as `+12%`, `−40%`, `×3` or `new`. */
export function changeInWords(now: number, before: number): string {
  if (before === 0) return now === 0 ? '–' : 'new';
  if (now >= 2 * before) return `×${SHORT.format(now / before)}`;
  if (now === before) return '±0%';
  return `${now > before ? '+' : '−'}${share(Math.abs(now - before), before)}`;
}

/** Formats a number with its unit, such as `1 day` or `2 days`. */
export const plural = (value: number, one: string, many = `${one}s`) =>
  `${count(value)} ${value === 1 ? one : many}`;

const LIST = new Intl.ListFormat('en-GB');
/** Formats a list, such as `a, b and c`. */
export const listInWords = (items: readonly string[]) => LIST.format(items);

/** Returns the UTC day this number of days before today, `YYYY-MM-DD`. */
export function dayBefore(days: number, now = Date.now()): string {
  return new Date(now - days * MS_PER_DAY).toISOString().slice(0, 10);
}

/** Formats a duration, such as `1 h 59 min`, `20 min` or `5 s`. */
export function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** Matches characters that are invisible or change the text direction, which can disguise a text. */
const HIDDEN = /[\p{Cf}\p{Cc}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5/gu;

/** Replaces invisible and text direction characters with marks such as `⟨U+202E⟩`, except for tabs and line breaks. */
export function revealControlCharacters(text: string): string {
  return text.replace(HIDDEN, character =>
    /[\n\r\t]/.test(character)
      ? character
      : `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}

/** Escapes invisible and text direction characters in JSON, which does not change its value. */
export function escapedJson(json: string): string {
  return json.replace(HIDDEN, character =>
    Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
      .map(unit => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Parses a text as a URL; returns undefined if it is not one. */
export function addressIn(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** Returns the host of a URL; undefined if the text is not a URL or has no host. */
export function hostIn(text: string): string | undefined {
  return (text.includes('://') && addressIn(text)?.hostname) || undefined;
}

/** Returns the common name in an issuer's distinguished name, or the entire name if it has none. */
export function issuerName(distinguishedName: string): string {
  return /(?:^|[,+]\s*)CN=([^,+]+)/.exec(distinguishedName)?.[1] ?? distinguishedName;
}
