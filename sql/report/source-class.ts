import { NOISE, type SourceClass } from '@sightline/reports';
import { toLiterals } from '../literals.ts';

/** The class of a report without one. */
const UNCLASSIFIED: SourceClass = 'unknown';

/** The SQL expression for the origin of a report's blocked resource. */
export const SOURCE_CLASS = `coalesce(source_class, '${UNCLASSIFIED}')`;

/** The noise of browsers, as a list within SQL. */
export const NOISE_SQL = toLiterals(NOISE);
