import { invalid } from './errors.ts';

/** The maximum number of groups in an answer, and the default. */
export const LARGEST_FIRST = 1000;
export const USUAL_FIRST = 100;

/** @throws {PublicError} if more or fewer groups are requested than an answer can contain */
export function requireFirst(first: number | null | undefined): number {
  const size = first ?? USUAL_FIRST;
  if (size < 1 || size > LARGEST_FIRST)
    throw invalid(`Invalid value for parameter: first. It must be 1 to ${LARGEST_FIRST}.`);
  return size;
}
