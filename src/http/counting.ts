import cluster from 'node:cluster';
import { setImmediate as turnIsOver } from 'node:timers/promises';
import { inTime } from '@sightline/pg-client';
import { readMessage, writeMessage } from '../workers/messages.ts';
import { type RequestCount, Windows } from './windows.ts';

/** A worker's message: the requests in one turn of its event loop, by key. */
interface CountRequest {
  counting: number;
  requests: [keyId: string, count: number][];
}

/** The response, in the same order. */
interface CountResponse {
  counted: number;
  windows: RequestCount[];
}

/** Counts for the processes that this one starts. @param window milliseconds */
export function countForAll(window: number): void {
  const counts = new Windows(window);
  cluster.on('message', (worker, message: unknown) => {
    const { counting, requests } = readMessage<CountRequest>(message) ?? {};
    if (counting === undefined || !requests) return;
    const windows = requests.map(([keyId, count]) => counts.count(keyId, count));
    const answer: CountResponse = { counted: counting, windows };
    if (worker.isConnected()) worker.send(writeMessage(answer));
  });
}

/** Time limit in milliseconds for the counting process. */
const ANSWER_LIMIT = 1000;

/** The requests of one turn, and their counts. */
interface Batch {
  /** A key's number of requests, and its index in the message. */
  keys: Map<string, { place: number; count: number }>;
  windows: Promise<RequestCount[]>;
}

/**
 * Counts in the parent process. A round trip costs more than a small response, so one message carries all counts of one
 * turn of the event loop. The busier the process, the more counts a message contains.
 * @returns a function that counts a request of a key, and rejects if there is no reply
 */
export function createSharedCounter(): (keyId: string) => Promise<RequestCount> {
  const pending = new Map<number, (windows: RequestCount[]) => void>();
  let gathered: Batch | undefined;
  let last = 0;

  process.on('message', (message: unknown) => {
    const { counted, windows } = readMessage<CountResponse>(message) ?? {};
    if (counted !== undefined && windows) pending.get(counted)?.(windows);
  });

  async function ask(keys: Batch['keys']): Promise<RequestCount[]> {
    await turnIsOver();
    gathered = undefined;
    const counting = ++last;
    const requests: CountRequest['requests'] = Array.from(keys, ([keyId, { count }]) => [keyId, count]);
    const answer = new Promise<RequestCount[]>((resolve, reject) => {
      pending.set(counting, resolve);
      const message: CountRequest = { counting, requests };
      process.send!(writeMessage(message), undefined, undefined, error => error && reject(error));
    });
    return inTime(answer, ANSWER_LIMIT).finally(() => pending.delete(counting));
  }

  function createBatch(): Batch {
    const keys: Batch['keys'] = new Map();
    return { keys, windows: ask(keys) };
  }

  return async keyId => {
    gathered ??= createBatch();
    const { keys, windows } = gathered;
    const key = keys.get(keyId) ?? { place: keys.size, count: 0 };
    keys.set(keyId, key);
    const ordinal = ++key.count;
    const { count, left } = (await windows)[key.place]!;
    return { count: count - key.count + ordinal, left };
  };
}
