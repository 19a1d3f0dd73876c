import {
  isRestReportType,
  MS_PER_DAY,
  REPORT_TYPE_DEFINITIONS,
  REPORT_TYPES,
  REST_REPORT_TYPES,
  type ReportType,
} from '@sightline/reports';
import type { Account } from '../sql/account.ts';
import type { Days, DayTotalRow } from '../sql/analytics.ts';
import {
  Breakdown,
  type DailyTotals,
  DayTotals,
  type Graph,
  GraphType,
  GraphUnit,
  LastSevenDays,
  Quota,
  ReportTypeInfo,
  ReportTypeList,
  ReportTypeTotals,
  type Totals,
  type TypeUsage,
  UsageMetric,
  UsageMetrics,
} from './analytics-types.ts';
import { builder, OWN_STATEMENT } from './builder.ts';
import { addDays, listDays, sameDayMonthsBefore, toDay, toMonth } from './calendar.ts';
import { type Context, ownAccount } from './context.ts';
import { getPlan, isPaid, retentionStart } from './entitlements.ts';
import { forbidden, invalid, notFound } from './errors.ts';
import { ReportTypeName } from './report-type-name.ts';
import { restRoute } from './rest-route.ts';

const NOTHING = Object.fromEntries(REPORT_TYPES.map(type => [type, 0])) as Totals;

const ALL_TYPES = REPORT_TYPE_DEFINITIONS.map(({ type, label }) => ({ type, label }));
const REST_TYPES = ALL_TYPES.filter(({ type }) => isRestReportType(type));

const AMOUNTS = { weeks: [1, 2, 3, 4], months: [3, 6, 12] } as const;

function daysOfGraph(unit: Graph['unit'], amount: number, now: Date): Days {
  if (!(AMOUNTS[unit] as readonly number[]).includes(amount)) throw invalid('Invalid graph period');
  const to = toDay(now);
  const from = unit === 'weeks' ? addDays(to, 1 - 7 * amount) : addDays(sameDayMonthsBefore(to, amount), 1);
  return { from, to };
}

type GraphArguments = Pick<Graph, 'type' | 'unit' | 'amount'>;

async function getGraph(
  account: Account,
  { type, unit, amount }: GraphArguments,
  { load, now }: Context,
): Promise<Graph> {
  const days = daysOfGraph(unit, amount, now);
  const isOneWeek = unit === 'weeks' && amount === 1;
  if (!isOneWeek && !isPaid(account)) throw forbidden('This period requires a paid plan');
  const periods = await load.graphPeriods({ type, ...days })(account.id);
  return { type, unit, amount, periods };
}

async function getBreakdown(account: Account, { load, now }: Context): Promise<Totals> {
  const rows = await load.typeTotals(toMonth(now))(account.id);
  return { ...NOTHING, ...Object.fromEntries(rows.map(row => [row.type, row.total])) };
}

async function getQuota(account: Account, context: Context) {
  const totals = await getBreakdown(account, context);
  // Only the types of `/v1` count against the quota, so that its totals agree.
  const used = REST_REPORT_TYPES.reduce((sum, type) => sum + totals[type], 0);
  return { used, limit: getPlan(account).reportQuota };
}

async function getLastSevenDays(account: Account, { load, now }: Context): Promise<DailyTotals[]> {
  const to = toDay(now);
  const days: Days = { from: addDays(to, -6), to };
  const rows = await load.dayTotals(days)(account.id);
  return listDays(days).map(date => dayWith(date, rows));
}

/** The maximum number of days in a response: about a quarter of a year. */
const MOST_DAYS = 92;

interface DaysArguments {
  from: string;
  to?: string | null | undefined;
}

/** Returns the days of a period, limited to the account's retention. */
async function getDayTotals(
  account: Account,
  { from, to }: DaysArguments,
  { load, now }: Context,
): Promise<DailyTotals[]> {
  const begin = Math.max(Date.parse(from), retentionStart(account, now).getTime());
  const end = Math.min(to ? Date.parse(to) : Number.POSITIVE_INFINITY, now.getTime());
  if (end - Date.parse(from) > MOST_DAYS * MS_PER_DAY)
    throw invalid(
      `Invalid value for parameter: from. It takes a time at most ${MOST_DAYS} days before \`to\`.`,
    );
  if (begin >= end) return [];
  const days: Days = { from: toDay(new Date(begin)), to: toDay(new Date(end - 1)) };
  const rows = await load.dayTotals(days)(account.id);
  return listDays(days).map(date => dayWith(date, rows));
}

function dayWith(date: string, rows: readonly DayTotalRow[]): DailyTotals {
  const day: DailyTotals = { date, ...NOTHING };
  for (const row of rows) if (row.day === date) day[row.type] = row.total;
  return day;
}

