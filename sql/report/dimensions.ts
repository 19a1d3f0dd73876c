import { MAIL_REPORT_TYPES, REPORT_TYPES, type ReportType } from '@sightline/reports';
import { listFilters } from './filters.ts';
import { BLOCKING_TYPES, BROWSER_TYPES } from './groups-of-types.ts';
import { SOURCE_CLASS } from './source-class.ts';
import { SOURCE_NETWORK } from './source-network.ts';

/** A grouping of reports: an expression over their columns. */
export interface Dimension {
  name: string;
  types: readonly ReportType[];
  description: string;
  /** The value to compare; null if a report does not contain it. */
  expression: string;
  /** The column of a slow expression: groups are first formed by its values, which repeat. */
  column?: string;
  /** Formats a compared value for display. */
  formatValue(value: string): string;
  /** True if a report has several values, which `expression` returns as a set. */
  isMany?: boolean;
  /** The filter that selects the reports of a group, if its name differs. */
  filter?: string;
}

const OTHER_TYPES = REPORT_TYPES.filter(type => type !== 'certificate_transparency');

const asText = (value: string) => value;
/** Host names are stored reversed, so they are reversed again for display. */
const asHost = (value: string) => `reverse(${value})`;
const asDay = (value: string) => `to_char(${value}, 'YYYY-MM-DD')`;
const asHour = (value: string) => `to_char(${value}, 'YYYY-MM-DD"T"HH24')`;
const asMinute = (value: string) => `to_char(${value}, 'YYYY-MM-DD"T"HH24:MI')`;

const UTC = `date at time zone 'UTC'`;

/** The day of a report. */
export const UTC_DAY = `(${UTC})::date`;
const origin = (uri: string) => `substring(${uri} from '^[^:/?#]+://[^/?#]*')`;
/** An address without its query and fragment, which differ from visit to visit. */
export const withoutQuery = (uri: string) => `split_part(split_part(${uri}, '#', 1), '?', 1)`;
const extra = (name: string) => `extra->>'${name}'`;

function by(
  name: string,
  types: readonly ReportType[],
  expression: string,
  description: string,
  shown = asText,
): Dimension {
  return { name, types, expression, description, formatValue: shown };
}

function many(name: string, type: ReportType, expression: string, description: string, shown = asText) {
  return { ...by(name, [type], expression, description, shown), isMany: true };
}

function withFilter(filter: string, dimension: Dimension): Dimension {
  return { ...dimension, filter };
}

/**
 * All dimensions, and the types that they apply to. A name occurs twice if types store its values in different columns.
 */
