import { createRequire, syncBuiltinESMExports } from 'node:module';

type Pause = typeof import('node:timers/promises').setTimeout;

const timers: { setTimeout: Pause } = createRequire(import.meta.url)('node:timers/promises');

export const realPause = timers.setTimeout;

/**
 * Replaces `setTimeout` of `node:timers/promises` at run time, because other test files have already imported the code
 * under test. A pause whose signal is already aborted stays real: it belongs to something that another test has ended.
 * @returns a function that restores the one before
 */
export function simulatePauses(
  simulate: (milliseconds: number, value: unknown, options?: Parameters<Pause>[2]) => Promise<unknown>,
): () => void {
  const before = timers.setTimeout;
  const replace = (pause: Pause) => {
    timers.setTimeout = pause;
    syncBuiltinESMExports();
  };
  replace(((milliseconds = 0, value, options) =>
    options?.signal?.aborted
      ? realPause(milliseconds, value, options)
      : simulate(milliseconds, value, options)) as Pause);
  return () => replace(before);
}
