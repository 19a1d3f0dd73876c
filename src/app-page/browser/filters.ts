import type { Address } from './address.ts';
import type { GroupBy, ReportFilter, ReportTypeName } from './documents/documents.generated.ts';
import { dayBefore, dayName, longDay, monthName } from './format.ts';
import { NOISE, type ReportTypeView, viewOf } from './report-types.ts';

/** The filters that take a list. */
const LISTS = new Set([
  'hostnames',
  'paths',
  'blockedHostnames',
  'blockedPaths',
  'subresourceHostnames',
  'subresourcePaths',
  'subresourceHashes',
  'sourceClass',
]);
const BOOLEANS = new Set([
  'aligned',
  'hasFailures',
  'ioc',
  'generatedDomain',
  'suspicious',
  'newlyRegisteredDomain',
  'anyThreatIntel',
]);
const NUMBERS = new Set(['domainReputationScore']);

/** The filters of the page, with what they are called. */
export const FILTERS: Readonly<Record<string, string>> = {
  hostnames: 'host',
  paths: 'path',
  effectiveDirective: 'directive',
  blockedHostnames: 'blocked host',
  blockedPaths: 'blocked path',
  sourceClass: 'source',
  subresourceHostnames: 'resource host',
  subresourcePaths: 'resource path',
  subresourceHashes: 'hash',
  browser: 'browser',
  platform: 'platform',
  action: 'action',
  disposition: 'disposition',
  nelType: 'error',
  phase: 'phase',
  organisation: 'organisation',
  property: 'feature',
  featureId: 'feature',
  message: 'message',
  reason: 'reason',
  destination: 'destination',
  dkim: 'DKIM',
  spf: 'SPF',
  sourceIp: 'address',
  serverIp: 'server address',
  violation: 'violation',
  reporter: 'reporter',
  aligned: 'aligned',
  policyType: 'policy type',
  resultType: 'failure',
  hasFailures: 'has failures',
  issuer: 'issuer',
  certType: 'kind',
  sha256Spki: 'public key',
  policyId: 'policy',
  policy: 'policy text',
  id: 'report',
  ioc: 'threat match',
  generatedDomain: 'generated domain',
  suspicious: 'suspicious',
  newlyRegisteredDomain: 'newly registered',
  domainReputationScore: 'reputation of at most',
  anyThreatIntel: 'any threat signal',
};

/** The filter that picks the reports of a group; there is none for some dimensions. */
export const FILTER_OF: Partial<Record<GroupBy, string>> = {
  PAGE_HOST: 'hostnames',
  PAGE_PATH: 'paths',
  DIRECTIVE: 'effectiveDirective',
  BLOCKED_HOST: 'blockedHostnames',
  SOURCE_CLASS: 'sourceClass',
  SUBRESOURCE_HOST: 'subresourceHostnames',
  HASH: 'subresourceHashes',
  BROWSER: 'browser',
  PLATFORM: 'platform',
  ACTION: 'action',
  DISPOSITION: 'disposition',
  NEL_TYPE: 'nelType',
  PHASE: 'phase',
  ORGANISATION: 'organisation',
  SOURCE_ORGANISATION: 'organisation',
  PROPERTY: 'property',
  FEATURE_ID: 'featureId',
  MESSAGE: 'message',
  REASON: 'reason',
  DESTINATION: 'destination',
  HEADER_FROM: 'hostnames',
  DKIM: 'dkim',
  SPF: 'spf',
  SOURCE_IP: 'sourceIp',
  SERVER_IP: 'serverIp',
  VIOLATION: 'violation',
  REPORTER: 'reporter',
  ALIGNED: 'aligned',
  POLICY_TYPE: 'policyType',
  RESULT_TYPE: 'resultType',
  ISSUER: 'issuer',
  CERT_TYPE: 'certType',
};

/** The filters of all types: host and report. */
const COMMON = ['hostnames', 'id'];

/** What the reports of a type can be filtered by. */
export function filtersOf({ filters }: ReportTypeView): string[] {
  return [...filters, ...COMMON];
}

/** As a parameter of the address, or undefined where the value cannot be filtered by. */
export function filterOf(by: GroupBy, value: string, type: ReportTypeName): string | undefined {
  // What takes the place of the page is the domain of the policy here, but the one of the mail in DMARC reports.
  const name = by === 'DOMAIN' && type === 'tls_rpt' ? 'hostnames' : FILTER_OF[by];
  const view = viewOf(type);
  return value !== '' && name && view && filtersOf(view).includes(name) ? name : undefined;
}

/** What its values are. */
export function kindOf(filter: string): 'text' | 'number' | 'yesNo' {
  if (BOOLEANS.has(filter)) return 'yesNo';
  return NUMBERS.has(filter) ? 'number' : 'text';
}

export interface Chip {
  /** Of the address: `sourceClass` or `not.sourceClass`. */
  param: string;
  label: string;
  value: string;
  isNot: boolean;
}

/** Whether the noise of browsers and their extensions is hidden. */
export function hidesNoise({ params }: Address): boolean {
  return params.get('noise') === 'hidden';
}

