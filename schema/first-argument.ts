import { invalid } from './errors.ts';

/** The maximum number of groups in an answer, and the default. */
export const LARGEST_FIRST = 1000;
export const USUAL_FIRST = 100;

/**
 * Checks the size of a list.
 * @throws {PublicError} if it is not from 1 to the maximum
 */
export function requireFirst(first: number, most = LARGEST_FIRST): number {
  if (first < 1 || first > most)
    throw invalid(`Invalid value for parameter: first. It must be 1 to ${most}.`);
  return first;
}