async function getUsage(
  account: Account,
  types: readonly ReportType[],
  context: Context,
): Promise<TypeUsage[]> {
  const [accepted, rows] = await Promise.all([
    getBreakdown(account, context),
    context.load.usage(toMonth(context.now))(account.id),
  ]);
  const byType = new Map(rows.map(row => [row.type, row]));
  return types.map(type => {
    const { filtered = 0, sampled = 0, rejected = 0 } = byType.get(type) ?? {};
    return { type, accepted: accepted[type], filtered, sampled, rejected };
  });
}

const TAG = 'Graphs and analytics';
const graphArgs = builder.args(t => ({
  type: t.field({ type: ReportTypeName, required: true, description: 'The report type.' }),
  unit: t.field({ type: GraphUnit, required: true, description: '`weeks` or `months`.' }),
  amount: t.field({
    type: 'GraphAmount',
    required: true,
    description: '1 to 4 weeks, or 3, 6 or 12 months.',
  }),
}));

builder.queryFields(t => ({
  reportTypes: t.field({
    type: ReportTypeList,
    description: 'All report types, in their usual order.',
    ...restRoute({ path: '/report-types', verb: 'list', tag: 'Reports', summary: 'The report types' }),
    resolve: () => ({ types: REST_TYPES }),
  }),
  graph: t.field({
    type: GraphType,
    description: 'Reports of one type by day. A period longer than one week needs a paid plan.',
    args: graphArgs,
    ...restRoute({
      path: '/graphs/:type/:unit/:amount',
      tag: TAG,
      summary: 'Reports by day',
      example: { type: 'csp', unit: 'weeks', amount: '1' },
      refusals: {
        type: notFound('Unknown report type'),
        unit: invalid('Invalid graph period'),
        amount: invalid('Invalid graph period'),
      },
      errors: {
        400: ['Invalid graph period'],
        403: ['This period requires a paid plan'],
        404: ['Unknown report type'],
      },
    }),
    resolve: (_root, args, context) => getGraph(ownAccount(context), args, context),
  }),
  lastSevenDays: t.field({
    type: LastSevenDays,
    description: 'Reports of the last seven days, by type.',
    ...restRoute({ path: '/last-seven-days', tag: TAG, summary: 'The last seven days' }),
    resolve: async (_root, _args, context) => ({
      days: await getLastSevenDays(ownAccount(context), context),
    }),
  }),
  breakdown: t.field({
    type: Breakdown,
    description: 'Reports of the current month, by type.',
    ...restRoute({ path: '/breakdown', tag: TAG, summary: 'The current month by type' }),
    resolve: async (_root, _args, context) => ({
      breakdown: await getBreakdown(ownAccount(context), context),
    }),
  }),
  usageMetrics: t.field({
    type: UsageMetrics,
    description: 'The outcomes of the reports received in the current month, by type.',
    ...restRoute({ path: '/usage-metrics', tag: TAG, summary: 'Outcomes of received reports' }),
    resolve: async (_root, _args, context) => ({
      metrics: await getUsage(ownAccount(context), REST_REPORT_TYPES, context),
    }),
  }),
  quota: t.field({
    type: Quota,
    description: 'Use of the monthly report quota.',
    ...restRoute({ path: '/quota', tag: 'Account', summary: 'Use of the report quota' }),
    resolve: (_root, _args, context) => getQuota(ownAccount(context), context),
  }),
}));

builder.queryField('reportTypeList', t =>
  t.field({
    type: [ReportTypeInfo],
    subGraphs: ['graph'],
    description: 'All report types, in their usual order.',
    resolve: () => ALL_TYPES,
  }),
);

builder.objectFields('Account', t => ({
  graph: t.field({
    type: GraphType,
    // Nullable, so that a refusal by the plan does not discard the rest of the response.
    nullable: true,
    description: 'Reports of one type by day. A period longer than one week needs a paid plan.',
    args: graphArgs,
    resolve: getGraph,
  }),
  lastSevenDays: t.field({
    type: [DayTotals],
    description: 'Reports of the last seven days, by type; oldest first.',
    resolve: (account, _args, context) => getLastSevenDays(account, context),
  }),
  dayTotals: t.field({
    type: [DayTotals],
    subGraphs: ['graph'],
    description: `Reports by day and type, of at most ${MOST_DAYS} days; oldest first.`,
    complexity: { field: OWN_STATEMENT, multiplier: 10 },
    args: {
      from: t.arg({ type: 'Instant', required: true, description: 'An instant of the first day.' }),
      to: t.arg({
        type: 'Instant',
        description: 'The end of the period, exclusive; now by default.',
      }),
    },
    resolve: getDayTotals,
  }),
  breakdown: t.field({
    type: ReportTypeTotals,
    description: 'Reports of the current month, by type.',
    resolve: (account, _args, context) => getBreakdown(account, context),
  }),
  usageMetrics: t.field({
    type: [UsageMetric],
    description: 'The outcomes of the reports received in the current month, by type.',
    resolve: (account, _args, context) => getUsage(account, REPORT_TYPES, context),
  }),
  quota: t.field({
    type: Quota,
    description: 'Use of the monthly report quota.',
    resolve: (account, _args, context) => getQuota(account, context),
  }),
}));