export function chipsOf({ params }: Address): Chip[] {
  return [...params].flatMap(([param, value]) => {
    const isNot = param.startsWith('not.');
    const label = FILTERS[isNot ? param.slice(4) : param];
    return label ? [{ param, label, value, isNot }] : [];
  });
}

function filterIn(chips: readonly Chip[], isNot: boolean): ReportFilter {
  const filter: Record<string, unknown> = {};
  for (const chip of chips.filter(chip => chip.isNot === isNot)) {
    const name = isNot ? chip.param.slice(4) : chip.param;
    if (LISTS.has(name)) filter[name] = [...((filter[name] as string[] | undefined) ?? []), chip.value];
    else filter[name] = typed(name, chip.value);
  }
  return filter as ReportFilter;
}

function typed(filter: string, value: string): string | number | boolean {
  const kind = kindOf(filter);
  if (kind === 'yesNo') return value === 'true';
  return kind === 'number' ? Number(value) : value;
}

export interface Period {
  unit?: 'hours' | 'days' | 'months';
  date?: string;
  from?: string;
}

/** Periods that end now, by what stands for them in the address. */
export const RECENT: readonly [name: string, label: string, days: number][] = [
  ['1d', 'Today', 0],
  ['7d', '7 days', 6],
  ['30d', '30 days', 29],
  ['90d', '90 days', 89],
];
const USUAL = RECENT[2]!;

export function recentIn({ params }: Address) {
  return RECENT.find(([name]) => name === params.get('period')) ?? USUAL;
}

const UNITS: Readonly<Record<string, RegExp>> = {
  hours: /^\d{4}-\d\d-\d\dT\d\d$/,
  days: /^\d{4}-\d\d-\d\d$/,
  months: /^\d{4}-\d\d$/,
};

/** One hour, day or month, or the days until now. */
export function periodIn(address: Address): Period {
  const unit = address.params.get('unit');
  const date = address.params.get('date');
  if (unit && date && UNITS[unit]?.test(date)) return { unit: unit as 'days', date };
  return { from: dayBefore(recentIn(address)[2]) };
}

/** In words. */
export function periodName({ unit, date, from }: Period): string {
  if (unit === 'hours')
    return `${longDay(date!.slice(0, 10))}, ${date!.slice(11)}:00 to ${date!.slice(11)}:59 UTC`;
  if (unit === 'days') return `${dayName(date!)} ${date!.slice(0, 4)}, UTC`;
  if (unit === 'months') return `${monthName(date!)}, UTC`;
  return `Since ${dayName(from!)}, UTC`;
}

/** The hour, day or month before or behind one; undefined where that has not begun. */
export function neighbour(period: Period, by: 1 | -1): Period | undefined {
  const { unit } = period;
  if (!unit) return undefined;
  const { from, to } = between(period);
  const length = unit === 'hours' ? 13 : unit === 'days' ? 10 : 7;
  const next = by === 1 ? to! : new Date(Date.parse(from) - 1).toISOString();
  return Date.parse(next) > Date.now() ? undefined : { unit, date: next.slice(0, length) };
}

/** The first day of a period, whatever its unit. */
function firstDay({ date = '', from }: Period): string {
  return from ?? `${date.slice(0, 10)}-01`.slice(0, 10);
}

/** Whether reports of the period, or of a part of it, are older than the plan keeps them. */
export function isBeyondRetention(address: Address, days: number): boolean {
  return firstDay(periodIn(address)) < dayBefore(days - 1);
}

/** The instants that a period is between; the end is undefined for now. */
function between(period: Period): { from: string; to: string | undefined } {
  const { unit, date } = period;
  const begin = new Date(`${firstDay(period)}T${unit === 'hours' ? date!.slice(11) : '00'}:00:00Z`);
  if (unit === undefined) return { from: begin.toISOString(), to: undefined };
  const end = new Date(begin);
  if (unit === 'hours') end.setUTCHours(end.getUTCHours() + 1);
  else if (unit === 'days') end.setUTCDate(end.getUTCDate() + 1);
  else end.setUTCMonth(end.getUTCMonth() + 1);
  return { from: begin.toISOString(), to: end.toISOString() };
}

/** The same reports for `/export`, which takes lists with commas. */
export function exportQuery(address: Address, view: ReportTypeView): URLSearchParams {
  const { from, to } = between(periodIn(address));
  const { where, not } = questionOf(address, view);
  const query = new URLSearchParams({ from, ...(to && { to }) });
  for (const [prefix, filter] of [
    ['', where],
    ['not.', not],
  ] as const) {
    for (const [name, value] of Object.entries(filter))
      query.set(prefix + name, Array.isArray(value) ? value.map(escaped).join(',') : String(value));
  }
  return query;
}

/** A comma that belongs to an item stands behind a backslash. */
const escaped = (item: string) => item.replace(/[\\,]/g, '\\$&');

/** What the lists and groups of a view are asked with. */
export function questionOf(address: Address, { hasNoise }: ReportTypeView) {
  const chips = chipsOf(address);
  const where = filterIn(chips, false);
  const notNoise = filterIn(chips, true);
  const classes = [...new Set([...(notNoise.sourceClass ?? []), ...NOISE])];
  const not = hasNoise && hidesNoise(address) ? { ...notNoise, sourceClass: classes } : notNoise;
  return { ...periodIn(address), where, not, notNoise };
}
