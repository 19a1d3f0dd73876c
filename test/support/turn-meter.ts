import { PerformanceObserver, performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

interface Turn {
  start: number;
  end: number;
  /** Processor time of all threads, in milliseconds. */
  processor: number;
}

/** Turns up to this many milliseconds are ignored. */
const SHORT = 10;

/**
 * Runs some work and returns the length of the longest turn of the event loop in milliseconds. A turn counts with its
 * wall-clock time or its processor time, whichever is shorter, because the former includes other processes and the
 * latter other threads. Garbage collection is excluded, because the test's clients and data share the heap with the
 * service.
 */
export async function measureTurns<Value>(
  work: () => Promise<Value>,
): Promise<{ longest: number; value: Value }> {
  const collections: PerformanceEntry[] = [];
  const observer = new PerformanceObserver(list => collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  const turns: Turn[] = [];
  let isDone = false;
  const done = work().finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const [start, before] = [performance.now(), process.cpuUsage()];
    await sleep(1);
    const end = performance.now();
    const { user, system } = process.cpuUsage(before);
    if (end - start > SHORT || turns.length === 0)
      turns.push({ start, end, processor: (user + system) / 1000 });
  }
  // Node reports a garbage collection in a later turn.
  await sleep(1);
  collections.push(...observer.takeRecords());
  observer.disconnect();
  const lengths = turns.map(turn => {
    const collected = measureCollections(turn, collections);
    return Math.min(turn.end - turn.start, turn.processor) - collected;
  });
  return { longest: Math.max(0, ...lengths), value: await done };
}

function measureCollections({ start, end }: Turn, collections: readonly PerformanceEntry[]): number {
  return collections
    .filter(({ startTime }) => startTime >= start && startTime < end)
    .reduce((sum, { duration }) => sum + duration, 0);
}

/** Repeats the work until its turns are short, because code is rarely compiled three times. */
export async function measureLongestTurn<Value>(
  bound: number,
  work: () => Promise<Value>,
): Promise<{ longest: number; value: Value }> {
  let least = await measureTurns(work);
  for (let tries = 1; tries < 3 && least.longest >= bound; tries++) {
    const { longest, value } = await measureTurns(work);
    least = { longest: Math.min(least.longest, longest), value };
  }
  return least;
}
