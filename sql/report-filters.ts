import { normalizeHost, normalizePath, reverseHost } from './addresses.ts';
import { reportKey } from './feed/report-key.ts';
import { REPORT_TYPE_DEFINITIONS, REPORT_TYPES, type ReportType } from './report-types.ts';

/**
 * How a filter compares.
 * - `hosts`, `paths`: any of a list; `*` stands for any run of characters
 * - `hashes`: any of a list, exactly
 * - `equals`: ignoring case
 * - `contains`: ignoring case
 * - `policy`: ignoring case and runs of white space
 * - `flag`, `anyFlag`: `true` filters
 * - `atMost`: a number not above
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
  | 'atMost';

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

/** Values by the filters' names: lists for the plural ones. */
export type FilterValues = Readonly<
  Record<string, string | number | boolean | readonly string[] | null | undefined>
>;

/** The predicate of the partial index `report_threat`, to the letter. */
const ANY_FLAG = `(generated_domain or indicator_of_compromise or recently_registered_domain or low_reputation_domain
  or suspicious or policy_ioc_hosts is not null or policy_concern_hosts is not null)`;

type Bind = (value: string | number | readonly string[]) => string;

/**
 * The conditions of the filters that apply to the type and are given. `bind` takes a value and names its place;
 * the statement's $1 is the account.
 */
export function conditions(type: ReportType, values: FilterValues, bind: Bind): string[] {
  const given = REPORT_FILTERS.filter(({ name, types }) => types.includes(type) && isGiven(values[name]));
  const any = given.some(({ kind }) => kind === 'anyFlag');
  return given
    .filter(({ kind, threatIntelligence }) => !any || kind === 'anyFlag' || !threatIntelligence)
    .map(filter => condition(type, filter, values[filter.name]!, bind));
}

function isGiven(value: FilterValues[string]): boolean {
  return value !== undefined && value !== null && value !== false;
}

function condition(
  type: ReportType,
  { kind, column }: ReportFilter,
  value: NonNullable<FilterValues[string]>,
  bind: Bind,
): string {
  switch (kind) {
    case 'hosts':
      return hostCondition(type, column, value as string[], bind);
    case 'paths':
      return anyPattern(column, (value as string[]).map(normalizePath), bind);
    case 'hashes':
      return oneOf(column, value as string[], bind);
    case 'equals':
      return column === 'id'
        ? idCondition(type, bind(value as string))
        : equal(column, bind(value as string));
    case 'policy':
      return equal(column, bind(foldWhiteSpace(value as string)));
    case 'contains':
      return `position(lower(${bind(value as string)}) in lower(${column})) > 0`;
    case 'atMost':
      return `${column} <= ${bind(value as number)}`;
    case 'flag':
      return column;
    case 'anyFlag':
      return ANY_FLAG;
  }
}

function equal(column: string, value: string): string {
  return `lower(${column}) = lower(${value})`;
}

/** The locator knows the dates of an id, so that nothing else of the period is looked at. $1 is the account. */
function idCondition(type: ReportType, value: string): string {
  const id = `(${value} collate "C")`;
  const key = reportKey({ account: '$1', type: `'${type}'`, id });
  const dates = `select date from report_locator where account_id = $1 and key = ${key}`;
  return `(${equal('id', id)} and date = any(array(${dates})))`;
}

/** The form in which policies are stored and compared. */
export function foldWhiteSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** A certificate has many host names, any of which may match. */
function hostCondition(type: ReportType, column: string, hosts: readonly string[], bind: Bind): string {
  const reversed = hosts.map(host => reverseHost(normalizeHost(host)));
  if (type !== 'certificate_transparency') return anyPattern(column, reversed, bind);
  return `exists (select from unnest(hosts_reversed) as host where ${anyPattern('host', reversed, bind)})`;
}

/** Whether a column matches any of the patterns. The column must be `collate "C"`, or the ranges would be wrong. */
function anyPattern(column: string, patterns: readonly string[], bind: Bind): string {
  const exact = patterns.filter(pattern => !pattern.includes('*'));
  const wild = patterns
    .filter(pattern => pattern.includes('*'))
    .map(pattern => wildcard(column, pattern, bind));
  const equal = exact.length === 0 ? [] : [oneOf(column, exact, bind)];
  return `(${[...equal, ...wild].join(' or ')})`;
}

/** A single one as such: the plans of lists know neither an index's order nor a bloom index. */
function oneOf(column: string, values: readonly string[], bind: Bind): string {
  return values.length === 1 ? `${column} = ${bind(values[0]!)}` : `${column} = any(${bind(values)}::text[])`;
}

/**
 * What stands before the first star is a range of the index; LIKE alone would not be, with a parameter. Paths have
 * no such index, but one for LIKE.
 */
function wildcard(column: string, pattern: string, bind: Bind): string {
  const prefix = pattern.slice(0, pattern.indexOf('*'));
  const rest = pattern.slice(prefix.length).replace(/\*+/g, '*');
  const isRange = rest === '*' && (prefix === '' || !column.endsWith('path'));
  const like = isRange ? [] : [`${column} like ${bind(toLike(prefix + rest))}`];
  const range =
    prefix === '' ? [] : [`${column} >= ${bind(prefix)} and ${column} < ${bind(successor(prefix))}`];
  const parts = [...range, ...like];
  return `(${parts.length === 0 ? `${column} is not null` : parts.join(' and ')})`;
}

function toLike(pattern: string): string {
  return pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%');
}

/** The first text behind all that begin with the prefix, in the order of code points. */
function successor(prefix: string): string {
  const characters = [...prefix];
  const last = characters.pop()!.codePointAt(0)!;
  // Surrogates are no characters, and nothing comes behind U+10FFFF: there the prefix before it does.
  if (last === 0x10ffff) return successor(characters.join('') || '\u{10fffe}');
  return characters.join('') + String.fromCodePoint(last === 0xd7ff ? 0xe000 : last + 1);
}
