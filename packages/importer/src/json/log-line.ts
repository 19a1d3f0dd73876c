import { MONTHS } from '@sightline/reports';
import type { LogFields } from '../item.ts';
import { Unreadable } from '../unreadable.ts';
import { isObject, toText, toTime } from '../values.ts';

/** The report in a log line, and details of the request that delivered it. */
export interface LoggedBody {
  /** The body of the request, or '' if it had none. */
  text: string;
  /** The time in the line, in milliseconds since 1970. */
  time: number | undefined;
  userAgent: string | undefined;
}

const BODIES = ['body', 'request_body', 'requestBody', 'post_data', 'payload', 'report'];
const TIMES = ['time', 'timestamp', '@timestamp', 'time_iso8601', 'time_local', 'ts', 'date', 'msec'];
const USER_AGENTS = ['user_agent', 'http_user_agent', 'userAgent', 'user-agent', 'ua'];

/** Fields in which log shippers store the original line: Docker, journald, Logstash, Filebeat, Loki, GELF. */
const LINES = [
  'log',
  'MESSAGE',
  'message',
  'msg',
  'line',
  'full_message',
  'short_message',
  'textPayload',
  'event',
];
const LINE_TIMES = [
  '__REALTIME_TIMESTAMP',
  '_SOURCE_REALTIME_TIMESTAMP',
  '@timestamp',
  'time',
  'timestamp',
  'ts',
  'date',
];

/** Returns the original line inside a log shipper's line; undefined if there is none. */
export function shippedLine(line: Record<string, unknown>): LoggedBody | undefined {
  for (const name of LINES) {
    const value = line[name];
    const text = typeof value === 'string' ? value : textOfBytes(value);
    if (text !== undefined)
      return { text: withoutLineHead(text), time: timeIn(line, LINE_TIMES), userAgent: undefined };
    if (isObject(value))
      return { text: JSON.stringify(value), time: timeIn(line, LINE_TIMES), userAgent: undefined };
  }
  return undefined;
}

/** Decodes a list of bytes, which journald writes for text that is not UTF-8. */
function textOfBytes(value: unknown): string | undefined {
  const isBytes =
    Array.isArray(value) && value.every(byte => Number.isInteger(byte) && byte >= 0 && byte < 256);
  return isBytes ? Buffer.from(value).toString() : undefined;
}

/** Removes the prefix of a container runtime (CRI) from a line. */
function withoutLineHead(text: string): string {
  return text.replace(/^\d{4}-\d\d-\d\dT\S{1,40} (?:stdout|stderr) [FP](?::\S*)? /, '');
}

/**
 * Finds the body in a JSON line, in the named fields or in the usual ones; undefined if there is none.
 * @throws {Unreadable} if a named field is missing
 */
export function bodyOfLine(
  line: Record<string, unknown>,
  fields: LogFields | undefined,
): LoggedBody | undefined {
  if (fields) {
    const body = at(line, fields.body);
    if (body === undefined) throw new Unreadable('has no field with the body', fields.body);
    return {
      text: bodyText(body),
      time: fields.time === undefined ? timeIn(line) : loggedTime(at(line, fields.time)),
      userAgent: fields.userAgent === undefined ? userAgentIn(line) : toText(at(line, fields.userAgent)),
    };
  }
  const name = BODIES.find(existing => isBody(line[existing]));
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

/** Returns a body as text, decoded if it is a form field. */
function bodyText(body: unknown): string {
  if (typeof body !== 'string') return JSON.stringify(body);
  return body === '-' ? '' : (formField(body) ?? body);
}

/** Returns the first form field (application/x-www-form-urlencoded) that contains JSON. */
export function formField(text: string): string | undefined {
  const encoded = /(?:^|[&?\s"])[\w.-]{1,64}=((?:%7[Bb]|%5[Bb]|\{|\[)[^&\s"]*)/.exec(text)?.[1];
  if (encoded === undefined || /^\s*[{[]/.test(text)) return undefined;
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    throw new Unreadable('is not percent-encoded');
  }
}

function timeIn(line: Record<string, unknown>, names: readonly string[] = TIMES): number | undefined {
  for (const name of names) {
    const time = loggedTime(line[name]);
    if (time !== undefined) return time;
  }
  return undefined;
}

function userAgentIn(line: Record<string, unknown>): string | undefined {
  const name = USER_AGENTS.find(existing => typeof line[existing] === 'string');
  return name === undefined ? undefined : toText(line[name]);
}

const COMMON = /(\d\d)\/(\w{3})\/(\d{4}):(\d\d:\d\d:\d\d) ?([+-]\d\d):?(\d\d)/;

/** Converts an epoch in microseconds (journald, 16 digits) or nanoseconds (Loki, 19 digits) to milliseconds. */
function inMilliseconds(value: unknown): unknown {
  const text = toText(value).trim();
  return /^\d{16}$|^\d{19}$/.test(text) ? text.slice(0, 13) : value;
}

/** Parses a log time: ISO 8601, an epoch, or the Common Log Format. Returns milliseconds. */
export function loggedTime(value: unknown): number | undefined {
  const common = COMMON.exec(toText(value));
  if (!common) return toTime(inMilliseconds(value));
  const [, day, name, year, clock, hours, minutes] = common;
  const month = String(MONTHS.indexOf(name!) + 1).padStart(2, '0');
  return toTime(`${year}-${month}-${day}T${clock}${hours}:${minutes}`);
}
