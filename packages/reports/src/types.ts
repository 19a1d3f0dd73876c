/**
 * The fields of each report type. The feed, the columns, the GraphQL types and the OpenAPI schemas are generated from
 * them. Shapes follow the W3C Reporting API, CSP3, NEL, Permissions Policy, SRI (Integrity-Policy), RFC 9162, RFC 9990
 * (DMARC) and RFC 8460 (TLS-RPT).
 */

import type { ReportColumn } from './columns.ts';

/** The types of `/v1`, which is frozen. Every list of report types uses this order. */
export const REST_REPORT_TYPES = [
  'csp',
  'csp_integrity',
  'integrity_policy',
  'permissions_policy',
  'nel',
  'deprecation',
  'intervention',
  'crash',
  'coep',
  'coop',
  'dmarc',
  'tls_rpt',
  'certificate_transparency',
] as const;
export type RestReportType = (typeof REST_REPORT_TYPES)[number];

/** All types, including those that only `/graphql` and `/export` have. */
export const REPORT_TYPES = [...REST_REPORT_TYPES, 'connection_allowlist', 'other'] as const;
export type ReportType = (typeof REPORT_TYPES)[number];

/** The types that arrive by mail. Such reports carry the start of their day and arrive on the next one. */
export const MAIL_REPORT_TYPES: readonly ReportType[] = ['dmarc', 'tls_rpt'];

export function isMailReportType(name: string): boolean {
  return (MAIL_REPORT_TYPES as readonly string[]).includes(name);
}

export function isRestReportType(name: string): name is RestReportType {
  return (REST_REPORT_TYPES as readonly string[]).includes(name);
}

export function isReportType(name: string): name is ReportType {
  return (REPORT_TYPES as readonly string[]).includes(name);
}

/** A `flag` is 0 or 1. An `object` is always present, with all its fields. For absent fields, see `getUnknownValue`. */
export type FieldKind =
  | 'text'
  | 'integer'
  | 'number'
  | 'timestamp'
  | 'date'
  | 'boolean'
  | 'flag'
  | 'texts'
  | 'objects'
  | 'object';

export interface ReportField {
  /** The name in the record and in the feed. */
  name: string;
  kind: FieldKind;
  description: string;
  /** The column of `report`. A field without a column is stored in `extra` under its name. */
  column?: ReportColumn;
  /** True if the value can be null, since numbers, times and booleans can be unknown. */
  nullable?: boolean;
  /** True if the field needs the Threat Intelligence feature. Without it, the field is 0 or empty. */
  threatIntelligence?: boolean;
  /** The known values of a text, apart from `""`. */
  values?: readonly string[];
  /** True if `/graphql` and `/export` show the field, but `/v1` does not. */
  graphOnly?: boolean;
  /** True if the loader computes the field, so that the feed does not contain it. */
  computed?: boolean;
  /** The name of the GraphQL type of an object, and its fields. */
  type?: string;
  fields?: readonly ReportField[];
}

export interface ReportTypeDefinition {
  type: ReportType;
  label: string;
  /** The GraphQL type of a record. */
  typeName: string;
  description: string;
  /** The fields of the record, in order. */
  fields: readonly ReportField[];
  /** Further fields of the feed that only filters use. */
  filterOnly: readonly ReportField[];
  /** The fields whose hosts and paths can be filtered. */
  addresses: { page: string; blocked?: string; subresource?: string };
  /** True if browsers send the type about pages. Such reports have a path, a browser and a platform. */
  fromBrowser: boolean;
}

type Extra = Partial<Omit<ReportField, 'name' | 'kind' | 'description'>>;
const field =
  (kind: FieldKind, fixed: Extra = {}) =>
  (name: string, description: string, extra: Extra = {}): ReportField => ({
    name,
    kind,
    description,
    ...fixed,
    ...extra,
  });

const text = field('text');
const integer = field('integer', { nullable: true });
const number = field('number', { nullable: true });
const timestamp = field('timestamp', { nullable: true });
const date = field('date', { nullable: true });
const boolean = field('boolean');
/** All flags come from threat intelligence. */
const flag = field('flag', { threatIntelligence: true });
const texts = field('texts');
const objects = field('objects');
const object = field('object');

const ID = text('id', 'Identifier of the report, unique within the account and the type.', { column: 'id' });
const DATE = timestamp('date', 'When the report was created.', { column: 'date', nullable: false });
const URI = text('uri', 'Address of the page.', { column: 'uri' });
const RAW = text('raw', 'The original report as a JSON-encoded string.', { column: 'raw' });
const COUNT = integer('count', 'The number of identical reports that this record represents.', {
  column: 'count',
  nullable: false,
});
const BROWSER = text('browser', 'Name of the browser.', { column: 'browser' });
const PLATFORM = text('platform', 'Name of the operating system or platform.', { column: 'platform' });

