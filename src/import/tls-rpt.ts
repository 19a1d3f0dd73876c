import { hash } from 'node:crypto';
import { Ordinals } from './ordinals.ts';
import { type ImportedReport, identify } from './reports.ts';
import { Unreadable } from './unreadable.ts';
import { instantOf, integerOf, isObject, listOf, oneOf, textOf, timeOf } from './values.ts';

/** An SMTP TLS report (RFC 8460) as it was read, whatever tool wrote it down. */
export interface TlsReport {
  reporter: string;
  contactInfo: string;
  reportId: string;
  /** In milliseconds. */
  begin: number | undefined;
  end: number | undefined;
  policies: readonly TlsPolicy[];
}

export interface TlsPolicy {
  domain: string;
  policyType: string;
  policyStrings: readonly string[];
  mxHosts: readonly string[];
  successfulSessions: number | null;
  failedSessions: number | null;
  failureDetails: readonly FailureDetail[];
  raw: string;
}

export interface FailureDetail {
  resultType: string;
  failedSessions: number | null;
  sendingMtaIp: string;
  receivingIp: string;
  receivingMxHostname: string;
  receivingMxHelo: string;
  failureReasonCode: string;
  additionalInformation: string;
}

const POLICY_TYPES = ['tlsa', 'sts', 'no-policy-found'] as const;

/** A record for each policy. @throws {Unreadable} where they could have no date */
export function tlsRecords(report: TlsReport): ImportedReport[] {
  const { begin, end } = report;
  if (begin === undefined) throw new Unreadable('has no date range');
  const ordinals = new Ordinals(Number.POSITIVE_INFINITY);
  const keyOf = ({ domain, policyType }: TlsPolicy) => JSON.stringify([domain.toLowerCase(), policyType]);
  const keys = report.policies.map(keyOf);
  const times = new Map<string, number>();
  for (const key of keys) times.set(key, (times.get(key) ?? 0) + 1);
  return report.policies.map((policy, index) => {
    const { raw, ...fields } = policy;
    const key = keys[index]!;
    const isAlone = times.get(key) === 1;
    // A policy that changed within the day is there twice: what it says tells one from the other.
    const content = isAlone ? '' : hash('sha256', key + JSON.stringify(fields), 'base64');
    const ordinal = isAlone ? 0 : ordinals.next(content);
    const range = [report.reporter.toLowerCase(), report.reportId, String(Math.floor(begin / 1000))];
    return {
      type: 'tls_rpt',
      id: identify('tls_rpt', ...range, key, content, String(ordinal)),
      date: begin,
      fields: {
        ...fields,
        policyType: oneOf(POLICY_TYPES, policy.policyType),
        successfulSessions: policy.successfulSessions ?? 0,
        failedSessions: policy.failedSessions ?? 0,
        reporter: report.reporter,
        contactInfo: report.contactInfo,
        reportId: report.reportId,
        beginDate: instantOf(begin),
        endDate: end === undefined ? null : instantOf(end),
      },
      raw,
    };
  });
}

/** Whether it is a report as RFC 8460 section 4.4 has it. */
export function isTlsReport(value: Record<string, unknown>): boolean {
  return (
    'policies' in value && ('organization-name' in value || 'report-id' in value || 'date-range' in value)
  );
}

/**
 * @param domain what the report is about, where a policy does not say it
 * @throws {Unreadable}
 */
export function tlsReportOf(value: Record<string, unknown>, domain: string): TlsReport {
  const range = isObject(value['date-range']) ? value['date-range'] : {};
  return {
    reporter: textOf(value['organization-name']),
    contactInfo: textOf(value['contact-info']),
    reportId: textOf(value['report-id']).replace(/^<|>$/g, ''),
    begin: timeOf(range['start-datetime']),
    end: timeOf(range['end-datetime']),
    policies: listOf(value.policies)
      .filter(isObject)
      .map(entry => tlsPolicyOf(entry, domain)),
  };
}

function tlsPolicyOf(entry: Record<string, unknown>, domain: string): TlsPolicy {
  const policy = isObject(entry.policy) ? entry.policy : {};
  const summary = isObject(entry.summary) ? entry.summary : {};
  return {
    domain: textOf(policy['policy-domain']) || domain,
    policyType: textOf(policy['policy-type']),
    policyStrings: textsOf(policy['policy-string']),
    mxHosts: [...textsOf(policy['mx-host']), ...textsOf(policy['mx-host-pattern'])],
    successfulSessions: integerOf(summary['total-successful-session-count']),
    failedSessions: integerOf(summary['total-failure-session-count']),
    failureDetails: listOf(entry['failure-details']).filter(isObject).map(failureDetailOf),
    raw: JSON.stringify(entry),
  };
}

function failureDetailOf(detail: Record<string, unknown>): FailureDetail {
  return {
    resultType: textOf(detail['result-type']),
    failedSessions: integerOf(detail['failed-session-count']),
    sendingMtaIp: textOf(detail['sending-mta-ip']),
    receivingIp: textOf(detail['receiving-ip']),
    receivingMxHostname: textOf(detail['receiving-mx-hostname']),
    receivingMxHelo: textOf(detail['receiving-mx-helo']),
    failureReasonCode: textOf(detail['failure-reason-code']),
    additionalInformation: textOf(detail['additional-information'] ?? detail['additional-info-uri']),
  };
}

function textsOf(value: unknown): string[] {
  return listOf(value)
    .map(textOf)
    .filter(text => text !== '');
}
