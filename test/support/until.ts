import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between two looks: at least, and at most where it takes longer, of which they are a tenth. */
const PAUSE = 10;
const LONGEST_PAUSE = 100;

/** Milliseconds after which what is waited for counts as lost: only a net, no promise that anything comes sooner. */
const NET = 120_000;

/**
 * Waits for a condition, however long a busy machine takes. It holds when it does not throw and is not false, so it may
 * be an `expect`. Answers with what it comes to.
 * @param pause milliseconds between two looks at least: more of them where looking is work
 * @throws what the condition threw last, when it never holds
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
