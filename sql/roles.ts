/** The role of the service, which can only read; "sightline migrate" creates it. */
export const READER = 'sightline_reader';

/** The role of imports, if an administrator created it. */
export const IMPORTER = 'sightline_importer';
