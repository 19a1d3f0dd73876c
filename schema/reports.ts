import type { Account } from '../sql/account.ts';
import { type FilterValues, REPORT_FILTERS, type ReportFilter } from '../sql/report/filters.ts';
import { REPORT_TYPE_DEFINITIONS, type ReportType, type ReportTypeDefinition } from '../sql/report/types.ts';
import { type ReportRecord, report, reports } from '../sql/reports.ts';
import { builder, OWN_STATEMENT } from './builder.ts';
import { addDays, dayOf, type Period, type PeriodUnit, periodOf } from './calendar.ts';
import { type Context, ownAccount } from './context.ts';
import { hasFeature, planOf } from './entitlements.ts';
import { forbidden, invalidParameter } from './errors.ts';
import { findsNodes, ownIdOf } from './global-ids.ts';
import { reportRecord } from './report-records.ts';
import { restRoute } from './rest-route.ts';

const ReportUnit = builder.enumType('ReportUnit', {
  description: 'Unit of a period of reports.',
  values: ['hours', 'days', 'months'] as const,
});

interface Result {
  reports: ReportRecord[];
  truncated: boolean;
}

const LONGEST_LIST = 50;

/** How many records an answer can hold, for what a query may ask for at once. */
const USUAL_CAP = 1000;

const inputTypes = {
  hosts: ['HostPattern'],
  paths: ['PathPattern'],
  hashes: ['PathPattern'],
  equals: 'FilterText',
  contains: 'FilterText',
  policy: 'PolicyText',
  flag: 'Boolean',
  anyFlag: 'Boolean',
  atMost: 'ReputationScore',
} as const;

/** Enumerations by their values, since two types may share them. */
const enumerations = new Map<string, ReturnType<typeof enumeration>>();

function enumeration(name: string, values: readonly string[]) {
  return builder.enumType(name, { description: `Known values of ${name}.`, values });
}

function enumerationOf({ fields, typeName }: ReportTypeDefinition, name: string) {
  const values = fields.find(field => field.name === name)?.values ?? [];
  const key = `${name} ${values.join(' ')}`;
  const known = enumerations.get(key) ?? enumeration(enumerationName(typeName, name), values);
  enumerations.set(key, known);
  return known;
}

/** `ReportAction` and so on; a disposition has other values by type, so it is named by the first type with them. */
function enumerationName(typeName: string, name: string): string {
  const owner = name === 'disposition' ? typeName : 'Report';
  return owner + name[0]!.toUpperCase() + name.slice(1);
}

interface PeriodArguments {
  unit: PeriodUnit;
  date: string;
}

type ReportArguments = PeriodArguments & FilterValues;

/**
 * Checks in the documented order: parameters, then the plan.
 * @param keyed whether each record comes with what its global id is made of
 */
async function reportsOf(
  account: Account,
  type: ReportType,
  args: ReportArguments,
  context: Context,
  keyed = false,
): Promise<Result> {
  const { unit, date, ...filters } = args;
  const period = periodOf(unit, date);
  if (!period) throw invalidParameter('date');
  checkLists(filters);
  const threatIntelligence = hasFeature(account, 'threatIntelligence');
  if (usesThreatIntelligence(filters) && !threatIntelligence) {
    throw forbidden('Threat Intelligence is not included in your plan');
  }
  const visible = withinRetention(period, account, context.now);
  if (!visible) return { reports: [], truncated: false };
  const limit = context.reportsResultCap;
  const query = {
    account: account.id,
    type,
    filters,
    threatIntelligence,
    limit,
    asJson: context.asJson,
    keyed,
    ...visible,
  };
  const { records, isTruncated } = await reports(context.database, query);
  return { reports: records, truncated: isTruncated };
}

/** One report, wherever a list of a period would show it. */
async function reportOf(account: Account, type: ReportType, id: string, { database, now }: Context) {
  const { until } = periodOf('months', dayOf(now).slice(0, 7))!;
  const from = new Date(retentionStart(account, now)).toISOString();
  const threatIntelligence = hasFeature(account, 'threatIntelligence');
  const query = { account: account.id, type, from, until: until.toISOString(), threatIntelligence };
  return report(database, query, id);
}

