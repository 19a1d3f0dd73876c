import { type DayStart, type DemoFile, toGzip } from './file.ts';
import { attachFile, mail } from './mails.ts';

type Fields = Record<string, unknown>;

const tlsReport = (day: DayStart, id: string, policies: readonly Fields[], more: Fields = {}): Fields => ({
  'organization-name': 'receiver.example',
  'date-range': {
    'start-datetime': new Date(day).toISOString().replace('.000', ''),
    'end-datetime': new Date(day + 86_399_000).toISOString().replace('.000', ''),
  },
  'contact-info': 'tls@receiver.example',
  'report-id': id,
  policies,
  ...more,
});

const policy = (more: Fields = {}, rest: Fields = {}): Fields => ({
  policy: {
    'policy-type': 'sts',
    'policy-string': ['version: STSv1', 'mode: enforce', 'mx: mail.shop.example', 'max_age: 604800'],
    'policy-domain': 'shop.example',
    'mx-host': 'mail.shop.example',
    ...more,
  },
  summary: { 'total-successful-session-count': 240, 'total-failure-session-count': 2 },
  'failure-details': [
    { 'result-type': 'certificate-expired', 'sending-mta-ip': '192.0.2.20', 'failed-session-count': 1 },
    { 'result-type': 'validation-failure', 'failed-session-count': 1, 'failure-reason-code': 'X509_V_ERR' },
  ],
  ...rest,
});

const NO_POLICY = { 'policy-type': 'no-policy-found', 'policy-string': undefined, 'mx-host': undefined };

/** SMTP TLS reports (RFC 8460), with the variations that occur. */
export function tlsFiles(day: DayStart): DemoFile[] {
  const json = (id: string, policies: readonly Fields[], more?: Fields) =>
    `${JSON.stringify(tlsReport(day, id, policies, more), null, 2)}\n`;
  const ofMail = toGzip(json('mail', [policy({ 'policy-domain': undefined })]));
  const files: Record<string, string | Uint8Array> = {
    'report.json': json('report', [policy(), policy(NO_POLICY)]),
    'report.json.gz': toGzip(json('gzip', [policy()])),
    'mail.eml': mail(
      {
        to: 'tls',
        type: 'multipart/report; report-type="tlsrpt"',
        more: '\r\nTLS-Report-Domain: shop.example\r\nTLS-Report-Submitter: receiver.example',
      },
      attachFile(ofMail, 'application/tlsrpt+gzip', 'receiver.example!shop.example!1!2.json.gz'),
    ),
    'receiver.example!named.example!1!2.json': json('named', [policy({ 'policy-domain': undefined })]),
    'texts.json': json('texts', [
      policy({ 'policy-string': 'version: STSv1', 'mx-host': ['a.example', 'b.example'] }),
    ]),
    'pattern.json': json('pattern', [policy({ 'mx-host': undefined, 'mx-host-pattern': '*.shop.example' })]),
    'nothing-else.json': json('nothing', [policy({}, { 'failure-details': null })], { 'contact-info': null }),
    'unknown.json': json('unknown', [policy({ 'policy-type': 'dane-new' })]),
    'no-policies.json': json('none', []),
  };
  return Object.entries(files).map(([path, content]) => ({ path: `tls-rpt/${path}`, content }));
}
