export { LONGEST_HOST } from '@sightline/csp';
export {
  isHost,
  isHostPattern,
  isPathPattern,
  normalizeHost,
  normalizePath,
  parseAddress,
  reverseHost,
  toReadableHost,
} from './addresses.ts';
export {
  HOURS_PER_DAY,
  isDate,
  MONTHS,
  MS_PER_DAY,
  MS_PER_HOUR,
  MS_PER_WEEK,
  SECONDS_PER_DAY,
  SECONDS_PER_HOUR,
} from './calendar.ts';
export { LINE_COLUMNS, REPORT_COLUMNS, type ReportColumn, STAGED_COLUMNS } from './columns.ts';
export { cspContextOfReport, readOriginal } from './csp-context.ts';
export { formatInstant } from './instants.ts';
export { addressDigits, parseIpAddress } from './ip-address.ts';
export { isObject } from './json.ts';
export { foldWhiteSpace } from './policy-text.ts';
export { identifySender, type SentMail } from './sender.ts';
export { sourceClass, violationClass } from './source-class.ts';
export { isNoise, NOISE, SOURCE_CLASSES, type SourceClass } from './source-classes.ts';
export { measureEditDistance, truncateText } from './text.ts';
export {
  isMailReportType,
  isReportType,
  isRestReportType,
  listValues,
  MAIL_REPORT_TYPES,
  REPORT_TYPE_DEFINITIONS,
  REPORT_TYPES,
  REST_REPORT_TYPES,
  type ReportField,
  type ReportType,
  type ReportTypeDefinition,
  reportType,
} from './types.ts';
export { getUnknownValue, isUnknown } from './unknown.ts';