/** Divide a report's count by the rate to estimate how many reports browsers sent. */
const SAMPLING_RATE = number(
  'samplingRate',
  'The fraction of such reports that the collector stored: this one represents count ÷ ' +
    'samplingRate reports. Null if all were stored.',
  { graphOnly: true },
);

const OF_BROWSERS = [ID, DATE, URI, RAW, COUNT, BROWSER, PLATFORM];
const OF_SERVERS = [ID, DATE, RAW, COUNT];

const ACTION = text('action', 'Whether the policy was enforced or only reported.', {
  column: 'action',
  values: ['enforced', 'reportOnly'],
});
const BLOCKED_URI = text('blockedUri', 'Address of the blocked resource, or the keyword that replaces it.', {
  column: 'blocked_uri',
});
const DESTINATION = text('destination', 'Fetch destination of the resource.', { column: 'destination' });
const SOURCE_FILE = text('sourceFile', 'Address of the script that caused the report.');
const LINE_NUMBER = integer('lineNumber', 'Line in the source file, from 1.');
const COLUMN_NUMBER = integer('columnNumber', 'Column in the source file, from 1.');
const FEATURE_ID = text('featureId', 'Identifier of the browser feature.');
const MESSAGE = text('message', "The browser's message.", { column: 'message' });
const REFERRER = text('referrer', 'Address of the referring page.');

const INDICATOR_OF_COMPROMISE = flag(
  'indicatorOfCompromise',
  '1 when the resource matches threat intelligence.',
  {
    column: 'indicator_of_compromise',
  },
);
const RECENTLY_REGISTERED = flag(
  'recentlyRegisteredDomain',
  "1 when the resource's domain was registered recently.",
  {
    column: 'recently_registered_domain',
  },
);
const LOW_REPUTATION = flag('lowReputationDomain', "1 when the resource's domain has a low reputation.", {
  column: 'low_reputation_domain',
});
const SUSPICIOUS = flag('suspicious', '1 when the resource is on the Suspicious watch-list.', {
  column: 'suspicious',
});
const THREAT_FLAGS = [INDICATOR_OF_COMPROMISE, RECENTLY_REGISTERED, LOW_REPUTATION, SUSPICIOUS];

const REPUTATION_SCORE = integer('domainReputationScore', "Reputation of the resource's host, 0 to 100.", {
  column: 'domain_reputation_score',
});

const disposition = (values: readonly string[]) =>
  text('disposition', 'Whether the policy was enforced or only reported.', { column: 'disposition', values });

function browserReport(
  type: ReportType,
  label: string,
  typeName: string,
  description: string,
  fields: readonly ReportField[],
  rest: Partial<ReportTypeDefinition> = {},
): ReportTypeDefinition {
  return {
    type,
    label,
    typeName,
    description,
    filterOnly: [],
    addresses: { page: 'uri' },
    fromBrowser: true,
    ...rest,
    fields: [...(rest.fields ?? [...OF_BROWSERS, ...fields]), SAMPLING_RATE],
  };
}

function serverReport(
  type: ReportType,
  label: string,
  typeName: string,
  description: string,
  page: string,
  fields: readonly ReportField[],
): ReportTypeDefinition {
  return {
    type,
    label,
    typeName,
    description,
    fields: [...OF_SERVERS, ...fields],
    filterOnly: [],
    addresses: { page },
    fromBrowser: false,
  };
}

/** The loader computes it from the original report. */
const READ: Extra = { graphOnly: true, computed: true };

