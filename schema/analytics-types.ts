import { REPORT_TYPE_DEFINITIONS, type ReportType } from '@sightline/reports';
import type { UsageRow } from '../sql/analytics.ts';
import { builder } from './builder.ts';
import type { GraphDay } from './graph-periods.ts';
import { getSubGraphs, ReportTypeName } from './report-type-name.ts';

export type Totals = Record<ReportType, number>;

export const ReportTypeInfo = builder.objectRef<{ type: ReportType; label: string }>('ReportType').implement({
  description: 'A report type.',
  fields: t => ({
    type: t.expose('type', {
      type: ReportTypeName,
      description: 'Identifier of the type, as used in paths.',
    }),
    label: t.exposeString('label', { description: 'Display name.' }),
  }),
});

export const ReportTypeList = builder
  .objectRef<{ types: { type: ReportType; label: string }[] }>('ReportTypeList')
  .implement({
    description: 'The report types.',
    subGraphs: ['rest'],
    fields: t => ({ types: t.expose('types', { type: [ReportTypeInfo], description: 'The report types.' }) }),
  });

const CspGraphPeriod = builder
  .objectRef<{ date: string; total: number; directives: Record<string, number> }>('CspGraphPeriod')
  .implement({
    description: 'A day of a graph of CSP reports.',
    fields: t => ({
      date: t.expose('date', { type: 'Date', description: 'The day, in UTC.' }),
      total: t.expose('total', { type: 'Counter', description: 'Reports on that day.' }),
      directives: t.expose('directives', {
        type: 'Counts',
        description:
          'Reports by violated directive; `unknown`, which is always present, counts those without one.',
        // Declaring it as a property as well would make generated clients drop all other properties.
        extensions: { openapi: { required: ['unknown'] } },
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

export const GraphUnit = builder.enumType('GraphUnit', {
  description: 'Unit of the period of a graph.',
  values: ['weeks', 'months'] as const,
});

export interface Graph {
  type: ReportType;
  unit: 'weeks' | 'months';
  amount: number;
  periods: Iterable<GraphDay>;
}

export const GraphType = builder.objectRef<Graph>('Graph').implement({
  description: 'Reports of one type by day.',
  fields: t => ({
    type: t.expose('type', { type: ReportTypeName, description: 'The report type.' }),
    unit: t.expose('unit', { type: GraphUnit, description: 'Unit of the period.' }),
    amount: t.exposeInt('amount', {
      description: 'The number of units.',
      extensions: { openapi: { enum: [1, 2, 3, 4, 6, 12] } },
    }),
    periods: t.field({
      type: [GraphPeriod],
      complexity: { field: 1, multiplier: 100 },
      description: 'One entry per day, oldest first; the last is today.',
      resolve: graph => graph.periods as { date: string; total: number }[],
    }),
  }),
});

const typeFields = (describe: (label: string) => string) =>
  REPORT_TYPE_DEFINITIONS.map(({ type, label }) => ({
    type,
    options: { type: 'Counter' as const, description: describe(label), subGraphs: getSubGraphs(type) },
  }));

export const ReportTypeTotals = builder.objectRef<Totals>('ReportTypeTotals').implement({
  description: 'A count for each report type.',
  fields: t =>
    Object.fromEntries(
      typeFields(label => `${label} reports.`).map(({ type, options }) => [type, t.expose(type, options)]),
    ),
});

export const Breakdown = builder.objectRef<{ breakdown: Totals }>('Breakdown').implement({
  description: 'Reports of the current month by type.',
  subGraphs: ['rest'],
  fields: t => ({
    breakdown: t.expose('breakdown', { type: ReportTypeTotals, description: 'Reports by type.' }),
  }),
});

export type DailyTotals = Totals & { date: string };

export const DayTotals = builder.objectRef<DailyTotals>('DayTotals').implement({
  description: 'Reports of one day, by type.',
  fields: t => ({
    date: t.expose('date', { type: 'Date', description: 'The day, in UTC.' }),
    ...Object.fromEntries(
      typeFields(label => `${label} reports of that day.`).map(({ type, options }) => [
        type,
        t.expose(type, options),
      ]),
    ),
  }),
});

export const LastSevenDays = builder.objectRef<{ days: DailyTotals[] }>('LastSevenDays').implement({
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

export type TypeUsage = Pick<UsageRow, 'type' | 'filtered' | 'sampled' | 'rejected'> & { accepted: number };

export const UsageMetric = builder.objectRef<TypeUsage>('UsageMetric').implement({
  description: 'The outcomes of the reports of one type received in the current month.',
  fields: t => ({
    type: t.expose('type', { type: ReportTypeName, description: 'The report type.' }),
    accepted: t.expose('accepted', { type: 'Counter', description: 'Accepted reports.' }),
    filtered: t.expose('filtered', { type: 'Counter', description: 'Reports that a filter dropped.' }),
    sampled: t.expose('sampled', { type: 'Counter', description: 'Reports that sampling dropped.' }),
    rejected: t.expose('rejected', { type: 'Counter', description: 'Reports that were refused.' }),
  }),
});

export const UsageMetrics = builder.objectRef<{ metrics: TypeUsage[] }>('UsageMetrics').implement({
  description: 'What became of the reports of the current month.',
  subGraphs: ['rest'],
  fields: t => ({
    metrics: t.expose('metrics', { type: [UsageMetric], description: 'One entry a report type.' }),
  }),
});

export const Quota = builder.objectRef<{ used: number; limit: number }>('Quota').implement({
  description: 'Use of the monthly report quota.',
  fields: t => ({
    used: t.expose('used', { type: 'Counter', description: 'Reports counted this month.' }),
    limit: t.expose('limit', { type: 'Counter', description: 'The monthly quota.' }),
  }),
});
