import { setTimeout as pause } from 'node:timers/promises';
import { replaceFunction } from './replaced-functions.ts';

type Pause = typeof pause;

/** The pause of Node, also while it is replaced. */
export const realPause: Pause = pause;

/**
 * Simulates `setTimeout` of `node:timers/promises`. A pause whose signal is already aborted stays real: it belongs to
 * something that another test has ended.
 * @returns a function that restores the one before
 */
export function simulatePauses(
  simulate: (milliseconds: number, value: unknown, options?: Parameters<Pause>[2]) => Promise<unknown>,
): () => void {
  return replaceFunction('node:timers/promises', 'setTimeout', ((milliseconds = 0, value, options) =>
    options?.signal?.aborted
      ? realPause(milliseconds, value, options)
      : simulate(milliseconds, value, options)) as Pause);
}