function checkLists(filters: FilterValues): void {
  for (const [name, value] of Object.entries(filters)) {
    if (Array.isArray(value) && value.length > LONGEST_LIST) throw invalidParameter(name);
  }
}

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
function withinRetention({ from, until }: Period, account: Account, now: Date) {
  const oldest = new Date(retentionStart(account, now));
  const start = from < oldest ? oldest : from;
  const isReadable = start < until && from <= now;
  return isReadable ? { from: start.toISOString(), until: until.toISOString() } : undefined;
}

/** The start of the UTC day so many days before today as the plan keeps reports. */
function retentionStart(account: Account, now: Date): number {
  const longest = 100_000;
  return Date.parse(addDays(dayOf(now), -Math.min(planOf(account).dataRetentionDays, longest)));
}

function defineReports(definition: ReportTypeDefinition): void {
  const { type, label, typeName, description } = definition;
  const applicable = REPORT_FILTERS.filter(({ types }) => types.includes(type));
  const Result = builder.objectRef<Result>(`${typeName}s`).implement({
    description: `${label} reports of a period.`,
    fields: t => ({
      reports: t.expose('reports', {
        type: [reportRecord(definition)],
        complexity: { field: USUAL_CAP, multiplier: USUAL_CAP },
        description:
          'The records, newest first. There are at most 1000, unless the service is set to another number.',
        extensions: { openapi: { maxItems: 10_000 } },
      }),
      truncated: t.exposeBoolean('truncated', {
        description: 'Whether there are more than the answer holds.',
      }),
    }),
  });
  const field = `${typeName[0]!.toLowerCase()}${typeName.slice(1)}s`;
  const about = `${label} reports of one hour, day or month, newest first. ${description}`;

  builder.queryField(field, t =>
    t.field({
      type: Result,
      description: about,
      args: reportArguments(t.arg, definition, applicable),
      ...restRoute({
        path: `/reports/${type}`,
        tag: 'Reports',
        summary: `${label} reports`,
        exact: true,
        inapplicable: inapplicable(type),
        errors: {
          400: [invalidParameter('date').message],
          ...(applicable.some(filter => filter.threatIntelligence) && {
            403: ['Threat Intelligence is not included in your plan'],
          }),
        },
      }),
      resolve: (_root, args, context) =>
        reportsOf(ownAccount(context), type, args as ReportArguments, context),
    }),
  );

  builder.objectField('Account', field, t =>
    t.field({
      type: Result,
      // The plan may refuse a filter, which is no reason to lose the rest of an answer.
      nullable: true,
      description: about,
      complexity: OWN_STATEMENT,
      args: reportArguments(t.arg, definition, applicable),
      resolve: (account, args, context) => {
        const { id, ...others } = args as ReportArguments;
        const own = typeof id === 'string' ? { id: ownIdOf(typeName, account, id) } : {};
        return reportsOf(account, type, { ...others, ...own }, context, true);
      },
    }),
  );

  findsNodes(typeName, (account, id, context) => reportOf(account, type, id, context));
}

function inapplicable(type: ReportType): Record<string, string> {
  const others = REPORT_FILTERS.filter(({ types }) => !types.includes(type));
  return Object.fromEntries(
    others.map(({ name }) => [name, `Parameter ${name} does not apply to report type ${type}`]),
  );
}

type ArgumentBuilder = Parameters<Parameters<typeof builder.queryField>[1]>[0]['arg'];

function reportArguments(
  arg: ArgumentBuilder,
  definition: ReportTypeDefinition,
  filters: readonly ReportFilter[],
) {
  return {
    unit: arg({ type: ReportUnit, required: true, description: 'Unit of the period.' }),
    date: arg({
      type: 'PeriodDate',
      required: true,
      description:
        'The period in UTC: `YYYY-MM-DDTHH` for hours, `YYYY-MM-DD` for days, `YYYY-MM` for months.',
    }),
    ...Object.fromEntries(
      filters.map(({ name, kind, description, field, threatIntelligence }) => [
        name,
        arg({
          type: field ? enumerationOf(definition, field) : (inputTypes[kind] as 'FilterText'),
          description: threatIntelligence
            ? `${description} Needs the Threat Intelligence feature.`
            : description,
          extensions: Array.isArray(inputTypes[kind]) ? { openapi: { maxItems: LONGEST_LIST } } : {},
        }),
      ]),
    ),
  };
}

REPORT_TYPE_DEFINITIONS.forEach(defineReports);
