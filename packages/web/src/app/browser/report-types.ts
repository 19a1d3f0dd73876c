import type { GroupBy, ReportTypeName } from './documents/documents.generated.ts';

/** A table or split of a type's reports: its title and dimensions. */
export interface ViewGrouping {
  title: string;
  by: GroupBy[];
  /** A more specific grouping, which is used while this filter selects a single group. */
  within?: { filter: string; grouping: ViewGrouping };
}

/** How the page presents the reports of a type. */
export interface ReportTypeView {
  type: ReportTypeName;
  label: string;
  /** The name of a single report, if it differs from the label. */
  one?: string;
  about: string;
  /** The unit of the counts, if it is not reports. */
  counts?: 'message';
  /** The dimensions that can split the volume chart. The first is the default. */
  splits: ViewGrouping[];
  /** The tables of groups. */
  groupings: [ViewGrouping, ...ViewGrouping[]];
  /** The columns of the list of reports, by field of the record. */
  columns: string[];
}

const g = (title: string, ...by: GroupBy[]): ViewGrouping => ({ title, by });

const PAGES = g('Pages', 'PAGE_HOST', 'PAGE_PATH');
const BROWSERS = g('Browsers', 'BROWSER');
const BLOCKED = g('Blocked hosts', 'BLOCKED_HOST', 'SOURCE_CLASS');
const BY_CLASS = g('by source', 'SOURCE_CLASS');
const VISIT = ['uri', 'browser'];

