import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Attempts } from '../src/dial/attempts.ts';

it('a server gets twenty connection attempts per second, and the next one waits', async () => {
  let now = 1000;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => void clock.mockRestore());
  const attempts = new Attempts();
  for (let round = 1; round <= 2; round++) {
    for (let n = 0; n < 20; n++) await attempts.permit();
    now += 1049;
    const next = attempts.permit();
    expect(await Promise.race([next, sleep(20, 'waiting')])).toBe('waiting');
    expect(attempts.count).toBe(21 * round - 1);
    now += 1;
    await next;
    expect(attempts.count).toBe(21 * round);
    // The attempt that waited is forgotten too.
    now += 1050;
  }
});
