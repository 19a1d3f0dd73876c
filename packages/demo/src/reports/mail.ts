import { MS_PER_DAY } from '@sightline/reports';
import { timestamp } from '../calendar.ts';
import { MAIL_NETWORKS, SPOOFING_NETWORKS } from '../networks.ts';
import { isBrokenSender } from '../stories.ts';
import type { ReportFields, Scene } from './scene.ts';

const RECEIVERS = [
  { reporter: 'Example Mail', domain: 'mail.example' },
  { reporter: 'Postfach Online', domain: 'postfach.example' },
  { reporter: 'Inbox Corporation', domain: 'inbox.test' },
];
const POLICY = 'quarantine';
const SUBDOMAIN_POLICY = 'reject';
const FORWARDED = { type: 'forwarded', comment: 'Looks forwarded, downgraded to none' };
const MAILING_LIST = { type: 'mailing_list', comment: '' };

/** A row of an aggregate report: the messages of one sender for the account's domain on one day. */
function dmarc(scene: Scene): ReportFields {
  const { account, random, time, planned } = scene;
  const { domain } = account;
  const headerFrom = random.chance(0.8) ? domain : `news.${domain}`;
  const receiver = random.pick(RECEIVERS);
  const isSpoofed = random.chance(0.15) && !planned?.mail;
  const network = planned?.mail?.network ?? random.pick(isSpoofed ? SPOOFING_NETWORKS : MAIL_NETWORKS);
  const host = random.integer(1, 40);
  const isBroken = isBrokenSender(scene, network.organisation);
  const hasNoKey = planned?.mail?.dkim === 'permerror';
  const dkim = hasNoKey || isSpoofed || isBroken || random.chance(0.04) ? 'fail' : 'pass';
  const spf = isSpoofed || isBroken || (random.chance(0.08) && !planned?.mail) ? 'fail' : 'pass';
  const aligned = dkim === 'pass' || spf === 'pass';
  const overrideReasons = !aligned && random.chance(0.2) ? [random.pick([FORWARDED, MAILING_LIST])] : [];
  const publishedPolicy = {
    p: POLICY,
    sp: SUBDOMAIN_POLICY,
    np: 'reject',
    adkim: 'r',
    aspf: 'r',
    fo: '1',
    pct: random.chance(0.5) ? 100 : null,
    testing: 'n',
    discoveryMethod: random.chance(0.5) ? 'treewalk' : 'psl',
  };
  const senderDomain = isSpoofed ? 'bulk.test' : domain;
  const row = {
    domain,
    headerFrom,
    envelopeFrom: senderDomain,
    envelopeTo: receiver.domain,
    sourceIp: network.prefix + host,
    sourceHostname: isSpoofed && random.chance(0.5) ? '' : `out-${host}.mta.example`,
    disposition: getDisposition(
      aligned,
      overrideReasons.length > 0,
      headerFrom === domain ? POLICY : SUBDOMAIN_POLICY,
    ),
    dkim,
    spf,
    overrideReasons,
    dkimResults: isSpoofed
      ? []
      : [
          {
            domain,
            selector: 's2026',
            result: hasNoKey ? 'permerror' : dkim,
            humanResult: hasNoKey ? 'no key for signature' : dkim === 'fail' ? 'body hash mismatch' : '',
          },
        ],
    spfResults: [
      { domain: senderDomain, scope: 'mfrom', result: spf === 'pass' ? 'pass' : 'softfail', humanResult: '' },
    ],
    publishedPolicy,
  };
  const report = {
    reporter: receiver.reporter,
    reporterEmail: `dmarc-reports@${receiver.domain}`,
    reportId: `${domain}:${random.integer(1e9, 9e9)}`,
    generator: `${receiver.reporter} reporter 2.1`,
    ...dayBefore(time),
  };
  const count = planned?.mail?.count ?? Math.min(20_000, Math.floor(3 / (1 - random.next())));
  return {
    raw: JSON.stringify({ report, count, ...row }),
    count,
    ...row,
    ...report,
    organisation: network.organisation,
    asn: network.asn,
    country: network.country,
    aligned,
  };
}