const csp = browserReport(
  'csp',
  'Content Security Policy',
  'CspReport',
  'A violation of a Content Security Policy.',
  [],
  {
    fields: [
      ACTION,
      DATE,
      URI,
      text('directive', 'The violated directive.', { column: 'directive' }),
      BLOCKED_URI,
      RAW,
      COUNT,
      BROWSER,
      PLATFORM,
      flag('generatedDomain', '1 when the blocked resource is an algorithmically generated domain.', {
        column: 'generated_domain',
      }),
      INDICATOR_OF_COMPROMISE,
      RECENTLY_REGISTERED,
      LOW_REPUTATION,
      texts('policyIocHosts', "Hosts of the report's original policy that match threat intelligence.", {
        column: 'policy_ioc_hosts',
        threatIntelligence: true,
      }),
      texts('policyConcernHosts', "Hosts of the report's original policy that are suspicious.", {
        column: 'policy_concern_hosts',
        threatIntelligence: true,
      }),
      SUSPICIOUS,
      text('sourceFile', 'Address of the script that caused the report, without its query.', READ),
      integer('lineNumber', 'Line in the source file, from 1.', READ),
      integer('columnNumber', 'Column in the source file, from 1.', READ),
      text('sample', 'The first characters of inline code, if the policy requests them.', READ),
      integer('statusCode', 'Status code of the page, or 0.', { ...READ, nullable: false }),
    ],
    filterOnly: [
      text('policyId', 'Identifier of the CSP policy.', { column: 'policy_id' }),
      text('policy', 'The original policy.', { column: 'policy' }),
      REPUTATION_SCORE,
    ],
    addresses: { page: 'uri', blocked: 'blockedUri' },
  },
);

const cspIntegrity = browserReport(
  'csp_integrity',
  'CSP Integrity',
  'CspIntegrityReport',
  'A subresource and its hash, as reported by CSP Integrity.',
  [
    text('subresourceUri', 'Address of the subresource.', { column: 'subresource_uri' }),
    text('hash', 'Hash of the subresource, as in its integrity attribute.', { column: 'hash' }),
    DESTINATION,
    text('resourceType', 'Kind of the subresource.'),
    ...THREAT_FLAGS,
  ],
  { filterOnly: [REPUTATION_SCORE], addresses: { page: 'uri', subresource: 'subresourceUri' } },
);

const integrityPolicy = browserReport(
  'integrity_policy',
  'Integrity Policy',
  'IntegrityPolicyReport',
  'A violation of an Integrity-Policy.',
  [ACTION, BLOCKED_URI, DESTINATION, ...THREAT_FLAGS],
  { filterOnly: [REPUTATION_SCORE], addresses: { page: 'uri', blocked: 'blockedUri' } },
);

const permissionsPolicy = browserReport(
  'permissions_policy',
  'Permissions Policy',
  'PermissionsPolicyReport',
  'A violation of a Permissions Policy.',
  [
    text('property', 'The policy-controlled feature.', { column: 'property' }),
    disposition(['enforce', 'report']),
    MESSAGE,
    SOURCE_FILE,
    LINE_NUMBER,
    COLUMN_NUMBER,
    text('allowAttribute', "The frame's allow attribute."),
    text('srcAttribute', "The frame's src attribute."),
    boolean('potential', 'Whether the violation is only potential and has not occurred.'),
  ],
);

const nel = browserReport(
  'nel',
  'Network Error Logging',
  'NelReport',
  'A network error or success that a browser observed.',
  [
    text('nelType', 'Type of the network error, such as `tcp.timed_out`.', { column: 'nel_type' }),
    text('phase', 'Phase of the request in which the error occurred.', {
      column: 'phase',
      values: ['dns', 'connection', 'application'],
    }),
    text('protocol', 'Network protocol, such as `h2`.'),
    text('method', 'Request method.'),
    integer('statusCode', 'Status code of the response, or 0.', { nullable: false }),
    text('serverIp', 'IP address of the server.'),
    REFERRER,
    integer('elapsedTime', 'Milliseconds from the start of the fetch to its end.'),
    number('samplingFraction', 'Rate at which such reports were sampled, 0 to 1.'),
    text('organisation', "Organisation of the server's autonomous system.", { column: 'organisation' }),
  ],
);

const deprecation = browserReport(
  'deprecation',
  'Deprecation',
  'DeprecationReport',
  'Use of a deprecated browser feature.',
  [
    FEATURE_ID,
    MESSAGE,
    SOURCE_FILE,
    LINE_NUMBER,
    COLUMN_NUMBER,
    date('anticipatedRemoval', 'When the feature is expected to be removed.'),
  ],
);

const intervention = browserReport(
  'intervention',
  'Intervention',
  'InterventionReport',
  'An action of the page that the browser blocked or changed.',
  [FEATURE_ID, MESSAGE, SOURCE_FILE, LINE_NUMBER, COLUMN_NUMBER],
);

const crash = browserReport('crash', 'Crash', 'CrashReport', 'A page that crashed.', [
  text('reason', 'The reason for the crash, such as `oom`.'),
  boolean('isTopLevel', 'Whether the page was a top-level page.', { nullable: true }),
  text('visibilityState', 'Whether the page was visible or hidden.'),
  text('stack', 'The JavaScript call stack.'),
]);

