import { hash } from 'node:crypto';
import { MOST_OBJECTS } from '@sightline/feed';
import { listValues, parseIpAddress } from '@sightline/reports';
import { Ordinals } from './ordinals.ts';
import { type ImportedReport, identify } from './reports.ts';
import { Unreadable } from './unreadable.ts';
import { isObject, oneOf, toInstant, toInteger, toList, toText, toTime } from './values.ts';

/** An SMTP TLS report (RFC 8460), independent of the tool that wrote it. */
export interface TlsReport {
  reporter: string;
  contactInfo: string;
  reportId: string;
  /** The start of the reporting period, in milliseconds since 1970. */
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

/** Maximum number of policies in a report, because a report is held in memory as a whole. */
const MOST_POLICIES = 10_000;

const POLICY_TYPES = listValues('tls_rpt', 'policyType');

/**
 * Generates a record for each policy.
 * @throws {Unreadable} if the date is invalid
 */
export function* tlsRecords(report: TlsReport): Generator<ImportedReport> {
  const { begin, end } = report;
  if (begin === undefined) throw new Unreadable('has no date range');
  const range = [report.reporter.toLowerCase(), report.reportId, String(Math.floor(begin / 1000))];
  const shared = {
    reporter: report.reporter,
    contactInfo: report.contactInfo,
    reportId: report.reportId,
    beginDate: toInstant(begin),
    endDate: end === undefined ? null : toInstant(end),
  };
  const ordinals = new Ordinals(MOST_POLICIES);
  for (const policy of report.policies) {
    const { raw, ...fields } = policy;
    const failureDetails = policy.failureDetails.map(withAddresses);
    // Reporter, id and day can be guessed. The content is part of the id, so that a forged report cannot replace the
    // real one.
    const digest = hash('sha256', toKey(policy) + toContent({ ...policy, failureDetails }), 'base64');
    yield {
      type: 'tls_rpt',
      id: identify('tls_rpt', ...range, digest, String(ordinals.next(digest))),
      date: begin,
      fields: {
        ...fields,
        failureDetails,
        policyType: oneOf(POLICY_TYPES, policy.policyType),
        successfulSessions: policy.successfulSessions ?? 0,
        failedSessions: policy.failedSessions ?? 0,
        ...shared,
      },
      raw,
    };
  }
}

const withAddresses = (detail: FailureDetail): FailureDetail => ({
  ...detail,
  sendingMtaIp: parseIpAddress(detail.sendingMtaIp) ?? '',
  receivingIp: parseIpAddress(detail.receivingIp) ?? '',
});

/** Returns the content of a policy without the fields that parsedmarc omits: MX hosts and additional information. */
function toContent({ policyStrings, successfulSessions, failedSessions, failureDetails }: TlsPolicy): string {
  const details = failureDetails.map(({ additionalInformation: _, ...detail }) => detail);
  return JSON.stringify([policyStrings, successfulSessions, failedSessions, details]);
}

function toKey({ domain, policyType }: TlsPolicy): string {
  return JSON.stringify([domain.toLowerCase(), policyType]);
}

/** Checks whether a value is an SMTP TLS report (RFC 8460, section 4.4). */
export function isTlsReport(value: Record<string, unknown>): boolean {
  return (
    'policies' in value && ('organization-name' in value || 'report-id' in value || 'date-range' in value)
  );
}

/**
 * Reads an SMTP TLS report.
 * @param domain the domain of policies that do not name one
 * @throws {Unreadable}
 */
export function toTlsReport(value: Record<string, unknown>, domain: string): TlsReport {
  const range = isObject(value['date-range']) ? value['date-range'] : {};
  return {
    reporter: toText(value['organization-name']),
    contactInfo: toText(value['contact-info']),
    reportId: toText(value['report-id']).replace(/^<|>$/g, ''),
    begin: toTime(range['start-datetime']),
    end: toTime(range['end-datetime']),
    policies: policiesIn(value.policies).map(entry => toTlsPolicy(entry, domain)),
  };
}

/**
 * Returns the policies of a report of any tool.
 * @throws {Unreadable} if there are too many
 */
export function policiesIn(value: unknown): Record<string, unknown>[] {
  const policies = toList(value).filter(isObject);
  if (policies.length > MOST_POLICIES)
    throw new Unreadable('has too many records', `over ${MOST_POLICIES} policies`);
  return policies;
}

function toTlsPolicy(entry: Record<string, unknown>, domain: string): TlsPolicy {
  const policy = isObject(entry.policy) ? entry.policy : {};
  const summary = isObject(entry.summary) ? entry.summary : {};
  return {
    domain: toText(policy['policy-domain']) || domain,
    policyType: toText(policy['policy-type']),
    policyStrings: toTexts(policy['policy-string']),
    mxHosts: [...toTexts(policy['mx-host']), ...toTexts(policy['mx-host-pattern'])],
    successfulSessions: toInteger(summary['total-successful-session-count']),
    failedSessions: toInteger(summary['total-failure-session-count']),
    failureDetails: toObjects(entry['failure-details']).map(toFailureDetail),
    raw: JSON.stringify(entry),
  };
}

function toFailureDetail(detail: Record<string, unknown>): FailureDetail {
  return {
    resultType: toText(detail['result-type']),
    failedSessions: toInteger(detail['failed-session-count']),
    sendingMtaIp: toText(detail['sending-mta-ip']),
    receivingIp: toText(detail['receiving-ip']),
    receivingMxHostname: toText(detail['receiving-mx-hostname']),
    receivingMxHelo: toText(detail['receiving-mx-helo']),
    failureReasonCode: toText(detail['failure-reason-code']),
    additionalInformation: toText(detail['additional-information'] ?? detail['additional-info-uri']),
  };
}

/** Returns the objects of a list, at most as many as a record can contain. */
export function toObjects(value: unknown): Record<string, unknown>[] {
  return toList(value).filter(isObject).slice(0, MOST_OBJECTS);
}

function toTexts(value: unknown): string[] {
  return toList(value)
    .map(toText)
    .filter(text => text !== '');
}
