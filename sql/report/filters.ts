import { isHostPattern, isPathPattern } from './addresses.ts';
import { REPORT_TYPE_DEFINITIONS, REPORT_TYPES, type ReportType } from './types.ts';

/**
 * How a filter compares.
 * - `hosts`, `paths`: any of a list; `*` stands for any run of characters
 * - `hashes`: any of a list, exactly
 * - `equals`: ignoring case
 * - `contains`: ignoring case
 * - `policy`: ignoring case and runs of white space
 * - `flag`, `anyFlag`: `true` filters
 * - `atMost`: a number not above
 * - `boolean`: `true` and `false` both filter
 * - `classes`: any of a list of classes of the blocked resource
 * - `details`: any of the report's details has it, ignoring case
 */
export type FilterKind =
  | 'hosts'
  | 'paths'
  | 'hashes'
  | 'equals'
  | 'contains'
  | 'policy'
  | 'flag'
  | 'anyFlag'
  | 'atMost'
  | 'boolean'
  | 'classes'
  | 'details';

export interface ReportFilter {
  /** The parameter's public name. */
  name: string;
  kind: FilterKind;
  column: string;
  types: readonly ReportType[];
  description: string;
  /** The record's field whose values are the only ones that make sense. */
  field?: string;
  /** Whether it needs the Threat Intelligence feature. */
  threatIntelligence?: boolean;
}

const BROWSER_TYPES = REPORT_TYPE_DEFINITIONS.filter(definition => definition.fromBrowser).map(
  ({ type }) => type,
);
const BLOCKING: ReportType[] = ['csp', 'integrity_policy', 'coep'];
const THREATENED: ReportType[] = ['csp', 'csp_integrity', 'integrity_policy'];

const filter = (
  name: string,
  kind: FilterKind,
  column: string,
  types: readonly ReportType[],
  description: string,
  rest: Partial<ReportFilter> = {},
): ReportFilter => ({ name, kind, column, types, description, ...rest });

const threat = (
  name: string,
  kind: FilterKind,
  column: string,
  types: readonly ReportType[],
  description: string,
) => filter(name, kind, column, types, description, { threatIntelligence: true });

/** Every filter, and the types it applies to. */
export const REPORT_FILTERS: readonly ReportFilter[] = [
  filter(
    'action',
    'equals',
    'action',
    ['csp', 'integrity_policy'],
    'Whether the policy was enforced or only reported.',
    {
      field: 'action',
    },
  ),
  filter(
    'hostnames',
    'hosts',
    'host_reversed',
    REPORT_TYPES,
    'Host names of the page, or what takes its place; `*` stands for any characters.',
  ),
  filter('paths', 'paths', 'path', BROWSER_TYPES, 'Paths of the page; `*` stands for any characters.'),
  filter('effectiveDirective', 'equals', 'directive', ['csp'], 'The violated directive.'),
  filter(
    'blockedHostnames',
    'hosts',
    'blocked_host_reversed',
    BLOCKING,
    'Host names of the blocked resource; `*` stands for any characters.',
  ),
  filter(
    'blockedPaths',
    'paths',
    'blocked_path',
    BLOCKING,
    'Paths of the blocked resource; `*` stands for any characters.',
  ),
  filter(
    'subresourceHostnames',
    'hosts',
    'subresource_host_reversed',
    ['csp_integrity'],
    'Host names of the subresource; `*` stands for any characters.',
  ),
  filter(
    'subresourcePaths',
    'paths',
    'subresource_path',
    ['csp_integrity'],
    'Paths of the subresource; `*` stands for any characters.',
  ),
  filter('subresourceHashes', 'hashes', 'hash', ['csp_integrity'], 'Hashes of the subresource.'),
  filter('browser', 'equals', 'browser', BROWSER_TYPES, 'Name of the browser.'),
  filter('platform', 'equals', 'platform', BROWSER_TYPES, 'Name of the operating system or platform.'),
  filter('nelType', 'equals', 'nel_type', ['nel'], 'Type of the network error.'),
  filter('phase', 'equals', 'phase', ['nel'], 'Phase of the request.', { field: 'phase' }),
  filter(
    'disposition',
    'equals',
    'disposition',
    ['permissions_policy', 'coep', 'coop'],
    'Whether the policy was enforced or only reported.',
    {
      field: 'disposition',
    },
  ),
  filter(
    'organisation',
    'contains',
    'organisation',
    ['nel', 'dmarc'],
    "Part of the autonomous system's organisation.",
  ),
  filter('id', 'equals', 'id', REPORT_TYPES, 'Identifier of one report.'),
  filter(
    'certType',
    'equals',
    'cert_type',
    ['certificate_transparency'],
    'Whether it is a certificate or a precertificate.',
    {
      field: 'certType',
    },
  ),
  filter(
    'issuer',
    'contains',
    'issuer',
    ['certificate_transparency'],
    "Part of the issuer's distinguished name.",
  ),
  filter(
    'sha256Spki',
    'equals',
    'sha256_spki',
    ['certificate_transparency'],
    'SHA-256 of the public key info.',
  ),
  filter('policyId', 'equals', 'policy_id', ['csp'], 'Identifier of the CSP policy.'),
  filter('message', 'contains', 'message', ['deprecation', 'intervention'], "Part of the browser's message."),
  filter(
    'policy',
    'policy',
    'policy',
    ['csp'],
    'The original policy; runs of white space count as one space.',
  ),
  filter('property', 'equals', 'property', ['permissions_policy'], 'The policy-controlled feature.'),
  filter(
    'destination',
    'equals',
    'destination',
    ['integrity_policy', 'csp_integrity', 'coep'],
    'Fetch destination of the resource.',
  ),
  threat(
    'ioc',
    'flag',
    'indicator_of_compromise',
    THREATENED,
    '`true`: only matches of threat intelligence.',
  ),
  threat(
    'generatedDomain',
    'flag',
    'generated_domain',
    ['csp'],
    '`true`: only algorithmically generated domains.',
  ),
  threat(
    'suspicious',
    'flag',
    'suspicious',
    THREATENED,
    '`true`: only domains on the Suspicious watch-list.',
  ),
  threat(
    'newlyRegisteredDomain',
    'flag',
    'recently_registered_domain',
    THREATENED,
    '`true`: only newly registered domains.',
  ),
  threat(
    'domainReputationScore',
    'atMost',
    'domain_reputation_score',
    THREATENED,
    'Only hosts with at most this reputation score, 0 to 100.',
  ),
  threat(
    'anyThreatIntel',
    'anyFlag',
    '',
    THREATENED,
    '`true`: only reports with any threat-intelligence signal; the single ones are then ignored.',
  ),
];

