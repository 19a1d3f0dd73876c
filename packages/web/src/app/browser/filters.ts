import type { Address } from './address.ts';
import type { GroupBy, GroupOrder, ReportFilter, ReportTypeName } from './documents/documents.generated.ts';
import { periodIn, toSpan, type Wrong, wrongInPeriod } from './period.ts';
import type { ReportTypeView } from './report-types.ts';
import {
  FILTER_KINDS,
  FILTER_VALUES,
  FILTERS_BY_GROUP,
  FILTERS_BY_TYPE,
  type FilterKind,
  NOISE,
} from './tables.generated.ts';

/** Labels of the filters, in the order in which the page lists them. */
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
  sender: 'sender',
  property: 'feature',
  featureId: 'feature',
  wireType: 'type',
  message: 'message',
  reason: 'reason',
  destination: 'destination',
  dkim: 'DKIM',
  spf: 'SPF',
  sourceIp: 'address',
  sourceNetwork: 'range',
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

/** Returns the filters that a report type supports. */
export function listFilters({ type }: ReportTypeView): string[] {
  const existing = FILTERS_BY_TYPE[type];
  return Object.keys(FILTERS).filter(name => existing.includes(name));
}

/** Checks whether the noise switch applies to a report type, because its reports have a source class. */
export function hasNoise({ type }: ReportTypeView): boolean {
  return FILTERS_BY_TYPE[type].includes('sourceClass');
}

/** Returns the name of the filter for a group's value; undefined if there is none. */
export function findFilter(by: GroupBy, value: string, type: ReportTypeName): string | undefined {
  return value === '' ? undefined : FILTERS_BY_GROUP[type][by];
}

/** Returns the kind of values that a filter accepts. */
export function classify(filter: string): FilterKind {
  return FILTER_KINDS[filter] ?? 'text';
}

/** Returns all values that a filter accepts, or undefined if they cannot be listed. */
export function listValues(filter: string, type: ReportTypeName): readonly string[] | undefined {
  return classify(filter) === 'yesNo' ? ['true', 'false'] : FILTER_VALUES[type][filter];
}

export interface Chip {
  /** The parameter name in the address: `sourceClass` or `not.sourceClass`. */
  param: string;
  /** The filter's name: `sourceClass` in both cases. */
  name: string;
  label: string;
  value: string;
  isNot: boolean;
}

/** Checks whether an address hides noise: reports caused by browsers and their extensions. */
export function hidesNoise({ params }: Address): boolean {
  return params.get('noise') === 'hidden';
}

export function listChips({ params }: Address): Chip[] {
  return [...params].flatMap(([param, value]) => {
    const isNot = param.startsWith('not.');
    const name = isNot ? param.slice(4) : param;
    const label = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
    return label ? [{ param, name, label, value, isNot }] : [];
  });
}

/** Parameters of a report type's views that are not filters. */
const PLACES = new Set([
  'account',
  'period',
  'unit',
  'date',
  'from',
  'to',
  'noise',
  'split',
  'order',
  'sort',
  'compare',
]);

/** Returns the invalid parameters of an address. The page sends no query if there are any. */
export function wrongIn(address: Address, view: ReportTypeView): Wrong[] {
  const existing = listFilters(view);
  const wrong = [...address.params].flatMap(([param, value]): Wrong[] => {
    if (PLACES.has(param)) return [];
    const name = param.replace(/^not\./, '');
    if (!existing.includes(name))
      return [{ name: param, value, expected: `${view.label} reports have no such filter` }];
    if (classify(name) === 'number')
      return /^([1-9]?\d|100)$/.test(value)
        ? []
        : [{ name: param, value, expected: 'a number from 0 to 100' }];
    const values = listValues(name, view.type);
    return !values || values.includes(value) ? [] : [{ name: param, value, expected: values.join(', ') }];
  });
  const oneOf = (name: string, values: readonly string[]): Wrong[] => {
    const value = address.params.get(name);
    return value === null || values.includes(value) ? [] : [{ name, value, expected: values.join(', ') }];
  };
  return [
    ...wrongInPeriod(address),
    ...wrong,
    ...oneOf(
      'split',
      view.splits.map(({ title }) => title),
    ),
    ...oneOf(
      'order',
      ORDERS.map(([name]) => name),
    ),
    ...oneOf('noise', ['hidden']),
    ...oneOf('compare', ['before']),
  ];
}

/** Returns the sort order of the groups from an address. */
export function orderIn({ params }: Address) {
  return ORDERS.find(([name]) => name === params.get('order')) ?? ORDERS[0]!;
}

/** The sort orders of groups, with their labels. */
export const ORDERS: readonly [GroupOrder, string][] = [
  ['COUNT', 'most'],
  ['FIRST_SEEN', 'newest first'],
  ['LAST_SEEN', 'last seen'],
  ['KEY', 'by name'],
  ['RISE', 'greatest rise'],
];

function filterIn(chips: readonly Chip[], isNot: boolean): ReportFilter {
  const filter: Record<string, unknown> = {};
  for (const { name, value } of chips.filter(chip => chip.isNot === isNot)) {
    if (classify(name) === 'list') filter[name] = [...((filter[name] as string[] | undefined) ?? []), value];
    else filter[name] = toFilterInput(name, value);
  }
  return filter as ReportFilter;
}

function toFilterInput(filter: string, value: string): string | number | boolean {
  const kind = classify(filter);
  if (kind === 'yesNo') return value === 'true';
  return kind === 'number' ? Number(value) : value;
}

/** Converts the filters of an address to parameters of `/export`, which accepts comma-separated lists. */
export function exportQuery(address: Address, view: ReportTypeView): URLSearchParams {
  const { from, to } = toSpan(periodIn(address));
  const { where, not } = toQuestion(address, view);
  const instant = (at: number) => new Date(at).toISOString();
  const query = new URLSearchParams({ from: instant(from), ...(to !== undefined && { to: instant(to) }) });
  for (const [prefix, filter] of [
    ['', where],
    ['not.', not],
  ] as const) {
    for (const [name, value] of Object.entries(filter))
      query.set(prefix + name, Array.isArray(value) ? value.map(escapeItem).join(',') : String(value));
  }
  return query;
}

/** Escapes commas and backslashes in an item of a comma-separated list. */
const escapeItem = (item: string) => item.replace(/[\\,]/g, '\\$&');

/** Returns the filter variables for the queries of a view. */
export function toQuestion(address: Address, view: ReportTypeView) {
  const chips = listChips(address);
  const where = filterIn(chips, false);
  const notNoise = filterIn(chips, true);
  const classes = [...new Set([...(notNoise.sourceClass ?? []), ...NOISE])];
  const not = hasNoise(view) && hidesNoise(address) ? { ...notNoise, sourceClass: classes } : notNoise;
  return { ...periodIn(address), where, not, notNoise };
}
