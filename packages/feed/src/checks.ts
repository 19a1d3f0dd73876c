import { isObject } from '@sightline/reports';
import { BadLine } from './bad-line.ts';
import { isKnownDate, parseInstant } from './instants.ts';

/**
 * Checks a value and returns it in its stored form.
 * @throws {BadLine} if the field does not accept it
 */
export type Check<Value> = ((value: unknown, path: string) => Value) & Parts;

/** The checks of an object's fields or a list's items; for a text, its maximum size in bytes of UTF-8. */
interface Parts {
  most?: number | undefined;
  fields?: FieldChecks | undefined;
  item?: Check<unknown> | undefined;
}

/** The maximum sizes of texts in bytes of UTF-8, including texts in lists and objects. */
export interface TextBounds {
  most?: number | undefined;
  item?: TextBounds | undefined;
  fields?: Readonly<Record<string, TextBounds>> | undefined;
}

/** The check of a field that can be omitted or `null`. */
export type OptionalCheck<Value> = Check<Value> & { otherwise: Value };

export function optional<Value, Otherwise>(
  check: Check<Value>,
  otherwise: Otherwise,
): OptionalCheck<Value | Otherwise> {
  const { most, fields, item } = check;
  return Object.assign((value: unknown, path: string): Value | Otherwise => check(value, path), {
    otherwise,
    most,
    fields,
    item,
  });
}

/** Creates a check for a text of at most this many bytes of UTF-8. */
export function atMost(bytes: number): Check<string> {
  const check = (value: unknown, path: string) => {
    if (typeof value !== 'string') return refuse(path, 'must be a text');
    const fits = value.length * 3 <= bytes || Buffer.byteLength(value) <= bytes;
    return fits ? value : refuse(path, `must not be longer than ${bytes} bytes`);
  };
  return Object.assign(check, { most: bytes });
}

/** The default check of texts. Original reports can be longer. */
export const text = atMost(64 * 1024);

/** The maximum size of an original report that the feed accepts, in bytes. */
export const LONGEST_ACCEPTED_RAW = 1024 * 1024;
export const rawText = atMost(LONGEST_ACCEPTED_RAW);

/** The check of ids, sites and hosts. Longer ones would not fit into an index. */
export const shortText = atMost(255);

/**
 * The check of e-mail addresses. A path has at most 256 octets including its brackets (RFC 5321, section 4.5.3.1.3).
 */
export const mailAddress = atMost(254);

/** A text that is part of a key. */
export const identifier: Check<string> = (value, path) =>
  shortText(value, path) === '' ? refuse(path, 'must not be empty') : (value as string);

export function oneOf<Value extends string>(values: readonly Value[]): Check<Value> {
  return (value, path) =>
    values.includes(value as Value) ? (value as Value) : refuse(path, `must be one of ${values.join(', ')}`);
}

export function integer(from = 0, to = Number.MAX_SAFE_INTEGER): Check<number> {
  const range = to === Number.MAX_SAFE_INTEGER ? '2^53-1' : to;
  return (value, path) =>
    Number.isSafeInteger(value) && (value as number) >= from && (value as number) <= to
      ? (value as number)
      : refuse(path, `must be an integer from ${from} to ${range}`);
}

export const number: Check<number> = (value, path) =>
  Number.isFinite(value) ? (value as number) : refuse(path, 'must be a number');

export const boolean: Check<boolean> = (value, path) =>
  typeof value === 'boolean' ? value : refuse(path, 'must be true or false');

export const flag: Check<number> = (value, path) =>
  value === 0 || value === 1 ? value : refuse(path, 'must be 0 or 1');

export const date: Check<string> = (value, path) =>
  isKnownDate(text(value, path))
    ? inKnownYears(value as string, path)
    : refuse(path, 'must be a real date, YYYY-MM-DD');

/** A time in UTC of any year, `YYYY-MM-DDTHH:mm:ss[.ffffff]Z`. */
export const anyInstant: Check<string> = (value, path) =>
  parseInstant(text(value, path)) ??
  refuse(path, 'must be a real time in ISO 8601 with an offset or Z, such as 2026-01-31T12:00:00Z');