export const DIMENSIONS: readonly Dimension[] = [
  withFilter(
    'hostnames',
    by(
      'PAGE_HOST',
      OTHER_TYPES,
      'host_reversed',
      'Host name of the page or of its equivalent for the report type.',
      asHost,
    ),
  ),
  withFilter(
    'hostnames',
    many(
      'PAGE_HOST',
      'certificate_transparency',
      'unnest(hosts_reversed)',
      'Host names of the certificate.',
      asHost,
    ),
  ),
  withFilter('paths', by('PAGE_PATH', BROWSER_TYPES, 'path', 'Path of the page.')),
  by('PAGE_ORIGIN', BROWSER_TYPES, origin('uri'), 'Scheme, host and port of the page.'),
  by('PAGE', BROWSER_TYPES, withoutQuery('uri'), 'Address of the page, without its query.'),
  withFilter('effectiveDirective', by('DIRECTIVE', ['csp'], 'directive', 'The violated directive.')),
  by('POLICY_ID', ['csp'], 'policy_id', 'Identifier of the CSP policy.'),
  withFilter(
    'blockedHostnames',
    by('BLOCKED_HOST', BLOCKING_TYPES, 'blocked_host_reversed', 'Host name of the blocked resource.', asHost),
  ),
  {
    ...by(
      'BLOCKED_ORIGIN',
      BLOCKING_TYPES,
      `coalesce(${origin('blocked_uri')}, split_part(blocked_uri, ':', 1))`,
      'Scheme, host and port of the blocked resource, or the keyword or scheme that replaces it.',
    ),
    column: 'blocked_uri',
  },
  {
    ...by(
      'BLOCKED_URI',
      BLOCKING_TYPES,
      withoutQuery('blocked_uri'),
      'Address of the blocked resource without its query, or the keyword or scheme that replaces it.',
    ),
    column: 'blocked_uri',
  },
  by(
    'SOURCE_FILE',
    ['csp', 'permissions_policy', 'deprecation', 'intervention', 'coop'],
    withoutQuery(extra('sourceFile')),
    'Address of the script that caused the report, without its query.',
  ),
  by('SAMPLE', ['csp'], extra('sample'), 'The first characters of inline code, if the policy requests them.'),
  by('SOURCE_CLASS', BLOCKING_TYPES, SOURCE_CLASS, 'The origin of the blocked resource.'),
  by('BROWSER', BROWSER_TYPES, 'browser', 'Name of the browser.'),
  by('PLATFORM', BROWSER_TYPES, 'platform', 'Name of the operating system or platform.'),
  by('ACTION', ['csp', 'integrity_policy'], 'action', 'Whether the policy was enforced or only reported.'),
  by(
    'DISPOSITION',
    ['permissions_policy', 'coep', 'coop', 'connection_allowlist', 'dmarc'],
    'disposition',
    "Whether the policy was enforced; for DMARC, the receiver's handling of the message.",
  ),
  by('NEL_TYPE', ['nel'], 'nel_type', 'Type of the network error.'),
  by('PHASE', ['nel'], 'phase', 'Phase of the request.'),
  by('STATUS_CODE', ['nel'], extra('statusCode'), 'Status code of the response.'),
  by('SERVER_IP', ['nel'], extra('serverIp'), 'IP address of the server.'),
  by('ORGANISATION', ['nel', 'dmarc'], 'organisation', 'Organisation of the autonomous system.'),
  by('PROPERTY', ['permissions_policy'], 'property', 'The policy-controlled feature.'),
  by('FEATURE_ID', ['deprecation', 'intervention'], extra('featureId'), 'Identifier of the feature.'),
  by('MESSAGE', ['permissions_policy', 'deprecation', 'intervention'], 'message', "The browser's message."),
  by('REASON', ['crash'], extra('reason'), 'The reason for the crash.'),
  by('VIOLATION', ['coep', 'coop'], extra('violation'), 'Kind of the violation.'),
  by(
    'DESTINATION',
    ['csp_integrity', 'integrity_policy', 'coep'],
    'destination',
    'Fetch destination of the resource.',
  ),
  withFilter(
    'subresourceHostnames',
    by(
      'SUBRESOURCE_HOST',
      ['csp_integrity'],
      'subresource_host_reversed',
      'Host name of the subresource.',
      asHost,
    ),
  ),
  by(
    'SUBRESOURCE',
    ['csp_integrity'],
    withoutQuery('subresource_uri'),
    'Address of the subresource, without its query.',
  ),
  withFilter('subresourceHashes', by('HASH', ['csp_integrity'], 'hash', 'Hash of the subresource.')),
  by('DOMAIN', ['dmarc'], extra('domain'), 'Domain of the published policy.'),
  withFilter('hostnames', by('DOMAIN', ['tls_rpt'], extra('domain'), 'Domain of the published policy.')),
  withFilter('hostnames', by('HEADER_FROM', ['dmarc'], extra('headerFrom'), 'Domain of the From header.')),
  by('SOURCE_IP', ['dmarc'], extra('sourceIp'), 'IP address of the sender.'),
  by(
    'SOURCE_NETWORK',
    ['dmarc'],
    SOURCE_NETWORK,
    "Network of the sender's address: an IPv4 /24 or an IPv6 /48.",
  ),
  withFilter(
    'organisation',
    by('SOURCE_ORGANISATION', ['dmarc'], 'organisation', "Organisation of the sender's autonomous system."),
  ),
  by('SENDER', ['dmarc'], 'sender', 'The sender, as determined by its network, DKIM or SPF.'),
  by('COUNTRY', ['dmarc'], extra('country'), "Country of the sender's address."),
  by('REPORTER', MAIL_REPORT_TYPES, extra('reporter'), 'Organisation that sent the report.'),
  by('ALIGNED', ['dmarc'], extra('aligned'), 'Whether the message was aligned.'),
  by('DKIM', ['dmarc'], extra('dkim'), 'Result of the DKIM evaluation.'),
  by('SPF', ['dmarc'], extra('spf'), 'Result of the SPF evaluation.'),
  by('POLICY_TYPE', ['tls_rpt'], extra('policyType'), 'Kind of the policy.'),
  many(
    'RESULT_TYPE',
    'tls_rpt',
    `jsonb_array_elements(extra->'failureDetails')->>'resultType'`,
    'Kinds of failures.',
  ),
  by('ISSUER', ['certificate_transparency'], 'issuer', 'Distinguished name of the issuer.'),
  by('CERT_TYPE', ['certificate_transparency'], 'cert_type', 'Certificate or precertificate.'),
  by('WIRE_TYPE', ['other'], extra('wireType'), "The browser's name for the report type."),
  by(
    'MINUTE',
    REPORT_TYPES,
    `date_trunc('minute', ${UTC})`,
    'The minute in UTC, `YYYY-MM-DDTHH:MM`.',
    asMinute,
  ),
  by('HOUR', REPORT_TYPES, `date_trunc('hour', ${UTC})`, 'The hour in UTC, `YYYY-MM-DDTHH`.', asHour),
  by('DAY', REPORT_TYPES, UTC_DAY, 'The day in UTC, `YYYY-MM-DD`.', asDay),
];

/** Undefined if reports of the type have no such dimension. */
export function dimension(type: ReportType, name: string): Dimension | undefined {
  return listDimensions(type).find(existing => existing.name === name);
}

export function listDimensions(type: ReportType): readonly Dimension[] {
  return DIMENSIONS.filter(({ types }) => types.includes(type));
}

/** Returns the name of the filter that selects the reports of a group; undefined if the type has none. */
export function filterOfGroups(type: ReportType, { name, filter = findField(name) }: Dimension) {
  return listFilters(type).find(existing => existing.name === filter)?.name;
}

/** The field of reports that a dimension is named for: `NEL_TYPE` is of `nelType`. */
export function findField(name: string): string {
  return name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}
