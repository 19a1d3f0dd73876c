import type { Account } from '../sql/account.ts';
import type { Days, DayTotalRow, DirectiveTotalRow, UsageRow } from '../sql/analytics.ts';
import { REPORT_TYPE_DEFINITIONS, REPORT_TYPES, type ReportType } from '../sql/report-types.ts';
import { builder } from './builder.ts';
import { addDays, dayOf, daysOf, monthOf, sameDayMonthsBefore } from './calendar.ts';
import { type Context, ownAccount } from './context.ts';
import { isPaid, planOf } from './entitlements.ts';
import { forbidden, invalid, notFound } from './errors.ts';
import { restRoute } from './rest-route.ts';

type Totals = Record<ReportType, number>;

const NOTHING = Object.fromEntries(REPORT_TYPES.map(type => [type, 0])) as Totals;

const ReportTypeName = builder.enumType('ReportTypeName', {
  description: 'Identifier of a report type.',
  values: Object.fromEntries(
    REPORT_TYPE_DEFINITIONS.map(({ type, label }) => [type, { value: type, description: label }]),
  ) as Record<ReportType, { value: ReportType; description: string }>,
});

const ReportTypeInfo = builder.objectRef<{ type: ReportType; label: string }>('ReportType').implement({
  description: 'A type of report.',
  fields: t => ({
    type: t.expose('type', { type: ReportTypeName, description: 'Identifier, as in paths.' }),
    label: t.exposeString('label', { description: 'Display name.' }),
  }),
});

const ReportTypeList = builder
  .objectRef<{ types: { type: ReportType; label: string }[] }>('ReportTypeList')
  .implement({
    description: 'The report types.',
    subGraphs: ['rest'],
    fields: t => ({ types: t.expose('types', { type: [ReportTypeInfo], description: 'The report types.' }) }),
  });

const ALL_TYPES = REPORT_TYPE_DEFINITIONS.map(({ type, label }) => ({ type, label }));

const CspGraphPeriod = builder
  .objectRef<{ date: string; total: number; directives: Record<string, number> }>('CspGraphPeriod')
  .implement({
    description: 'A day of a graph of CSP reports.',
    fields: t => ({
      date: t.expose('date', { type: 'Date', description: 'The day, in UTC.' }),
      total: t.expose('total', { type: 'Counter', description: 'Reports on that day.' }),
      directives: t.expose('directives', {
        type: 'Counts',
        description: 'Reports by violated directive; `unknown` counts those without one and is always there.',
        extensions: {
          openapi: { properties: { unknown: { type: 'integer', minimum: 0 } }, required: ['unknown'] },
        },
      }),
    }),
  });

const TotalGraphPeriod = builder.objectRef<{ date: string; total: number }>('TotalGraphPeriod').implement({
  description: 'A day of a graph.',
  fields: t => ({
    date: t.expose('date', { type: 'Date', description: 'The day, in UTC.' }),
    total: t.expose('total', { type: 'Counter', description: 'Reports on that day.' }),
  }),
});

const GraphPeriod = builder.unionType('GraphPeriod', {
  description: 'A day of a graph, with directives for CSP reports.',
  types: [CspGraphPeriod, TotalGraphPeriod],
  resolveType: period => ('directives' in period ? CspGraphPeriod : TotalGraphPeriod),
});

const GraphUnit = builder.enumType('GraphUnit', {
  description: 'Unit of the period of a graph.',
  values: ['weeks', 'months'] as const,
});

interface Graph {
  type: ReportType;
  unit: 'weeks' | 'months';
  amount: number;
  periods: { date: string; total: number; directives?: Record<string, number> }[];
}

const GraphType = builder.objectRef<Graph>('Graph').implement({
  description: 'Reports of one type by day.',
  fields: t => ({
    type: t.expose('type', { type: ReportTypeName, description: 'The report type.' }),
    unit: t.expose('unit', { type: GraphUnit, description: 'Unit of the period.' }),
    amount: t.exposeInt('amount', {
      description: 'How many of the units.',
      extensions: { openapi: { enum: [1, 2, 3, 4, 6, 12] } },
    }),
    periods: t.field({
      type: [GraphPeriod],
      complexity: { field: 1, multiplier: 100 },
      description: 'One entry a day, oldest first; the last is today.',
      resolve: graph => graph.periods as { date: string; total: number }[],
    }),
  }),
});

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
  const rows = await load.directiveTotals({ type, ...days })(account.id);
  const byDay = new Map<string, DirectiveTotalRow[]>();
  for (const row of rows) {
    const known = byDay.get(row.day);
    if (known) known.push(row);
    else byDay.set(row.day, [row]);
  }
  const period = type === 'csp' ? cspPeriod : totalPeriod;
  return { type, unit, amount, periods: daysOf(days).map(date => period(date, byDay.get(date) ?? [])) };
}

