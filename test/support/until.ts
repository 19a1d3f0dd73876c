import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The minimum number of milliseconds between two checks. Slow checks are followed by a pause of nine times their
 * duration.
 */
const PAUSE = 10;
const LONGEST_PAUSE = 100;

/** Milliseconds after which a wait fails. Only a safety net, not a guarantee. */
const NET = 120_000;

/**
 * Waits for a condition, however long a busy machine takes. It is met when it returns anything but false without
 * throwing, so it can be an `expect`. Returns its result.
 * @param pause minimum milliseconds between two checks, longer for expensive ones
 * @throws the last error of the condition if it is never met
 */
export async function until<Value>(
  condition: () => Value | Promise<Value>,
  pause = PAUSE,
): Promise<Exclude<Value, false>> {
  const begin = performance.now();
  const waited = () => performance.now() - begin;
  for (;;) {
    try {
      const value = await condition();
      if (value !== false) return value as Exclude<Value, false>;
      if (waited() > NET) throw new Error(`this never held: ${condition}`);
    } catch (error) {
      if (waited() > NET) throw error;
    }
    await sleep(Math.max(pause, Math.min(waited() / 10, LONGEST_PAUSE)));
  }
}
