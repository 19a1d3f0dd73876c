import cluster from 'node:cluster';
import { setImmediate as turnIsOver } from 'node:timers/promises';
import { inTime } from '@sightline/postgres';
import { type Counted, Windows } from './windows.ts';

/** From a process that serves: the requests of one turn of its event loop, key by key. */
interface Asked {
  counting: number;
  requests: [keyId: string, count: number][];
}

/** The answer, in the same order. */
interface Told {
  counted: number;
  windows: Counted[];
}

/** Counts for the processes that this one starts. @param window milliseconds */
export function countForAll(window: number): void {
  const counts = new Windows(window);
  cluster.on('message', (worker, { counting, requests }: Partial<Asked>) => {
    if (counting === undefined || !requests) return;
    const windows = requests.map(([keyId, count]) => counts.count(keyId, count));
    if (worker.isConnected()) worker.send({ counted: counting, windows } satisfies Told);
  });
}

/** Milliseconds within which the process that counts for all answers. */
const ANSWER_LIMIT = 1000;

/** The requests of one turn, and what they have come to. */
interface Batch {
  /** The number of requests of a key, and its place among the keys. */
  keys: Map<string, { place: number; count: number }>;
  windows: Promise<Counted[]>;
}

/**
 * Counts in the process that started this one. A message there and back costs more than a small answer, so one
 * message carries all counts of one turn of the event loop. The busier the process, the more counts a message has.
 * @returns what counts a request of a key; it fails where no answer comes
 */
export function countedForAll(): (keyId: string) => Promise<Counted> {
  const asked = new Map<number, (windows: Counted[]) => void>();
  let gathered: Batch | undefined;
  let last = 0;

  process.on('message', ({ counted, windows }: Partial<Told>) => {
    if (counted !== undefined && windows) asked.get(counted)?.(windows);
  });

  async function ask(keys: Batch['keys']): Promise<Counted[]> {
    await turnIsOver();
    gathered = undefined;
    const counting = ++last;
    const requests: Asked['requests'] = Array.from(keys, ([keyId, { count }]) => [keyId, count]);
    const answer = new Promise<Counted[]>((resolve, reject) => {
      asked.set(counting, resolve);
      const message: Asked = { counting, requests };
      process.send!(message, undefined, undefined, error => error && reject(error));
    });
    return inTime(answer, ANSWER_LIMIT).finally(() => asked.delete(counting));
  }

  function begun(): Batch {
    const keys: Batch['keys'] = new Map();
    return { keys, windows: ask(keys) };
  }

  return async keyId => {
    gathered ??= begun();
    const { keys, windows } = gathered;
    const key = keys.get(keyId) ?? { place: keys.size, count: 0 };
    keys.set(keyId, key);
    const ordinal = ++key.count;
    const { count, left } = (await windows)[key.place]!;
    return { count: count - key.count + ordinal, left };
  };
}
