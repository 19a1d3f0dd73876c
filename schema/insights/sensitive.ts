import { SENSITIVE_PATHS } from '../insight-rules.ts';

/** A PostgreSQL regular expression for the paths of pages where visitors enter valuable data. */
export const SENSITIVE_PATTERN = `(^|[/._-])(${SENSITIVE_PATHS.join('|')})([/._-]|$)`;