function getDisposition(aligned: boolean, isOverridden: boolean, policy: string): string {
  if (aligned) return 'pass';
  return isOverridden ? 'none' : policy;
}

const FAILURES = [
  'certificate-expired',
  'starttls-not-supported',
  'certificate-host-mismatch',
  'validation-failure',
];

/** A policy of a TLS report (RFC 8460) for one day. */
function tlsRpt(scene: Scene): ReportFields {
  const { account, random, time } = scene;
  const { domain } = account;
  const receiver = random.pick(RECEIVERS);
  const policyType = random.pick(['sts', 'sts', 'tlsa', 'no-policy-found']);
  const mxHosts = policyType === 'no-policy-found' ? [] : [`mx1.${domain}`, `mx2.${domain}`];
  const failedSessions = random.chance(0.2) ? random.integer(1, 60) : 0;
  const successfulSessions = random.integer(1, 5000);
  const failureDetails = failedSessions === 0 ? [] : [toFailure(scene, failedSessions)];
  const policyStrings = listPolicyStrings(policyType, mxHosts);
  const report = {
    reporter: receiver.reporter,
    contactInfo: `smtp-tls-reporting@${receiver.domain}`,
    reportId: `${random.hex(16)}@${receiver.domain}`,
    ...dayBefore(time),
  };
  return {
    raw: JSON.stringify({
      'organization-name': report.reporter,
      'date-range': { 'start-datetime': report.beginDate, 'end-datetime': report.endDate },
      'contact-info': report.contactInfo,
      'report-id': report.reportId,
      policies: [
        {
          policy: {
            'policy-type': policyType,
            'policy-string': policyStrings,
            'policy-domain': domain,
            'mx-host': mxHosts,
          },
          summary: {
            'total-successful-session-count': successfulSessions,
            'total-failure-session-count': failedSessions,
          },
          'failure-details': failureDetails.map(rawFailure),
        },
      ],
    }),
    count: 1,
    domain,
    policyType,
    policyStrings,
    mxHosts,
    successfulSessions,
    failedSessions,
    failureDetails,
    ...report,
  };
}

function listPolicyStrings(policyType: string, mxHosts: readonly string[]): string[] {
  if (policyType === 'no-policy-found') return [];
  if (policyType === 'tlsa')
    return ['3 1 1 8f2c1d5e0b7a4963a1c0d2e4f68b9a7c5d3e1f0a2b4c6d8e9f7a5b3c1d0e2f4a'];
  return ['version: STSv1', 'mode: enforce', ...mxHosts.map(host => `mx: ${host}`), 'max_age: 604800'];
}

function toFailure({ account, random }: Scene, failedSessions: number) {
  const mx = `mx${random.integer(1, 2)}.${account.domain}`;
  return {
    resultType: random.pick(FAILURES),
    failedSessions,
    sendingMtaIp: `198.51.100.${random.integer(1, 254)}`,
    receivingIp: `203.0.113.${random.integer(1, 9)}`,
    receivingMxHostname: mx,
    receivingMxHelo: mx,
    failureReasonCode: random.chance(0.5) ? 'X509_V_ERR_CERT_HAS_EXPIRED' : '',
    additionalInformation: random.chance(0.3) ? 'https://mail.example/help/tls' : '',
  };
}

function rawFailure(failure: ReturnType<typeof toFailure>) {
  return {
    'result-type': failure.resultType,
    'failed-session-count': failure.failedSessions,
    'sending-mta-ip': failure.sendingMtaIp,
    'receiving-ip': failure.receivingIp,
    'receiving-mx-hostname': failure.receivingMxHostname,
    'receiving-mx-helo': failure.receivingMxHelo,
    'failure-reason-code': failure.failureReasonCode,
    'additional-information': failure.additionalInformation,
  };
}

function dayBefore(time: number) {
  const midnight = Math.floor(time / MS_PER_DAY) * MS_PER_DAY;
  return { beginDate: timestamp(midnight - MS_PER_DAY), endDate: timestamp(midnight - 1000) };
}

/** The generators of these reports, by type. */
export const MAIL = { dmarc, tls_rpt: tlsRpt };
