/** The path of the exports, which return complete data to programs. */
export const EXPORT_PATH = '/export';

/** The path of the account's metrics in Prometheus format. */
export const METRICS_PATH = `${EXPORT_PATH}/metrics`;

/** Prefix of a filter parameter that excludes matching records. */
export const NOT = 'not.';

/** Maximum number of records per page. */
export const LARGEST_PAGE = 10_000;

/** Default number of records per page. */
export const USUAL_PAGE = 1000;

/** Maximum length of a cursor, in characters. */
export const LONGEST_CURSOR = 2048;

/** Media types of the export formats. The name of a format is also its file extension. */
export const MEDIA_TYPES = {
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
  json: 'application/json',
} as const;

/** The media type of a response that consists of several pages (RFC 2046, section 5.1). */
export const MULTIPART = 'multipart/mixed';

export type FormName = keyof typeof MEDIA_TYPES;

/** The exports other than reports. */
export const FURTHER_EXPORTS = ['audit-log', 'findings', 'verdicts'] as const;
