import { hash } from 'node:crypto';
import { Allowance } from '../allowance.ts';
import { DEFAULT_BOUNDS } from '../bounds.ts';
import { type Finding, notKept } from '../finding.ts';
import { requireFormat } from '../format.ts';
import { loggedTime } from '../json/log-line.ts';
import { type ParseContext, parseJson } from '../json/parse.ts';
import type { JsonSource } from '../json/source.ts';
import { type ImportedReport, identify } from '../reports.ts';
import { Unreadable } from '../unreadable.ts';
import { isObject, numberOf, textOf } from '../values.ts';
import { canonical } from './canonical.ts';
import { type Fields, fieldsOf, plainName } from './fields.ts';
import { stripAddresses } from './strip.ts';
import { BROWSER_TYPES, type TypedRecord } from './types.ts';
import { readUserAgent } from './user-agent.ts';

/** A report of a browser, out of its envelope. */
interface Enveloped {
  type: string;
  url: string;
  age: unknown;
  userAgent: string;
  body: Record<string, unknown>;
  /** Those of the body. */
  fields: Fields;
  /** The part that is kept as the original, unless that is all of it. */
  original?: Record<string, unknown>;
  /** When it was received, where the report itself is a line of a log. */
  time?: number | undefined;
}

/** Milliseconds: browsers give up after minutes, and a stranger may not choose the month that a report is of. */
const OLDEST_COLLECTED = 24 * 60 * 60 * 1000;

/**
 * Reads a report of a browser in any envelope, or in none; undefined for what is no such report.
 * @throws {Unreadable}
 */
export function readBrowserReport(value: Record<string, unknown>, source: JsonSource): Finding[] | undefined {
  const found = openEnvelope(value, source.context);
  if (found === undefined) return undefined;
  const { context } = source;
  requireFormat(context, 'browser');
  if (typeof found === 'string') return [notKept(found)];
  const map = BROWSER_TYPES[found.type];
  if (!map) return [notKept(found.type)];

  const { action, stripQuery } = context;
  const { collectedAs } = source;
  const isCollected = collectedAs !== undefined;
  const age = Math.min(ageOf(found.age), isCollected ? OLDEST_COLLECTED : Number.POSITIVE_INFINITY);
  // A body that a stranger has posted is no line of a log.
  const time = isCollected ? source.time : (found.time ?? source.time);
  const date = receivedAt(time, source) - age;
  const userAgent = found.userAgent || (source.userAgent ?? '');
  const { type, fields } = map(found, action);
  const report: ImportedReport = {
    type,
    id: isCollected ? identify(collectedAs) : idOf(found, userAgent, date, age, source),
    date,
    fields: {
      ...(stripQuery ? (stripAddresses(fields) as typeof fields) : fields),
      ...readUserAgent(userAgent),
      ...(source.keptPart !== undefined && { samplingRate: source.keptPart }),
    },
    raw: rawOf(value, found, source),
  };
  return [context.reports.line(report)];
}

/**
 * Makes a reader of reports as they would be read for any account. It answers with the browsers' name of a type that is
 * not kept, and with undefined for values that are no report or cannot be read.
 */
export function recognizer(maxDepth: number) {
  const bounds = { ...DEFAULT_BOUNDS, jsonDepth: maxDepth };
  // Nothing is counted against it: a collector bounds each body by its length.
  const context = { bounds, allowance: new Allowance(bounds) };
  return (value: Record<string, unknown>): TypedRecord | string | undefined => {
    const found = readable(() => openEnvelope(value, context));
    if (found === undefined || typeof found === 'string') return found;
    return BROWSER_TYPES[found.type]?.(found, 'enforced') ?? found.type;
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

/** The time of the line of a log, of the option, or of the file: in this order. */
function receivedAt(time: number | undefined, { context, item }: JsonSource): number {
  const { received } = context.counts;
  if (time !== undefined) received.line++;
  else if (context.received !== undefined) received.option++;
  else received.file++;
  return time ?? context.received ?? item.modified;
}

function rawOf(
  value: Record<string, unknown>,
  { original }: Enveloped,
  { context, text }: JsonSource,
): string {
  const kept = original ?? without(CLIENTS, value);
  if (context.stripQuery) return JSON.stringify(stripAddresses(kept));
  return kept === value ? text : JSON.stringify(kept);
}

function ageOf(age: unknown): number {
  return Math.max(0, numberOf(age) ?? 0);
}

function idOf(
  { type, url, body }: Enveloped,
  userAgent: string,
  date: number,
  age: number,
  { ordinals }: JsonSource,
): string {
  const second = Math.floor(date / 1000);
  const digest = hash('sha256', canonical([type, url, userAgent, second, body]), 'base64url');
  // One that is sent again is older by as much as it is later; one that is there twice at the same age happened twice.
  const ordinal = ordinals.next(digest, String(age));
  return ordinal === 0 ? digest : identify(digest, String(ordinal));
}

/** The report, or the name of one that is not kept; undefined for no report. */
function openEnvelope(value: Record<string, unknown>, context: ParseContext): Enveloped | string | undefined {
  const outer = fieldsOf(value);
  if (isObject(outer.cspreport)) return enveloped('csp-report', outer, outer.cspreport);
  if (isObject(outer.expectctreport)) return 'expect-ct';
  if ('knownpins' in outer) return 'hpkp';
  const type = textOf(outer.type);
  if (type !== '') {
    const body = bodyOf(outer.body, context);
    if (body) return enveloped(type, outer, body);
    if (type in BROWSER_TYPES) return enveloped(type, outer, value);
  }
  if (isViolation(outer)) return logged('csp-report', outer, value);
  if ('samplingfraction' in outer && 'phase' in outer) return logged('network-error', outer, value);
  return undefined;
}

/** The address of a client, as collectors call it: it is never kept. */
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

/** The fields of a report beside those of the line of a log. */
function logged(type: string, outer: Fields, value: Record<string, unknown>): Enveloped {
  const body = without(ADDED, value);
  return { ...enveloped(type, outer, body), original: body, time: loggedTime(outer.time) };
}

/** The value itself, where it has no field of these names. */
function without(names: ReadonlySet<string>, value: Record<string, unknown>): Record<string, unknown> {
  if (!Object.keys(value).some(name => names.has(plainName(name)))) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(plainName(name))));
}

function bodyOf(body: unknown, context: ParseContext): Record<string, unknown> | undefined {
  if (isObject(body)) return body;
  if (typeof body !== 'string' || !body.trimStart().startsWith('{')) return undefined;
  const value = parseJson(body, context);
  return isObject(value) ? value : undefined;
}

function enveloped(type: string, outer: Fields, body: Record<string, unknown>): Enveloped {
  return {
    type,
    url: textOf(outer.url),
    age: outer.age,
    userAgent: textOf(outer.useragent),
    body,
    fields: fieldsOf(body),
  };
}

function isViolation(fields: Fields): boolean {
  const hasPage = 'documenturi' in fields || 'documenturl' in fields;
  return hasPage && ('violateddirective' in fields || 'effectivedirective' in fields);
}
