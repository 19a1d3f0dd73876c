import { MAIL_REPORT_TYPES, REPORT_TYPES, type ReportType } from '@sightline/reports';
import { fitting, type ReportFilter } from './filter.ts';
import { BLOCKING_TYPES, BROWSER_TYPES, SCORED_TYPES } from './groups-of-types.ts';
import { SOURCE_CLASS } from './source-class.ts';
import { SOURCE_FILTERS } from './source-network.ts';

/** Every filter, and the types it applies to. */
export const REPORT_FILTERS: readonly ReportFilter[] = fitting([
  {
    name: 'action',
    kind: 'equals',
    column: 'action',
    types: ['csp', 'integrity_policy'],
    description: 'Whether the policy was enforced or only reported.',
    field: 'action',
  },
  {
    name: 'hostnames',
    kind: 'hosts',
    column: 'host_reversed',
    types: REPORT_TYPES,
    description: 'Host names of the page or of its equivalent for this type; `*` matches any characters.',
  },
  {
    name: 'paths',
    kind: 'paths',
    column: 'path',
    types: BROWSER_TYPES,
    description: 'Paths of the page; `*` matches any characters.',
  },
  {
    name: 'effectiveDirective',
    kind: 'equals',
    column: 'directive',
    types: ['csp'],
    description: 'The violated directive.',
  },
  {
    name: 'blockedHostnames',
    kind: 'hosts',
    column: 'blocked_host_reversed',
    types: BLOCKING_TYPES,
    description: 'Host names of the blocked resource; `*` matches any characters.',
  },
  {
    name: 'blockedPaths',
    kind: 'paths',
    column: 'blocked_path',
    types: BLOCKING_TYPES,
    description: 'Paths of the blocked resource; `*` matches any characters.',
  },
  {
    name: 'subresourceHostnames',
    kind: 'hosts',
    column: 'subresource_host_reversed',
    types: ['csp_integrity'],
    description: 'Host names of the subresource; `*` matches any characters.',
  },
  {
    name: 'subresourcePaths',
    kind: 'paths',
    column: 'subresource_path',
    types: ['csp_integrity'],
    description: 'Paths of the subresource; `*` matches any characters.',
  },
  {
    name: 'subresourceHashes',
    kind: 'hashes',
    column: 'hash',
    types: ['csp_integrity'],
    description: 'Hashes of the subresource.',
  },
  {
    name: 'browser',
    kind: 'equals',
    column: 'browser',
    types: BROWSER_TYPES,
    description: 'Name of the browser.',
  },
  {
    name: 'platform',
    kind: 'equals',
    column: 'platform',
    types: BROWSER_TYPES,
    description: 'Name of the operating system or platform.',
  },
  {
    name: 'nelType',
    kind: 'equals',
    column: 'nel_type',
    types: ['nel'],
    description: 'Type of the network error.',
  },
  {
    name: 'phase',
    kind: 'equals',
    column: 'phase',
    types: ['nel'],
    description: 'Phase of the request.',
    field: 'phase',
  },
  {
    name: 'disposition',
    kind: 'equals',
    column: 'disposition',
    types: ['permissions_policy', 'coep', 'coop', 'connection_allowlist'],
    description: 'Whether the policy was enforced or only reported.',
    field: 'disposition',
  },
  {
    name: 'organisation',
    kind: 'contains',
    column: 'organisation',
    types: ['nel', 'dmarc'],
    description: "Part of the autonomous system's organisation.",
  },
  { name: 'id', kind: 'equals', column: 'id', types: REPORT_TYPES, description: 'Identifier of one report.' },
  {
    name: 'certType',
    kind: 'equals',
    column: 'cert_type',
    types: ['certificate_transparency'],
    description: 'Whether it is a certificate or a precertificate.',
    field: 'certType',
  },
  {
    name: 'issuer',
    kind: 'contains',
    column: 'issuer',
    types: ['certificate_transparency'],
    description: "Part of the issuer's distinguished name.",
  },
  {
    name: 'sha256Spki',
    kind: 'equals',
    column: 'sha256_spki',
    types: ['certificate_transparency'],
    description: 'SHA-256 of the public key info.',
  },
  {
    name: 'policyId',
    kind: 'equals',
    column: 'policy_id',
    types: ['csp'],
    description: 'Identifier of the CSP policy.',
  },
  {
    name: 'message',
    kind: 'contains',
    column: 'message',
    types: ['deprecation', 'intervention'],
    description: "Part of the browser's message.",
  },
  {
    name: 'policy',
    kind: 'policy',
    column: 'policy',
    types: ['csp'],
    description: 'The original policy; consecutive white space counts as one space.',
  },
  {
    name: 'property',
    kind: 'equals',
    column: 'property',
    types: ['permissions_policy'],
    description: 'The policy-controlled feature.',
  },
  {
    name: 'destination',
    kind: 'equals',
    column: 'destination',
    types: ['integrity_policy', 'csp_integrity', 'coep'],
    description: 'Fetch destination of the resource.',
  },
  {
    name: 'ioc',
    kind: 'flag',
    column: 'indicator_of_compromise',
    types: SCORED_TYPES,
    description: '`true`: only matches of threat intelligence.',
    threatIntelligence: true,
  },
  {
    name: 'generatedDomain',
    kind: 'flag',
    column: 'generated_domain',
    types: ['csp'],
    description: '`true`: only algorithmically generated domains.',
    threatIntelligence: true,
  },
  {
    name: 'suspicious',
    kind: 'flag',
    column: 'suspicious',
    types: SCORED_TYPES,
    description: '`true`: only domains on the Suspicious watch-list.',
    threatIntelligence: true,
  },
  {
    name: 'newlyRegisteredDomain',
    kind: 'flag',
    column: 'recently_registered_domain',
    types: SCORED_TYPES,
    description: '`true`: only newly registered domains.',
    threatIntelligence: true,
  },
  {
    name: 'domainReputationScore',
    kind: 'atMost',
    column: 'domain_reputation_score',
    types: SCORED_TYPES,
    description: 'Only hosts with at most this reputation score, 0 to 100.',
    threatIntelligence: true,
  },
  {
    name: 'anyThreatIntel',
    kind: 'anyFlag',
    column: '',
    types: SCORED_TYPES,
    description:
      '`true`: only reports with any threat-intelligence signal; the individual filters are then ' +
      'ignored.',
    threatIntelligence: true,
  },
]);