/** All report types, in display order. */
export const REPORT_TYPES: readonly ReportTypeView[] = [
  {
    type: 'csp',
    label: 'CSP',
    about: 'What a Content Security Policy blocked, or would have blocked.',
    splits: [BY_CLASS, g('by directive', 'DIRECTIVE'), g('by action', 'ACTION')],
    groupings: [BLOCKED, g('Directives', 'DIRECTIVE'), PAGES, BROWSERS],
    columns: ['directive', 'blockedUri', 'uri', 'browser', 'action'],
  },
  {
    type: 'csp_integrity',
    label: 'CSP Integrity',
    about: 'Scripts and styles that pages loaded, with their hashes.',
    splits: [g('by destination', 'DESTINATION')],
    groupings: [
      g('Hosts of scripts and styles', 'SUBRESOURCE_HOST'),
      g('Hashes', 'HASH'),
      PAGES,
      g('Destinations', 'DESTINATION'),
    ],
    columns: ['subresourceUri', 'hash', ...VISIT],
  },
  {
    type: 'integrity_policy',
    label: 'Integrity Policy',
    about: 'Scripts and styles that came without an integrity hash.',
    splits: [g('by action', 'ACTION'), BY_CLASS],
    groupings: [BLOCKED, g('Destinations', 'DESTINATION'), PAGES, BROWSERS],
    columns: ['blockedUri', 'destination', 'action', ...VISIT],
  },
  {
    type: 'permissions_policy',
    label: 'Permissions Policy',
    about: 'Browser features that a page used against its Permissions-Policy.',
    splits: [g('by disposition', 'DISPOSITION'), g('by feature', 'PROPERTY')],
    groupings: [g('Features', 'PROPERTY'), PAGES, g('Enforced or only reported', 'DISPOSITION'), BROWSERS],
    columns: ['property', 'disposition', ...VISIT, 'message'],
  },
  {
    type: 'nel',
    label: 'Network errors',
    one: 'Network error',
    about: 'Requests that failed before they reached a server, as browsers saw them (NEL).',
    splits: [g('by phase', 'PHASE'), g('by error', 'NEL_TYPE')],
    groupings: [
      g('Errors', 'NEL_TYPE', 'PHASE'),
      g('Hosts', 'PAGE_HOST'),
      g('Networks', 'ORGANISATION'),
      g('Servers', 'SERVER_IP'),
    ],
    columns: ['nelType', 'phase', 'uri', 'serverIp', 'organisation'],
  },
  {
    type: 'deprecation',
    label: 'Deprecation',
    about: 'Deprecated browser features that are still in use.',
    splits: [g('by feature', 'FEATURE_ID')],
    groupings: [g('Features', 'FEATURE_ID'), g('Messages', 'MESSAGE'), PAGES, BROWSERS],
    columns: ['featureId', 'anticipatedRemoval', ...VISIT],
  },
  {
    type: 'intervention',
    label: 'Intervention',
    about: 'Requests of pages that the browser did not honour.',
    splits: [g('by feature', 'FEATURE_ID')],
    groupings: [g('Features', 'FEATURE_ID'), g('Messages', 'MESSAGE'), PAGES, BROWSERS],
    columns: ['featureId', ...VISIT, 'message'],
  },
  {
    type: 'crash',
    label: 'Crash',
    about: 'Pages that crashed.',
    splits: [g('by reason', 'REASON')],
    groupings: [g('Reasons', 'REASON'), PAGES, BROWSERS, g('Platforms', 'PLATFORM')],
    columns: ['reason', 'visibilityState', ...VISIT, 'stack'],
  },
  {
    type: 'coep',
    label: 'COEP',
    about: 'Resources that a Cross-Origin-Embedder-Policy blocked.',
    splits: [BY_CLASS, g('by disposition', 'DISPOSITION')],
    groupings: [BLOCKED, g('Violations', 'VIOLATION'), g('Destinations', 'DESTINATION'), PAGES],
    columns: ['violation', 'blockedUri', 'destination', ...VISIT],
  },
  {
    type: 'coop',
    label: 'COOP',
    about: 'Windows that a Cross-Origin-Opener-Policy isolated.',
    splits: [g('by disposition', 'DISPOSITION'), g('by violation', 'VIOLATION')],
    groupings: [g('Violations', 'VIOLATION'), g('Enforced or only reported', 'DISPOSITION'), PAGES, BROWSERS],
    columns: ['violation', 'disposition', 'effectivePolicy', ...VISIT],
  },
  {
    type: 'dmarc',
    label: 'DMARC',
    about: 'Mail sent in the name of your domains, and whether it passed DMARC.',
    counts: 'message',
    splits: [g('by alignment', 'ALIGNED'), g('by what receivers did', 'DISPOSITION')],
    groupings: [
      g('Senders', 'SENDER', 'ALIGNED'),
      {
        ...g('Address ranges', 'SOURCE_NETWORK', 'ALIGNED'),
        within: { filter: 'sourceNetwork', grouping: g('Addresses', 'SOURCE_IP', 'ALIGNED') },
      },
      g('From domains', 'HEADER_FROM', 'DISPOSITION'),
      g('DKIM and SPF', 'DKIM', 'SPF'),
      g('Reporters', 'REPORTER'),
    ],
    columns: ['headerFrom', 'sourceIp', 'sender', 'aligned', 'disposition', 'reporter'],
  },
  {
    type: 'tls_rpt',
    label: 'TLS-RPT',
    about: 'Whether mail reached your servers over TLS.',
    splits: [g('by policy', 'POLICY_TYPE')],
    groupings: [
      g('Failures', 'RESULT_TYPE'),
      g('Domains', 'DOMAIN'),
      g('Policies', 'POLICY_TYPE'),
      g('Reporters', 'REPORTER'),
    ],
    columns: ['domain', 'policyType', 'successfulSessions', 'failedSessions', 'reporter'],
  },
  {
    type: 'certificate_transparency',
    label: 'Certificates',
    one: 'Certificate',
    about: 'Certificates that were issued for your hosts (Certificate Transparency).',
    splits: [g('by kind', 'CERT_TYPE'), g('by issuer', 'ISSUER')],
    groupings: [
      g('Issuers', 'ISSUER'),
      g('Hosts', 'PAGE_HOST'),
      g('Hosts and their issuers', 'PAGE_HOST', 'ISSUER'),
      g('Kinds', 'CERT_TYPE'),
    ],
    columns: ['commonName', 'issuer', 'certType', 'notBefore', 'notAfter'],
  },
  {
    type: 'connection_allowlist',
    label: 'Connection Allowlist',
    about: 'Connections that a Connection-Allowlist blocked, or would have blocked.',
    splits: [BY_CLASS, g('by disposition', 'DISPOSITION')],
    groupings: [
      g('Hosts', 'BLOCKED_HOST', 'SOURCE_CLASS'),
      g('Connections', 'BLOCKED_ORIGIN'),
      PAGES,
      g('Enforced or only reported', 'DISPOSITION'),
    ],
    columns: ['connection', 'disposition', ...VISIT],
  },
  {
    type: 'other',
    label: 'Other types',
    one: 'Other',
    about: 'Reports of types that this version does not support yet, as browsers sent them.',
    splits: [g('by type', 'WIRE_TYPE')],
    groupings: [g('Types', 'WIRE_TYPE'), PAGES, BROWSERS],
    columns: ['wireType', ...VISIT, 'raw'],
  },
];

export function findView(type: string | undefined): ReportTypeView | undefined {
  return REPORT_TYPES.find(view => view.type === type);
}
