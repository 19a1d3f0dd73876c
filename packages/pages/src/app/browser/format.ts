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

/** `1,234,567`. */
export const count = (value: number) => NUMBER.format(value);
/** `1.2M`, for axes. */
export const short = (value: number) => SHORT.format(value);
/** `12.5%`; an empty whole has no shares. */
export const share = (part: number, whole: number) => (whole === 0 ? '–' : SHARE.format(part / whole));
/** `Mon, 5 Jan`. */
export const dayName = (day: string) => DAY_NAME.format(new Date(`${day.slice(0, 10)}T00:00:00Z`));
/** `5 Jan 2026`. */
export const longDay = (instant: string) => DAY.format(new Date(instant));
/** `5 Jan, 14:03` in UTC, or `5 Jan 2025, 14:03` where that is not of this year. */
export const moment = (instant: string) => `${shortDay(instant)}, ${TIME.format(new Date(instant))}`;
/** `5 Jan`, or `5 Jan 2025` where that is not of this year. */
export function shortDay(instant: string): string {
  const at = new Date(instant);
  const isOfThisYear = at.getUTCFullYear() === new Date().getUTCFullYear();
  return isOfThisYear ? DAY_AND_MONTH.format(at) : DAY.format(at);
}
/** In UTC, and in the visitor's time where that differs: for a tooltip. */
export function bothMoments(instant: string): string {
  const at = new Date(instant);
  const utc = `${MOMENT.format(at)} UTC`;
  return at.getTimezoneOffset() === 0 ? utc : `${utc}\n${LOCAL.format(at)} for you`;
}
/** When something in UTC begins for the visitor; undefined where that is the same. */
export function beginsAt(instant: string): string | undefined {
  const at = new Date(instant);
  return at.getTimezoneOffset() === 0 ? undefined : `begins ${LOCAL.format(at)} for you`;
}
/** `5 Jan 2026, 14:03`, in UTC. */
export const minute = (instant: string) => `${longDay(instant)}, ${clock(instant)}`;
/** `5 Jan, 14:03:59` in UTC. */
export const momentAndSecond = (instant: string) =>
  `${shortDay(instant)}, ${new Date(instant).toISOString().slice(11, 19)}`;
/** `14:03`, in UTC. */
export const clock = (instant: string) => TIME.format(new Date(instant));
/** `2026-01-05 14:03:59 UTC`: for evidence. */
export const exactly = (instant: string) =>
  `${new Date(instant).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
/** `January 2026`. */
export const monthName = (month: string) => MONTH.format(new Date(`${month}-01T00:00:00Z`));

/** `1 day`, `2 days`. */
export const plural = (value: number, one: string, many = `${one}s`) =>
  `${count(value)} ${value === 1 ? one : many}`;

/** `YYYY-MM-DD` of an instant so many days before today, in UTC. */
export function dayBefore(days: number, now = Date.now()): string {
  return new Date(now - days * 86_400_000).toISOString().slice(0, 10);
}

/** `1 h 59 min`, `20 min`, `5 s`. */
export function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** Characters that are not seen, or turn the direction of text. A text can hide its meaning behind them. */
const HIDDEN = /[\p{Cf}\p{Cc}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5/gu;

/** A text with such characters as marks, `⟨U+202E⟩`, but for line ends and tabs. */
export function revealed(text: string): string {
  return text.replace(HIDDEN, character =>
    /[\n\r\t]/.test(character)
      ? character
      : `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}

/** JSON with such characters escaped, which is the same JSON. */
export function escapedJson(json: string): string {
  return json.replace(HIDDEN, character =>
    Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
      .map(unit => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** The address that a text is; undefined for any other text. */
export function addressIn(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** The host of an address; undefined where the text is none, or has no host. */
export function hostIn(text: string): string | undefined {
  return (text.includes('://') && addressIn(text)?.hostname) || undefined;
}

/** The common name in a distinguished name, by which people know an issuer; all of it where it has none. */
export function issuerName(distinguishedName: string): string {
  return /(?:^|[,+]\s*)CN=([^,+]+)/.exec(distinguishedName)?.[1] ?? distinguishedName;
}
