import { REPORT_TYPE_DEFINITIONS, REPORT_TYPES } from '@sightline/reports';
import type { Account } from '../sql/account.ts';
import type { Days, DayTotalRow } from '../sql/analytics.ts';
import {
  Breakdown,
  type Day,
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
  type Usage,
  UsageMetric,
  UsageMetrics,
} from './analytics-types.ts';
import { builder } from './builder.ts';
import { addDays, dayOf, daysOf, monthOf, sameDayMonthsBefore } from './calendar.ts';
import { type Context, ownAccount } from './context.ts';
import { isPaid, planOf } from './entitlements.ts';
import { forbidden, invalid, notFound } from './errors.ts';
import { ReportTypeName } from './report-type-name.ts';
import { restRoute } from './rest-route.ts';

const NOTHING = Object.fromEntries(REPORT_TYPES.map(type => [type, 0])) as Totals;

const ALL_TYPES = REPORT_TYPE_DEFINITIONS.map(({ type, label }) => ({ type, label }));

const AMOUNTS = { weeks: [1, 2, 3, 4], months: [3, 6, 12] } as const;

function daysOfGraph(unit: Graph['unit'], amount: number, now: Date): Days {
  if (!(AMOUNTS[unit] as readonly number[]).includes(amount)) throw invalid('Invalid graph period');
  const to = dayOf(now);
  const from = unit === 'weeks' ? addDays(to, 1 - 7 * amount) : addDays(sameDayMonthsBefore(to, amount), 1);
  return { from, to };
}

type GraphArguments = Pick<Graph, 'type' | 'unit' | 'amount'>;

async function graphOf(
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

async function breakdownOf(account: Account, { load, now }: Context): Promise<Totals> {
  const rows = await load.typeTotals(monthOf(now))(account.id);
  return { ...NOTHING, ...Object.fromEntries(rows.map(row => [row.type, row.total])) };
}

async function quotaOf(account: Account, context: Context) {
  const totals = Object.values(await breakdownOf(account, context));
  return { used: totals.reduce((sum, total) => sum + total, 0), limit: planOf(account).reportQuota };
}

async function lastSevenDaysOf(account: Account, { load, now }: Context): Promise<Day[]> {
  const to = dayOf(now);
  const days: Days = { from: addDays(to, -6), to };
  const rows = await load.dayTotals(days)(account.id);
  return daysOf(days).map(date => dayWith(date, rows));
}

function dayWith(date: string, rows: readonly DayTotalRow[]): Day {
  const day: Day = { date, ...NOTHING };
  for (const row of rows) if (row.day === date) day[row.type] = row.total;
  return day;
}

async function usageOf(account: Account, context: Context): Promise<Usage[]> {
  const [accepted, rows] = await Promise.all([
    breakdownOf(account, context),
    context.load.usage(monthOf(context.now))(account.id),
  ]);
  const byType = new Map(rows.map(row => [row.type, row]));
  return REPORT_TYPES.map(type => {
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
    description: 'The report types, in the order in which they are always listed.',
    ...restRoute({ path: '/report-types', verb: 'list', tag: 'Reports', summary: 'The report types' }),
    resolve: () => ({ types: ALL_TYPES }),
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
    resolve: (_root, args, context) => graphOf(ownAccount(context), args, context),
  }),
  lastSevenDays: t.field({
    type: LastSevenDays,
    description: 'Reports of the last seven days, by type.',
    ...restRoute({ path: '/last-seven-days', tag: TAG, summary: 'The last seven days' }),
    resolve: async (_root, _args, context) => ({ days: await lastSevenDaysOf(ownAccount(context), context) }),
  }),
  breakdown: t.field({
    type: Breakdown,
    description: 'Reports of the current month, by type.',
    ...restRoute({ path: '/breakdown', tag: TAG, summary: 'The current month by type' }),
    resolve: async (_root, _args, context) => ({
      breakdown: await breakdownOf(ownAccount(context), context),
    }),
  }),
  usageMetrics: t.field({
    type: UsageMetrics,
    description: 'What became of the reports of the current month, by type.',
    ...restRoute({ path: '/usage-metrics', tag: TAG, summary: 'What became of reports' }),
    resolve: async (_root, _args, context) => ({ metrics: await usageOf(ownAccount(context), context) }),
  }),
  quota: t.field({
    type: Quota,
    description: 'Use of the monthly report quota.',
    ...restRoute({ path: '/quota', tag: 'Account', summary: 'Use of the report quota' }),
    resolve: (_root, _args, context) => quotaOf(ownAccount(context), context),
  }),
}));

builder.queryField('reportTypeList', t =>
  t.field({
    type: [ReportTypeInfo],
    subGraphs: ['graph'],
    description: 'The report types, in the order in which they are always listed.',
    resolve: () => ALL_TYPES,
  }),
);

builder.objectFields('Account', t => ({
  graph: t.field({
    type: GraphType,
    // The plan may refuse it, which is no reason to lose the rest of an answer.
    nullable: true,
    description: 'Reports of one type by day. A period longer than one week needs a paid plan.',
    args: graphArgs,
    resolve: graphOf,
  }),
  lastSevenDays: t.field({
    type: [DayTotals],
    description: 'Reports of the last seven days, by type; oldest first.',
    resolve: (account, _args, context) => lastSevenDaysOf(account, context),
  }),
  breakdown: t.field({
    type: ReportTypeTotals,
    description: 'Reports of the current month, by type.',
    resolve: (account, _args, context) => breakdownOf(account, context),
  }),
  usageMetrics: t.field({
    type: [UsageMetric],
    description: 'What became of the reports of the current month, by type.',
    resolve: (account, _args, context) => usageOf(account, context),
  }),
  quota: t.field({
    type: Quota,
    description: 'Use of the monthly report quota.',
    resolve: (account, _args, context) => quotaOf(account, context),
  }),
}));
