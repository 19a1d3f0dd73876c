import { type AggregateReport, type AggregateRow, AggregateRows, getPolicy } from './dmarc/aggregate.ts';
import { type ParseResult, readOrSkip, toSkipped, toUnstored } from './finding.ts';
import { requireFormat } from './format.ts';
import type { JsonSource } from './json/source.ts';
import type { Ordinals } from './ordinals.ts';
import { reportOfDocument, toDocuments } from './parsedmarc-search.ts';
import { policiesIn, tlsRecords, toObjects } from './tls-rpt.ts';
import { Unreadable } from './unreadable.ts';
import { isObject, toInteger, toList, toText, toTime } from './values.ts';

type Fields = Record<string, unknown>;

/**
 * Reads an export of parsedmarc: one report or all reports of a run; undefined for anything else. Its times are in UTC
 * without an offset.
 * @throws {Unreadable}
 */
export function parsedmarcFindings(value: Fields, source: JsonSource): ParseResult[] | undefined {
  const { context } = source;
  if ('aggregate_reports' in value || 'smtp_tls_reports' in value) {
    requireFormat(context, 'parsedmarc');
    const reports = [...toList(value.aggregate_reports), ...toList(value.smtp_tls_reports)];
    const failures = [...toList(value.failure_reports), ...toList(value.forensic_reports)];
    return [
      ...reports.flatMap((report, index) => {
        const place = `${source.place}, report ${index + 1}`;
        return readOrSkip(place, () => readEntry(report, { ...source, place }));
      }),
      ...failures.map(() => toUnstored('dmarc-failure')),
    ];
  }
  if (isObject(value.report_metadata) && Array.isArray(value.records)) {
    requireFormat(context, 'parsedmarc');
    return aggregate(value, value.report_metadata, value.records, source);
  }
  if ('organization_name' in value && 'begin_date' in value) {
    requireFormat(context, 'parsedmarc');
    return tls(value, source);
  }
  return searchFindings(value, source);
}

/** Reads the reports in a document or search response of Elasticsearch or OpenSearch. */
function searchFindings(value: Fields, source: JsonSource): ParseResult[] | undefined {
  const documents = toDocuments(value) ?? [value];
  const reports = documents.map(document => reportOfDocument(document));
  if (!reports.some(report => report !== undefined)) return undefined;
  requireFormat(source.context, 'parsedmarc');
  return reports.flatMap((report, index) => {
    const place = reports.length === 1 ? source.place : `${source.place}, hit ${index + 1}`;
    return readOrSkip(place, () => reportFindings(report, { ...source, place }));
  });
}

/**
 * Reads a report in parsedmarc's JSON. Its rows can come in several parts; the ordinals of the source distinguish equal
 * rows.
 * @throws {Unreadable}
 */
export function reportFindings(report: Fields | undefined, source: JsonSource): ParseResult[] {
  if (!report) throw new Unreadable('is not a known report');
  const { report_metadata: metadata, records } = report;
  if (!isObject(metadata) || !Array.isArray(records)) return tls(report, source);
  return aggregate(report, metadata, records, source, source.ordinals);
}

function readEntry(entry: unknown, source: JsonSource): ParseResult[] {
  const results = isObject(entry) ? parsedmarcFindings(entry, source) : undefined;
  if (!results) throw new Unreadable('is not a known report');
  return results;
}

function aggregate(
  report: Fields,
  metadata: Fields,
  records: readonly unknown[],
  source: JsonSource,
  equals?: Ordinals,
): ParseResult[] {
  const { context, place } = source;
  if (records.length > context.bounds.records) throw new Unreadable('has too many records');
  const entries = joinSplitRows(records.filter(isObject));
  const rows = new AggregateRows(findReport(report, metadata, entries[0]?.record), equals);
  return entries.map(({ record, count }, index) => {
    try {
      const report = rows.record(toRow(record, count), JSON.stringify(record));
      if (context.copies.addExport(report.id)) return { kind: 'known', records: 1 };
      return context.reports.line(report);
    } catch (error) {
      return toSkipped(`${place}, record ${index + 1}`, error);
    }
  });
}

interface Entry {
  record: Fields;
  count: number | null;
}

