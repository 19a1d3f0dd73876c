/** Below it stands everything, in order, for machines. */
export const EXPORT_PATH = '/export';

/** The numbers of an account, in the forms of Prometheus. */
export const METRICS_PATH = `${EXPORT_PATH}/metrics`;

/** Before the name of a filter that leaves out what matches it. */
export const NOT = 'not.';

/** Records that a page behind a cursor has at most. */
export const LARGEST_PAGE = 10_000;

/** Records of a page behind a cursor, where none other is asked for. */
export const USUAL_PAGE = 1000;

/** Characters that a cursor has at most. */
export const LONGEST_CURSOR = 2048;

/** The forms of an export by their names, which end a file's name, too. */
export const MEDIA_TYPES = {
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
  json: 'application/json',
} as const;

export type FormName = keyof typeof MEDIA_TYPES;

/** The paths of exports that have no reports. */
export const FURTHER_EXPORTS = ['audit-log', 'findings'] as const;