function totalPeriod(date: string, rows: readonly DirectiveTotalRow[]) {
  return { date, total: rows.reduce((sum, row) => sum + row.total, 0) };
}

function cspPeriod(date: string, rows: readonly DirectiveTotalRow[]) {
  const counts = new Map<string, number>();
  let unknown = 0;
  for (const { directive, total } of rows) {
    if (directive === '' || directive === 'unknown') unknown += total;
    else counts.set(directive, total);
  }
  return { ...totalPeriod(date, rows), directives: Object.fromEntries([...counts, ['unknown', unknown]]) };
}

const typeFields = (describe: (label: string) => string) =>
  REPORT_TYPE_DEFINITIONS.map(({ type, label }) => ({ type, description: describe(label) }));

const ReportTypeTotals = builder.objectRef<Totals>('ReportTypeTotals').implement({
  description: 'A count for each report type.',
  fields: t =>
    Object.fromEntries(
      typeFields(label => `${label} reports.`).map(({ type, description }) => [
        type,
        t.expose(type, { type: 'Counter', description }),
      ]),
    ),
});

const Breakdown = builder.objectRef<{ breakdown: Totals }>('Breakdown').implement({
  description: 'Reports of the current month by type.',
  subGraphs: ['rest'],
  fields: t => ({
    breakdown: t.expose('breakdown', { type: ReportTypeTotals, description: 'Reports by type.' }),
  }),
});

type Day = Totals & { date: string };

const DayTotals = builder.objectRef<Day>('DayTotals').implement({
  description: 'Reports of one day, by type.',
  fields: t => ({
    date: t.expose('date', { type: 'Date', description: 'The day, in UTC.' }),
    ...Object.fromEntries(
      typeFields(label => `${label} reports of that day.`).map(({ type, description }) => [
        type,
        t.expose(type, { type: 'Counter', description }),
      ]),
    ),
  }),
});

const LastSevenDays = builder.objectRef<{ days: Day[] }>('LastSevenDays').implement({
  description: 'Reports of the last seven days, by type.',
  subGraphs: ['rest'],
  fields: t => ({
    days: t.expose('days', {
      type: [DayTotals],
      description: 'Seven days, oldest first; the last is today.',
      extensions: { openapi: { minItems: 7, maxItems: 7 } },
    }),
  }),
});

type Usage = Pick<UsageRow, 'type' | 'filtered' | 'sampled' | 'rejected'> & { accepted: number };

const UsageMetric = builder.objectRef<Usage>('UsageMetric').implement({
  description: 'What became of the reports of one type in the current month.',
  fields: t => ({
    type: t.expose('type', { type: ReportTypeName, description: 'The report type.' }),
    accepted: t.expose('accepted', { type: 'Counter', description: 'Reports taken in.' }),
    filtered: t.expose('filtered', { type: 'Counter', description: 'Reports that a filter dropped.' }),
    sampled: t.expose('sampled', { type: 'Counter', description: 'Reports that sampling dropped.' }),
    rejected: t.expose('rejected', { type: 'Counter', description: 'Reports that were refused.' }),
  }),
});

const UsageMetrics = builder.objectRef<{ metrics: Usage[] }>('UsageMetrics').implement({
  description: 'What became of the reports of the current month.',
  subGraphs: ['rest'],
  fields: t => ({
    metrics: t.expose('metrics', { type: [UsageMetric], description: 'One entry a report type.' }),
  }),
});

const Quota = builder.objectRef<{ used: number; limit: number }>('Quota').implement({
  description: 'Use of the monthly report quota.',
  fields: t => ({
    used: t.expose('used', { type: 'Counter', description: 'Reports counted this month.' }),
    limit: t.expose('limit', { type: 'Counter', description: 'The monthly quota.' }),
  }),
});

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
const graphArgs = {
  unit: { type: GraphUnit, required: true, description: '`weeks` or `months`.' },
  amount: { type: 'GraphAmount', required: true, description: '1 to 4 weeks, or 3, 6 or 12 months.' },
} as const;

builder.queryFields(t => ({
  reportTypes: t.field({
    type: ReportTypeList,
    description: 'The report types, in the order in which they are always listed.',
    ...restRoute({ path: '/report-types', tag: 'Reports', summary: 'The report types' }),
    resolve: () => ({ types: ALL_TYPES }),
  }),
  graph: t.field({
    type: GraphType,
    description: 'Reports of one type by day. A period longer than one week needs a paid plan.',
    args: {
      type: t.arg({ type: ReportTypeName, required: true, description: 'The report type.' }),
      unit: t.arg(graphArgs.unit),
      amount: t.arg(graphArgs.amount),
    },
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
    args: {
      type: t.arg({ type: ReportTypeName, required: true, description: 'The report type.' }),
      unit: t.arg(graphArgs.unit),
      amount: t.arg(graphArgs.amount),
    },
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
