import { isDate } from '@sightline/reports';
import { memoize } from './memoize.ts';

const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:Z|([+-])(\d\d)(?::?(\d\d))?)$/;

/** Most lines of a feed have one of a few dates. */
export const isKnownDate = memoize(isDate);

/** Matches an instant in the stored form: UTC with seconds. For such instants, only the date remains to be checked. */
const AS_STORED = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?Z$/;

/**
 * Converts an ISO 8601 time with an offset or `Z` to UTC, `YYYY-MM-DDTHH:mm:ss[.ffffff]Z`; undefined if it is malformed
 * or does not exist. Digits after microseconds are cut off, because PostgreSQL does not store them.
 */
export function parseInstant(text: string): string | undefined {
  if (AS_STORED.test(text) && isKnownDate(text.slice(0, 10))) return text;
  const match = INSTANT.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second = '00', fraction = '', sign, offsetHour, offsetMinute] =
    match;
  if (!isKnownDate(`${year}-${month}-${day}`)) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const seconds = fraction === '' ? second : `${second}.${fraction.slice(0, 6)}`;
  const local = `${year}-${month}-${day}T${hour}:${minute}:${seconds}Z`;
  const offset = Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0);
  if (offset === 0) return local;
  if (Number(offsetHour) > 23 || Number(offsetMinute ?? 0) > 59) return undefined;
  return shift(local, sign === '+' ? -offset : offset, seconds);
}

/** Shifts a local time to UTC. Offsets are whole minutes, so the seconds do not change. */
function shift(local: string, minutes: number, seconds: string): string | undefined {
  const moved = new Date(Date.parse(`${local.slice(0, 16)}:00Z`) + minutes * 60_000).toISOString();
  // JavaScript formats years outside 0 to 9999 with a sign, and PostgreSQL has no year 0.
  return /^\d{4}-/.test(moved) && !moved.startsWith('0000') ? `${moved.slice(0, 16)}:${seconds}Z` : undefined;
}