/** Merges the daily rows into which parsedmarc splits a record of a long report. */
function joinSplitRows(records: readonly Fields[]): Entry[] {
  const entries: Entry[] = [];
  let last: { content: string; begin: string } | undefined;
  for (const record of records) {
    const count = toInteger(record.count);
    const { count: _, interval_begin, interval_end: __, ...rest } = record;
    const content = record.normalized_timespan === true ? JSON.stringify(rest) : '';
    const begin = toText(interval_begin);
    if (content !== '' && last?.content === content && begin > last.begin) {
      const entry = entries.at(-1)!;
      entry.count = entry.count === null || count === null ? null : entry.count + count;
    } else entries.push({ record, count });
    last = content === '' ? undefined : { content, begin };
  }
  return entries;
}

function findReport(report: Fields, metadata: Fields, first: Fields | undefined): AggregateReport {
  const policy = isObject(report.policy_published) ? report.policy_published : {};
  const text = (name: string) => toText(policy[name]);
  const email = toText(metadata.org_email);
  // Some versions write the start of a report in local time, but the start of a record in UTC.
  const isWhole = first !== undefined && first.normalized_timespan === false;
  return {
    reporter: toText(metadata.org_name) || (email.split('@').at(-1) ?? ''),
    reporterEmail: email,
    reportId: toText(metadata.report_id),
    generator: toText(metadata.generator),
    begin: (isWhole ? toTime(first.interval_begin) : undefined) ?? toTime(metadata.begin_date),
    end: (isWhole ? toTime(first.interval_end) : undefined) ?? toTime(metadata.end_date),
    domain: text('domain'),
    policy: getPolicy(text),
  };
}

function toRow(record: Fields, count: number | null): AggregateRow {
  const part = (name: string): Fields => (isObject(record[name]) ? record[name] : {});
  const [source, evaluated, identifiers, results] = [
    part('source'),
    part('policy_evaluated'),
    part('identifiers'),
    part('auth_results'),
  ];
  return {
    sourceIp: toText(source.ip_address),
    count,
    disposition: toText(evaluated.disposition),
    dkim: toText(evaluated.dkim),
    spf: toText(evaluated.spf),
    headerFrom: toText(identifiers.header_from),
    envelopeFrom: toText(identifiers.envelope_from),
    envelopeTo: toText(identifiers.envelope_to),
    overrideReasons: toObjects(evaluated.policy_override_reasons)
      .map(reason => ({ type: toText(reason.type), comment: toText(reason.comment) }))
      .filter(({ type, comment }) => type !== '' || comment !== ''),
    dkimResults: toObjects(results.dkim).map(dkim => ({
      domain: toText(dkim.domain),
      selector: toText(dkim.selector),
      result: toText(dkim.result),
      humanResult: toText(dkim.human_result),
    })),
    spfResults: toObjects(results.spf).map(spf => ({
      domain: toText(spf.domain),
      scope: toText(spf.scope),
      result: toText(spf.result),
      humanResult: toText(spf.human_result),
    })),
    source: {
      sourceHostname: toText(source.reverse_dns),
      organisation: toText(source.as_name),
      asn: toInteger(source.asn),
      country: toText(source.country),
    },
  };
}

function tls(report: Fields, { context, place }: JsonSource): ParseResult[] {
  const texts = (value: unknown) =>
    toList(value)
      .map(toText)
      .filter(text => text !== '');
  const records = tlsRecords({
    reporter: toText(report.organization_name),
    contactInfo: toText(report.contact_info),
    reportId: toText(report.report_id),
    begin: toTime(report.begin_date),
    end: toTime(report.end_date),
    policies: policiesIn(report.policies).map(policy => ({
      domain: toText(policy.policy_domain),
      policyType: toText(policy.policy_type),
      policyStrings: texts(policy.policy_strings),
      mxHosts: texts(policy.mx_host_patterns),
      successfulSessions: toInteger(policy.successful_session_count),
      failedSessions: toInteger(policy.failed_session_count),
      failureDetails: toObjects(policy.failure_details).map(detail => ({
        resultType: toText(detail.result_type),
        failedSessions: toInteger(detail.failed_session_count),
        sendingMtaIp: toText(detail.sending_mta_ip),
        receivingIp: toText(detail.receiving_ip),
        receivingMxHostname: toText(detail.receiving_mx_hostname),
        receivingMxHelo: toText(detail.receiving_mx_helo),
        failureReasonCode: toText(detail.failure_reason_code),
        additionalInformation: toText(detail.additional_info_uri ?? detail.additional_information_uri),
      })),
      raw: JSON.stringify(policy),
    })),
  });
  return Array.from(records, record => {
    try {
      return context.reports.line(record);
    } catch (error) {
      return toSkipped(place, error);
    }
  });
}
