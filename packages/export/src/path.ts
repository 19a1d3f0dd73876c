/** Below it stands everything, in order, for machines. */
export const EXPORT_PATH = '/export';

/** The numbers of an account, in the forms of Prometheus. */
export const METRICS_PATH = `${EXPORT_PATH}/metrics`;

/** Before the name of a filter that leaves out what matches it. */
export const NOT = 'not.';

/** Records that a page behind a cursor has at most. */
export const LARGEST_PAGE = 10_000;
