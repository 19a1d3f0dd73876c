import { type ReportType, reportType } from '@sightline/reports';
import { SOURCE_CLASSES, type SourceClass } from '@sightline/reports/source-classes';
import type { Account } from '../sql/account.ts';
import { canMatch, type FilterKind, type FilterValues } from '../sql/report/filter.ts';
import { FURTHER_FILTERS, filtersOf, REPORT_FILTERS } from '../sql/report/filters.ts';
import { builder } from './builder.ts';
import { type Period, type PeriodUnit, periodOf } from './calendar.ts';
import { hasFeature, retentionStart } from './entitlements.ts';
import { forbidden, invalid, invalidParameter, missingParameter } from './errors.ts';
import { ReportTypeName } from './report-type-name.ts';

/** The parts that lists and groups of reports share: filters as inputs, their checks, and the plan's retention. */

export const LONGEST_LIST = 50;

export const ReportUnit = builder.enumType('ReportUnit', {
  description: 'Unit of a period of reports.',
  values: ['hours', 'days', 'months'] as const,
});

const ABOUT_CLASSES: Readonly<Record<SourceClass, string>> = {
  extension: "An extension of the visitor's browser.",
  browser: 'The browser itself.',
  impossible: "The report's own policy allows what it says was blocked.",
  inline: 'Script or style within the page.',
  eval: 'Code made from text.',
  data: 'A `data:` address.',
  blob: 'A `blob:` address, which the page made.',
  sameOrigin: "The page's scheme, host and port.",
  sameSite: "The page's registrable domain, by the public suffix list.",
  external: 'Any other host.',
  unknown: 'The report does not say.',
};

const SourceClassName = builder.enumType('SourceClass', {
  description: 'Where a blocked resource came from, seen from the page.',
  subGraphs: ['graph'],
  values: Object.fromEntries(
    SOURCE_CLASSES.map(name => [name, { value: name, description: ABOUT_CLASSES[name] }]),
  ) as Record<SourceClass, { value: SourceClass; description: string }>,
});

/** The GraphQL input of a filter, by how it compares. */
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

/** Each name once: `disposition` stands in both tables, for different types. */
const EVERY_FILTER = [
  ...new Map([...FURTHER_FILTERS, ...REPORT_FILTERS].map(one => [one.name, one])).values(),
];

/** The same filters for any type of report; those that its type does not have are refused. */
export const ReportFilter = builder.inputType('ReportFilter', {
  description: 'Filters of reports. Those that do not apply to the type of report are an error.',
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

/**
 * In the documented order: parameters, then the plan.
 * @param not what is left out, of filters for any type
 * @param path what stands before the names of `filters` in errors
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

/** The checks of filters for any type of report, in the order of `checkFilters`. */
export function checkAnyFilters(
  account: Account,
  type: ReportType,
  where: FilterValues,
  not: FilterValues,
): void {
  checkApplicable(type, where, 'where.');
  checkFilters(account, type, where, not, 'where.');
}

/** Filters for any type of report name what the type does not have, and values that its field never has. */
function checkApplicable(type: ReportType, filters: FilterValues, path: string): void {
  for (const [name, value] of Object.entries(filters)) {
    if (value === undefined || value === null) continue;
    const filter = filtersOf(type).find(one => one.name === name);
    if (!filter) throw invalid(`Parameter ${path}${name} does not apply to report type ${type}`);
    const values = reportType(type).fields.find(field => field.name === filter.field)?.values;
    if (values && !values.includes(value as string)) throw invalidParameter(`${path}${name}`);
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

/** `false` is as if absent; a score is not. */
function usesThreatIntelligence(filters: FilterValues): boolean {
  return THREAT_INTELLIGENCE.some(
    name => filters[name] !== undefined && filters[name] !== null && filters[name] !== false,
  );
}

/** The part of a period that may be read: not before the retention, and nothing where it has yet to begin. */
export function withinRetention({ from, until }: Period, account: Account, now: Date) {
  const oldest = retentionStart(account, now);
  const start = from < oldest ? oldest : from;
  const isReadable = start < until && from <= now;
  return isReadable ? { from: start.toISOString(), until: until.toISOString() } : undefined;
}

/** A type, filters, and a period of any length, as they are asked for on `/graphql`. */
export interface AnyReportArguments {
  type: ReportType;
  where?: FilterValues | null;
  not?: FilterValues | null;
  unit?: PeriodUnit | null;
  date?: string | null;
  from?: string | null;
  to?: string | null;
}

type ArgumentBuilder = Parameters<Parameters<typeof builder.queryField>[1]>[0]['arg'];

/** The arguments of lists and groups of any type. */
export function anyReportArguments(arg: ArgumentBuilder) {
  return {
    type: arg({ type: ReportTypeName, required: true, description: 'The type of the reports.' }),
    unit: arg({ type: ReportUnit, description: 'Unit of the period.' }),
    date: arg({ type: 'PeriodDate', description: 'The period, in the form of its unit.' }),
    from: arg({ type: 'Instant', description: 'Where the period begins.' }),
    to: arg({ type: 'Instant', description: 'The first instant behind the period.' }),
    where: arg({ type: ReportFilter, description: 'Only reports that match all of these.' }),
    not: arg({ type: ReportFilter, description: 'Reports that match any of these are left out.' }),
  };
}

const DAY = 24 * 60 * 60 * 1000;

/**
 * Reports are dated until the end of tomorrow at the latest, and clocks differ. The end stays the same for a day,
 * so that a repeated query is answered from memory.
 */
const latestEnd = (now: Date) => (Math.floor(now.getTime() / DAY) + 3) * DAY;

/** @throws {PublicError} for a date that has not the form of its unit */
export function requirePeriod(unit: PeriodUnit, date: string): Period {
  const period = periodOf(unit, date);
  if (!period) throw invalidParameter('date');
  return period;
}

/** @throws {PublicError} where it is neither `unit` and `date` nor `from`, with or without `to` */
export function periodOfArguments({ unit, date, from, to }: AnyReportArguments, now: Date): Period {
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
