import { hash } from 'node:crypto';
import { MS_PER_DAY, parseAddress } from '@sightline/reports';
import { DEFAULT_BOUNDS } from '../bounds.ts';
import { type ParseResult, toUnstored } from '../finding.ts';
import { requireFormat } from '../format.ts';
import type { ImportContext } from '../item.ts';
import { loggedTime } from '../json/log-line.ts';
import { type ParseContext, parseJson } from '../json/parse.ts';
import type { JsonSource } from '../json/source.ts';
import { type ImportedReport, identify } from '../reports.ts';
import { ResourceBudget } from '../resource-budget.ts';
import { Unreadable } from '../unreadable.ts';
import { isObject, toInstant, toNumber, toText } from '../values.ts';
import { canonical } from './canonical.ts';
import { type BodyFields, plainName, toFields } from './fields.ts';
import { canBeOther, LONGEST_OTHER, toOther } from './other.ts';
import { stripAddresses } from './strip.ts';
import { BROWSER_TYPES, type TypedRecord } from './types.ts';
import { readUserAgent } from './user-agent.ts';

/** A browser report without its envelope. */
interface BareReport {
  type: string;
  url: string;
  age: unknown;
  userAgent: string;
  body: Record<string, unknown>;
  /** The fields of the report's body. */
  fields: BodyFields;
  /** The part of the value to store as the original; the whole value if absent. */
  original?: Record<string, unknown>;
  /** The time in the log line, in milliseconds since 1970. */
  time?: number | undefined;
}

/**
 * Maximum age of a collected report, in milliseconds. Browsers retry only for minutes, and a forged age must not move a
 * report to another month.
 */
const OLDEST_COLLECTED = MS_PER_DAY;

/**
 * Reads a browser report with or without an envelope; returns undefined for anything else.
 * @throws {Unreadable}
 */
export function readBrowserReport(
  value: Record<string, unknown>,
  source: JsonSource,
): ParseResult[] | undefined {
  const found = openEnvelope(value, source.context);
  if (found === undefined) return undefined;
  const { context } = source;
  requireFormat(context, 'browser');
  if (typeof found === 'string') return [toUnstored(found)];
  const { action, stripQuery } = context;
  const { collectedAs } = source;
  const isCollected = collectedAs !== undefined;
  const record = toRecord(found, action, isCollected);
  if (!record) return [toUnstored(found.type)];

  const age = Math.min(getAge(found.age), isCollected ? OLDEST_COLLECTED : Number.POSITIVE_INFINITY);
  // A client can forge the body of a collected report, so a time in it is ignored.
  const time = isCollected ? source.time : (found.time ?? source.time);
  const date = receivedAt(time, source) - age;
  const userAgent = found.userAgent || (source.userAgent ?? '');
  const { type, fields } = record;
  const raw = getRaw(value, found, source);
  if (type === 'other' && !isOtherStored(found, raw, date, context)) return [toUnstored(found.type)];
  const report: ImportedReport = {
    type,
    id: isCollected ? identify(collectedAs) : toId(found, userAgent, date, age, source),
    date,
    fields: {
      ...(stripQuery ? (stripAddresses(fields) as typeof fields) : fields),
      ...readUserAgent(userAgent),
      ...(source.sampleRate !== undefined && { samplingRate: source.sampleRate }),
    },
    raw,
  };
  return [context.reports.line(report)];
}

/**
 * Converts a report to a record; returns undefined for anything else. In a log, a report of an unknown type must have
 * the `age` that the Reporting API requires, because any log line can look like such a report.
 */
function toRecord(
  found: BareReport,
  action: 'enforced' | 'reportOnly',
  isCollected: boolean,
): TypedRecord | undefined {
  const map = BROWSER_TYPES[found.type];
  if (map) return map(found, action);
  const isReport = canBeOther(found) && (isCollected || toNumber(found.age) !== null);
  return isReport ? toOther(found) : undefined;
}

function isOtherStored(
  { type, url }: BareReport,
  raw: string,
  date: number,
  { accountId, routes, otherTypes }: ImportContext,
): boolean {
  if (Buffer.byteLength(raw) > LONGEST_OTHER) return false;
  const account = routes?.accountOf(parseAddress(url)?.host ?? '') ?? accountId ?? '';
  return otherTypes.take(account, (toInstant(date) ?? '').slice(0, 10), type);
}

/**
 * Creates a function that reads reports without an account. It returns only the browser's type name for a type that is
 * not stored, and undefined for anything that is not a readable report.
 */
