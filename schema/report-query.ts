import { listValues, MS_PER_DAY, type ReportType, type SourceClass } from '@sightline/reports';
import type { Account } from '../sql/account.ts';
import { canMatch, type FilterKind, type FilterValues } from '../sql/report/filter.ts';
import { FURTHER_FILTERS, listFilters, REPORT_FILTERS } from '../sql/report/filters.ts';
import { builder, toEnumValues } from './builder.ts';
import { type CalendarPeriod, type PeriodUnit, toPeriod } from './calendar.ts';
import { hasFeature, retentionStart } from './entitlements.ts';
import { forbidden, invalid, invalidParameter, missingParameter } from './errors.ts';
import { ReportTypeName } from './report-type-name.ts';

/** Shared by lists and groups of reports: filters as inputs, their checks, and the plan's retention. */

export const LONGEST_LIST = 50;

export const ReportUnit = builder.enumType('ReportUnit', {
  description: 'Unit of a period of reports.',
  values: ['hours', 'days', 'months'] as const,
});

const ABOUT_CLASSES: Readonly<Record<SourceClass, string>> = {
  extension: "An extension of the visitor's browser.",
  browser: 'The browser itself.',
  impossible: 'The policy in the report allows the resource that was reported as blocked.',
  inline: 'Inline script or style.',
  eval: 'Code that is evaluated from a string.',
  data: 'A `data:` address.',
  blob: 'A `blob:` address, which the page created.',
  sameOrigin: "The page's scheme, host and port.",
  sameSite: "The page's registrable domain, by the public suffix list.",
  external: 'Any other host.',
  unknown: 'The report does not contain this information.',
};

const SourceClassName = builder.enumType('SourceClass', {
  description: 'The origin of a blocked resource relative to the page.',
  subGraphs: ['graph'],
  values: toEnumValues(ABOUT_CLASSES),
});

/** The GraphQL input types of filters, by their comparison. */
export const inputTypes = {
  hosts: ['HostPattern'],
  paths: ['PathPattern'],
  hashes: ['PathPattern'],
  equals: 'FilterText',
  contains: 'FilterText',
  policy: 'PolicyText',
  flag: 'Boolean',
  anyFlag: 'Boolean',
  atMost: 'ReputationScore',
  boolean: 'Boolean',
  classes: [SourceClassName],
  details: 'FilterText',
} as const satisfies Record<FilterKind, unknown>;

/** Lists each name once. `disposition` is in both tables, for different types. */
const EVERY_FILTER = [
  ...new Map([...FURTHER_FILTERS, ...REPORT_FILTERS].map(one => [one.name, one])).values(),
];

/** The filters of several report types. Those that a type does not have are refused. */
export const ReportFilter = builder.inputType('ReportFilter', {
  description: 'Filters for reports. A filter that does not apply to the report type causes an error.',
  subGraphs: ['graph'],
  fields: t =>
    Object.fromEntries(
      EVERY_FILTER.map(({ name, kind, description, threatIntelligence }) => [
        name,
        t.field({
          type: inputTypes[kind] as 'FilterText',
          description: threatIntelligence
            ? `${description} Needs the Threat Intelligence feature.`
            : description,
        }),
      ]),
    ),
});

/** Counts the characters of filters. */
export function measureFilters(...all: readonly (FilterValues | null | undefined)[]): number {
  const texts = all.flatMap(filters => Object.values(filters ?? {})).flat();
  return texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length : 0), 0);
}

/**
 * Checks filters in the documented order: parameters first, then the plan.
 * @param not excluded values, by filters of any type
 * @param path prefix of the filters' names in errors
 */
export function checkFilters(
  account: Account,
  type: ReportType,
  filters: FilterValues,
  not: FilterValues | null | undefined,
  path = '',
): void {
  checkLists(filters, path);
  if (not) {
    checkApplicable(type, not, 'not.');
    checkLists(not, 'not.');
  }
  const isThreat = usesThreatIntelligence(filters) || (not && usesThreatIntelligence(not));
  if (isThreat && !hasFeature(account, 'threatIntelligence')) {
    throw forbidden('Threat Intelligence is not included in your plan');
  }
}

/** Checks filters for any report type, in the order of `checkFilters`. */
export function checkAnyFilters(
  account: Account,
  type: ReportType,
  where: FilterValues,
  not: FilterValues,
): void {
  checkApplicable(type, where, 'where.');
  checkFilters(account, type, where, not, 'where.');
}