/** A time in UTC in the years 1970 to 2200, `YYYY-MM-DDTHH:mm:ss[.ffffff]Z`. */
export const instant: Check<string> = (value, path) => inKnownYears(anyInstant(value, path), path);

const [FIRST_YEAR, LAST_YEAR] = ['1970', '2200'];

/** Requires that a time in UTC or a date is in the years 1970 to 2200. */
function inKnownYears(time: string, path: string): string {
  const year = time.slice(0, 4);
  const isKnown = year >= FIRST_YEAR! && year <= LAST_YEAR!;
  return isKnown ? time : refuse(path, `must be in the years ${FIRST_YEAR} to ${LAST_YEAR}`);
}

/** A SHA-256 digest in hexadecimal, converted to lower case. */
export const sha256: Check<string> = (value, path) =>
  /^[0-9a-f]{64}$/i.test(text(value, path))
    ? (value as string).toLowerCase()
    : refuse(path, 'must be a SHA-256 digest: 64 hexadecimal digits');

/** Maximum number of objects in a list of a record. */
export const MOST_OBJECTS = 1000;

/**
 * Creates a check for a list.
 * @param most maximum number of items
 */
export function list<Item>(item: Check<Item>, most = Number.POSITIVE_INFINITY): Check<Item[]> {
  const check = (value: unknown, path: string) => {
    if (!Array.isArray(value)) return refuse(path, 'must be a list');
    if (value.length > most) refuse(path, `must not have more than ${most} items`);
    return value.map((entry, index) => item(entry, `${path}[${index}]`));
  };
  return Object.assign(check, { item });
}

export type FieldChecks = Record<string, Check<unknown>>;
export type CheckedValues<Of extends FieldChecks> = { [Name in keyof Of]: ReturnType<Of[Name]> };

/**
 * Creates a check for an object with these fields and no others.
 * @param name what the object is called in "is not a field of …"; default: its path
 */
export function object<Of extends FieldChecks>(fields: Of, name?: string): Check<CheckedValues<Of>> {
  const names = Object.keys(fields);
  const check = (value: unknown, path: string) => {
    if (!isObject(value)) return refuse(path, 'must be an object');
    const prefix = path === '' ? '' : `${path}.`;
    for (const given in value) {
      if (!Object.hasOwn(fields, given)) refuse(prefix + given, `is not a field of ${name ?? path}`);
    }
    return Object.fromEntries(
      names.map(field => [field, checkField(fields[field]!, value[field], prefix + field)]),
    ) as CheckedValues<Of>;
  };
  return Object.assign(check, { fields });
}

/** Creates a check for an object with these fields, all of which are optional. */
export function partial<Of extends FieldChecks>(fields: Of): Check<Partial<CheckedValues<Of>>> {
  const whole = object(
    Object.fromEntries(Object.entries(fields).map(([name, check]) => [name, optional(check, undefined)])),
  );
  const check = (value: unknown, path: string) => whole(value, path) as Partial<CheckedValues<Of>>;
  return Object.assign(check, { fields });
}

function checkField(check: Check<unknown>, value: unknown, path: string): unknown {
  if (value !== undefined && value !== null) return check(value, path);
  return 'otherwise' in check ? check.otherwise : refuse(path, 'is missing');
}

export function refuse(path: string, reason: string): never {
  throw new BadLine(path, reason);
}

/**
 * Requires that all texts of a value can be stored: JSON can contain escaped characters that PostgreSQL cannot store.
 */
export function requireStorable(value: unknown, path = ''): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) refuse(path, 'holds the character U+0000, which cannot be stored');
    if (/\p{Surrogate}/u.test(value))
      refuse(path, 'holds half of a surrogate pair, which UTF-8 cannot write');
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      const place = Array.isArray(value) ? `[${name}]` : path === '' ? name : `.${name}`;
      requireStorable(item, path + place);
    }
  }
}
