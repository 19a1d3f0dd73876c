import { readBrowserReport } from '../browser/browser.ts';
import { readCollected } from '../browser/collected.ts';
import { certstreamFindings } from '../certificates/certstream.ts';
import { type ParseResult, readOrReject, readOrSkip, toSkipped, toUnstored } from '../finding.ts';
import { requireFormat } from '../format.ts';
import { parsedmarcFindings } from '../parsedmarc.ts';
import { identify } from '../reports.ts';
import { isTlsReport, type TlsReport, tlsRecords, toTlsReport } from '../tls-rpt.ts';
import { Unreadable } from '../unreadable.ts';
import { isObject, toText } from '../values.ts';
import { bodyInLine } from './body-in-line.ts';
import { unescapeHex } from './hex.ts';
import { bodyOfLine, shippedLine } from './log-line.ts';
import { parseJson } from './parse.ts';
import type { JsonSource } from './source.ts';

/** Reads a JSON text with reports in any envelope: from browsers, mail servers, certificate monitors or other tools. */
export function readValue(found: Omit<JsonSource, 'text'> & { text: string | undefined }): ParseResult[] {
  found.context.counts.items++;
  found.context.budget.part();
  return readOrSkip(found.place, () => {
    const { text } = found;
    if (text === undefined) throw new Unreadable('is too long');
    const source = { ...found, text };
    const read = found.context.format === 'collected' ? readCollected : readParsed;
    return read(parse(text, source), source);
  });
}

/** Parses a line of JSON. nginx writes `\xHH` into it if its log format lacks `escape=json`. */
function parse(text: string, { context }: JsonSource): unknown {
  try {
    return parseJson(text, context);
  } catch (error) {
    if (!text.includes('\\x')) throw error;
    return parseJson(unescapeHex(text), context);
  }
}

/**
 * Reads a report or a list of reports; each unreadable one yields a result of its own. Bodies sent to a collector are
 * untrusted and only read as browser reports, unless another format is requested.
 */
export function readParsed(value: unknown, source: JsonSource): ParseResult[] {
  if (Array.isArray(value)) {
    const layers = nextLayer(source);
    return value.flatMap((item, index) => {
      source.context.budget.part();
      const place = value.length === 1 ? source.place : `${source.place}, report ${index + 1}`;
      return readOrSkip(place, () =>
        readParsed(item, { ...source, layers, place, text: JSON.stringify(item) }),
      );
    });
  }
  if (!isObject(value)) throw new Unreadable('is not a known report');
  const { context } = source;
  const isAny = !source.isBody || context.format !== 'auto';
  if (isAny && isTlsReport(value)) {
    requireFormat(context, 'tls-rpt');
    return readTlsRecords(value, source);
  }
  const found =
    (isAny ? (parsedmarcFindings(value, source) ?? certstreamFindings(value, source)) : undefined) ??
    readBrowserReport(value, source) ??
    readBody(value, source);
  if (found) return found;
  const shipped = readShipped(value, source);
  if (shipped) return shipped;
  if (isDmarcFailure(value)) return [toUnstored('dmarc-failure')];
  throw new Unreadable('is not a known report');
}

/** Returns the depth of the next layer. Depth is limited because each layer is serialized and parsed again. */
function nextLayer({ layers = 0 }: JsonSource): number {
  if (layers === MOST_LAYERS)
    throw new Unreadable('is nested too deeply', `over ${MOST_LAYERS} lists and bodies`);
  return layers + 1;
}

/** Maximum nesting of bodies in log lines and of lists of reports. */
const MOST_LAYERS = 4;

function readTlsRecords(value: Record<string, unknown>, source: JsonSource): ParseResult[] {
  return readOrReject(
    () => ({ type: 'tls_rpt', id: identify('rejected', JSON.stringify(value)) }),
    () => records(toTlsReport(value, getDomain(source)), source),
  );
}

function records(report: TlsReport, { context, place }: JsonSource): ParseResult[] {
  const { length } = report.policies;
  return Array.from(tlsRecords(report), (record, index) => {
    try {
      return context.reports.line(record);
    } catch (error) {
      return toSkipped(length === 1 ? place : `${place}, policy ${index + 1}`, error);
    }
  });
}

/**
 * Returns the domain of a TLS report that does not contain one: from the mail, or else from the file name (RFC 8460,
 * section 5.1).
 */
function getDomain({ item }: JsonSource): string {
  return item.nesting.reportDomain || (/^[^!]*!([^!]+)!/.exec(item.name)?.[1] ?? '');
}

/** Reads a log line whose body is a report. */
function readBody(value: Record<string, unknown>, source: JsonSource): ParseResult[] | undefined {
  const line = bodyOfLine(value, source.context.fields);
  if (!line) return undefined;
  const { text } = line;
  // The inner line describes the request more precisely than the outer one.
  const time = line.time ?? source.time;
  const userAgent = line.userAgent ?? source.userAgent;
  if (text === '') return [toUnstored('request without a body')];
  const layers = nextLayer(source);
  return readParsed(parse(text, source), { ...source, isBody: true, layers, text, time, userAgent });
}

/** Reads a web server's line inside a log shipper's line. Most lines of a shipper come from other programs. */
function readShipped(value: Record<string, unknown>, source: JsonSource): ParseResult[] | undefined {
  if (source.context.fields) return undefined;
  const line = shippedLine(value);
  if (!line) return undefined;
  const layers = nextLayer(source);
  const isValue = /^\s*[{[]\s*["{[]/.test(line.text);
  const body = isValue ? line : bodyInLine(line.text);
  if (!body) return [toUnstored('request without a body')];
  const time = body.time ?? line.time ?? source.time;
  const userAgent = body.userAgent ?? source.userAgent;
  return readParsed(parse(body.text, source), {
    ...source,
    isBody: true,
    layers,
    text: body.text,
    time,
    userAgent,
  });
}

function isDmarcFailure(value: Record<string, unknown>): boolean {
  return toText(value.feedback_type) !== '' || 'parsed_sample' in value;
}
