import type { LogFields } from '../item.ts';
import { Unreadable } from '../unreadable.ts';
import { isObject, textOf, timeOf } from '../values.ts';

/** The report in a line of a log, and what the line says of its request. */
export interface LoggedBody {
  /** '' for a request without a body. */
  text: string;
  /** In milliseconds. */
  time: number | undefined;
  userAgent: string | undefined;
}

const BODIES = ['body', 'request_body', 'requestBody', 'post_data', 'payload', 'report'];
const TIMES = ['time', 'timestamp', '@timestamp', 'time_iso8601', 'time_local', 'ts', 'date', 'msec'];
const USER_AGENTS = ['user_agent', 'http_user_agent', 'userAgent', 'user-agent', 'ua'];

/**
 * The body of a line in JSON, by the fields that are named or else by usual ones; undefined where there is none.
 * @throws {Unreadable} where a field is named and missing
 */
export function bodyOfLine(
  line: Record<string, unknown>,
  fields: LogFields | undefined,
): LoggedBody | undefined {
  if (fields) {
    const body = at(line, fields.body);
    if (body === undefined) throw new Unreadable('has no field of the body', fields.body);
    return {
      text: bodyText(body),
      time: fields.time === undefined ? timeIn(line) : loggedTime(at(line, fields.time)),
      userAgent: fields.userAgent === undefined ? userAgentIn(line) : textOf(at(line, fields.userAgent)),
    };
  }
  const name = BODIES.find(known => isBody(line[known]));
  return name === undefined
    ? undefined
    : { text: bodyText(line[name]), time: timeIn(line), userAgent: userAgentIn(line) };
}

function at(value: unknown, path: string): unknown {
  if (isObject(value) && Object.hasOwn(value, path)) return value[path];
  return path
    .split('.')
    .reduce(
      (inner, name) => (isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
      value,
    );
}

function isBody(value: unknown): boolean {
  return typeof value === 'string' || isObject(value) || Array.isArray(value);
}

/** A body as text: that of a form's field, too. */
function bodyText(body: unknown): string {
  if (typeof body !== 'string') return JSON.stringify(body);
  return body === '-' ? '' : (formField(body) ?? body);
}

/** The first field of a form (application/x-www-form-urlencoded) that holds JSON. */
export function formField(text: string): string | undefined {
  const encoded = /(?:^|[&?\s"])[\w.-]{1,64}=((?:%7[Bb]|%5[Bb]|\{|\[)[^&\s"]*)/.exec(text)?.[1];
  if (encoded === undefined || /^\s*[{[]/.test(text)) return undefined;
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    throw new Unreadable('is not percent-encoded');
  }
}

function timeIn(line: Record<string, unknown>): number | undefined {
  for (const name of TIMES) {
    const time = loggedTime(line[name]);
    if (time !== undefined) return time;
  }
  return undefined;
}

function userAgentIn(line: Record<string, unknown>): string | undefined {
  const name = USER_AGENTS.find(known => typeof line[known] === 'string');
  return name === undefined ? undefined : textOf(line[name]);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const COMMON = /(\d\d)\/(\w{3})\/(\d{4}):(\d\d:\d\d:\d\d) ?([+-]\d\d):?(\d\d)/;

/** A time of a log: ISO 8601, an epoch, or as the Common Log Format has it. In milliseconds. */
export function loggedTime(value: unknown): number | undefined {
  const common = COMMON.exec(textOf(value));
  if (!common) return timeOf(value);
  const [, day, name, year, clock, hours, minutes] = common;
  const month = String(MONTHS.indexOf(name!) + 1).padStart(2, '0');
  return timeOf(`${year}-${month}-${day}T${clock}${hours}:${minutes}`);
}