const coep = browserReport(
  'coep',
  'Cross-Origin Embedder Policy',
  'CoepReport',
  'A violation of a Cross-Origin-Embedder-Policy.',
  [
    text('violation', 'Kind of the violation, such as `corp`.'),
    disposition(['enforce', 'reporting']),
    BLOCKED_URI,
    DESTINATION,
  ],
  { addresses: { page: 'uri', blocked: 'blockedUri' } },
);

const coop = browserReport(
  'coop',
  'Cross-Origin Opener Policy',
  'CoopReport',
  'A violation of a Cross-Origin-Opener-Policy.',
  [
    text('violation', 'Kind of the violation, such as `navigation-to-response`.'),
    disposition(['enforce', 'reporting']),
    text('effectivePolicy', 'The policy in force.'),
    text('previousResponseUri', 'Address of the previous response.'),
    text('nextResponseUri', 'Address of the next response.'),
    text('openerUri', 'Address of the opener.'),
    text('openeeUri', 'Address of the openee.'),
    text('otherDocumentUri', 'Address of the other document.'),
    text('initialPopupUri', 'Address of the initial popup.'),
    REFERRER,
    text('accessedProperty', 'The property that was accessed across windows.'),
    SOURCE_FILE,
    LINE_NUMBER,
    COLUMN_NUMBER,
  ],
);

const HUMAN_RESULT = text('humanResult', 'The result in words.');

const SENDER =
  'The sender: the organisation of its network, otherwise the registrable domain of a DKIM ' +
  'signature or SPF check that passed, otherwise the network itself.';

const dmarc = serverReport(
  'dmarc',
  'DMARC',
  'DmarcReport',
  'A row of a DMARC aggregate report.',
  'headerFrom',
  [
    text('domain', 'Domain of the published policy.'),
    text('headerFrom', 'Domain of the From header.'),
    text('envelopeFrom', 'Domain of the envelope sender.'),
    text('envelopeTo', 'Domain of the envelope recipient.'),
    text('sourceIp', 'IP address of the sender.'),
    text('sourceHostname', 'Host name of the sender.'),
    text('organisation', "Organisation of the sender's autonomous system.", { column: 'organisation' }),
    integer('asn', "Number of the sender's autonomous system."),
    text('country', "Country of the sender's address, ISO 3166-1 alpha-2."),
    text('disposition', "The receiver's handling of the message.", {
      column: 'disposition',
      values: ['none', 'quarantine', 'reject', 'pass'],
    }),
    text('dkim', 'Result of the DKIM evaluation.', { values: ['pass', 'fail'] }),
    text('spf', 'Result of the SPF evaluation.', { values: ['pass', 'fail'] }),
    boolean('aligned', 'Whether the message passed with an aligned identifier.'),
    objects('overrideReasons', 'The reasons why the receiver did not apply the policy.', {
      type: 'DmarcOverrideReason',
      fields: [text('type', 'Kind of the reason.'), text('comment', "The receiver's comment.")],
    }),
    objects('dkimResults', 'The DKIM signatures found.', {
      type: 'DmarcDkimResult',
      fields: [
        text('domain', 'Signing domain.'),
        text('selector', 'DKIM selector.'),
        text('result', 'Result of the verification.'),
        HUMAN_RESULT,
      ],
    }),
    objects('spfResults', 'The SPF checks.', {
      type: 'DmarcSpfResult',
      fields: [
        text('domain', 'Checked domain.'),
        text('scope', 'Checked identity.'),
        text('result', 'Result of the check.'),
        HUMAN_RESULT,
      ],
    }),
    object('publishedPolicy', 'The DMARC policy that the receiver found.', {
      type: 'DmarcPublishedPolicy',
      fields: [
        text('p', 'Policy for the domain.'),
        text('sp', 'Policy for subdomains.'),
        text('np', 'Policy for subdomains that do not exist.'),
        text('adkim', 'Alignment mode for DKIM.'),
        text('aspf', 'Alignment mode for SPF.'),
        text('fo', 'Failure reporting options.'),
        integer('pct', 'Percentage of messages the policy applies to.'),
        text('testing', 'Whether the policy is being tested.'),
        text('discoveryMethod', 'How the policy was found.'),
      ],
    }),
    text('reporter', 'Organisation that sent the report.'),
    text('reporterEmail', 'E-mail address of the reporter.'),
    text('reportId', 'Identifier that the reporter assigned to the report.'),
    text('generator', 'Software that created the report.'),
    text('sender', SENDER, { column: 'sender', graphOnly: true, computed: true }),
    timestamp('beginDate', 'Start of the reported period.'),
    timestamp('endDate', 'End of the reported period.'),
  ],
);