/**
 * What can be filtered by beyond `/v1`, whose parameters are fixed. A column can be an expression here: no index knows
 * these, so that a period is read as a whole.
 */
export const FURTHER_FILTERS: readonly ReportFilter[] = [
  filter(
    'sourceClass',
    'classes',
    `coalesce(source_class, 'unknown')`,
    BLOCKING,
    'Where the blocked resource came from, any of a list.',
  ),
  filter(
    'aligned',
    'boolean',
    `coalesce(${extra('aligned', 'boolean')}, false)`,
    ['dmarc'],
    'Whether the message was aligned.',
  ),
  filter('disposition', 'equals', 'disposition', ['dmarc'], 'What the receiver did with the message.', {
    field: 'disposition',
  }),
  filter('sourceIp', 'equals', extra('sourceIp'), ['dmarc'], 'IP address of the sender.'),
  filter('reporter', 'equals', extra('reporter'), ['dmarc'], 'Organisation that sent the report.'),
  filter('policyType', 'equals', extra('policyType'), ['tls_rpt'], 'Kind of the policy.'),
  filter('resultType', 'details', 'resultType', ['tls_rpt'], 'Kind of a failure.'),
  filter(
    'hasFailures',
    'boolean',
    `(coalesce(${extra('failedSessions', 'bigint')}, 0) > 0)`,
    ['tls_rpt'],
    'Whether sessions failed.',
  ),
  filter('reason', 'equals', extra('reason'), ['crash'], 'Why the page crashed.'),
  filter(
    'featureId',
    'equals',
    extra('featureId'),
    ['deprecation', 'intervention'],
    'Identifier of the browser feature.',
  ),
];

/** What only `extra` keeps. */
function extra(name: string, type?: 'boolean' | 'bigint'): string {
  return type ? `(extra->>'${name}')::${type}` : `(extra->>'${name}')`;
}

/** Every filter that applies to the type, on `/v1` or beyond. */
export function filtersOf(type: ReportType): readonly ReportFilter[] {
  return [...REPORT_FILTERS, ...FURTHER_FILTERS].filter(({ types }) => types.includes(type));
}

/** Values by the filters' names: lists for the plural ones. */
export type FilterValues = Readonly<
  Record<string, string | number | boolean | readonly string[] | null | undefined>
>;

/** Whether an item of a list can match what it says: one that cannot would match nothing, or everything. */
export function canMatch(kind: FilterKind, item: string): boolean {
  if (kind === 'hosts') return isHostPattern(item);
  return kind !== 'paths' || isPathPattern(item);
}
