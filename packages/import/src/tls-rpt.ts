import { hash } from 'node:crypto';
import { MOST_OBJECTS } from '@sightline/feed/checks';
import { Ordinals } from './ordinals.ts';
import { type ImportedReport, identify } from './reports.ts';
import { Unreadable } from './unreadable.ts';
import { addressOf, instantOf, integerOf, isObject, listOf, oneOf, textOf, timeOf } from './values.ts';

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

/** Policies of one report, which is in memory as a whole. */
const MOST_POLICIES = 10_000;

const POLICY_TYPES = ['tlsa', 'sts', 'no-policy-found'] as const;

/** A record for each policy, made as it is asked for. @throws {Unreadable} where they could have no date */
export function* tlsRecords(report: TlsReport): Generator<ImportedReport> {
  const { begin, end } = report;
  if (begin === undefined) throw new Unreadable('has no date range');
  const range = [report.reporter.toLowerCase(), report.reportId, String(Math.floor(begin / 1000))];
  const shared = {
    reporter: report.reporter,
    contactInfo: report.contactInfo,
    reportId: report.reportId,
    beginDate: instantOf(begin),
    endDate: end === undefined ? null : instantOf(end),
  };
  const [ordinals, formerOrdinals] = [new Ordinals(MOST_POLICIES), new Ordinals(MOST_POLICIES)];
  const times = timesOf(report.policies.map(keyOf));
  for (const policy of report.policies) {
    const { raw, ...fields } = policy;
    const failureDetails = policy.failureDetails.map(withAddresses);
    const key = keyOf(policy);
    // Reporter, id and day can be guessed: with what it says, a forged report does not take the place of the true one.
    const idOf = (content: string) => {
      const digest = hash('sha256', key + content, 'base64');
      return identify('tls_rpt', ...range, key, digest, String(ordinals.next(digest)));
    };
    const [content, spelled] = [contentOf({ ...policy, failureDetails }), contentOf(policy)];
    // Versions before looked at it only where a policy was there twice.
    const former = times.get(key) === 1 ? '' : hash('sha256', key + JSON.stringify(fields), 'base64');
    const formerOrdinal = former === '' ? 0 : formerOrdinals.next(former);
    yield {
      type: 'tls_rpt',
      id: idOf(content),
      formerIds: [
        identify('tls_rpt', ...range, key, former, String(formerOrdinal)),
        // Later ones took addresses as they were spelled.
        ...(spelled === content ? [] : [idOf(spelled)]),
      ],
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
  sendingMtaIp: addressOf(detail.sendingMtaIp),
  receivingIp: addressOf(detail.receivingIp),
});

/** The content of a policy, without the parts that parsedmarc leaves out: hosts of mails, further information. */
function contentOf({ policyStrings, successfulSessions, failedSessions, failureDetails }: TlsPolicy): string {
  const details = failureDetails.map(({ additionalInformation: _, ...detail }) => detail);
  return JSON.stringify([policyStrings, successfulSessions, failedSessions, details]);
}

function keyOf({ domain, policyType }: TlsPolicy): string {
  return JSON.stringify([domain.toLowerCase(), policyType]);
}

function timesOf(keys: readonly string[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const key of keys) times.set(key, (times.get(key) ?? 0) + 1);
  return times;
}

/** True for a report of RFC 8460, section 4.4. */
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
    policies: policiesIn(value.policies).map(entry => tlsPolicyOf(entry, domain)),
  };
}

/** The policies of a report, whatever tool wrote it down. @throws {Unreadable} for too many */
export function policiesIn(value: unknown): Record<string, unknown>[] {
  const policies = listOf(value).filter(isObject);
  if (policies.length > MOST_POLICIES)
    throw new Unreadable('has too many records', `over ${MOST_POLICIES} policies`);
  return policies;
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
    failureDetails: objectsOf(entry['failure-details']).map(failureDetailOf),
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

/** Objects of a list, as many as a record can have. */
export function objectsOf(value: unknown): Record<string, unknown>[] {
  return listOf(value).filter(isObject).slice(0, MOST_OBJECTS);
}

function textsOf(value: unknown): string[] {
  return listOf(value)
    .map(textOf)
    .filter(text => text !== '');
}