/** Filters for any type can name fields that this type lacks, or values that its fields never have. */
function checkApplicable(type: ReportType, filters: FilterValues, path: string): void {
  for (const [name, value] of Object.entries(filters)) {
    if (value === undefined || value === null) continue;
    const filter = listFilters(type).find(one => one.name === name);
    if (!filter) throw invalid(`Parameter ${path}${name} does not apply to report type ${type}`);
    const values = filter.field ? listValues(type, filter.field) : [];
    if (values.length > 0 && !values.includes(value as string)) throw invalidParameter(`${path}${name}`);
  }
}

function checkLists(filters: FilterValues, path: string): void {
  for (const [name, value] of Object.entries(filters)) {
    if (!Array.isArray(value)) continue;
    const kind = KINDS.get(name);
    const isSound = value.length <= LONGEST_LIST && value.every(item => !kind || canMatch(kind, item));
    if (!isSound) throw invalidParameter(`${path}${name}`);
  }
}

const KINDS = new Map([...REPORT_FILTERS, ...FURTHER_FILTERS].map(({ name, kind }) => [name, kind]));

const THREAT_INTELLIGENCE = REPORT_FILTERS.filter(filter => filter.threatIntelligence).map(
  ({ name }) => name,
);

/** `false` is equivalent to no filter, but a score of 0 is not. */
function usesThreatIntelligence(filters: FilterValues): boolean {
  return THREAT_INTELLIGENCE.some(
    name => filters[name] !== undefined && filters[name] !== null && filters[name] !== false,
  );
}

/** Limits a period to the retention. The result is empty if the period begins in the future. */
export function clampToRetention({ from, until }: CalendarPeriod, account: Account, now: Date) {
  const oldest = retentionStart(account, now);
  const start = from < oldest ? oldest : from;
  const isReadable = start < until && from <= now;
  return isReadable ? { from: start.toISOString(), until: until.toISOString() } : undefined;
}

/** The type, filters and period of a query on `/graphql`. */
export interface AnyReportArguments {
  type: ReportType;
  where?: FilterValues | null;
  not?: FilterValues | null;
  unit?: PeriodUnit | null;
  date?: string | null;
  from?: string | null;
  to?: string | null;
}

export type ArgumentBuilder = Parameters<Parameters<typeof builder.queryField>[1]>[0]['arg'];

/** The arguments of lists and groups for any type. */
export function anyReportArguments(arg: ArgumentBuilder) {
  return {
    type: arg({ type: ReportTypeName, required: true, description: 'The type of the reports.' }),
    unit: arg({ type: ReportUnit, description: 'Unit of the period.' }),
    date: arg({ type: 'PeriodDate', description: 'The period, in the form of its unit.' }),
    from: arg({ type: 'Instant', description: 'The start of the period, inclusive.' }),
    to: arg({ type: 'Instant', description: 'The end of the period, exclusive.' }),
    where: arg({ type: ReportFilter, description: 'Only reports that match all of these.' }),
    not: arg({ type: ReportFilter, description: 'Reports that match any of these are left out.' }),
  };
}

/**
 * Reports are dated no later than the end of tomorrow, plus a margin for clocks. The end changes once a day, so that
 * repeated queries hit the cache.
 */
export const latestEnd = (now: Date): number => (Math.floor(now.getTime() / MS_PER_DAY) + 3) * MS_PER_DAY;

/** @throws {PublicError} if the date does not match its unit */
export function requirePeriod(unit: PeriodUnit, date: string): CalendarPeriod {
  const period = toPeriod(unit, date);
  if (!period) throw invalidParameter('date');
  return period;
}

/** @throws {PublicError} unless the arguments are either `unit` and `date`, or `from` with an optional `to` */
export function periodOfArguments({ unit, date, from, to }: AnyReportArguments, now: Date): CalendarPeriod {
  if (unit || date) {
    if (from || to) throw invalid('Give either unit and date, or from and to');
    if (!unit || !date) throw missingParameter(unit ? 'date' : 'unit');
    return requirePeriod(unit, date);
  }
  if (!from) throw missingParameter('give unit and date, or from');
  const latest = latestEnd(now);
  const until = new Date(Math.min(to ? Date.parse(to) : latest, latest));
  return { from: new Date(from), until };
}
