import type { ReportGroups } from '../sql/report-groups.ts';
import { type AnswerCache, createAnswerCache } from './answer-cache.ts';

/** The size of a group without its texts, in bytes. */
const GROUP = 200;

/**
 * Caches groups of reports.
 * @param bytes approximate memory limit; 0 disables the cache
 */
export function createGroupCache(bytes: number): AnswerCache<ReportGroups> {
  return createAnswerCache(bytes, ({ groups }) =>
    groups.reduce(
      (sum, { values }) => values.reduce((bytes, { length }) => bytes + 2 * length, sum + GROUP),
      GROUP,
    ),
  );
}
