import { Rows } from '@sightline/postgres';
import { REPORT_TYPE_DEFINITIONS, type ReportType, type ReportTypeDefinition } from '@sightline/reports';
import type { Account } from '../sql/account.ts';
import type { FilterValues, ReportFilter } from '../sql/report/filter.ts';
import { filtersOf, REPORT_FILTERS } from '../sql/report/filters.ts';
import { type ReportRow, report, reports } from '../sql/reports.ts';
import { builder, itemsOf, OWN_STATEMENT } from './builder.ts';
import { dayOf, type Period, type PeriodUnit, periodOf } from './calendar.ts';
import { type Context, ownAccount } from './context.ts';
import { hasFeature, retentionStart } from './entitlements.ts';
import { invalidParameter } from './errors.ts';
import { findsNodes, ownIdOf } from './global-ids.ts';
import {
  checkFilters,
  inputTypes,
  LONGEST_LIST,
  ReportFilter as ReportFilterInput,
  ReportUnit,
  requirePeriod,
  withinRetention,
} from './report-query.ts';
import { listField, reportRecord } from './report-records.ts';
import { restRoute } from './rest-route.ts';

/** The number of records that an answer can hold: it bounds the cost of a query. */
export const USUAL_CAP = 1000;

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

type ReportArguments = { unit: PeriodUnit; date: string; not?: FilterValues | null } & FilterValues;

/** Checks in the documented order: parameters, then the plan. No filter is named as the other arguments are. */
async function reportsOf(
  account: Account,
  type: ReportType,
  args: ReportArguments,
  context: Context,
): Promise<Rows<ReportRow>> {
  const { unit, date, not } = args;
  const period = requirePeriod(unit, date);
  checkFilters(account, type, args, not);
  return listed(account, { type, period, filters: args, not }, context);
}

interface Listing {
  type: ReportType;
  period: Period;
  filters: FilterValues;
  not: FilterValues | null | undefined;
  /** Records; as many as an answer holds, when left out. */
  limit?: number;
}

/** The visible fields of reports whose filters were checked. */
export async function listed(
  account: Account,
  { type, period, filters, not, limit }: Listing,
  context: Context,
): Promise<Rows<ReportRow>> {
  const visible = withinRetention(period, account, context.now);
  if (!visible) return Rows.of([]);
  const { database, budget, longestAnswer, reportsResultCap, isPlain } = context;
  // Written down whole: each spread would take as long as all the rest.
  const within = (longest: number | undefined) =>
    reports(database, {
      account: account.id,
      type,
      from: visible.from,
      until: visible.until,
      filters,
      not,
      threatIntelligence: hasFeature(account, 'threatIntelligence'),
      isPlain,
      limit: limit ?? reportsResultCap,
      longest,
    });
  return budget ? budget.inTurn(within) : within(longestAnswer);
}

/** One report, wherever a list of a period would show it. */
export async function reportOf(account: Account, type: ReportType, id: string, { database, now }: Context) {
  const { until } = periodOf('months', dayOf(now).slice(0, 7))!;
  const from = retentionStart(account, now).toISOString();
  const threatIntelligence = hasFeature(account, 'threatIntelligence');
  const query = { account: account.id, type, from, until: until.toISOString(), threatIntelligence };
  return report(database, query, id);
}

/** A filter by id takes the own id and the global one. */
export function ownIds(typeName: string, account: Account, { id, ...others }: FilterValues): FilterValues {
  return typeof id === 'string' ? { ...others, id: ownIdOf(typeName, account, id) } : others;
}

function defineReports(definition: ReportTypeDefinition): void {
  const { type, label, typeName, description } = definition;
  const applicable = REPORT_FILTERS.filter(({ types }) => types.includes(type));
  const Result = builder.objectRef<Rows<ReportRow>>(`${typeName}s`).implement({
    description: `${label} reports of a period.`,
    fields: t => ({
      reports: t.field({
        type: [reportRecord(definition)],
        complexity: { field: USUAL_CAP, multiplier: USUAL_CAP },
        description:
          'The records, newest first. There are at most 1000, unless the service is set to another number.',
        extensions: { openapi: { maxItems: 10_000 } },
        resolve: itemsOf,
      }),
      truncated: t.exposeBoolean('isTruncated', {
        description: 'Whether there are more than the answer holds.',
      }),
    }),
  });
  const field = listField(definition);
  const about = `${label} reports of one hour, day or month, newest first. ${description}`;

  builder.queryField(field, t =>
    t.field({
      type: Result,
      description: about,
      args: reportArguments(t.arg, definition, applicable),
      ...restRoute({
        path: `/reports/${type}`,
        verb: 'list',
        tag: 'Reports',
        summary: `${label} reports`,
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
      args: {
        ...reportArguments(t.arg, definition, filtersOf(type)),
        not: t.arg({ type: ReportFilterInput, description: 'Reports that match any of these are left out.' }),
      },
      resolve: (account, args, context) => {
        const { not, ...filters } = args as ReportArguments;
        const own = {
          ...ownIds(typeName, account, filters),
          not: ownIds(typeName, account, not ?? {}),
        };
        return reportsOf(account, type, own as unknown as ReportArguments, context);
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
