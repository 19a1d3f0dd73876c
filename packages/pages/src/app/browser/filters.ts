import type { Address } from './address.ts';
import type { GroupBy, GroupOrder, ReportFilter, ReportTypeName } from './documents/documents.generated.ts';
import { periodIn, spanOf, type Wrong, wrongInPeriod } from './period.ts';
import type { ReportTypeView } from './report-types.ts';
import {
  FILTER_KINDS,
  FILTER_VALUES,
  FILTERS_BY_GROUP,
  FILTERS_BY_TYPE,
  type FilterKind,
  NOISE,
} from './tables.generated.ts';

/** The names of filters, in the order in which the page offers them. */
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

/** The filters of a type's reports. */
export function filtersOf({ type }: ReportTypeView): string[] {
  const known = FILTERS_BY_TYPE[type];
  return Object.keys(FILTERS).filter(name => known.includes(name));
}

/** True if reports of the type have a source class, so that noise can be hidden. */
export function hasNoise({ type }: ReportTypeView): boolean {
  return FILTERS_BY_TYPE[type].includes('sourceClass');
}

/** As a parameter of the address, or undefined where the value cannot be filtered by. */
export function filterOf(by: GroupBy, value: string, type: ReportTypeName): string | undefined {
  return value === '' ? undefined : FILTERS_BY_GROUP[type][by];
}

/** The kind of a filter's values. */
export function kindOf(filter: string): FilterKind {
  return FILTER_KINDS[filter] ?? 'text';
}

/** All values that a filter takes, where these are known. */
export function valuesOf(filter: string, type: ReportTypeName): readonly string[] | undefined {
  return kindOf(filter) === 'yesNo' ? ['true', 'false'] : FILTER_VALUES[type][filter];
}

export interface Chip {
  /** The parameter of the address: `sourceClass` or `not.sourceClass`. */
  param: string;
  label: string;
  value: string;
  isNot: boolean;
}

/** True if the noise of browsers and their extensions is hidden. */
export function hidesNoise({ params }: Address): boolean {
  return params.get('noise') === 'hidden';
}

export function chipsOf({ params }: Address): Chip[] {
  return [...params].flatMap(([param, value]) => {
    const isNot = param.startsWith('not.');
    const name = isNot ? param.slice(4) : param;
    const label = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
    return label ? [{ param, label, value, isNot }] : [];
  });
}

/** Parameters of the views of a report type that are no filters. */
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

/** The parts of a type's address that mean nothing. The page sends no query while there are any. */
export function wrongIn(address: Address, view: ReportTypeView): Wrong[] {
  const known = filtersOf(view);
  const wrong = [...address.params].flatMap(([param, value]): Wrong[] => {
    if (PLACES.has(param)) return [];
    const name = param.replace(/^not\./, '');
    if (!known.includes(name))
      return [{ name: param, value, expected: `${view.label} reports have no such filter` }];
    if (kindOf(name) === 'number')
      return /^([1-9]?\d|100)$/.test(value)
        ? []
        : [{ name: param, value, expected: 'a number from 0 to 100' }];
    const values = valuesOf(name, view.type);
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

/** The order of the groups of an address. */
export function orderIn({ params }: Address) {
  return ORDERS.find(([name]) => name === params.get('order')) ?? ORDERS[0]!;
}

/** The orders of groups, with their names. */
export const ORDERS: readonly [GroupOrder, string][] = [
  ['COUNT', 'most'],
  ['FIRST_SEEN', 'newest first'],
  ['LAST_SEEN', 'seen last'],
  ['KEY', 'by name'],
];

function filterIn(chips: readonly Chip[], isNot: boolean): ReportFilter {
  const filter: Record<string, unknown> = {};
  for (const chip of chips.filter(chip => chip.isNot === isNot)) {
    const name = isNot ? chip.param.slice(4) : chip.param;
    if (kindOf(name) === 'list')
      filter[name] = [...((filter[name] as string[] | undefined) ?? []), chip.value];
    else filter[name] = typed(name, chip.value);
  }
  return filter as ReportFilter;
}

function typed(filter: string, value: string): string | number | boolean {
  const kind = kindOf(filter);
  if (kind === 'yesNo') return value === 'true';
  return kind === 'number' ? Number(value) : value;
}

/** The same reports for `/export`, which takes lists with commas. */
export function exportQuery(address: Address, view: ReportTypeView): URLSearchParams {
  const { from, to } = spanOf(periodIn(address));
  const { where, not } = questionOf(address, view);
  const instant = (at: number) => new Date(at).toISOString();
  const query = new URLSearchParams({ from: instant(from), ...(to !== undefined && { to: instant(to) }) });
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

/** The variables of a view's lists and groups. */
export function questionOf(address: Address, view: ReportTypeView) {
  const chips = chipsOf(address);
  const where = filterIn(chips, false);
  const notNoise = filterIn(chips, true);
  const classes = [...new Set([...(notNoise.sourceClass ?? []), ...NOISE])];
  const not = hasNoise(view) && hidesNoise(address) ? { ...notNoise, sourceClass: classes } : notNoise;
  return { ...periodIn(address), where, not, notNoise };
}
