import { isRestReportType, REPORT_TYPE_DEFINITIONS, type ReportType } from '@sightline/reports';
import { builder } from './builder.ts';

export const ReportTypeName = builder.enumType('ReportTypeName', {
  description: 'Identifier of a report type.',
  values: Object.fromEntries(
    REPORT_TYPE_DEFINITIONS.map(({ type, label }) => [
      type,
      { value: type, description: label, extensions: { subGraphs: getSubGraphs(type) } },
    ]),
  ) as unknown as Record<ReportType, { value: ReportType; description: string }>,
});

/** Returns the subgraphs whose list of types contains the type. */
export function getSubGraphs(type: ReportType): ('rest' | 'graph')[] {
  return isRestReportType(type) ? ['rest', 'graph'] : ['graph'];
}