/**
 * Filters beyond `/v1`, whose parameters are fixed. A column can be an expression here: no index covers these, so the
 * entire period is read.
 */
export const FURTHER_FILTERS: readonly ReportFilter[] = fitting([
  {
    name: 'sourceClass',
    kind: 'classes',
    column: SOURCE_CLASS,
    reads: 'source_class',
    types: BLOCKING_TYPES,
    description: 'The origins of the blocked resource.',
  },
  {
    name: 'aligned',
    kind: 'boolean',
    ...extra('aligned', value => `coalesce(${value}::boolean, false)`),
    types: ['dmarc'],
    description: 'Whether the message was aligned.',
  },
  {
    ...toFilter('disposition', ['dmarc'], "The receiver's handling of the message."),
    column: 'disposition',
    field: 'disposition',
  },
  { ...toFilter('dkim', ['dmarc'], 'Result of the DKIM evaluation.'), field: 'dkim' },
  { ...toFilter('spf', ['dmarc'], 'Result of the SPF evaluation.'), field: 'spf' },
  { ...toFilter('sender', ['dmarc'], 'The complete name of the sender.'), column: 'sender' },
  ...SOURCE_FILTERS,
  toFilter('reporter', MAIL_REPORT_TYPES, 'Organisation that sent the report.'),
  toFilter('policyType', ['tls_rpt'], 'Kind of the policy.'),
  {
    name: 'resultType',
    kind: 'details',
    column: 'resultType',
    reads: 'failureDetails',
    types: ['tls_rpt'],
    description: 'Kind of a failure.',
  },
  {
    name: 'hasFailures',
    kind: 'boolean',
    ...extra('failedSessions', value => `(coalesce(${value}::bigint, 0) > 0)`),
    types: ['tls_rpt'],
    description: 'Whether sessions failed.',
  },
  toFilter('serverIp', ['nel'], 'IP address of the server.'),
  toFilter('violation', ['coep', 'coop'], 'Kind of the violation.'),
  toFilter('reason', ['crash'], 'The reason for the crash.'),
  toFilter('featureId', ['deprecation', 'intervention'], 'Identifier of the browser feature.'),
  toFilter('wireType', ['other'], "The browser's name for the report type."),
]);

/**
 * Creates a filter over a field that is stored only in `extra`, a column of JSON.
 * @param expression of its text
 */
function extra(field: string, expression = (text: string) => text): Pick<ReportFilter, 'column' | 'reads'> {
  return { column: expression(`(extra->>'${field}')`), reads: field };
}

/** Creates a filter on a text that is stored only in `extra`, under the filter's name. */
function toFilter(name: string, types: readonly ReportType[], description: string): ReportFilter {
  return { name, kind: 'equals', ...extra(name), types, description };
}

const EVERY = [...REPORT_FILTERS, ...FURTHER_FILTERS];
const BY_TYPE = new Map(REPORT_TYPES.map(type => [type, EVERY.filter(({ types }) => types.includes(type))]));

/** Returns every filter that applies to the type, on `/v1` or beyond. */
export function listFilters(type: ReportType): readonly ReportFilter[] {
  return BY_TYPE.get(type)!;
}
