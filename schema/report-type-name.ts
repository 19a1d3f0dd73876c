import { REPORT_TYPE_DEFINITIONS, type ReportType } from '@sightline/reports';
import { builder } from './builder.ts';

export const ReportTypeName = builder.enumType('ReportTypeName', {
  description: 'Identifier of a report type.',
  values: Object.fromEntries(
    REPORT_TYPE_DEFINITIONS.map(({ type, label }) => [type, { value: type, description: label }]),
  ) as Record<ReportType, { value: ReportType; description: string }>,
});
