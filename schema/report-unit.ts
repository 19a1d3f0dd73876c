import { builder } from './builder.ts';

export const ReportUnit = builder.enumType('ReportUnit', {
  description: 'Unit of a period of reports.',
  values: ['hours', 'days', 'months'] as const,
});
