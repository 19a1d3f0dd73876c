/** Below it stands everything, in order, for machines. */
export const EXPORT_PATH = '/export';