export function recognizer(maxDepth: number) {
  const bounds = { ...DEFAULT_BOUNDS, jsonDepth: maxDepth };
  // The budget is not enforced here: a collector limits the length of each body.
  const context = { bounds, budget: new ResourceBudget(bounds) };
  return (value: Record<string, unknown>): TypedRecord | string | undefined => {
    const found = readable(() => openEnvelope(value, context));
    if (found === undefined || typeof found === 'string') return found;
    const record = toRecord(found, 'enforced', true);
    if (record?.type === 'other' && Buffer.byteLength(JSON.stringify(value)) > LONGEST_OTHER)
      return found.type;
    return record ?? found.type;
  };
}

function readable<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** Returns the time of receipt: from the log line, else from the option, else from the file. */
function receivedAt(time: number | undefined, { context, item }: JsonSource): number {
  const { received } = context.counts;
  if (time !== undefined) received.line++;
  else if (context.received !== undefined) received.option++;
  else received.file++;
  return time ?? context.received ?? item.modified;
}

function getRaw(
  value: Record<string, unknown>,
  { original }: BareReport,
  { context, text }: JsonSource,
): string {
  const body = original ?? omitFields(CLIENTS, value);
  if (context.stripQuery) return JSON.stringify(stripAddresses(body));
  return body === value ? text : JSON.stringify(body);
}

function getAge(age: unknown): number {
  return Math.max(0, toNumber(age) ?? 0);
}

function toId(
  { type, url, body }: BareReport,
  userAgent: string,
  date: number,
  age: number,
  { occurrences }: JsonSource,
): string {
  const second = Math.floor(date / 1000);
  const digest = hash('sha256', canonical([type, url, userAgent, second, body]), 'base64url');
  const ordinal = occurrences?.next(digest, age) ?? 0;
  return ordinal === 0 ? digest : identify(digest, String(ordinal));
}

/** Unwraps a report. Returns the name of its type if the type is not stored, and undefined for anything else. */
function openEnvelope(
  value: Record<string, unknown>,
  context: ParseContext,
): BareReport | string | undefined {
  const outer = toFields(value);
  if (isObject(outer.cspreport)) return openBody('csp-report', outer, outer.cspreport);
  if (isObject(outer.expectctreport)) return 'expect-ct';
  if ('knownpins' in outer) return 'hpkp';
  const type = toText(outer.type);
  if (type !== '') {
    const body = readBody(outer.body, context);
    if (body) return openBody(type, outer, body);
    if (type in BROWSER_TYPES) return openBody(type, outer, value);
  }
  if (isViolation(outer)) return unwrapLogLine('csp-report', outer, value);
  if ('samplingfraction' in outer && 'phase' in outer) return unwrapLogLine('network-error', outer, value);
  return undefined;
}

/** Fields in which collectors log the client's address, which is never stored. */
const CLIENTS = new Set([
  'clientip',
  'clientaddress',
  'ip',
  'remoteaddr',
  'remoteaddress',
  'remoteip',
  'sourceip',
  'xforwardedfor',
  'xrealip',
]);

/** Fields that collectors add to a report in their logs. */
const ADDED = new Set(['time', 'level', 'msg', 'path', 'metadata', ...CLIENTS]);

/** Returns the report in a log line, without the fields that belong to the log line. */
function unwrapLogLine(type: string, outer: BodyFields, value: Record<string, unknown>): BareReport {
  const body = omitFields(ADDED, value);
  return { ...openBody(type, outer, body), original: body, time: loggedTime(outer.time) };
}

/** Returns the value without the named fields, or the value itself if it has none of them. */
function omitFields(names: ReadonlySet<string>, value: Record<string, unknown>): Record<string, unknown> {
  if (!Object.keys(value).some(name => names.has(plainName(name)))) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(plainName(name))));
}

function readBody(body: unknown, context: ParseContext): Record<string, unknown> | undefined {
  if (isObject(body)) return body;
  if (typeof body !== 'string' || !body.trimStart().startsWith('{')) return undefined;
  const value = parseJson(body, context);
  return isObject(value) ? value : undefined;
}

function openBody(type: string, outer: BodyFields, body: Record<string, unknown>): BareReport {
  return {
    type,
    url: toText(outer.url),
    age: outer.age,
    userAgent: toText(outer.useragent),
    body,
    fields: toFields(body),
  };
}

function isViolation(fields: BodyFields): boolean {
  const hasPage = 'documenturi' in fields || 'documenturl' in fields;
  return hasPage && ('violateddirective' in fields || 'effectivedirective' in fields);
}
