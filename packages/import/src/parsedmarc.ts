import { type AggregateReport, type AggregateRow, AggregateRows, policyOf } from './dmarc/aggregate.ts';
import { type Finding, notKept, skipped } from './finding.ts';
import { requireFormat } from './format.ts';
import type { JsonSource } from './json/source.ts';
import type { Ordinals } from './ordinals.ts';
import { documentsOf, reportOfDocument } from './parsedmarc-search.ts';
import { objectsOf, policiesIn, tlsRecords } from './tls-rpt.ts';
import { Unreadable } from './unreadable.ts';
import { integerOf, isObject, listOf, textOf, timeOf } from './values.ts';

type Fields = Record<string, unknown>;

/**
 * Reads what parsedmarc exports: one report, or all of a run; undefined for what is neither. Its times are UTC and
 * say no offset.
 * @throws {Unreadable}
 */
export function parsedmarcFindings(value: Fields, source: JsonSource): Finding[] | undefined {
  const { context } = source;
  if ('aggregate_reports' in value || 'smtp_tls_reports' in value) {
    requireFormat(context, 'parsedmarc');
    const reports = [...listOf(value.aggregate_reports), ...listOf(value.smtp_tls_reports)].filter(isObject);
    const failures = [...listOf(value.failure_reports), ...listOf(value.forensic_reports)];
    return [
      ...reports.flatMap((report, index) =>
        guarded(report, { ...source, place: `${source.place}, report ${index + 1}` }),
      ),
      ...failures.map(() => notKept('dmarc-failure')),
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

/** Finds the reports of a document in Elasticsearch or OpenSearch, or of an answer with many. */
function searchFindings(value: Fields, source: JsonSource): Finding[] | undefined {
  const documents = documentsOf(value) ?? [value];
  const reports = documents.map(document => reportOfDocument(document));
  if (!reports.some(report => report !== undefined)) return undefined;
  requireFormat(source.context, 'parsedmarc');
  return reports.flatMap((report, index) => {
    const place = reports.length === 1 ? source.place : `${source.place}, hit ${index + 1}`;
    try {
      return reportFindings(report, { ...source, place });
    } catch (error) {
      return [skipped(place, error)];
    }
  });
}

/**
 * Reads a report in the form of parsedmarc's JSON. Its rows may come in parts: equal ones are told apart by the source's
 * ordinals.
 * @throws {Unreadable}
 */
export function reportFindings(report: Fields | undefined, source: JsonSource): Finding[] {
  if (!report) throw new Unreadable('is no report that is known');
  const { report_metadata: metadata, records } = report;
  if (!isObject(metadata) || !Array.isArray(records)) return tls(report, source);
  return aggregate(report, metadata, records, source, source.ordinals);
}

function guarded(report: Fields, source: JsonSource): Finding[] {
  try {
    return parsedmarcFindings(report, source) ?? [];
  } catch (error) {
    return [skipped(source.place, error)];
  }
}

function aggregate(
  report: Fields,
  metadata: Fields,
  records: readonly unknown[],
  source: JsonSource,
  equals?: Ordinals,
): Finding[] {
  const { context, place } = source;
  if (records.length > context.bounds.records) throw new Unreadable('has too many records');
  const entries = unsplit(records.filter(isObject));
  const rows = new AggregateRows(reportOf(report, metadata, entries[0]?.record), equals);
  return entries.map(({ record, count }, index) => {
    try {
      return context.reports.line(rows.record(rowOf(record, count), JSON.stringify(record)));
    } catch (error) {
      return skipped(`${place}, record ${index + 1}`, error);
    }
  });
}

interface Entry {
  record: Fields;
  count: number | null;
}

/** A row of a long period is split into its days: they are one record, as in the report. */
function unsplit(records: readonly Fields[]): Entry[] {
  const entries: Entry[] = [];
  let last: { content: string; begin: string } | undefined;
  for (const record of records) {
    const count = integerOf(record.count);
    const { count: _, interval_begin, interval_end: __, ...rest } = record;
    const content = record.normalized_timespan === true ? JSON.stringify(rest) : '';
    const begin = textOf(interval_begin);
    if (content !== '' && last?.content === content && begin > last.begin) {
      const entry = entries.at(-1)!;
      entry.count = entry.count === null || count === null ? null : entry.count + count;
    } else entries.push({ record, count });
    last = content === '' ? undefined : { content, begin };
  }
  return entries;
}

function reportOf(report: Fields, metadata: Fields, first: Fields | undefined): AggregateReport {
  const policy = isObject(report.policy_published) ? report.policy_published : {};
  const text = (name: string) => textOf(policy[name]);
  const email = textOf(metadata.org_email);
  // Some versions write the begin of the report in local time, and that of a record always in UTC.
  const isWhole = first !== undefined && first.normalized_timespan === false;
  return {
    reporter: textOf(metadata.org_name) || (email.split('@').at(-1) ?? ''),
    reporterEmail: email,
    reportId: textOf(metadata.report_id),
    generator: textOf(metadata.generator),
    begin: (isWhole ? timeOf(first.interval_begin) : undefined) ?? timeOf(metadata.begin_date),
    end: (isWhole ? timeOf(first.interval_end) : undefined) ?? timeOf(metadata.end_date),
    domain: text('domain'),
    policy: policyOf(text),
  };
}

function rowOf(record: Fields, count: number | null): AggregateRow {
  const part = (name: string): Fields => (isObject(record[name]) ? record[name] : {});
  const [source, evaluated, identifiers, results] = [
    part('source'),
    part('policy_evaluated'),
    part('identifiers'),
    part('auth_results'),
  ];
  return {
    sourceIp: textOf(source.ip_address),
    count,
    disposition: textOf(evaluated.disposition),
    dkim: textOf(evaluated.dkim),
    spf: textOf(evaluated.spf),
    headerFrom: textOf(identifiers.header_from),
    envelopeFrom: textOf(identifiers.envelope_from),
    envelopeTo: textOf(identifiers.envelope_to),
    overrideReasons: objectsOf(evaluated.policy_override_reasons)
      .map(reason => ({ type: textOf(reason.type), comment: textOf(reason.comment) }))
      .filter(({ type, comment }) => type !== '' || comment !== ''),
    dkimResults: objectsOf(results.dkim).map(dkim => ({
      domain: textOf(dkim.domain),
      selector: textOf(dkim.selector),
      result: textOf(dkim.result),
      humanResult: textOf(dkim.human_result),
    })),
    spfResults: objectsOf(results.spf).map(spf => ({
      domain: textOf(spf.domain),
      scope: textOf(spf.scope),
      result: textOf(spf.result),
      humanResult: textOf(spf.human_result),
    })),
    source: {
      sourceHostname: textOf(source.reverse_dns),
      organisation: textOf(source.as_name),
      asn: integerOf(source.asn),
      country: textOf(source.country),
    },
  };
}

function tls(report: Fields, { context, place }: JsonSource): Finding[] {
  const texts = (value: unknown) =>
    listOf(value)
      .map(textOf)
      .filter(text => text !== '');
  const records = tlsRecords({
    reporter: textOf(report.organization_name),
    contactInfo: textOf(report.contact_info),
    reportId: textOf(report.report_id),
    begin: timeOf(report.begin_date),
    end: timeOf(report.end_date),
    policies: policiesIn(report.policies).map(policy => ({
      domain: textOf(policy.policy_domain),
      policyType: textOf(policy.policy_type),
      policyStrings: texts(policy.policy_strings),
      mxHosts: texts(policy.mx_host_patterns),
      successfulSessions: integerOf(policy.successful_session_count),
      failedSessions: integerOf(policy.failed_session_count),
      failureDetails: objectsOf(policy.failure_details).map(detail => ({
        resultType: textOf(detail.result_type),
        failedSessions: integerOf(detail.failed_session_count),
        sendingMtaIp: textOf(detail.sending_mta_ip),
        receivingIp: textOf(detail.receiving_ip),
        receivingMxHostname: textOf(detail.receiving_mx_hostname),
        receivingMxHelo: textOf(detail.receiving_mx_helo),
        failureReasonCode: textOf(detail.failure_reason_code),
        additionalInformation: textOf(detail.additional_info_uri ?? detail.additional_information_uri),
      })),
      raw: JSON.stringify(policy),
    })),
  });
  return Array.from(records, record => {
    try {
      return context.reports.line(record);
    } catch (error) {
      return skipped(place, error);
    }
  });
}
