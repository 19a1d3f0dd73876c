import type { ReportGroups } from '../sql/report-groups.ts';
import { type Kept, keepValues } from './kept.ts';

/** Bytes that a group takes, beside its texts. */
const GROUP = 200;

/** Keeps groups of reports. @param bytes about how much memory they may take; 0 keeps nothing */
export function keepGroups(bytes: number): Kept<ReportGroups> {
  return keepValues(bytes, ({ groups }) =>
    groups.reduce((sum, { values }) => sum + GROUP + 2 * values.join('').length, GROUP),
  );
}
