import { readBrowserReport } from '../browser/browser.ts';
import { certstreamFindings } from '../certificates/certstream.ts';
import { type Finding, notKept, skipped } from '../finding.ts';
import { requireFormat } from '../format.ts';
import { parsedmarcFindings } from '../parsedmarc.ts';
import type { ImportedReport } from '../reports.ts';
import { isTlsReport, tlsRecords, tlsReportOf } from '../tls-rpt.ts';
import { Unreadable } from '../unreadable.ts';
import { isObject, textOf } from '../values.ts';
import { unescapeHex } from './hex.ts';
import { bodyOfLine } from './log-line.ts';
import { parseJson } from './parse.ts';
import type { JsonSource } from './source.ts';

/** Reads one JSON text: reports in whatever envelope, of browsers, mail servers, certificate monitors or other tools. */
export function readValue(found: Omit<JsonSource, 'text'> & { text: string | undefined }): Finding[] {
  found.context.counts.items++;
  return guarded(found.place, () => {
    const { text } = found;
    if (text === undefined) throw new Unreadable('is too long');
    const source = { ...found, text };
    return readParsed(parse(text, source), source);
  });
}

/** nginx writes `\xHH` into lines of JSON where its log format does not say `escape=json`. */
function parse(text: string, { context: { bounds } }: JsonSource): unknown {
  try {
    return parseJson(text, bounds.jsonDepth);
  } catch (error) {
    if (!text.includes('\\x')) throw error;
    return parseJson(unescapeHex(text), bounds.jsonDepth);
  }
}

/** Whole reports, and lists of them; each is told on its own where it cannot be read. */
export function readParsed(value: unknown, source: JsonSource): Finding[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => {
      const place = value.length === 1 ? source.place : `${source.place}, report ${index + 1}`;
      return guarded(place, () => readParsed(item, { ...source, place, text: JSON.stringify(item) }));
    });
  }
  if (!isObject(value)) throw new Unreadable('is no report that is known');
  const { context } = source;
  if (isTlsReport(value)) {
    requireFormat(context, 'tls-rpt');
    return records(tlsRecords(tlsReportOf(value, domainOf(source))), source);
  }
  const found =
    parsedmarcFindings(value, source) ??
    certstreamFindings(value, source) ??
    readBrowserReport(value, source) ??
    readBody(value, source);
  if (found) return found;
  if (isDmarcFailure(value)) return [notKept('dmarc-failure')];
  throw new Unreadable('is no report that is known');
}

function guarded(place: string, read: () => Finding[]): Finding[] {
  try {
    return read();
  } catch (error) {
    return [skipped(place, error)];
  }
}

function records(reports: readonly ImportedReport[], { context, place }: JsonSource): Finding[] {
  return reports.map((report, index) => {
    try {
      return context.reports.line(report);
    } catch (error) {
      return skipped(reports.length === 1 ? place : `${place}, policy ${index + 1}`, error);
    }
  });
}

/** What a TLS report without a domain is about: the mail says it, or else its file's name (RFC 8460 section 5.1). */
function domainOf({ item }: JsonSource): string {
  return item.nesting.reportDomain || (/^[^!]*!([^!]+)!/.exec(item.name)?.[1] ?? '');
}

/** A line of a log whose body is a report. */
function readBody(value: Record<string, unknown>, source: JsonSource): Finding[] | undefined {
  const line = bodyOfLine(value, source.context.fields);
  if (!line) return undefined;
  const { text, time, userAgent } = line;
  if (text === '') return [notKept('request without a body')];
  return readParsed(parse(text, source), { ...source, text, time, userAgent });
}

function isDmarcFailure(value: Record<string, unknown>): boolean {
  return textOf(value.feedback_type) !== '' || 'parsed_sample' in value;
}
