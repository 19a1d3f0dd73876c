export {
  EXPORT_PATH,
  type FormName,
  FURTHER_EXPORTS,
  LARGEST_PAGE,
  LONGEST_CURSOR,
  MEDIA_TYPES,
  METRICS_PATH,
  MULTIPART,
  NOT,
  USUAL_PAGE,
} from './export/path.ts';
export { connect, describeServiceError, type ServiceConnection as Service } from './service/service.ts';
export { DURATION_FORMAT, parseDuration } from './terminal/duration.ts';
export { untilEnded } from './terminal/ending.ts';
export { CommandFailed, INCOMPLETE, INTERRUPTED, UNTRUSTED_CERTIFICATE } from './terminal/failure.ts';
export { describeProgress, LoadMeter, StepMeter } from './terminal/meter.ts';
export { onOneLine } from './terminal/one-line.ts';
export { print, printJson, say, table } from './terminal/output.ts';
export { parsePort, parseUrl, wholeNumber } from './terminal/values.ts';
export { openPrivate, WholeFile } from './terminal/whole-file.ts';
