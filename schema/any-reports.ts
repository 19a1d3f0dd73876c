import type { Rows } from '@sightline/postgres';
import { reportType } from '@sightline/reports';
import type { Account } from '../sql/account.ts';
import type { FilterValues } from '../sql/report/filter.ts';
import type { ReportRow } from '../sql/reports.ts';
import { builder, itemsOf, OWN_STATEMENT } from './builder.ts';
import type { Context } from './context.ts';
import { invalid } from './errors.ts';
import { ownIdOf, typed } from './global-ids.ts';
import {
  type AnyReportArguments,
  anyReportArguments,
  checkAnyFilters,
  periodOfArguments,
} from './report-query.ts';
import { type AnyReport, Report } from './report-records.ts';
import { ReportTypeName } from './report-type-name.ts';
import { listed, ownIds, reportOf, USUAL_CAP } from './reports.ts';

/** Reports whose type is an argument: for clients that show all types alike. */
const AnyReports = builder.objectRef<Rows<ReportRow>>('Reports').implement({
  description: 'Reports of a period, of whichever type was asked for.',
  subGraphs: ['graph'],
  fields: t => ({
    reports: t.field({
      type: [Report],
      complexity: { field: USUAL_CAP, multiplier: USUAL_CAP },
      description:
        'The records, newest first. There are at most 1000, unless the service is set to another number.',
      resolve: rows => itemsOf(rows) as unknown as AnyReport[],
    }),
    truncated: t.exposeBoolean('isTruncated', {
      description: 'Whether there are more than the answer holds.',
    }),
  }),
});

interface ListArguments extends AnyReportArguments {
  first?: number | null;
}

async function anyReports(account: Account, args: ListArguments, context: Context) {
  const { type, first } = args;
  if (first != null && first < 1) throw invalid('Invalid value for parameter: first. It takes 1 and more.');
  const cap = context.reportsResultCap;
  const { typeName } = reportType(type);
  const [filters, not] = [args.where, args.not].map(given => ownIds(typeName, account, given ?? {})) as [
    FilterValues,
    FilterValues,
  ];
  const period = periodOfArguments(args, context.now);
  checkAnyFilters(account, type, filters, not);
  const limit = Math.min(first ?? cap, cap);
  return (await listed(account, { type, period, filters, not, limit }, context)).ofType(typeName);
}

builder.objectField('Account', 'reports', t =>
  t.field({
    type: AnyReports,
    // The plan may refuse a filter, which is no reason to lose the rest of an answer.
    nullable: true,
    description:
      'Reports of one type, newest first. The period is `unit` and `date`, ' +
      'or begins with `from` and ends before `to` (now, where it is left out).',
    complexity: OWN_STATEMENT,
    args: {
      ...anyReportArguments(t.arg),
      first: t.arg.int({ description: 'At most so many; as many as an answer holds, when left out.' }),
    },
    resolve: (account, args, context) => anyReports(account, args as ListArguments, context),
  }),
);

builder.objectField('Account', 'report', t =>
  t.field({
    type: Report,
    nullable: true,
    description: 'One report; null where there is none, and where the retention has passed.',
    complexity: OWN_STATEMENT,
    args: {
      type: t.arg({ type: ReportTypeName, required: true, description: 'The type of the report.' }),
      id: t.arg.id({ required: true, description: 'Its `id` or its `recordId`.' }),
    },
    resolve: async (account, { type, id }, context) => {
      const { typeName } = reportType(type);
      const found = await reportOf(account, type, ownIdOf(typeName, account, String(id)), context);
      return found && (typed(typeName, found) as unknown as AnyReport);
    },
  }),
);
