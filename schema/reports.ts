import { Rows } from '@sightline/pg-client';
import {
  isRestReportType,
  listValues,
  MS_PER_DAY,
  REPORT_TYPE_DEFINITIONS,
  type ReportType,
  type ReportTypeDefinition,
} from '@sightline/reports';
import type { Account } from '../sql/account.ts';
import type { FilterValues, ReportFilter } from '../sql/report/filter.ts';
import { listFilters, REPORT_FILTERS } from '../sql/report/filters.ts';
import { type ReportRow, report, reports } from '../sql/reports.ts';
import { builder, OWN_STATEMENT, toItems } from './builder.ts';
import { type CalendarPeriod, type PeriodUnit, toDay, toPeriod } from './calendar.ts';
import { type Context, ownAccount } from './context.ts';
import { hasFeature, retentionStart } from './entitlements.ts';
import { invalidParameter } from './errors.ts';
import { findsNodes, toOwnId } from './global-ids.ts';
import {
  checkFilters,
  clampToRetention,
  inputTypes,
  LONGEST_LIST,
  latestEnd,
  ReportFilter as ReportFilterInput,
  ReportUnit,
  requirePeriod,
} from './report-query.ts';
import { listField, reportRecord } from './report-records.ts';
import { restRoute } from './rest-route.ts';

/** The default limit of records in a response. It bounds the cost of a query. */
export const USUAL_CAP = 1000;

/** Enumerations by their values, since types can share them. */
const enumerations = new Map<string, ReturnType<typeof enumeration>>();

function enumeration(name: string, values: readonly string[]) {
  return builder.enumType(name, { description: `Known values of ${name}.`, values });
}

function toEnumeration({ type, typeName }: ReportTypeDefinition, name: string) {
  const values = listValues(type, name);
  const key = `${name} ${values.join(' ')}`;
  const existing = enumerations.get(key) ?? enumeration(enumerationName(typeName, name), values);
  enumerations.set(key, existing);
  return existing;
}

/**
 * `ReportAction` and so on. The values of a disposition depend on the type, so its enumeration is named after the first
 * type that has them.
 */
function enumerationName(typeName: string, name: string): string {
  const owner = name === 'disposition' ? typeName : 'Report';
  return owner + name[0]!.toUpperCase() + name.slice(1);
}

type ReportArguments = { unit: PeriodUnit; date: string; not?: FilterValues | null } & FilterValues;

/** Checks in the documented order: parameters first, then the plan. Filters do not share names with other arguments. */
async function listReports(
  account: Account,
  type: ReportType,
  args: ReportArguments,
  context: Context,
): Promise<Rows<ReportRow>> {
  const { unit, date, not } = args;
  const period = requirePeriod(unit, date);
  checkFilters(account, type, args, not);
  return loadReportPage(account, { type, period, filters: args, not }, context);
}

interface Listing {
  type: ReportType;
  period: CalendarPeriod;
  filters: FilterValues;
  not: FilterValues | null | undefined;
  /** The maximum number of records. Defaults to the limit of a response. */
  limit?: number;
}

/** Loads reports for filters that have been checked. Returns only visible fields. */
export async function loadReportPage(
  account: Account,
  { type, period, filters, not, limit }: Listing,
  context: Context,
): Promise<Rows<ReportRow>> {
  const visible = clampToRetention(period, account, context.now);
  if (!visible) return Rows.of([]);
  const { database, budget, longestAnswer, reportsResultCap, isPlain, now } = context;
  // Written out in full, because a spread would take as long as everything else.
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
      openSince: findOpenMonth(now),
    });
  return budget ? budget.inTurn(within) : within(longestAnswer);
}

/** The number of days after the end of a month until `maintain` indexes it. */
const DAYS_UNTIL_INDEXED = 2;

/** The first day of the months that are not indexed yet. */
function findOpenMonth(now: Date): string {
  return `${toDay(new Date(now.getTime() - DAYS_UNTIL_INDEXED * MS_PER_DAY)).slice(0, 7)}-01T00:00:00.000Z`;
}

/** Finds a report if a list could show it. */
export async function findReport(account: Account, type: ReportType, id: string, { database, now }: Context) {
  // A report can be dated ahead, in the next month.
  const month = toPeriod('months', toDay(now).slice(0, 7))!;
  const until = new Date(Math.max(month.until.getTime(), latestEnd(now)));
  const from = retentionStart(account, now).toISOString();
  const threatIntelligence = hasFeature(account, 'threatIntelligence');
  const query = { account: account.id, type, from, until: until.toISOString(), threatIntelligence };
  return report(database, query, id);
}

/** Converts global ids in a filter to local ones. Both forms are accepted. */
export function ownIds(typeName: string, account: Account, { id, ...others }: FilterValues): FilterValues {
  return typeof id === 'string' ? { ...others, id: toOwnId(typeName, account, id) } : others;
}

function defineReports(definition: ReportTypeDefinition): void {
  const { type, label, typeName } = definition;
  const Result = builder.objectRef<Rows<ReportRow>>(`${typeName}s`).implement({
    description: `${label} reports of a period.`,
    fields: t => ({
      reports: t.field({
        type: [reportRecord(definition)],
        complexity: { field: USUAL_CAP, multiplier: USUAL_CAP },
        description: 'The records, newest first: at most 1000, unless the service is configured otherwise.',
        extensions: { openapi: { maxItems: 10_000 } },
        resolve: toItems,
      }),
      truncated: t.exposeBoolean('isTruncated', {
        description: 'Whether there are more records than the response contains.',
      }),
    }),
  });
  if (isRestReportType(type)) defineRoute(definition, Result);

  builder.objectField('Account', listField(definition), t =>
    t.field({
      type: Result,
      // Nullable, so that a refusal by the plan does not discard the rest of the response.
      nullable: true,
      description: describeList(definition),
      complexity: OWN_STATEMENT,
      args: {
        ...reportArguments(t.arg, definition, listFilters(type)),
        not: t.arg({ type: ReportFilterInput, description: 'Reports that match any of these are left out.' }),
      },
      resolve: (account, args, context) => {
        const { not, ...filters } = args as ReportArguments;
        const own = {
          ...ownIds(typeName, account, filters),
          not: ownIds(typeName, account, not ?? {}),
        };
        return listReports(account, type, own as unknown as ReportArguments, context);
      },
    }),
  );

  findsNodes(typeName, (account, id, context) => findReport(account, type, id, context));
}

function describeList({ label, description }: ReportTypeDefinition): string {
  return `${label} reports of one hour, day or month, newest first. ${description}`;
}

type ReportList = ReturnType<ReturnType<typeof builder.objectRef<Rows<ReportRow>>>['implement']>;

/** Defines the list on `/v1`. */
function defineRoute(definition: ReportTypeDefinition, Result: ReportList): void {
  const { type, label } = definition;
  const applicable = REPORT_FILTERS.filter(({ types }) => types.includes(type));
  builder.queryField(listField(definition), t =>
    t.field({
      type: Result,
      description: describeList(definition),
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
        listReports(ownAccount(context), type, args as ReportArguments, context),
    }),
  );
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
          type: field ? toEnumeration(definition, field) : (inputTypes[kind] as 'FilterText'),
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
