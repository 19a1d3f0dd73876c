import { nextTurn } from '@sightline/csp';
import type { Rows } from '@sightline/pg-client';
import { reportType } from '@sightline/reports';
import type { Account } from '../sql/account.ts';
import type { FilterValues } from '../sql/report/filter.ts';
import type { ReportRow } from '../sql/reports.ts';
import { builder, OWN_STATEMENT, toItems } from './builder.ts';
import type { Context } from './context.ts';
import { invalid } from './errors.ts';
import { toOwnId, typed } from './global-ids.ts';
import {
  type AnyReportArguments,
  anyReportArguments,
  checkAnyFilters,
  periodOfArguments,
} from './report-query.ts';
import { type AnyReport, Report } from './report-records.ts';
import { ReportTypeName } from './report-type-name.ts';
import { findReport, loadReportPage, ownIds, USUAL_CAP } from './reports.ts';

/** Reports of a type given as an argument, for clients that treat all types alike. */
const AnyReports = builder.objectRef<Rows<ReportRow>>('Reports').implement({
  description: 'Reports of a period, of the requested type.',
  subGraphs: ['graph'],
  fields: t => ({
    reports: t.field({
      type: [Report],
      complexity: { field: USUAL_CAP, multiplier: USUAL_CAP },
      description: 'The records, newest first: at most 1000, unless the service is configured otherwise.',
      resolve: rows => toItems(rows) as unknown as AnyReport[],
    }),
    truncated: t.boolean({
      description: 'Whether there are more records than the response contains.',
      resolve: async rows => (await rows.measured(nextTurn)).isTruncated,
    }),
  }),
});

interface ListArguments extends AnyReportArguments {
  first?: number | null;
}

async function anyReports(account: Account, args: ListArguments, context: Context) {
  const { type, first } = args;
  if (first != null && first < 1) throw invalid('Invalid value for parameter: first. It must be at least 1.');
  const cap = context.reportsResultCap;
  const { typeName } = reportType(type);
  const [filters, not] = [args.where, args.not].map(given => ownIds(typeName, account, given ?? {})) as [
    FilterValues,
    FilterValues,
  ];
  const period = periodOfArguments(args, context.now);
  checkAnyFilters(account, type, filters, not);
  const limit = Math.min(first ?? cap, cap);
  return (await loadReportPage(account, { type, period, filters, not, limit }, context)).ofType(typeName);
}

builder.objectField('Account', 'reports', t =>
  t.field({
    type: AnyReports,
    // Nullable, so that a refusal by the plan does not discard the rest of the response.
    nullable: true,
    description:
      'Reports of one type, newest first. The period is `unit` and `date`, ' +
      'or begins with `from` and ends before `to`, which is now by default.',
    complexity: OWN_STATEMENT,
    args: {
      ...anyReportArguments(t.arg),
      first: t.arg.int({
        description: 'The maximum number of reports; by default, as many as a response can contain.',
      }),
    },
    resolve: (account, args, context) => anyReports(account, args as ListArguments, context),
  }),
);

builder.objectField('Account', 'report', t =>
  t.field({
    type: Report,
    nullable: true,
    description: 'A single report, or null if it does not exist or is past the retention.',
    complexity: OWN_STATEMENT,
    args: {
      type: t.arg({ type: ReportTypeName, required: true, description: 'The type of the report.' }),
      id: t.arg.id({ required: true, description: 'Its `id` or its `recordId`.' }),
    },
    resolve: async (account, { type, id }, context) => {
      const { typeName } = reportType(type);
      const found = await findReport(account, type, toOwnId(typeName, account, String(id)), context);
      return found && (typed(typeName, found) as unknown as AnyReport);
    },
  }),
);
