import { NOISE, type SourceClass } from '@sightline/reports/source-classes';

/** The class of a report whose row has none. */
const UNCLASSIFIED: SourceClass = 'unknown';

/** The expression of SQL that tells where the blocked resource of a report came from. */
export const SOURCE_CLASS = `coalesce(source_class, '${UNCLASSIFIED}')`;

/** The noise of browsers, as a list within SQL. */
export const NOISE_SQL = NOISE.map(name => `'${name}'`).join(', ');