const tlsRpt = serverReport(
  'tls_rpt',
  'SMTP TLS Reporting',
  'TlsRptReport',
  'A policy of an SMTP TLS report, with its sessions.',
  'domain',
  [
    text('domain', 'Domain of the policy.'),
    text('policyType', 'Kind of the policy.', { values: ['tlsa', 'sts', 'no-policy-found'] }),
    texts('policyStrings', 'The lines of the policy that the sender found.'),
    texts('mxHosts', 'Mail exchangers of the policy.'),
    integer('successfulSessions', 'Sessions that were established.'),
    integer('failedSessions', 'Sessions that failed.'),
    objects('failureDetails', 'The failures by kind.', {
      type: 'TlsRptFailureDetail',
      fields: [
        text('resultType', 'Kind of the failure.'),
        integer('failedSessions', 'Number of sessions with this failure.'),
        text('sendingMtaIp', 'IP address of the sending server.'),
        text('receivingIp', 'IP address of the receiving server.'),
        text('receivingMxHostname', 'Host name of the receiving server.'),
        text('receivingMxHelo', 'The HELO name of the receiving server.'),
        text('failureReasonCode', 'Code of the reason.'),
        text('additionalInformation', 'Address of additional information about the failure.'),
      ],
    }),
    text('reporter', 'Organisation that sent the report.'),
    text('contactInfo', 'Contact information of the reporter.'),
    text('reportId', 'Identifier that the reporter assigned to the report.'),
    timestamp('beginDate', 'Start of the reported period.'),
    timestamp('endDate', 'End of the reported period.'),
  ],
);

const certificateTransparency = serverReport(
  'certificate_transparency',
  'Certificate Transparency',
  'CertificateTransparencyReport',
  'A certificate that appeared in Certificate Transparency logs.',
  'hostnames',
  [
    texts('hostnames', 'Host names in the certificate.', { column: 'hostnames' }),
    text('commonName', "Common name of the certificate's subject."),
    text('certType', 'Whether it is a certificate or a precertificate.', {
      column: 'cert_type',
      values: ['certificate', 'precertificate'],
    }),
    text('issuer', 'Distinguished name of the issuer.', { column: 'issuer' }),
    text('serialNumber', 'Serial number in hexadecimal.'),
    text('sha256', "SHA-256 of the certificate's DER in hexadecimal.", { column: 'sha256' }),
    text('sha256Spki', 'SHA-256 of its public key info in hexadecimal.', { column: 'sha256_spki' }),
    text('sha256Tbs', 'SHA-256 of its to-be-signed part in hexadecimal.'),
    timestamp('notBefore', 'Start of its validity.'),
    timestamp('notAfter', 'End of its validity.'),
    objects('logs', 'The logs that contain the certificate.', {
      type: 'CertificateTransparencyLog',
      fields: [
        text('name', 'Name of the log.'),
        text('logId', 'Identifier of the log.'),
        timestamp('timestamp', 'When the log accepted the certificate.'),
      ],
    }),
  ],
);

const connectionAllowlist = browserReport(
  'connection_allowlist',
  'Connection Allowlist',
  'ConnectionAllowlistReport',
  "A connection that is not on the page's Connection-Allowlist.",
  [
    text('connection', 'Address of the connection, `webrtc`, or a host that was only resolved.', {
      column: 'blocked_uri',
    }),
    disposition(['enforce', 'report']),
    texts('allowlist', 'The patterns on the list, as the browser reports them.'),
  ],
  { addresses: { page: 'uri', blocked: 'connection' } },
);

/** `raw` is parsed as soon as a later version supports the type. */
const other = browserReport(
  'other',
  'Other types',
  'OtherReport',
  'A report of an unsupported type. `raw` contains the original report.',
  [text('wireType', "The browser's name for the report type.")],
);

export const REPORT_TYPE_DEFINITIONS: readonly ReportTypeDefinition[] = [
  csp,
  cspIntegrity,
  integrityPolicy,
  permissionsPolicy,
  nel,
  deprecation,
  intervention,
  crash,
  coep,
  coop,
  dmarc,
  tlsRpt,
  certificateTransparency,
  connectionAllowlist,
  other,
];

const byType = new Map(REPORT_TYPE_DEFINITIONS.map(definition => [definition.type, definition]));

export function reportType(type: ReportType): ReportTypeDefinition {
  return byType.get(type)!;
}

/** Returns the values that a field can have, apart from `""`; none if it can have any. */
export function listValues(type: ReportType, name: string): readonly string[] {
  return reportType(type).fields.find(field => field.name === name)?.values ?? [];
}
