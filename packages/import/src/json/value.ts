import { readBrowserReport } from '../browser/browser.ts';
import { readCollected } from '../browser/collected.ts';
import { certstreamFindings } from '../certificates/certstream.ts';
import { type Finding, notKept, rejecting, skipped } from '../finding.ts';
import { requireFormat } from '../format.ts';
import { parsedmarcFindings } from '../parsedmarc.ts';
import { identify } from '../reports.ts';
import { isTlsReport, type TlsReport, tlsRecords, tlsReportOf } from '../tls-rpt.ts';
import { Unreadable } from '../unreadable.ts';
import { isObject, textOf } from '../values.ts';
import { unescapeHex } from './hex.ts';
import { bodyOfLine } from './log-line.ts';
import { parseJson } from './parse.ts';
import type { JsonSource } from './source.ts';

/** Reads one JSON text: reports in whatever envelope, of browsers, mail servers, certificate monitors or other tools. */
export function readValue(found: Omit<JsonSource, 'text'> & { text: string | undefined }): Finding[] {
  found.context.counts.items++;
  found.context.allowance.part();
  return guarded(found.place, () => {
    const { text } = found;
    if (text === undefined) throw new Unreadable('is too long');
    const source = { ...found, text };
    const read = found.context.format === 'collected' ? readCollected : readParsed;
    return read(parse(text, source), source);
  });
}

/** nginx writes `\xHH` into lines of JSON where its log format does not say `escape=json`. */
function parse(text: string, { context }: JsonSource): unknown {
  try {
    return parseJson(text, context);
  } catch (error) {
    if (!text.includes('\\x')) throw error;
    return parseJson(unescapeHex(text), context);
  }
}

/**
 * Reads whole reports, and lists of them; each that cannot be read is a finding of its own. Anybody may send to a
 * collector. So its bodies are reports of browsers, and none of mail servers, unless another form is asked for.
 */
export function readParsed(value: unknown, source: JsonSource): Finding[] {
  if (Array.isArray(value)) {
    const layers = nextLayer(source);
    return value.flatMap((item, index) => {
      source.context.allowance.part();
      const place = value.length === 1 ? source.place : `${source.place}, report ${index + 1}`;
      return guarded(place, () => readParsed(item, { ...source, layers, place, text: JSON.stringify(item) }));
    });
  }
  if (!isObject(value)) throw new Unreadable('is no report that is known');
  const { context } = source;
  const isAny = !source.isBody || context.format !== 'auto';
  if (isAny && isTlsReport(value)) {
    requireFormat(context, 'tls-rpt');
    return tlsRecordsOf(value, source);
  }
  const found =
    (isAny ? (parsedmarcFindings(value, source) ?? certstreamFindings(value, source)) : undefined) ??
    readBrowserReport(value, source) ??
    readBody(value, source);
  if (found) return found;
  if (isDmarcFailure(value)) return [notKept('dmarc-failure')];
  throw new Unreadable('is no report that is known');
}

/** Each layer is written and read once more. */
function nextLayer({ layers = 0 }: JsonSource): number {
  if (layers === MOST_LAYERS)
    throw new Unreadable('is nested too deeply', `over ${MOST_LAYERS} lists and bodies`);
  return layers + 1;
}

/** A body in a line of a log, and lists of reports in lists. */
const MOST_LAYERS = 4;

function guarded(place: string, read: () => Finding[]): Finding[] {
  try {
    return read();
  } catch (error) {
    return [skipped(place, error)];
  }
}

function tlsRecordsOf(value: Record<string, unknown>, source: JsonSource): Finding[] {
  return rejecting(
    () => ({ type: 'tls_rpt', id: identify('rejected', JSON.stringify(value)) }),
    () => records(tlsReportOf(value, domainOf(source)), source),
  );
}

function records(report: TlsReport, { context, place }: JsonSource): Finding[] {
  const { length } = report.policies;
  return Array.from(tlsRecords(report), (record, index) => {
    try {
      return context.reports.line(record);
    } catch (error) {
      return skipped(length === 1 ? place : `${place}, policy ${index + 1}`, error);
    }
  });
}

/** The domain of a TLS report without one: that of the mail, or else of its file's name (RFC 8460, section 5.1). */
function domainOf({ item }: JsonSource): string {
  return item.nesting.reportDomain || (/^[^!]*!([^!]+)!/.exec(item.name)?.[1] ?? '');
}

/** A line of a log whose body is a report. */
function readBody(value: Record<string, unknown>, source: JsonSource): Finding[] | undefined {
  const line = bodyOfLine(value, source.context.fields);
  if (!line) return undefined;
  const { text, time, userAgent } = line;
  if (text === '') return [notKept('request without a body')];
  const layers = nextLayer(source);
  return readParsed(parse(text, source), { ...source, isBody: true, layers, text, time, userAgent });
}

function isDmarcFailure(value: Record<string, unknown>): boolean {
  return textOf(value.feedback_type) !== '' || 'parsed_sample' in value;
}
