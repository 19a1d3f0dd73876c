export { BadLine } from './bad-line.ts';
export { type BadLineReport, BadLines, describeBadLine } from './bad-lines.ts';
export { type Check, MOST_OBJECTS, type TextBounds } from './checks.ts';
export { parseInstant } from './instants.ts';
export { type FeedLine, type FeedRecord, readLine, understand } from './line.ts';
export { LineSet } from './line-set.ts';
export { memoize as remembered } from './memoize.ts';
export {
  byFeature,
  type FeatureOf,
  FINDING_SOURCES,
  type FindingSource,
  LONGEST_RETENTION,
  PLAN_FEATURES,
  PLAN_STATUSES,
  type Plan,
  type PlanFeatures,
  PRODUCTS,
  type Product,
  TIERS,
} from './plans.ts';
export { RECORDS, type RecordKind, type RecordTable } from './records.ts';
export { type ReportDays, reportDays } from './report-days.ts';
export { checkReport, type EncodedReport, type Enrich, textBounds } from './reports.ts';
export { VERDICT_SUBJECTS, VERDICTS, type VerdictName, type VerdictSubject } from './verdicts.ts';
